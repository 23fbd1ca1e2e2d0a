// What the kernel of Moussaïd et al. 2011 and its slow twin share.
//
// Somebody at x sees what is within the angle φ to the left and to the right of their line of sight and nearer than
// d_max. For a direction α, f(α) is how far they would get at their preferred speed before the first collision, all
// others keeping their velocities; d_max when there is none. They choose the direction that minimises the distance to
// the destination point O, which lies d_max away in the preferred direction α0:
//   d(α)² = d_max² + f(α)² - 2 d_max f(α) cos(α0 - α)                                          (first heuristic)
// and the speed min(v0, d/τ), where d is the distance to the first collision in that direction (second heuristic). The
// velocity relaxes to the chosen one within τ, and bodies that touch push one another (see body_contact.h).
//
// Readings. The paper's "line of sight" is where the person faces; who does not have their destination in view turns
// the head: the field is then centred on α0. The paper's d is to "the first obstacle in the desired direction at time
// t", the thesis's to the first collision, which is f(α): taken here, since with obstacles as they stand now crossing
// streams stop one another for good. Jaklin's foot point F is where the way in direction α comes nearest to O: with it
// f(α) is at most d_max cos(α0 - α). Who touches somebody collides at once in every direction that leads nearer to
// them: f is 0 there, and they are in no other direction's way. Of two directions equally good the right one is taken,
// and those who turn aside are slower by 1 to 3 %, when they touch somebody by more, different from person to person:
// two who come together at the same angle would otherwise walk on side by side, and pairs who meet would step to the
// same side for ever.
//
// The world takes a step in parts (parts.h): the heuristics decide once, bodies push ten times in a step of 0.1 s.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/column.h"
#include "steering/body_contact.h"
#include "steering/orca_lines.h"
#include "steering/parts.h"
#include "steering/wall_points.h"

namespace throng::steering::moussaid {

enum Parameter { kRelaxationTime, kViewAngle, kViewDistance, kContactStiffness, kFootPoint, kParameterCount };

/// Directions that are tried: the preferred one and, after it, an even fan over the field of view. A multiple of every
/// vector's lanes.
inline constexpr std::size_t kDirections = 64;
/// By how much of d_max² a direction on the left must be better than one on the right.
inline constexpr float kRightHand = 1e-4f;
/// Times orcaTurn's 0.0005 to 0.0015: by how much of their speed people are slower who turn aside.
inline constexpr float kHesitation = 20;
/// The same of those who touch somebody: 2.5 to 7.5 %.
inline constexpr float kHesitationTouching = 50;
/// Preferred speeds below this (m/s) are standing.
inline constexpr float kStanding = 1e-4f;

struct Coefficients {
  Coefficients(std::span<const float> parameters, float dt);

