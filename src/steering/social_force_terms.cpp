#include "steering/social_force_terms.h"

#include <array>

#include "base/random.h"
#include "steering/social_force.h"
#include "steering/wall_points.h"

namespace throng::steering {
namespace {

// Everything as published in 2000, which does not ask who is ahead and who behind; 1995 does, and its weight is there
// to be set. docs/models/social-force.md says what these and other published sets look like.
constexpr std::array<ModelParameter, social_force::kParameterCount> kParameters{{
    {"relaxation_time", "s", 0.5, 0.05, 10,
     "τ: how long people take to come back to their preferred velocity (Helbing & Molnár 1995, Helbing et al. 2000)."},
    {"mass", "kg", 80, 20, 500, "m: what the forces have to move (Helbing et al. 2000)."},
    {"repulsion_strength", "N", 2000, 0, 100000, "A: the repulsion at the moment of touching (Helbing et al. 2000)."},
    {"repulsion_distance", "m", 0.08, 0.02, 2,
     "B: the distance over which the repulsion falls to 37 % (Helbing et al. 2000)."},
    {"anisotropy", "1", 1, 0, 1,
     "λ: how much those behind count against those ahead; 1 for alike, as in 2000 (Helbing & Molnár 1995: c = 0.5)."},
    {"body_stiffness", "kg/s²", 120000, 0, 1000000, "k: how hard bodies in contact are (Helbing et al. 2000)."},
    {"sliding_friction", "kg/(m s)", 240000, 0, 1000000,
     "κ: how much bodies in contact slow one another sideways (Helbing et al. 2000)."},
    {"neighbour_range", "m", 2.5, 0.5, 20, "People farther apart than this do not push one another."},
}};

}  // namespace

std::span<const ModelParameter> socialForceParameters() { return kParameters; }

float socialForceRange(std::span<const float> parameters) { return parameters[social_force::kNeighbourRange]; }

namespace social_force {
namespace {

/// exp(-20) A/m is 5e-8 m/s² with the published numbers: where walls end to matter.
constexpr float kWallReach = 20;     // B
constexpr float kLeastPush = 1e-3f;  // m/s², see Coefficients::gap

}  // namespace

Coefficients::Coefficients(std::span<const float> p, float step)
    : dt(step),
      drive(step / p[kRelaxationTime]),
      strength(p[kRepulsionStrength] / p[kMass]),
      inverse_b(1.0f / p[kRepulsionDistance]),
      b(p[kRepulsionDistance]),
      lambda(p[kAnisotropy]),
      half_rest(0.5f * (1.0f - p[kAnisotropy])),
      body(p[kBodyStiffness] / p[kMass]),
      friction(p[kSlidingFriction] / p[kMass]),
      range(p[kNeighbourRange]),
      range_squared(range * range),
      gap(strength > kLeastPush
              ? b * static_cast<float>(base::logarithm(static_cast<double>(strength) / double{kLeastPush}))
              : 0.0f) {}

Vec2 partingDirection(std::uint32_t person, std::uint32_t other) {
  const bool first = person < other;
  const std::uint64_t low = first ? person : other, high = first ? other : person;
  // A point on the right half of the unit circle by its rational parametrisation.
  const auto bits = base::mix(base::mix(low) ^ high) >> 40;
  const float t = static_cast<float>(bits) * 0x1p-23f - 1.0f;
  const float t2 = t * t;
  const Vec2 direction = Vec2{1.0f - t2, 2.0f * t} / (1.0f + t2);
  return first ? direction : -direction;
}

void addWalls(const Coefficients& c, const ground::Walls& walls, const agents::Crowd& crowd, std::uint32_t row,
              Vec2 place, Vec2 velocity, std::vector<std::uint32_t>& found, Sums& sums) {
  const float radius = crowd.radius[row];
  const Vec2 wanted = normalized(Vec2{crowd.preferred_vx[row], crowd.preferred_vy[row]});
  const float reach = radius + crowd.max_speed[row] * c.dt + kWallReach * c.b;
  if (walls.grid.nothingNear(place, reach)) return;
  found.clear();
  walls.grid.query(place, reach, found);
  // A loop pushes from every place where the distance to it has a local minimum: from the inside of a segment, or from
  // a convex corner that is the nearest point of both its segments (and counts once, for the segment that starts
  // there).
  for (const std::uint32_t i : found) {
    const Vec2 from_a = place - walls.a[i];
    const Vec2 direction = walls.direction[i];
    const float along = dot(from_a, direction);
    Vec2 normal;
    float distance;
    if (along > 0) {
      if (dot(place - walls.b[i], direction) >= 0) continue;
      distance = -det(direction, from_a);
      if (distance < 0) continue;  // behind it, in the solid: nothing to push away from on this side
      normal = {direction.y, -direction.x};
    } else {
      if (walls.convex[i] == 0 || dot(from_a, walls.direction[walls.previous[i]]) < 0) continue;
      distance = length(from_a);
      if (!(distance > 0)) continue;
      normal = from_a / distance;
    }
    if (distance > reach) continue;
    const Vec2 push = distance > radius ? passingPush(normal, distance, radius, wanted) : normal;
    const float weight = length(push);
    if (!(weight > 1e-3f)) continue;
    normal = push / weight;
    addPush(c, normal.x, normal.y, radius - distance, velocity.x, velocity.y, weight, 1.0f, sums);
  }
}

}  // namespace social_force
}  // namespace throng::steering
