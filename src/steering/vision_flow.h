// Choosing among velocities by what is seen. The walker's view is rendered as for `vision` (steering/vision.h), but
// each person seen is judged as a whole: for candidate velocities v, 37 directions within ±90° of the preferred one and
// four speeds,
//
//   cost(v) = slowing · (1 - |v|/v_comfort) + turning · |angle| + side · [to the right] + caution · (1/ttc - 1/horizon)
//
// with ttc the time until v comes within `margin` of somebody seen, or of a wall, if they go on as they do, at most
// `horizon`. The cheapest is taken, with bounded acceleration. Slowing down costs far more than a detour, so people
// turn early, and all to one side: in a circle they turn around its centre. Last, nobody takes a velocity by which they
// could touch somebody within the step, if the other does the same.
#pragma once

#include <span>

#include "steering/models.h"
#include "steering/vision_view.h"

namespace throng::steering {

enum VisionFlowParameter {
  kFlowHorizon,
  kFlowCaution,
  kFlowMargin,
  kFlowSlowing,
  kFlowTurning,
  kFlowSide,
  kFlowAcceleration,
  kFlowRange,
  kFlowColumns,
  kFlowRows,
  kFlowEyeHeight,
  kFlowConeHeight,
  kFlowConeRadius
};

inline constexpr ModelParameter kVisionFlowParameters[] = {
    {"horizon", "s", 10, 0.5, 60, "Collisions later than this do not matter."},
    {"caution", "s", 10, 0, 100, "What a collision costs, divided by the time until then."},
    {"margin", "m", 0.1, 0, 2, "Nearer than this counts as a collision."},
    {"slowing", "1", 12, 0, 100, "What standing costs; slowing down in proportion."},
    {"turning", "1/rad", 1, 0, 100, "What a detour costs, by its angle."},
    {"side", "1", 1, -10, 10, "What turning to the right costs more than turning to the left."},
    {"acceleration", "m/s²", 4, 0.1, 100, "How fast somebody changes their velocity while walking."},
    {"range", "m", 15, 1, 200, "What is farther away is not seen."},
    {"columns", "pixels", 256, 16, 2048, "Width of what a walker sees, 150 degrees."},
    {"rows", "pixels", 48, 4, 1024, "Height of what a walker sees, 80 degrees downwards from the horizon."},
    {"eye_height", "m", 1.7, 0.5, 1.8, "How high the eyes are; at most cone_height."},
    {"cone_height", "m", 1.8, 1.8, 3, "Others are seen as cones of this height."},
    {"cone_radius", "m", 0.5, 0.05, 2, "And of this radius on the ground."},
};
inline std::span<const ModelParameter> visionFlowParameters() { return kVisionFlowParameters; }
inline float visionFlowRange(std::span<const float> parameters) { return parameters[kFlowRange]; }

/// Equal, bit for bit, to its slow twin on every instruction set.
void steerVisionFlow(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     VelocityOutput out);
void steerVisionFlowReference(const StepInput& input, std::span<const float> parameters,
                              std::span<const std::uint32_t> slots, VelocityOutput out);

namespace vision {

inline constexpr int kDirections = 37, kSpeeds = 4;
/// A multiple of every vector's lanes.
inline constexpr std::size_t kCandidates = 160;
/// s: ttc with somebody who is within the margin already, when coming nearer still.
inline constexpr float kTouching = 0.05f;

/// Sight of a walker with these parameters.
Sight flowSight(std::span<const float> parameters);

/// Velocities to choose from, in the walker's frame, with what each costs by itself and the time to its first
/// collision.
struct Candidates {
  alignas(base::kVectorBytes) float x[kCandidates], y[kCandidates], cost[kCandidates], ttc[kCandidates];
};

/// Somebody, or a wall, as candidates are tried on it.
struct Obstacle {
  float px, py;  ///< m: where
  float vx, vy;  ///< m/s: absolute velocity
  float apart;   ///< m²: distance² less (both radii and the margin)²
};

inline float timeTo(const Obstacle& o, float x, float y) {
  const float wx = x - o.vx, wy = y - o.vy;
  const float b = o.px * wx + o.py * wy;
  const float a = wx * wx + wy * wy;
  const float discriminant = b * b - a * o.apart;
  if (!(b > 0)) return kNever;
  if (!(o.apart > 0)) return kTouching;
  if (!(discriminant > 0)) return kNever;
  return o.apart / (b + std::sqrt(discriminant));
}

/// A wall as a line at distance `away` less radius and margin along its normal (nx, ny), from `low` to `high` along it.
struct Barrier {
  float nx, ny;
  float away;
  float low, high;
};

inline float timeTo(const Barrier& wall, float x, float y) {
  const float approach = x * wall.nx + y * wall.ny;
  if (!(approach > 1e-3f)) return kNever;
  const float t = wall.away > 0 ? wall.away / approach : kTouching;
  const float along = t * (y * wall.nx - x * wall.ny);
  return along >= wall.low && along <= wall.high ? t : kNever;
}

/// All that candidates are tried on.
struct Obstacles {
  std::vector<Obstacle> people;
  std::vector<Barrier> walls;
};

void makeCandidates(const StepInput& input, std::span<const float> parameters, const View& view, std::uint32_t row,
                    Candidates& candidates);
/// Those people who are seen, by number, and all walls in range.
void findObstacles(const StepInput& input, std::span<const float> parameters, const View& view, std::uint32_t row,
                   std::span<const std::uint8_t> seen, Obstacles& obstacles);
/// Takes the cheapest candidate and writes the velocity that it leads to.
void chooseAndWalk(const StepInput& input, std::span<const float> parameters, const View& view, std::uint32_t row,
                   const Candidates& candidates, std::vector<agents::NeighbourIndex::Found>& near, VelocityOutput out);

}  // namespace vision
}  // namespace throng::steering
