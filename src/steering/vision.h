// Steering by what walkers see: Ondřej, Pettré, Olivier & Donikian, "A synthetic-vision based steering approach for
// crowd simulation", ACM Transactions on Graphics 29(4), 2010. For every walker the scene is rendered from its eyes;
// what each pixel shows, moving how, decides how much to turn and how fast to walk (steering/vision_law.h).
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "steering/models.h"

namespace throng::steering {

/// Places of the parameters in the table; those from kSightColumns on are of `vision` alone.
enum VisionParameter {
  kSightA,
  kSightB,
  kSightC,
  kSightASpread,
  kSightBSpread,
  kSightCSpread,
  kSightImminent,
  kSightGoalRange,
  kSightEscape,
  kSightRange,
  kSightColumns,
  kSightRows,
  kSightEyeHeight,
  kSightConeHeight,
  kSightConeRadius
};

/// What all models have that render what a walker sees: their last parameters.
inline constexpr ModelParameter kSightParameters[] = {
    {"range", "m", 10, 1, 200, "What is farther away is not seen."},
    {"columns", "pixels", 256, 16, 2048, "Width of what a walker sees, 150 degrees."},
    {"rows", "pixels", 48, 4, 1024, "Height of what a walker sees, 80 degrees downwards from the horizon."},
    {"eye_height", "m", 1.7, 0.5, 1.8, "How high the eyes are; at most cone_height."},
    {"cone_height", "m", 1.8, 1.8, 3, "Others are seen as cones of this height."},
    {"cone_radius", "m", 0.5, 0.05, 2, "And of this radius on the ground."},
};
template <std::size_t N>
constexpr auto withSight(const ModelParameter (&own)[N]) {
  std::array<ModelParameter, N + std::size(kSightParameters)> all{};
  std::copy(std::begin(own), std::end(own), all.begin());
  std::copy(std::begin(kSightParameters), std::end(kSightParameters), all.begin() + N);
  return all;
}

/// The paper knows no range: what is far away covers hardly a pixel.
template <std::size_t N>
constexpr auto farSighted(std::array<ModelParameter, N> parameters) {
  parameters[kSightRange].value = 100;
  return parameters;
}
inline constexpr auto kVisionParameters = farSighted(withSight({
    {"a", "rad/s", 0, -1, 1, "Eq. (1): middle of the band of bearing rates that mean a collision."},
    {"b", "1", 0.6, 0, 10, "Eq. (1): half the width of that band for an interaction in one second."},
    {"c", "1", 1.5, 0, 10, "Eq. (1): how fast the band narrows for interactions later on."},
    {"a_spread", "rad/s", 0, 0, 1, "People's own a lie this far around a, evenly."},
    {"b_spread", "1", 0, 0, 10, "People's own b lie this far around b, evenly."},
    {"c_spread", "1", 0, 0, 10, "People's own c lie this far around c, evenly."},
    {"imminent", "s", 3, 0, 60, "τ2: interactions sooner than this slow a walker down."},
    {"goal_range", "m", 2.6, 0.5, 1000, "A goal farther away is looked for at this distance, in its direction."},
    {"escape", "1", 0, 0, 1, "1: who hardly moves sets off and steps aside, which is ours; 0: as published."},
}));
inline std::span<const ModelParameter> visionParameters() { return kVisionParameters; }
/// The same without what only images need.
inline constexpr auto kVisionPointsParameters = [] {
  std::array<ModelParameter, kSightColumns> parameters{};
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] = kVisionParameters[i];
  return parameters;
}();
inline std::span<const ModelParameter> visionPointsParameters() { return kVisionPointsParameters; }

inline float visionRange(std::span<const float> parameters) { return parameters[kSightRange]; }

/// The kernel: a rasteriser with one column of pixels per lane. Equal, bit for bit, to steerVisionReference on every
/// instruction set.
void steerVision(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                 VelocityOutput out);
/// The slow twin: a ray per pixel, tried on everything in range.
void steerVisionReference(const StepInput& input, std::span<const float> parameters,
                          std::span<const std::uint32_t> slots, VelocityOutput out);

/// Without images (section 5.2): every walker, and the nearest place of every wall, is one moving point.
void steerVisionPoints(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                       VelocityOutput out);
void steerVisionPointsReference(const StepInput& input, std::span<const float> parameters,
                                std::span<const std::uint32_t> slots, VelocityOutput out);

}  // namespace throng::steering
