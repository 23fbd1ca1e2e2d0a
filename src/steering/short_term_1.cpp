// Yersin's first short-term avoidance (algorithm 1). For every neighbour nearer than the security distance α: nearer
// than the emergency distance β, slide away; else, if they are within ±π/4 of where one is heading, turn the way-point
// away from them. The way-point is back in its place before the next decision.
//
// Readings. By how much the way-point is turned is not said: here until the neighbour is at the edge of the zone, π/4
// away, the less the farther away they are and the slower they come nearer, by the one on either side who turns it
// most. Turned by everybody ahead, people in a crowd would spin; turned to both sides, they go on between. Who is
// straight ahead is passed on the right. Where one is heading is where the way-point is: with the direction of the last
// step people would turn to and fro, as those they turn away from leave the zone and come back into it.
#include <array>

#include "base/math.h"
#include "steering/short_term.h"
#include "steering/short_term_walk.h"

namespace throng::steering {
namespace {

using namespace short_term;

enum Parameter { kSecurity, kEmergency, kZone, kAcceleration, kParameterCount };

constexpr std::array<ModelParameter, kParameterCount> kParameters{{
    {"security_distance", "m", 2, 0.1, 50, "α: people nearer than this are avoided."},
    {"emergency_distance", "m", 0.5, 0, 10, "β: from people nearer than this one slides away."},
    {"zone_angle", "°", 45, 1, 90, "Only people within this angle of where one is heading are avoided."},
    {"max_acceleration", "m/s²", 3, 0.1, 100, "How fast somebody can change their velocity."},
}};

/// Arc sine by its series, |error| < 0.02 for |s| <= 1: good enough for how far to turn.
float arcSine(float s) {
  const float t = s * s;
  return s * (1.0f + t * (1.0f / 6 + t * (3.0f / 40 + t * (15.0f / 336 + t * (105.0f / 3456 + t * 0.24f)))));
}

template <class ForEach>
void steer(const StepInput& input, std::span<const float> p, std::span<const std::uint32_t> slots, VelocityOutput out,
           const ForEach& for_each_near) {
  static thread_local std::vector<std::uint32_t> found;
  const agents::NeighbourIndex& index = input.neighbours;
  const float emergency_range = p[kEmergency] + kBodies, emergency_squared = emergency_range * emergency_range;
  const float zone = static_cast<float>(double{p[kZone]} * base::kPi / 180);
  double sine, cosine;
  base::sinCos(zone, sine, cosine);
  const float cos_zone = static_cast<float>(cosine), security_squared = p[kSecurity] * p[kSecurity];
  for (const std::uint32_t slot : slots) {
    const Walker w = walkerOf(input, slot);
    Emergency emergency;
    emergency.addWalls(input, w, found);
    if (!decides(input, w.speed)) {
      for_each_near(index, input.crowd, slot, emergency_range,
                    [&](std::uint32_t other) { emergency.add(input, w, other, p[kEmergency]); });
      const Vec2 decided{input.memory_x[w.row], input.memory_y[w.row]};
      const Vec2 next = walkTowards(input, w, decided == Vec2{} ? w.preferred : decided, emergency, p[kAcceleration]);
      out.vx[w.row] = next.x, out.vy[w.row] = next.y;
      continue;
    }
    float left = 0, right = 0;
    for_each_near(index, input.crowd, slot, std::max(p[kSecurity], emergency_range), [&](std::uint32_t other) {
      const Vec2 to{index.x()[other] - w.place.x, index.y()[other] - w.place.y};
      const float squared = lengthSquared(to);
      if (squared < emergency_squared && emergency.add(input, w, other, p[kEmergency])) return;
      if (!(squared < security_squared)) return;
      const float distance = std::sqrt(squared);
      const Vec2 relative{w.velocity.x - index.vx()[other], w.velocity.y - index.vy()[other]};
      const float nearing = dot(relative, to);
      if (!(nearing > 0 && dot(w.forward, to) >= cos_zone * distance)) return;
      const float side = det(w.forward, to) / distance;  // sine of the angle, left is positive
      const float urgency =
          std::min(1.0f, 2.0f - 2.0f * distance / p[kSecurity]) * std::min(1.0f, 2.0f * nearing / (w.speed * distance));
      const float turn = (zone - arcSine(std::abs(side))) * urgency;
      float& most = side >= 0 ? left : right;
      most = std::max(most, turn);
    });
    // Away from those on the left is to the right.
    const float turn = right - left;
    Vec2 desired = w.preferred;
    if (turn != 0) {
      base::sinCos(turn, sine, cosine);
      const auto s = static_cast<float>(sine), c = static_cast<float>(cosine);
      desired = {desired.x * c - desired.y * s, desired.x * s + desired.y * c};
    }
    if (out.memory_x) out.memory_x[w.row] = desired.x, out.memory_y[w.row] = desired.y;
    const Vec2 next = walkTowards(input, w, desired, emergency, p[kAcceleration]);
    out.vx[w.row] = next.x, out.vy[w.row] = next.y;
  }
}

}  // namespace

std::span<const ModelParameter> shortTerm1Parameters() { return kParameters; }

float shortTerm1Range(std::span<const float> p) { return std::max(p[kSecurity], p[kEmergency] + kBodies); }

void steerShortTerm1(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     VelocityOutput out) {
  steer(input, parameters, slots, out, kByGrid);
}

void steerShortTerm1Reference(const StepInput& input, std::span<const float> parameters,
                              std::span<const std::uint32_t> slots, VelocityOutput out) {
  steer(input, parameters, slots, out, kOneByOne);
}

}  // namespace throng::steering
