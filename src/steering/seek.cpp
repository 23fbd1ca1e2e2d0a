// Seek steering (Reynolds 1999): a point mass with a limited force turns its velocity into the desired one. What YERSIN
// (line 800) walks people to their way-points with in regions of interest: corners become arcs, starts and stops take
// time. Blind to others, like linear steering.
//
// Reynolds counts time in frames: steering = truncate(desired - velocity, max_force), then velocity += steering. Here
// the limit is an acceleration, so that a walk looks the same at every dt: one step changes the velocity by at most
// max_acceleration · dt.
#include "steering/seek.h"

#include <array>
#include <cmath>

namespace throng::steering {
namespace {

enum Parameter { kMaxAcceleration, kSlowingDistance };

// 3 m/s²: walking at 1.3 m/s one turns on a circle of v²/a = 0.56 m and starts within half a second. Much less, and
// people circle around way-points that they are meant to come nearer to than half a metre.
constexpr std::array kParameters{
    ModelParameter{"max_acceleration", "m/s²", 3, 0.1, 100, "How fast somebody can change their velocity."},
    ModelParameter{"slowing_distance", "m", 0, 0, 100,
                   "Nearer than this to their target people slow down in proportion to the distance; 0: they do not."},
};

Vec2 truncated(Vec2 v, float limit) {
  const float squared = lengthSquared(v);
  return squared > limit * limit ? v * (limit / std::sqrt(squared)) : v;
}

}  // namespace

std::span<const ModelParameter> seekParameters() { return kParameters; }

void steerSeek(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
               VelocityOutput out) {
  const agents::Crowd& crowd = input.crowd;
  const auto row = input.neighbours.row();
  const float max_change = parameters[kMaxAcceleration] * input.dt;
  const float slowing_distance = parameters[kSlowingDistance];
  for (const std::uint32_t slot : slots) {
    const std::uint32_t r = row[slot];
    const Vec2 velocity{crowd.vx[r], crowd.vy[r]};
    Vec2 desired{crowd.preferred_vx[r], crowd.preferred_vy[r]};
    // Who walks in one direction for ever has no target to arrive at.
    if (slowing_distance > 0 && crowd.activity[r] == agents::Activity::kWalking) {
      const float distance = length(Vec2{crowd.target_x[r] - crowd.x[r], crowd.target_y[r] - crowd.y[r]});
      if (distance < slowing_distance) desired *= distance / slowing_distance;
    }
    const Vec2 next = truncated(velocity + truncated(desired - velocity, max_change), crowd.max_speed[r]);
    out.vx[r] = next.x;
    out.vy[r] = next.y;
  }
}

}  // namespace throng::steering
