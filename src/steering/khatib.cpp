// Artificial potential fields (Khatib 1986) for a crowd (Yersin 2009, section 4.2.1). As accelerations:
//   attraction   k_v (v_preferred - v)                     Khatib's eq. for a goal approached at limited speed: far
//   from
//                                                          it the attraction is that towards a velocity
//   repulsion    η (1/ρ - 1/ρ0) / ρ² n   for ρ < ρ0        from every person and wall whose surface is ρ away; the
//                                                          gradient of the potential ½ η (1/ρ - 1/ρ0)²
//
// The repulsion is infinite at touching and needs very short steps. Here the step is linearly implicit, as in
// body_contact.h: the force is taken at the distance expected at the end of the step and answers the change of velocity
// with its stiffness. Nearer than 5 cm it goes on along its tangent.
//
// A potential field has minima where nobody wants to stand: two who come straight at each other stop. Whoever is
// pushed back turns their attraction a little to the right, so that they pass.
#include "steering/khatib.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "steering/body_contact.h"
#include "steering/orca_lines.h"
#include "steering/people_near.h"
#include "steering/wall_points.h"

namespace throng::steering {
namespace {

enum Parameter { kDamping, kRepulsion, kInfluence, kParameterCount };

constexpr std::array<ModelParameter, kParameterCount> kParameters{{
    {"damping", "1/s", 2, 0.1, 20, "k_v: how fast people come back to their preferred velocity."},
    {"repulsion", "m⁴/s²", 0.1, 0, 10, "η: how strongly people and walls repel."},
    {"influence_distance", "m", 1.2, 0.1, 10, "ρ0: what is farther away than this does not repel."},
}};

constexpr float kLeastDistance = 0.05f;  ///< m
/// How far those who are pushed back turn, in units of orcaTurn's 0.0005 to 0.0015: 2° on average.
constexpr float kTurn = 40;
/// The largest sum of two radii beyond ρ0 at which people are still asked for.
constexpr float kBodies = 1;  ///< m

/// Adds the repulsion of what is `distance` away along n and comes nearer at -leaving. Below the least distance the
/// force goes on along its tangent, so that of two overlaps the deeper pushes harder.
void addRepulsion(float dt, float eta, float influence, Vec2 n, float distance, float leaving, float yields,
                  MotionSums& sums) {
  const float expected = distance + dt * leaving;
  if (!(expected < influence)) return;
  const float rho = std::max(expected, std::min(kLeastDistance, 0.5f * influence));
  const float inverse = 1.0f / rho;
  const float cube = eta * inverse * inverse * inverse;
  const float stiffness = cube * (3.0f * inverse - 2.0f / influence);
  const float push = cube * (1.0f - rho / influence) + stiffness * (rho - expected);
  addYielding(dt, n, push, stiffness, yields, sums);
}

template <class ForEach>
void steer(const StepInput& input, std::span<const float> p, std::span<const std::uint32_t> slots, VelocityOutput out,
           const ForEach& for_each_near) {
  static thread_local std::vector<std::uint32_t> found;
  const agents::Crowd& crowd = input.crowd;
  const agents::NeighbourIndex& index = input.neighbours;
  const float dt = input.dt, eta = p[kRepulsion], influence = p[kInfluence];
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = index.row()[slot];
    const Vec2 place{index.x()[slot], index.y()[slot]}, velocity{index.vx()[slot], index.vy()[slot]};
    const float radius = index.radius()[slot];
    Vec2 wanted{crowd.preferred_vx[row], crowd.preferred_vy[row]};
    const Vec2 way = normalized(wanted);
    MotionSums sums;
    for_each_near(index, crowd, slot, influence + kBodies, [&](std::uint32_t other) {
      Vec2 apart{place.x - index.x()[other], place.y - index.y()[other]};
      const float squared = apart.x * apart.x + apart.y * apart.y;
      const float distance = std::sqrt(squared);
      if (squared < kSamePlaceSquared) {
        apart = social_force::partingDirection(crowd.person[row], crowd.person[index.row()[other]]);
      } else {
        apart = {apart.x / distance, apart.y / distance};
      }
      const float leaving = (velocity.x - index.vx()[other]) * apart.x + (velocity.y - index.vy()[other]) * apart.y;
      addRepulsion(dt, eta, influence, apart, distance - (radius + index.radius()[other]), leaving, 2.0f, sums);
    });
    forEachWallPoint(input.floors[crowd.layer[row]].walls, place, radius + influence, found,
                     [&](Vec2 normal, float distance) {
                       const Vec2 push = passingPush(normal, distance, radius, way);
                       const float leaving = dot(velocity, push);
                       addRepulsion(dt, eta, influence, push, distance - radius, leaving, 1.0f, sums);
                     });
    if (wanted.x * sums.fx + wanted.y * sums.fy < 0) {
      const float turn = kTurn * orcaTurn(crowd.person[row]);
      wanted = {wanted.x + turn * wanted.y, wanted.y - turn * wanted.x};
    }
    const Vec2 next = drivenVelocity(velocity, wanted, dt * p[kDamping], sums, crowd.max_speed[row]);
    out.vx[row] = next.x;
    out.vy[row] = next.y;
  }
}

}  // namespace

std::span<const ModelParameter> khatibParameters() { return kParameters; }

float khatibRange(std::span<const float> parameters) { return parameters[kInfluence] + kBodies; }

void steerKhatib(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                 VelocityOutput out) {
  steer(input, parameters, slots, out, kByGrid);
}

void steerKhatibReference(const StepInput& input, std::span<const float> parameters,
                          std::span<const std::uint32_t> slots, VelocityOutput out) {
  steer(input, parameters, slots, out, kOneByOne);
}

}  // namespace throng::steering
