// The power law of Karamouzas, Skinner & Guy 2014. The energy of two people is k τ^-2 exp(-τ/τ0), τ being the time
// until they collide if both go on as they do; its gradient is the force. With X = x_i - x_j, V = v_i - v_j, a = V², b
// = -X·V, c = X² - l², D = b² - ac, τ = (b - √D)/a, if D > 0 and τ > 0:
//
//   F = -k exp(-τ/τ0)/(a τ²) (2/τ + 1/τ0) (V - (a X + b V)/√D)
//   dv/dt = (v0 e0 - v)/ξ + Σ F
//
// It says nothing of bodies that overlap: for them l is a little less than their distance, so that they are about to
// touch. A wall is met where the way meets it: τ = gap/approach, whose gradient is n/approach. The force is at most
// max_force long. The force is singular at a touch and at a grazing, so a step is taken in parts (parts.h).
#include "steering/power_law.h"

#include <algorithm>
#include <array>

#include "steering/neighbour_law.h"
#include "steering/wall_points.h"

namespace throng::steering {
namespace {

enum Parameter { kStrength, kInteraction, kRelaxation, kMostForce, kNeighbourRange, kParameterCount };

constexpr std::array<ModelParameter, kParameterCount> kParameters{{
    {"strength", "m²", 1.5, 0, 100, "k: how strongly people evade collisions."},
    {"interaction_time", "s", 3, 0.1, 60, "τ0: collisions much later than this do not matter."},
    {"relaxation_time", "s", 0.5, 0.05, 10, "ξ: how long people take to come back to their preferred velocity."},
    {"max_force", "m/s²", 5, 0.1, 1000, "The evasive force per mass is at most this."},
    {"neighbour_range", "m", 10, 0.1, 100, "People farther away than this are not looked at."},
}};

constexpr float kLongestPart = 0.01f;  // s
constexpr float kLeastTime = 1e-3f;    // s; a collision is at least this far off

struct Law {
  Law(std::span<const float> p, float step)
      : dt(step),
        strength(p[kStrength]),
        inverse_interaction(1.0f / p[kInteraction]),
        inverse_relaxation(1.0f / std::max(step, p[kRelaxation])),
        most(p[kMostForce]),
        range(p[kNeighbourRange]) {}

  /// k exp(-τ/τ0) τ^-2 (2/τ + 1/τ0): the energy's loss per second of τ.
  float slope(float time) const {
    const float inverse = 1.0f / std::max(time, kLeastTime);
    const float exponent = std::max(-time * inverse_interaction, social_force::kMinExponent);
    return strength * social_force::exponential(exponent) * (inverse * inverse) *
           (2.0f * inverse + inverse_interaction);
  }

  /// From one other person.
  Vec2 force(const StepInput& input, const Walker& walker, const Other& other) const {
    Vec2 x = -other.apart;
    if (lengthSquared(x) < kSamePlaceSquared) x = awayFrom(input.crowd, walker, other, 0) * 1e-3f;
    const Vec2 v = walker.velocity - other.velocity;
    const float a = lengthSquared(v), b = -dot(x, v), squared = lengthSquared(x);
    if (!(b > 0) || !(a > 1e-8f)) return {};
    const float bodies = walker.radius + other.radius;
    const float c = squared - std::min(bodies * bodies, 0.99f * squared);
    const float under = b * b - a * c;
    if (!(under > 0)) return {};
    const float root = std::max(std::sqrt(under), 1e-4f);
    const float time = c / (b + root);  // (b - √D)/a
    return (v - (x * a + v * b) / root) * (-slope(time) / a);
  }

  Vec2 wallForce(const StepInput& input, const Walker& walker, std::vector<std::uint32_t>& scratch) const {
    const ground::Walls& walls = input.floors[input.crowd.layer[walker.row]].walls;
    // Farther than what is reached in half a second nobody hurries away from a wall: the route leads round it.
    constexpr float kWallTime = 0.5f;
    const float reach = walker.radius + walker.max_speed * kWallTime;
    Vec2 sum{};
    forEachWallPoint(walls, walker.place, reach, scratch, [&](Vec2 n, float distance) {
      n = passingPush(n, distance, walker.radius, walker.wanted);
      const float approach = -dot(walker.velocity, n);
      if (!(approach > 1e-3f)) return;
      const float time = std::max(0.0f, distance - walker.radius) / approach;
      if (time < kWallTime) sum += n * (slope(time) / approach);
    });
    return sum;
  }

  Vec2 operator()(const StepInput& input, const Walker& walker, std::span<const Other> others,
                  std::vector<std::uint32_t>& scratch) const {
    Vec2 sum = wallForce(input, walker, scratch);
    for (const Other& other : others) sum += force(input, walker, other);
    if (sum == Vec2{} && walker.velocity == walker.preferred) return walker.preferred;
    const Vec2 preferred = bearingRight(input, walker, sum);
    return walker.velocity + ((preferred - walker.velocity) * inverse_relaxation + atMost(sum, most)) * dt;
  }

  float dt, strength, inverse_interaction, inverse_relaxation, most, range;
};

}  // namespace

std::span<const ModelParameter> powerLawParameters() { return kParameters; }

float powerLawRange(std::span<const float> parameters) { return parameters[kNeighbourRange]; }

const Parts& powerLawParts() {
  static const Parts parts = partsByLaw<Law>(kLongestPart);
  return parts;
}

void steerPowerLaw(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                   VelocityOutput out) {
  steerByLaw<Law>(input, parameters, slots, out, kByGrid);
}

void steerPowerLawReference(const StepInput& input, std::span<const float> parameters,
                            std::span<const std::uint32_t> slots, VelocityOutput out) {
  steerByLaw<Law>(input, parameters, slots, out, kOneByOne);
}

}  // namespace throng::steering
