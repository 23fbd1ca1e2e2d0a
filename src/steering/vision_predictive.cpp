#include "steering/vision_predictive.h"

#include <algorithm>
#include <array>
#include <vector>

#include "steering/karamouzas_terms.h"
#include "steering/keeping_clear.h"
#include "steering/vision_reference.h"

namespace throng::steering {
namespace vision {
namespace {

/// Share of the preferred speed: who is slower is held up, or has not started, and wants the preferred velocity at
/// once.
constexpr float kHeldUp = 0.5f;
/// m/s²: how fast the speed lost by evading comes back to those who walk within 60° (its cosine) of where they want to.
constexpr float kRegain = 1, kOnTheWay = 0.5f;
/// A drive (dt/τ) that takes a person to the preferred velocity within the step.
constexpr float kAtOnce = 100;
/// m: of Karamouzas' f(D); the part that fades lies beyond what is seen.
constexpr float kNearCollision = 0.25f, kFar = 1000;

karamouzas::Coefficients coefficients(std::span<const float> p, float dt) {
  std::array<float, karamouzas::kParameterCount> values{};
  values[karamouzas::kReactionTime] = p[kPredictReactionTime];
  values[karamouzas::kAnticipationTime] = p[kPredictHorizon];
  values[karamouzas::kViewAngle] = 180;  // the view is what was rendered
  values[karamouzas::kMaxCollisions] = p[kPredictMaxCollisions];
  values[karamouzas::kEvasionStrength] = p[kPredictStrength];
  values[karamouzas::kMinDistance] = kNearCollision;
  values[karamouzas::kMidDistance] = values[karamouzas::kMaxDistance] = kFar;
  values[karamouzas::kWallDistance] = p[kPredictWallDistance];
  values[karamouzas::kNeighbourRange] = p[kPredictRange];
  return {values, dt};
}

}  // namespace

Sight predictiveSight(std::span<const float> p) {
  Sight sight;
  sight.range = p[kPredictRange], sight.range_squared = p[kPredictRange] * p[kPredictRange];
  sight.columns = static_cast<int>(p[kPredictColumns]), sight.rows = static_cast<int>(p[kPredictRows]);
  sight.setCones(p[kPredictEyeHeight], p[kPredictConeHeight], p[kPredictConeRadius]);
  return sight;
}

void evadeSeen(const StepInput& input, std::span<const float> p, const View& view, std::uint32_t slot,
               std::span<const std::uint8_t> seen, VelocityOutput out) {
  thread_local std::vector<std::uint32_t> walls;
  thread_local karamouzas::Others others;  // whoever is in the personal space is left to reciprocal avoidance
  const agents::NeighbourIndex& index = input.neighbours;
  const std::uint32_t row = index.row()[slot];
  karamouzas::Coefficients c = coefficients(p, input.dt);
  MotionSums sums;
  karamouzas::Walker walker = karamouzas::walkerOf(c, input, slot, walls, sums);
  walker.space = walker.radius + p[kPredictMargin];
  const Vec2 preferred{input.crowd.preferred_vx[row], input.crowd.preferred_vy[row]};
  others.first.clear();
  for (std::size_t i = 0; i < view.x.size(); ++i) {
    if (!seen[i]) continue;
    const std::uint32_t other = view.slot[i];
    const Vec2 to{index.x()[other] - walker.place.x, index.y()[other] - walker.place.y};
    const Vec2 relative{walker.expected.x - index.vx()[other], walker.expected.y - index.vy()[other]};
    const float reach = walker.space + index.radius()[other];
    const float time = karamouzas::timeToCollision(to, relative, reach, karamouzas::kNever);
    if (time >= p[kPredictNear] && time <= c.anticipation)
      karamouzas::keepFirst(others.first, c.max_collisions, {time, other});
  }
  const bool held_up = lengthSquared(walker.velocity) < kHeldUp * kHeldUp * lengthSquared(preferred);
  if (held_up) c.drive = kAtOnce;
  Vec2 velocity = karamouzas::evade(c, input, slot, walker, others, sums);
  // Speed comes back soon on the way, but not to those who are held up and slide along others.
  const float speed = length(velocity), comfort = length(preferred);
  float wanted = length(held_up ? preferred : walker.expected);
  if (dot(velocity, preferred) > kOnTheWay * speed * comfort)
    wanted = std::max(wanted, std::min(comfort, std::max(length(walker.velocity), speed) + kRegain * input.dt));
  if (speed > 0.1f * comfort && wanted > speed) velocity = velocity * (wanted / speed);
  // Whoever walks as they like goes on so: no drift by rounding.
  if (lengthSquared(velocity - preferred) < 1e-10f) velocity = preferred;
  velocity = keepingClear(input, slot, p[kPredictNear], velocity);
  out.vx[row] = velocity.x, out.vy[row] = velocity.y;
}

}  // namespace vision

void steerVisionPredictiveReference(const StepInput& input, std::span<const float> parameters,
                                    std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace vision;
  const Sight sight = predictiveSight(parameters);
  Camera camera;
  camera.fit(sight);
  View view;
  Image image;
  std::vector<std::uint8_t> seen;
  for (const std::uint32_t slot : slots) {
    lookReference(input, sight, slot, view);
    renderReference(sight, camera, view, image);
    seen.assign(view.x.size() + 1, 0);
    for (std::size_t r = 0; r < static_cast<std::size_t>(camera.rows); ++r)
      for (std::size_t c = 0; c < static_cast<std::size_t>(camera.columns); ++c)
        if (image.nearness[r * image.stride + c] > 0)
          seen[static_cast<std::size_t>(image.number[r * image.stride + c])] = 1;
    evadeSeen(input, parameters, view, slot, seen, out);
  }
}

}  // namespace throng::steering
