#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "patches/contact.h"
#include "patches/generators.h"
#include "patches/sides.h"

namespace throng::patches {
namespace {

constexpr double kParticleStep = 0.05;  ///< s
constexpr double kPull = 6;             ///< 1/s², to the attraction point
constexpr double kDamping = 4;          ///< 1/s, towards its velocity
constexpr double kPush = 6;             ///< m/s², between bodies that touch
constexpr double kFade = 0.2;           ///< m in which that falls to 1/e
constexpr double kVicinity = 1.5;       ///< m, between centres
constexpr double kHurry = 1.5;          ///< s before the end, when attraction begins to outweigh all else

}  // namespace

void moveAsParticles(const Task& task, std::vector<PatchWalk>& walks) {
  const PatchDefinition& patch = task.patch;
  // The thesis lets people stand; ours walk, and so go round about where a straight line would be too slow.
  for (std::size_t w = 0; w < walks.size(); ++w)
    wasteTime(patch, walks[w], task.pairs[w], task.preferred_speed, w % 2 == 0);
  const std::vector<PatchWalk> straight = walks;
  std::vector<Leg> legs = legsOf(straight, patch.period, kParticleStep);
  std::vector<LegWalker> particles(legs.size());
  std::vector<Side> sides;
  for (std::size_t s = 0; s < patch.sides.size(); ++s) sides.push_back(sideOf(patch, s));
  std::vector<Point> force(legs.size());
  const auto steps = static_cast<std::size_t>(std::ceil(patch.period / kParticleStep - 1e-9));
  for (std::size_t step = 0; step <= steps; ++step) {
    const double phase = static_cast<double>(step) * kParticleStep;
    enter(legs, straight, step, kParticleStep, particles);
    for (std::size_t i = 0; i < legs.size(); ++i) {
      if (!particles[i].there) continue;
      const Leg& leg = legs[i];
      const double t = leg.lap + phase;
      const PatchState goal = stateAt(straight[leg.walk], t);
      const Point off = goal.position - particles[i].x;
      // The farther away and the nearer to the end, the more attraction counts against repulsion.
      const double late = std::clamp(1 - (leg.end - t) / kHurry, 0.0, 1.0);
      const double attraction = 1 + lengthSquared(off) + 4 * late, repulsion = 1 - late;
      Point f = off * (kPull * attraction) + (goal.velocity - particles[i].v) * kDamping;
      const auto pushed = [&](Point from, double gap) {
        const double d = length(from);
        if (d > 0) f += from * (repulsion * kPush * base::exponential(-gap / kFade) / d);
      };
      for (std::size_t j = 0; j < legs.size(); ++j) {
        if (j == i || !particles[j].there) continue;
        const Point from = particles[i].x - particles[j].x;
        const double d = length(from);
        if (d < kVicinity) pushed(from, d - 2 * kPatchRadius);
      }
      for (const PatchResident& resident : patch.residents) {
        const Point from = particles[i].x - stateAt(resident, patch.period, phase).position;
        if (length(from) < kVicinity) pushed(from, length(from) - 2 * kPatchRadius);
      }
      for (const PatchObject& object : patch.objects) {
        Point centre;
        for (const Point p : object.outline) centre += p / static_cast<double>(object.outline.size());
        const double d = distance(particles[i].x, object.outline);
        if (d < kVicinity) pushed(particles[i].x - centre, d - kPatchRadius);
      }
      // Borders push as walls do, but for those that are crossed.
      const PatchWalk& own = straight[leg.walk];
      for (std::size_t s = 0; s < sides.size(); ++s) {
        const double depth = sides[s].depth(particles[i].x);
        if (s != own.input.side && s != own.output.side && depth < kVicinity)
          pushed(sides[s].inward, depth - kPatchRadius);
      }
      force[i] = f;
    }
    for (std::size_t i = 0; i < legs.size(); ++i)
      if (particles[i].there) {
        particles[i].v += force[i] * kParticleStep;
        const double speed = length(particles[i].v);
        if (speed > kPatchFastest) particles[i].v *= kPatchFastest / speed;
        particles[i].x += particles[i].v * kParticleStep;
      }
  }
  takeOver(legs, straight, kParticleStep, walks);
}

}  // namespace throng::patches