  float dt, drive;  ///< s; dt/τ
  float inverse_tau, d_max, range_squared, cos_view, stiffness;
  bool foot_point;
  /// The fan: cosine and sine of each direction to the line of sight; the first place is not used.
  alignas(base::kVectorBytes) float cosine[kDirections];
  alignas(base::kVectorBytes) float sine[kDirections];
};

/// How somebody looks.
struct View {
  Vec2 preferred;  ///< velocity, m/s
  Vec2 wanted;     ///< its direction
  Vec2 sight;      ///< line of sight
  float speed, inverse_speed;
  float hesitation;  ///< by which share of their speed people are slower who turn aside
};

/// Once it is known whether somebody touches others.
inline void touches(View& view, const MotionSums& contacts) {
  if (contacts.mxx + contacts.myy > 0) view.hesitation *= kHesitationTouching / kHesitation;
}

inline View viewOf(const Coefficients& c, const agents::Crowd& crowd, std::uint32_t row) {
  View view;
  view.hesitation = kHesitation * orcaTurn(crowd.person[row]);
  view.preferred = {crowd.preferred_vx[row], crowd.preferred_vy[row]};
  view.speed = std::sqrt(view.preferred.x * view.preferred.x + view.preferred.y * view.preferred.y);
  const Vec2 heading{crowd.heading_x[row], crowd.heading_y[row]};
  if (!(view.speed > kStanding)) {
    view.speed = view.inverse_speed = 0;
    view.wanted = view.sight = heading;
    return view;
  }
  view.inverse_speed = 1.0f / view.speed;
  view.wanted = {view.preferred.x * view.inverse_speed, view.preferred.y * view.inverse_speed};
  const float turned = heading.x * view.wanted.x + heading.y * view.wanted.y;
  view.sight = turned < c.cos_view ? view.wanted : heading;
  return view;
}

/// A round obstacle as f(α) needs it. Relative velocities are in units of the walker's preferred speed, so that times
/// are distances walked. For direction u: b = p·u - p·q, a = 1 + q² - 2 u·q, and the collision is c/(b + √(b² - a c))
/// away, if b > 0 and the root exists.
struct Disc {
  float px, py;  ///< from the walker, m
  float qx, qy;  ///< velocity / v0
  float a0;      ///< 1 + q²
  float b0;      ///< p·q
  float c;       ///< distance² - (sum of the radii)²
};

inline Disc discOf(Vec2 place, Vec2 velocity, float reach, float inverse_speed) {
  Disc disc;
  disc.px = place.x, disc.py = place.y;
  disc.qx = velocity.x * inverse_speed, disc.qy = velocity.y * inverse_speed;
  disc.a0 = 1.0f + (disc.qx * disc.qx + disc.qy * disc.qy);
  disc.b0 = disc.px * disc.qx + disc.py * disc.qy;
  const float squared = disc.px * disc.px + disc.py * disc.py;
  const float room = squared - reach * reach;
  disc.c = room > 0 ? room : 0.0f;
  return disc;
}

/// A straight wall seen from its free side.
struct Side {
  float nx, ny;  ///< from the wall, unit
  float tx, ty;  ///< along it, unit
  float room;    ///< m from the walker's edge to it
  float along;   ///< m from its beginning to the walker's foot
  float extent;  ///< m, its length
};

/// How far to the disc in direction u; `none` when it is not met.
inline float distanceTo(const Disc& disc, float ux, float uy, float none) {
  const float a = disc.a0 - 2.0f * (ux * disc.qx + uy * disc.qy);
  const float b = (disc.px * ux + disc.py * uy) - disc.b0;
  const float root = b * b - a * disc.c;
  return b > 0 && root > 0 ? disc.c / (b + std::sqrt(root)) : none;
}

inline float distanceTo(const Side& side, float ux, float uy, float none) {
  const float approach = -(side.nx * ux + side.ny * uy);
  const float t = side.room / approach;
  const float at = side.along + t * (side.tx * ux + side.ty * uy);
  return approach > 0 && at >= 0 && at <= side.extent ? t : none;
}

/// The walls that can be met within d_max, and their corners as discs that stand still. Adds nothing twice.
void seeWalls(const Coefficients& c, const ground::Walls& walls, Vec2 place, float radius,
              std::vector<std::uint32_t>& found, std::vector<Side>& sides, std::vector<Disc>& corners);

/// Sums the contact of two bodies. `apart`: from the other to the person; `reach`: sum of the radii.
inline void touch(float dt, float stiffness, const agents::Crowd& crowd, std::uint32_t row, std::uint32_t other,
                  Vec2 apart, float reach, Vec2 relative, MotionSums& sums) {
  const float squared = apart.x * apart.x + apart.y * apart.y;
  if (!(squared < reach * reach)) return;
  if (squared < kSamePlaceSquared) {
    const Vec2 direction = social_force::partingDirection(crowd.person[row], crowd.person[other]);
    apart = {direction.x * 1e-6f, direction.y * 1e-6f};
  }
  const float distance = std::sqrt(apart.x * apart.x + apart.y * apart.y);
  const float inverse = 1.0f / distance;
  addContact(dt, stiffness, {apart.x * inverse, apart.y * inverse}, reach - distance, relative, 2.0f, sums);
}

/// Where somebody's edge meets another body: sums the contact.
inline void touchPerson(const Coefficients& c, const agents::Crowd& crowd, const agents::NeighbourIndex& index,
                        std::uint32_t slot, std::uint32_t other, MotionSums& sums) {
  const std::uint32_t row = index.row()[slot], other_row = index.row()[other];
  const float dx = index.x()[slot] - index.x()[other], dy = index.y()[slot] - index.y()[other];
  const Vec2 relative{index.vx()[slot] - index.vx()[other], index.vy()[slot] - index.vy()[other]};
  const float stiffness = c.stiffness / (kMassPerRadius * index.radius()[slot]);
  const float reach = index.radius()[slot] + index.radius()[other];
  touch(c.dt, stiffness, crowd, row, other_row, {dx, dy}, reach, relative, sums);
}

inline void touchWalls(float dt, float contact_stiffness, const agents::Crowd& crowd, const ground::Walls& walls,
                       std::uint32_t row, Vec2 place, Vec2 velocity, std::vector<std::uint32_t>& found,
                       MotionSums& sums) {
  const float radius = crowd.radius[row];
  const float stiffness = contact_stiffness / (kMassPerRadius * radius);
  forEachWallPoint(walls, place, radius, found, [&](Vec2 normal, float distance) {
    addContact(dt, stiffness, normal, radius - distance, velocity, 1.0f, sums);
  });
}

/// s, of a part of a step (parts.h).
inline constexpr float kLongestPart = 0.01f;

/// Remembers those who can touch within the step.
inline void addPusher(const Coefficients& c, const agents::NeighbourIndex& index, std::uint32_t slot,
                      std::uint32_t other, Pushers& pushers) {
  const float dx = index.x()[slot] - index.x()[other], dy = index.y()[slot] - index.y()[other];
  const float reach = index.radius()[slot] + index.radius()[other], close = reach + reachWithin(0, c.dt);
  if (dx * dx + dy * dy < close * close) pushers.add(dx, dy, reach, index.row()[slot], index.row()[other]);
}

/// Bodies that push during one part of a step, and the velocity decided for the whole of it.
void walkPart(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots, float dt,
              Pushers& pushers, const Within& now, VelocityOutput next);

/// d(α)² less what all directions share, for a direction whose cosine to the preferred one is given.
inline float detour(const Coefficients& c, float free, float cosine, float left) {
  if (c.foot_point) {
    const float foot = std::max(0.0f, c.d_max * cosine);
    free = free < foot ? free : foot;
  }
  const float cost = free * free - (2.0f * c.d_max) * (free * cosine);
  return left > 0 ? cost + (kRightHand * c.d_max) * c.d_max : cost;
}

/// The velocity that goes into the relaxation, from the direction chosen (0: the preferred one) and what is free there.
inline Vec2 desiredVelocity(const Coefficients& c, const View& view, std::size_t best, Vec2 direction, float free) {
  const float possible = free < c.d_max ? free * c.inverse_tau : view.speed;
  if (best == 0 && possible >= view.speed) return view.preferred;
  const float speed = possible < view.speed ? possible : view.speed;
  const float taken = best == 0 ? speed : speed - speed * view.hesitation;
  return {direction.x * taken, direction.y * taken};
}

}  // namespace throng::steering::moussaid
