// What the kernel of Karamouzas & Overmars 2010 and its slow twin share.
//
// People foresee collisions: moments at which somebody's body enters their personal space, a disc of radius ρ, if both
// keep their velocities. The time tc of the first collision at the preferred velocity decides which velocities come
// into question at all: directions up to δ(tc) from the preferred one, and speeds
//
//   tc ≥ t_max            the preferred velocity
//   t_mid ≤ tc < t_max    δ from 0 at t_max to δ_mid at t_mid, in proportion;  |u| from v0 - (v_max - v0) to v_max
//   t_min ≤ tc < t_mid    δ = δ_mid;                                           |u| as before
//   tc < t_min            δ = δ_mid + (1 - tc/t_min)² (δ_max - δ_mid);         |u| from 0 to v_max
//
// Of these the one that costs least is walked:
//
//   α (1 - cos θ)/2 + β | |u| - |v| |/v_max + γ |u - v0 e0|/(2 v_max) + δ max(0, t_max - tc(u))/t_max
//
// θ being the angle to the preferred direction, v the velocity now. docs/models/karamouzas-2010.md tells where the
// paper is read in one of several ways.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/column.h"
#include "ground/walkable_space.h"
#include "steering/models.h"

namespace throng::steering::karamouzas_2010 {

enum Parameter {
  kPersonalSpace,
  kViewAngle,
  kNeighbourRange,
  kMaxTime,
  kMidTime,
  kMinTime,
  kContactTime,
  kMidAngle,
  kMaxAngle,
  kTurningCost,
  kSpeedCost,
  kDetourCost,
  kCollisionCost,
  kParameterCount
};

/// How many directions are tried, and how many speeds in each; on the way wanted more, for there the cost is flat and a
/// step between two speeds that is too wide would keep a crowd at rest from ever setting out.
inline constexpr std::size_t kDirections = 19, kSpeeds = 15, kSpeedsStraightOn = 48;
/// The preferred velocity is the first; those at the end that fill the last vector are the preferred one again.
inline constexpr std::size_t kCandidates = 320;
static_assert(kCandidates >= 1 + kSpeedsStraightOn + (kDirections - 1) * kSpeeds && kCandidates % 32 == 0);
/// s; not a time.
inline constexpr float kNever = 1e9f;
/// m/s; who wants to walk slower than this wants to stand.
inline constexpr float kStanding = 1e-3f;

struct Coefficients {
  explicit Coefficients(std::span<const float> parameters);

  float personal_space, cos_view, range;
  float t_max, t_mid, t_min;  ///< s, t_max > t_mid ≥ t_min
  float t_contact, inverse_t_contact;
  float angle_mid, angle_max;  ///< rad
  float turning, speed, detour, collision;
  float inverse_t_max;
};

/// A round obstacle: somebody, or a corner of a wall.
struct Disc {
  float px, py;  ///< m, from the walker
  float vx, vy;  ///< m/s
  float room;    ///< distance² - reach², m²; 0: there
};

/// A straight wall seen from its free side.
struct Side {
  float nx, ny;  ///< from the wall, unit
  float tx, ty;  ///< along it, unit
  float room;    ///< m from the walker's edge to it
  float along;   ///< m from its beginning to the walker's foot
  float extent;  ///< m, its length
};

struct Walker {
  Vec2 place, velocity, preferred, wanted;  ///< wanted: the direction of the preferred velocity
  float radius, space;                      ///< body, personal space
  float preferred_speed, max_speed;
};

/// False for who wants to stand.
bool walkerOf(const Coefficients& c, const StepInput& input, std::uint32_t slot, Walker& walker);

/// Somebody at `apart` from the walker now. In whose personal space somebody
/// already is, cannot keep them out of it: then it is the bodies that are not to meet.
inline Disc discOf(const Walker& walker, Vec2 apart, Vec2 velocity, float radius) {
  const float squared = apart.x * apart.x + apart.y * apart.y;
  const float reach = walker.space + radius, bodies = walker.radius + radius;
  float room = squared - reach * reach;
  if (!(room > 0)) room = std::max(0.0f, squared - bodies * bodies);
  return {apart.x, apart.y, velocity.x, velocity.y, room};
}

/// The same for the bodies alone.
inline Disc bodyOf(const Walker& walker, Vec2 apart, Vec2 velocity, float radius) {
  const float bodies = walker.radius + radius;
  return {apart.x, apart.y, velocity.x, velocity.y,
          std::max(0.0f, apart.x * apart.x + apart.y * apart.y - bodies * bodies)};
}

/// Is this one of those who count: in view, and near enough to be met in time?
inline bool counts(const Coefficients& c, const Walker& walker, Vec2 apart, Vec2 velocity) {
  const float squared = apart.x * apart.x + apart.y * apart.y;
  const float ahead = apart.x * walker.wanted.x + apart.y * walker.wanted.y;
  const float far = std::sqrt(squared);
  if (!(ahead >= c.cos_view * far)) return false;
  const float speed = std::sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
  // Nobody's reach is more than the personal space and a metre.
  return far <= (walker.max_speed + speed) * c.t_max + (walker.space + 1.0f);
}

/// Seconds until the disc is met at velocity u; kNever when it is not.
inline float timeTo(const Disc& disc, float ux, float uy) {
  const float wx = ux - disc.vx, wy = uy - disc.vy;
  const float b = disc.px * wx + disc.py * wy;
  const float root = b * b - (wx * wx + wy * wy) * disc.room;
  return b > 0 && root > 0 ? disc.room / (b + std::sqrt(root)) : kNever;
}

inline float timeTo(const Side& side, float ux, float uy) {
  const float approach = -(side.nx * ux + side.ny * uy);
  const float t = side.room / approach;
  const float at = side.along + t * (side.tx * ux + side.ty * uy);
  return approach > 0 && at >= 0 && at <= side.extent ? t : kNever;
}

/// Everything that somebody can meet.
struct Obstacles {
  std::vector<Disc> people;  ///< those whose bodies are not to enter the personal space
  std::vector<Disc> bodies;  ///< those who are near, and corners of walls: nothing is to touch the body
  std::vector<Side> sides;

