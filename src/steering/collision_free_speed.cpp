// The collision-free speed model (Tordeux, Chraibi & Seyfried 2016), of first order: no inertia.
//
//   e   = normalised(e0 + Σ a exp((l - d)/D) n)       l: sum of the radii, d: distance, n: unit vector from the other
//   s   = the least d of those ahead (e·x ≥ 0) less than l beside the way
//   v   = e min(v0, max(0, (s - l)/T))
//
// Walls turn people away like others do, with a strength and a range of their own; they do not slow them down, since
// who is moved along a wall slides. Where e0 and all that repels cancel out, the last direction is kept.
#include "steering/collision_free_speed.h"

#include <algorithm>
#include <array>

#include "steering/neighbour_law.h"
#include "steering/wall_points.h"

namespace throng::steering {
namespace {

enum Parameter { kStrength, kRange, kTimeGap, kWallStrength, kWallRange, kNeighbourRange, kParameterCount };

constexpr std::array<ModelParameter, kParameterCount> kParameters{{
    {"repulsion_strength", "1", 5, 0, 100, "a: how strongly others turn people away from where they want to go."},
    {"repulsion_range", "m", 0.1, 0.01, 10, "D: the distance in which that fades to 37 %."},
    {"time_gap", "s", 1, 0.05, 10, "T: the time until who is ahead would be reached."},
    {"wall_strength", "1", 5, 0, 100, "The same for walls: strength."},
    {"wall_range", "m", 0.02, 0.01, 10, "And range."},
    {"neighbour_range", "m", 3, 0.1, 100, "People farther away than this are not looked at."},
}};

struct Law {
  Law(std::span<const float> p, float)
      : strength(p[kStrength]),
        inverse_range(1.0f / p[kRange]),
        inverse_gap(1.0f / p[kTimeGap]),
        wall_strength(p[kWallStrength]),
        wall_range(p[kWallRange]),
        range(p[kNeighbourRange]) {}

  Vec2 operator()(const StepInput& input, const Walker& walker, std::span<const Other> others,
                  std::vector<std::uint32_t>& scratch) const {
    if (walker.free_speed == 0) return {};
    Vec2 sum = walker.wanted;
    for (const Other& other : others) {
      const float distance = length(other.apart);
      const Vec2 n = awayFrom(input.crowd, walker, other, distance);
      sum += n * repulsion(strength, (walker.radius + other.radius - distance) * inverse_range);
    }
    const ground::Walls& walls = input.floors[input.crowd.layer[walker.row]].walls;
    constexpr float kFaded = 10;  // ranges, after which nothing is left
    forEachWallPoint(walls, walker.place, walker.radius + kFaded * wall_range, scratch, [&](Vec2 n, float distance) {
      sum += n * repulsion(wall_strength, (walker.radius - distance) / wall_range);
    });
    const float size = length(sum);
    // Alone, somebody walks exactly as preferred.
    if (sum == walker.wanted && others.empty()) return walker.preferred;
    const Vec2 e = size > 1e-6f ? sum / size : walker.heading;
    float gap = range;
    for (const Other& other : others) {
      const float reach = walker.radius + other.radius;
      if (dot(e, other.apart) < 0 || std::abs(det(e, other.apart)) > reach) continue;
      gap = std::min(gap, length(other.apart) - reach);
    }
    return e * std::clamp(gap * inverse_gap, 0.0f, walker.free_speed);
  }

  static float repulsion(float strength, float exponent) {
    return strength *
           social_force::exponential(std::clamp(exponent, social_force::kMinExponent, social_force::kMaxExponent));
  }

  float strength, inverse_range, inverse_gap, wall_strength, wall_range, range;
};

}  // namespace

std::span<const ModelParameter> collisionFreeSpeedParameters() { return kParameters; }

float collisionFreeSpeedRange(std::span<const float> parameters) { return parameters[kNeighbourRange]; }

const Parts& collisionFreeSpeedParts() {
  static const Parts parts = partsByLaw<Law>(0.01f);
  return parts;
}

void steerCollisionFreeSpeed(const StepInput& input, std::span<const float> parameters,
                             std::span<const std::uint32_t> slots, VelocityOutput out) {
  steerByLaw<Law>(input, parameters, slots, out, kByGrid);
}

void steerCollisionFreeSpeedReference(const StepInput& input, std::span<const float> parameters,
                                      std::span<const std::uint32_t> slots, VelocityOutput out) {
  steerByLaw<Law>(input, parameters, slots, out, kOneByOne);
}

}  // namespace throng::steering
