#include "steering/karamouzas_terms.h"

#include <array>

#include "base/math.h"
#include "steering/karamouzas.h"

namespace throng::steering {
namespace {

constexpr std::array<ModelParameter, karamouzas::kParameterCount> kParameters{{
    {"reaction_time", "s", 0.5, 0.05, 10, "ξ: how long people take to come back to their preferred velocity."},
    {"personal_space", "m", 0.5, 0, 5, "ρ: radius of the disc around oneself that others are kept out of."},
    {"anticipation_time", "s", 8, 0.1, 60, "How long ahead collisions are foreseen."},
    {"view_angle", "°", 100, 10, 180, "How far people see to the left and to the right of where they want to go."},
    {"max_collisions", "count", 5, 0, 100, "At most this many collisions, the first to come, are evaded."},
    {"evasion_strength", "m/s²", 1.5, 0, 100, "A: the evasive force per mass, from d_min to d_mid."},
    {"min_distance", "m", 0.25, 0.05, 100, "d_min: nearer than this to a collision the evasive force grows."},
    {"mid_distance", "m", 8, 0.1, 100, "d_mid: farther than this from a collision the evasive force fades."},
    {"max_distance", "m", 10, 0.1, 100, "d_max: farther than this from a collision there is no evasive force."},
    {"wall_distance", "m", 0.5, 0, 10, "d_s: the distance that people keep from walls."},
    {"neighbour_range", "m", 10, 0, 100, "People farther away than this are not looked at."},
}};

}  // namespace

std::span<const ModelParameter> karamouzasParameters() { return kParameters; }

float karamouzasRange(std::span<const float> parameters) { return parameters[karamouzas::kNeighbourRange]; }

namespace karamouzas {

Coefficients::Coefficients(std::span<const float> p, float step)
    : dt(step),
      drive(step / p[kReactionTime]),
      personal_space(p[kPersonalSpace]),
      anticipation(p[kAnticipationTime]),
      strength(p[kEvasionStrength]),
      d_min(p[kMinDistance]),
      d_mid(std::max(p[kMidDistance], p[kMinDistance])),
      d_max(std::max(p[kMaxDistance], d_mid)),
      wall_distance(p[kWallDistance]),
      range(p[kNeighbourRange]),
      range_squared(range * range),
      max_collisions(static_cast<std::size_t>(p[kMaxCollisions])) {
  double sine, cosine;
  base::sinCos(double{p[kViewAngle]} * base::kPi / 180, sine, cosine);
  cos_view = static_cast<float>(cosine);
}

Walker walkerOf(const Coefficients& c, const StepInput& input, std::uint32_t slot, std::vector<std::uint32_t>& found,
                MotionSums& sums) {
  const agents::NeighbourIndex& index = input.neighbours;
  const agents::Crowd& crowd = input.crowd;
  const std::uint32_t row = index.row()[slot];
  Walker walker;
  walker.place = {index.x()[slot], index.y()[slot]};
  walker.velocity = {index.vx()[slot], index.vy()[slot]};
  walker.radius = index.radius()[slot];
  walker.space = std::max(c.personal_space, walker.radius);
  walker.sight = social_force::facing(crowd, row);
  const Vec2 preferred{crowd.preferred_vx[row], crowd.preferred_vy[row]}, way = normalized(preferred);
  const float reach = walker.radius + c.wall_distance;
  forEachWallPoint(input.floors[crowd.layer[row]].walls, walker.place, reach, found, [&](Vec2 normal, float distance) {
    normal = passingPush(normal, distance, walker.radius, way);
    const float leaving = dot(walker.velocity, normal);
    const float room = std::max(kLeastRoom, (distance - walker.radius) + c.dt * leaving);
    const float inside = c.wall_distance - room;
    if (!(inside > 0)) return;
    const float push = inside / (room * room);
    addYielding(c.dt, normal, push, 1.0f / (room * room) + 2.0f * push / room, 1.0f, sums);
  });
  walker.expected = drivenVelocity(walker.velocity, preferred, c.drive, sums, crowd.max_speed[row]);
  // Two who come straight at each other would only slow down: everybody expects to walk a little to the right.
  const float turn = orcaTurn(crowd.person[row]);
  walker.expected = {walker.expected.x + turn * walker.expected.y, walker.expected.y - turn * walker.expected.x};
  return walker;
}

namespace {

/// f(D).
float evasion(const Coefficients& c, float distance) {
  if (distance < c.d_min) return c.strength * c.d_min / distance;
  if (distance < c.d_mid) return c.strength;
  return distance < c.d_max ? c.strength * (c.d_max - distance) / (c.d_max - c.d_mid) : 0.0f;
}

/// Unit vector, with the direction drawn from the two people's numbers where there is none.
Vec2 directionOf(Vec2 v, float squared, const agents::Crowd& crowd, std::uint32_t row, std::uint32_t other_row) {
  if (squared < kSamePlaceSquared) return social_force::partingDirection(crowd.person[row], crowd.person[other_row]);
  const float inverse = 1.0f / std::sqrt(squared);
  return {v.x * inverse, v.y * inverse};
}

/// Somebody in the personal space.
void addInside(const Coefficients& c, const StepInput& input, std::uint32_t slot, const Walker& walker,
               std::uint32_t other, MotionSums& sums) {
  const agents::NeighbourIndex& index = input.neighbours;
  const Vec2 apart{walker.place.x - index.x()[other], walker.place.y - index.y()[other]};
  const float bodies = walker.radius + index.radius()[other], reach = walker.space + index.radius()[other];
  const float squared = lengthSquared(apart), distance = std::sqrt(squared);
  const Vec2 n = directionOf(apart, squared, input.crowd, index.row()[slot], index.row()[other]);
  const Vec2 relative{walker.velocity.x - index.vx()[other], walker.velocity.y - index.vy()[other]};
  const float expected = distance + c.dt * dot(relative, n);
  const float inside = reach - expected, overlap = std::max(0.0f, bodies - expected);
  if (!(inside > 0)) return;
  float push = kStiffness * overlap, stiffness = overlap > 0 ? kStiffness : 0.0f;
  if (-dot(apart, walker.sight) >= c.cos_view * distance) {
    const float room = std::max(kTouching, expected - bodies);
    const float depth = std::min(1.0f, inside / std::max(reach - bodies, kLeastRoom));
    const float evading = std::min(evasion(c, room) * depth, inside / (c.dt * c.dt));
    push += evading, stiffness += evading / room;
  }
  addYielding(c.dt, n, push, stiffness, 2.0f, sums);
}

}  // namespace

Vec2 evade(const Coefficients& c, const StepInput& input, std::uint32_t slot, const Walker& walker,
           const Others& others, MotionSums& sums) {
  const agents::NeighbourIndex& index = input.neighbours;
  const agents::Crowd& crowd = input.crowd;
  const std::uint32_t row = index.row()[slot];
  for (const std::uint32_t other : others.inside) addInside(c, input, slot, walker, other, sums);
  float weight = 1;
  Vec2 will = walker.expected;
  for (const Collision& collision : others.first) {
    const std::uint32_t other = collision.slot;
    const Vec2 apart{walker.place.x - index.x()[other], walker.place.y - index.y()[other]};
    const float bodies = walker.radius + index.radius()[other], reach = walker.space + index.radius()[other];
    // Evading the earlier ones may have done.
    const Vec2 relative{will.x - index.vx()[other], will.y - index.vy()[other]};
    const float time = timeToCollision(-apart, relative, reach, kNever);
    if (!(time > 0 && time <= c.anticipation)) continue;
    const Vec2 then{apart.x + relative.x * time, apart.y + relative.y * time};
    const float then_squared = lengthSquared(then);
    const Vec2 n = directionOf(then, then_squared, crowd, row, index.row()[other]);
    const float distance = length(will) * time + std::max(0.0f, std::sqrt(then_squared) - bodies);
    // What is missing at the moment of closest approach, and how long there is to get out of the way.
    const float b = -(apart.x * relative.x + apart.y * relative.y), a = lengthSquared(relative);
    const float nearest = b / a;
    const float miss = std::sqrt(std::max(0.0f, lengthSquared(apart) - b * nearest));
    const float push = std::min(weight * evasion(c, std::max(distance, kLeastRoom)) * c.dt, (reach - miss) / nearest);
    sums.fx += push * n.x;
    sums.fy += push * n.y;
    will = {will.x + push * n.x, will.y + push * n.y};
    weight *= kFading;
  }
  Vec2 preferred{crowd.preferred_vx[row], crowd.preferred_vy[row]};
  if (preferred.x * sums.fx + preferred.y * sums.fy < 0) {
    const float turn = kTurn * orcaTurn(crowd.person[row]);
    preferred = {preferred.x + turn * preferred.y, preferred.y - turn * preferred.x};
  }
  const Vec2 next = drivenVelocity(walker.velocity, preferred, c.drive, sums, crowd.max_speed[row]);
  return notBackwards(next, {crowd.preferred_vx[row], crowd.preferred_vy[row]});
}

}  // namespace karamouzas
}  // namespace throng::steering
