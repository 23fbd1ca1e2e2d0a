// Bodies that touch, and the step of models whose people are masses driven towards a desired velocity:
//   dv/dt = (v_desired - v) / τ + Σ k/m · max(0, r_i + r_j - d_ij) n_ij + other accelerations
// as in Moussaïd, Helbing & Theraulaz 2011 and Jaklin's thesis (2016, section 10.3.6). The step is linearly implicit,
// as in social_force_terms.h: contacts are taken at the overlap expected at its end, and their answer to the change of
// velocity that is looked for is part of a 2×2 system, in which the other gives way as much. Short steps tend to the
// equation above; long ones stay calm.
#pragma once

#include <cmath>
#include <cstdint>

#include "throng/base.h"

#include "steering/social_force_terms.h"

namespace throng::steering {

/// kg per m of radius: Moussaïd et al. 2011 (r = m/320), Jaklin 2016.
inline constexpr float kMassPerRadius = 320;
/// Nearer than this (squared, m²) people have no direction from one another.
inline constexpr float kSamePlaceSquared = social_force::kCoincidentSquared;

using MotionSums = social_force::Sums;

/// An acceleration that yields to the change of velocity: `along` n now, less by `stiffness` (1/s²) for every metre of
/// giving way along n. `yields`: 2 for people, who both give way, 1 for walls.
inline void addYielding(float dt, Vec2 n, float along, float stiffness, float yields, MotionSums& sums) {
  sums.fx += dt * along * n.x;
  sums.fy += dt * along * n.y;
  const float m = yields * dt * dt * stiffness;
  sums.mxx += m * n.x * n.x;
  sums.mxy += m * n.x * n.y;
  sums.myy += m * n.y * n.y;
}

/// The push of one body in contact. `n`: unit vector from the other to the person; `overlap` in m; `relative`: the
/// person's velocity minus the other's; `stiffness`: k/m in 1/s².
inline void addContact(float dt, float stiffness, Vec2 n, float overlap, Vec2 relative, float yields,
                       MotionSums& sums) {
  const float expected = overlap - dt * (relative.x * n.x + relative.y * n.y);
  if (!(overlap > 0 && expected > 0)) return;
  addYielding(dt, n, stiffness * expected, stiffness, yields, sums);
}

/// The velocity at the end of the step, at most `limit` long. `drive`: dt/τ.
inline Vec2 drivenVelocity(Vec2 velocity, Vec2 desired, float drive, const MotionSums& sums, float limit) {
  const float rx = drive * (desired.x - velocity.x) + sums.fx;
  const float ry = drive * (desired.y - velocity.y) + sums.fy;
  // The determinant in parts that are positive by themselves: rounding can make it too large at worst.
  const float m = 1.0f + drive;
  const float rest = sums.mxx * sums.myy - sums.mxy * sums.mxy;
  const float determinant = m * m + m * (sums.mxx + sums.myy) + (rest > 0 ? rest : 0.0f);
  Vec2 next{velocity.x + ((m + sums.myy) * rx - sums.mxy * ry) / determinant,
            velocity.y + ((m + sums.mxx) * ry - sums.mxy * rx) / determinant};
  const float squared = next.x * next.x + next.y * next.y;
  if (squared > limit * limit) {
    const float scale = limit / std::sqrt(squared);
    next.x *= scale, next.y *= scale;
  }
  return next;
}

}  // namespace throng::steering
