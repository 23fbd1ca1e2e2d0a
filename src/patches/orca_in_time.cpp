#include <algorithm>
#include <cmath>

#include "patches/generators.h"
#include "patches/sides.h"
#include "patches/spline.h"
#include "steering/orca_lines.h"
#include "steering/orca_reference.h"

namespace throng::patches {
namespace {

constexpr double kOrcaStep = 0.1;  ///< s
constexpr float kHorizon = 2;      ///< s
constexpr double kVicinity = 4;    ///< m
constexpr double kAhead = 1.0;     ///< s; people head for where they should be then
constexpr double kMargin = 0.03;   ///< m, so that what smoothing takes away is not missed

Vec2 asVec2(Point p) { return {static_cast<float>(p.x), static_cast<float>(p.y)}; }

}  // namespace

void moveByOrca(const Task& task, std::vector<PatchWalk>& walks) {
  const PatchDefinition& patch = task.patch;
  for (std::size_t w = 0; w < walks.size(); ++w)
    wasteTime(patch, walks[w], task.pairs[w], task.preferred_speed, w % 2 == 0);
  const std::vector<PatchWalk> straight = walks;
  std::vector<Leg> legs = legsOf(straight, patch.period, kOrcaStep);
  std::vector<LegWalker> walkers(legs.size());
  std::vector<Point> next(legs.size());
  std::vector<steering::OrcaLine> lines;
  const auto steps = static_cast<std::size_t>(std::ceil(patch.period / kOrcaStep - 1e-9));
  const auto radius = static_cast<float>(kPatchRadius + kMargin);
  for (std::size_t step = 0; step <= steps; ++step) {
    const double phase = static_cast<double>(step) * kOrcaStep;
    enter(legs, straight, step, kOrcaStep, walkers);
    for (std::size_t i = 0; i < legs.size(); ++i) {
      if (!walkers[i].there) continue;
      const Leg& leg = legs[i];
      const PatchWalk& own = straight[leg.walk];
      const double t = leg.lap + phase;
      // On the border both patches rely on the straight line.
      const double last = own.first + own.step * static_cast<double>(stretches(own) - 1);
      if (t < own.first + own.step || t >= last) {
        next[i] = (stateAt(own, t + kOrcaStep).position - walkers[i].x) / kOrcaStep;
        continue;
      }
      // As fast as it takes to be at the next way-point in time.
      const double until = std::min(leg.end, t + kAhead);
      Point wish = (stateAt(own, until).position - walkers[i].x) / std::max(until - t, kOrcaStep);
      const double speed = length(wish);
      if (speed > kPatchFastest) wish *= kPatchFastest / speed;
      lines.clear();
      const steering::OrcaDisc self{asVec2(walkers[i].x), asVec2(walkers[i].v), radius};
      const auto avoid = [&](Point x, Point v, float r, bool first) {
        if (length(x - walkers[i].x) < kVicinity)
          lines.push_back(
              steering::orcaAgentLine(self, {asVec2(x), asVec2(v), r}, kHorizon, static_cast<float>(kOrcaStep), first));
      };
      for (std::size_t j = 0; j < legs.size(); ++j)
        if (j != i && walkers[j].there) avoid(walkers[j].x, walkers[j].v, radius, i < j);
      for (const PatchResident& resident : patch.residents) {
        const PatchState state = stateAt(resident, patch.period, phase);
        avoid(state.position, state.velocity, radius, true);
      }
      for (const PatchObject& object : patch.objects) {
        Point centre;
        double reach = 0;
        for (const Point p : object.outline) centre += p / static_cast<double>(object.outline.size());
        for (const Point p : object.outline) reach = std::max(reach, length(p - centre));
        avoid(centre, {}, static_cast<float>(reach), true);
      }
      const auto solution = steering::orcaVelocity(lines, 0, static_cast<float>(kPatchFastest), asVec2(wish),
                                                   steering::orcaTurn(static_cast<std::uint32_t>(i)));
      next[i] = {solution.velocity.x, solution.velocity.y};
    }
    for (std::size_t i = 0; i < legs.size(); ++i)
      if (walkers[i].there) {
        walkers[i].v = next[i];
        walkers[i].x += walkers[i].v * kOrcaStep;
      }
  }
  takeOver(legs, straight, kOrcaStep, walks);
}

}  // namespace throng::patches
