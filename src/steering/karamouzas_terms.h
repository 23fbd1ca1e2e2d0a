// What the kernel of Karamouzas et al. 2009 and its slow twin share.
//
// On person i act, as accelerations:
//   goal      (v_preferred - v) / ξ
//   walls     n (d_s + r - d) / (d - r)²     nearer than the safe distance d_s (the published exponent κ = 2)
//   evasion   Σ w_k f(D_k) n_k               of those with whom i will collide first, in the order of time
// For the evasion i expects to walk v_des = v + dt · (goal + walls), and everybody else to keep their velocity. A
// collision is when j's body enters i's personal space, a disc of radius ρ. If that is t_j from now, at most the
// anticipation time, i and j will then stand at c_i and c_j; n = (c_i - c_j)/|c_i - c_j| and
//   D = |c_i - x_i| + max(0, |c_i - c_j| - r_i - r_j)
// is how far it is to the collision. f(D) = A d_min/D below d_min (bodies are not to be walked through), A up to
// d_mid, from there linearly down to 0 at d_max.
//
// Readings. The paper draws f(D) as a curve and leaves the numbers to experiment; docs/models/karamouzas.md tells those
// used here. Collisions are evaded one after the other, each with the velocity that evading the earlier ones leads to,
// so that one already avoided asks for nothing; and they fade by a factor per rank. Seen is what lies within the field
// of view around the preferred direction; whose body touches is felt from every side, and pushes in proportion to the
// overlap. Inside the personal space the force grows with the depth, from nothing at its border to f(D) where bodies
// touch; everybody inside counts, or people in a dense crowd would be thrown about as now these, now those are the
// first. A force changes the velocity no further than to where the collision is no longer expected: at full strength
// over a whole step it would throw people to and fro between expecting and not expecting one. In place of the paper's
// random noise, which keeps people from stopping in front of one another, those who are pushed back bear right. Nobody
// is driven backwards (notBackwards).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/column.h"
#include "steering/body_contact.h"
#include "steering/orca_lines.h"
#include "steering/wall_points.h"

namespace throng::steering::karamouzas {

enum Parameter {
  kReactionTime,
  kPersonalSpace,
  kAnticipationTime,
  kViewAngle,
  kMaxCollisions,
  kEvasionStrength,
  kMinDistance,
  kMidDistance,
  kMaxDistance,
  kWallDistance,
  kNeighbourRange,
  kParameterCount
};

/// How much of its strength the evasion of each further collision has.
inline constexpr float kFading = 0.8f;
/// How far those who are pushed back bear to the right, in units of orcaTurn's 0.0005 to 0.0015: 6° to 17°.
inline constexpr float kTurn = 200;
/// s; not a time.
inline constexpr float kNever = 1e9f;
/// m; the room to a wall or a body to come counts as at least this.
inline constexpr float kLeastRoom = 0.05f;
/// m; the room between bodies counts as at least this.
inline constexpr float kTouching = 0.01f;
/// 1/s²; how hard bodies are that touch.
inline constexpr float kStiffness = 2000;

struct Coefficients {
  Coefficients(std::span<const float> parameters, float dt);

  float dt, drive;  ///< s; dt/ξ
  float personal_space, anticipation, cos_view, strength, d_min, d_mid, d_max, wall_distance, range, range_squared;
  std::size_t max_collisions;
};

/// The person who looks ahead.
struct Walker {
  Vec2 place, velocity, expected;  ///< expected: v_des
  Vec2 sight;
  float radius, space;  ///< body, personal space
};

/// Goal and walls: into `sums` goes what walls do; the walker's expected velocity comes out.
Walker walkerOf(const Coefficients& c, const StepInput& input, std::uint32_t slot, std::vector<std::uint32_t>& found,
                MotionSums& sums);

/// A collision to come.
struct Collision {
  float time;
  std::uint32_t slot;

  bool operator<(const Collision& other) const {
    return time < other.time || (time == other.time && slot < other.slot);
  }
};

/// Those who matter to somebody: in the personal space now, in the order of slots, and the first to come into it.
struct Others {
  std::vector<std::uint32_t> inside;
  std::vector<Collision> first;
};

/// When the other, at `apart` from the walker, enters the personal space; `never` when not; 0 for who is inside.
/// `relative` is the walker's expected velocity minus the other's.
inline float timeToCollision(Vec2 apart, Vec2 relative, float reach, float never) {
  const float squared = apart.x * apart.x + apart.y * apart.y;
  const float room = squared - reach * reach;
  const float b = apart.x * relative.x + apart.y * relative.y;
  const float root = b * b - (relative.x * relative.x + relative.y * relative.y) * room;
  if (!(room > 0)) return 0;
  return b > 0 && root > 0 ? room / (b + std::sqrt(root)) : never;
}

/// Keeps the `most` first collisions, in order.
inline void keepFirst(std::vector<Collision>& first, std::size_t most, Collision collision) {
  if (first.size() == most) {
    if (most == 0 || !(collision < first.back())) return;
    first.pop_back();
  }
  first.insert(std::upper_bound(first.begin(), first.end(), collision), collision);
}

/// What is left of a velocity that leads back: standing still, and the way aside. The forces add up over everybody
/// near, and in a dense crowd would drive it backwards as a whole, however much everybody wants to go on.
inline Vec2 notBackwards(Vec2 velocity, Vec2 preferred) {
  const float along = dot(velocity, preferred);
  if (!(along < 0)) return velocity;
  return velocity - preferred * (along / lengthSquared(preferred));
}

/// Adds the evasion of those found and returns the new velocity.
Vec2 evade(const Coefficients& c, const StepInput& input, std::uint32_t slot, const Walker& walker,
           const Others& others, MotionSums& sums);

}  // namespace throng::steering::karamouzas
