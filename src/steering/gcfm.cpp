// The generalised centrifugal force model (Chraibi, Seyfried & Schadschneider 2010): people are ellipses that grow as
// they walk faster, semi-axes a = a_min + a_v v along the velocity and b = b_max - (b_max - b_min) v/v0 across.
//
//   dv/dt = (v0 e0 - v)/τ + Σ F,   F = K (η v0 + w)²/s n
//
// n points from the other to the person; w = max(0, (v_j - v_i)·n) is how fast they come nearer, K = max(0, -v_i·n)/v_i
// the cosine to where the person walks, s the gap between the ellipses on the line of their middles. Below `touch` m
// the force goes over to its largest value, from 2 m less `fade` on to nothing, by cubic polynomials (Hermite's). Walls
// act like somebody who stands, with a strength of their own. A step is taken in parts of 0.01 s (parts.h).
//
// An ellipse reaches 1/√(cos²θ/a² + sin²θ/b²) far at the angle θ, not (a cos θ, b sin θ); s is negative in an overlap.
#include "steering/gcfm.h"

#include <algorithm>
#include <array>

#include "steering/neighbour_law.h"
#include "steering/wall_points.h"

namespace throng::steering {

float ellipseRadius(float first, float second, float along) {
  const float squared = std::min(1.0f, along * along);
  return 1.0f / std::sqrt(squared / (first * first) + (1.0f - squared) / (second * second));
}

namespace {

enum Parameter {
  kStrength,
  kWallStrength,
  kRelaxation,
  kLengthMin,
  kLengthGrowth,
  kWidthMin,
  kWidthMax,
  kMostForce,
  kInteractionRange,
  kParameterCount
};

constexpr std::array<ModelParameter, kParameterCount> kParameters{{
    {"strength", "1", 0.3, 0, 10, "η: how strongly others repel, beside how fast they come nearer."},
    {"wall_strength", "1", 0.2, 0, 10, "The same for walls."},
    {"relaxation_time", "s", 0.5, 0.05, 10, "τ: how long people take to come back to their preferred velocity."},
    {"length_min", "m", 0.18, 0.05, 1, "a_min: half the length of somebody who stands."},
    {"length_growth", "s", 0.53, 0, 2, "a_v: how much half the length grows per m/s."},
    {"width_min", "m", 0.2, 0.05, 1, "b_min: half the width of somebody at their preferred speed."},
    {"width_max", "m", 0.25, 0.05, 1, "b_max: half the width of somebody who stands."},
    {"max_force", "m/s²", 9, 0.1, 1000, "The force of one person or wall is at most this."},
    {"interaction_range", "m", 2, 0.3, 20, "Who is farther away than this, from edge to edge, does not repel."},
}};

constexpr float kLongestPart = 0.01f;         // s
constexpr float kTouch = 0.1f, kFade = 0.1f;  // m
/// The sum of two half lengths beyond the interaction range at which people are still asked for: of two at 1.5 m/s.
constexpr float kBodies = 2;  // m

/// Hermite's cubic from value p with slope m at 0 to value q with slope n at 1.
float hermite(float t, float p, float m, float q, float n) {
  const float t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * p + (t3 - 2 * t2 + t) * m + (3 * t2 - 2 * t3) * q + (t3 - t2) * n;
}

struct Law {
  Law(std::span<const float> p, float step)
      : dt(step),
        strength(p[kStrength]),
        wall_strength(p[kWallStrength]),
        inverse_relaxation(1.0f / std::max(step, p[kRelaxation])),
        length_min(p[kLengthMin]),
        length_growth(p[kLengthGrowth]),
        width_min(std::min(p[kWidthMin], p[kWidthMax])),
        width_max(p[kWidthMax]),
        most(p[kMostForce]),
        reach(p[kInteractionRange]),
        range(reach + kBodies) {}

  float halfLength(float speed) const { return length_min + length_growth * speed; }
  float halfWidth(float speed, float free_speed) const {
    const float share = free_speed > 0 ? std::min(1.0f, speed / free_speed) : speed > 0 ? 1.0f : 0.0f;
    return width_max - (width_max - width_min) * share;
  }

  /// A/s with its ends.
  float force(float a, float gap) const {
    if (gap >= reach) return 0;
    const float begin = reach - kFade;
    if (gap > begin) {
      const float at = a / begin;
      return std::max(0.0f, hermite((gap - begin) / kFade, at, -at / begin * kFade, 0, 0));
    }
    if (gap >= kTouch) return std::min(most, a / gap);
    if (gap <= 0) return most;
    const float at = std::min(most, a / kTouch);
    const float slope = at < most ? -at / kTouch * kTouch : 0.0f;
    return std::min(most, hermite(gap / kTouch, most, 0, at, slope));
  }

  Vec2 repulsion(const StepInput& input, const Walker& walker, float speed, const Other& other) const {
    const float distance = length(other.apart);
    const Vec2 n = awayFrom(input.crowd, walker, other, distance);
    if (!(speed > 0)) return {};
    const float ahead = -dot(walker.velocity, n) / speed;
    if (!(ahead > 0)) return {};
    const float theirs = length(other.velocity);
    const float free = input.crowd.preferred_speed[other.row];
    const Vec2 facing = headingOf(input.crowd, other.row, other.velocity);
    const float gap = distance - ellipseRadius(halfLength(speed), halfWidth(speed, walker.free_speed), ahead) -
                      ellipseRadius(halfLength(theirs), halfWidth(theirs, free), dot(facing, n));
    const float nearing = std::max(0.0f, dot(other.velocity - walker.velocity, n));
    const float sum = strength * walker.free_speed + nearing;
    return n * force(ahead * sum * sum, gap);
  }

  Vec2 operator()(const StepInput& input, const Walker& walker, std::span<const Other> others,
                  std::vector<std::uint32_t>& scratch) const {
    const float speed = length(walker.velocity);
    Vec2 sum{};
    for (const Other& other : others) sum += repulsion(input, walker, speed, other);
    const float longest = std::max(halfLength(speed), width_max);
    const ground::Walls& walls = input.floors[input.crowd.layer[walker.row]].walls;
    if (speed > 0) {
      forEachWallPoint(walls, walker.place, reach + longest, scratch, [&](Vec2 n, float distance) {
        const float ahead = -dot(walker.velocity, n) / speed;
        if (!(ahead > 0)) return;
        const float gap = distance - ellipseRadius(halfLength(speed), halfWidth(speed, walker.free_speed), ahead);
        const float strong = wall_strength * walker.free_speed;
        sum += passingPush(n, distance, walker.radius, walker.wanted) * force(ahead * strong * strong, gap);
      });
    }
    if (sum == Vec2{} && walker.velocity == walker.preferred) return walker.preferred;
    const Vec2 preferred = bearingRight(input, walker, sum);
    return walker.velocity + ((preferred - walker.velocity) * inverse_relaxation + sum) * dt;
  }

  float dt, strength, wall_strength, inverse_relaxation, length_min, length_growth, width_min, width_max, most, reach,
      range;
};

}  // namespace

std::span<const ModelParameter> gcfmParameters() { return kParameters; }

float gcfmRange(std::span<const float> parameters) { return parameters[kInteractionRange] + kBodies; }

const Parts& gcfmParts() {
  static const Parts parts = partsByLaw<Law>(kLongestPart);
  return parts;
}

void steerGcfm(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
               VelocityOutput out) {
  steerByLaw<Law>(input, parameters, slots, out, kByGrid);
}

void steerGcfmReference(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                        VelocityOutput out) {
  steerByLaw<Law>(input, parameters, slots, out, kOneByOne);
}

}  // namespace throng::steering