  void clear() { people.clear(), bodies.clear(), sides.clear(); }
  /// Seconds until the personal space is entered.
  float timeTo(float ux, float uy) const {
    float time = kNever;
    for (const Disc& disc : people) time = std::min(time, karamouzas_2010::timeTo(disc, ux, uy));
    return time;
  }
  /// Seconds until the body is touched.
  float contactAt(float ux, float uy) const {
    float time = kNever;
    for (const Side& side : sides) time = std::min(time, karamouzas_2010::timeTo(side, ux, uy));
    for (const Disc& disc : bodies) time = std::min(time, karamouzas_2010::timeTo(disc, ux, uy));
    return time;
  }
};

/// The walls that can be touched in time, and their corners as discs that stand still.
void seeWalls(const Coefficients& c, const ground::Walls& walls, const Walker& walker,
              std::vector<std::uint32_t>& found, Obstacles& obstacles);

/// Somebody else.
inline void note(const Coefficients& c, const Walker& walker, Vec2 apart, Vec2 velocity, float radius,
                 Obstacles& obstacles) {
  if (!counts(c, walker, apart, velocity)) return;
  obstacles.people.push_back(discOf(walker, apart, velocity, radius));
  const float near = walker.radius + radius +
                     (walker.max_speed + std::sqrt(velocity.x * velocity.x + velocity.y * velocity.y)) * c.t_contact;
  if (apart.x * apart.x + apart.y * apart.y < near * near)
    obstacles.bodies.push_back(bodyOf(walker, apart, velocity, radius));
}

/// All velocities that come into question, in columns.
struct Candidates {
  alignas(base::kVectorBytes) float ux[kCandidates], uy[kCandidates];
  alignas(base::kVectorBytes) float cost[kCandidates];     ///< without the collision's part
  alignas(base::kVectorBytes) float time[kCandidates];     ///< until the personal space is entered
  alignas(base::kVectorBytes) float contact[kCandidates];  ///< until the body is touched
};

/// Everything but the times, for somebody who would collide in `time` < t_max seconds.
void propose(const Coefficients& c, const Walker& walker, float time, Candidates& candidates);

/// What a touch now costs: more than all the rest together, with the default weights.
inline constexpr float kContactCost = 10;

inline float collisionCost(const Coefficients& c, float time, float contact) {
  return c.collision * (std::max(0.0f, c.t_max - time) * c.inverse_t_max) +
         kContactCost * (std::max(0.0f, c.t_contact - contact) * c.inverse_t_contact);
}

/// When the preferred velocity leads to a collision; t_max or more: it need not be changed.
inline float firstCollision(const Coefficients& c, const Walker& walker, const Obstacles& obstacles) {
  const float contact = obstacles.contactAt(walker.preferred.x, walker.preferred.y);
  const float time = obstacles.timeTo(walker.preferred.x, walker.preferred.y);
  return contact < c.t_contact ? std::min(time, contact) : time;
}

/// The cheapest, the first of several. Costs that differ by less than rounding makes of them are alike: turns to the
/// right and to the left by one angle, or which side is taken would depend on how the place lies; and all speeds from
/// that of now to the preferred one on the way wanted, where they are free: with the default weights what it costs to
/// change the speed (β per v_max) is exactly what the preferred velocity is nearer by (γ/2 per v_max).
inline Vec2 cheapest(const Coefficients& c, const Candidates& candidates) {
  constexpr float kAlike = 1e-5f;
  std::size_t best = 0;
  float least = 0;
  for (std::size_t i = 0; i < kCandidates; ++i) {
    const float cost = candidates.cost[i] + collisionCost(c, candidates.time[i], candidates.contact[i]);
    if (i == 0 || cost < least - kAlike) least = cost, best = i;
  }
  return {candidates.ux[best], candidates.uy[best]};
}

}  // namespace throng::steering::karamouzas_2010
