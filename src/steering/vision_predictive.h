// Predictive evasion of what is seen, a model of our own on the eyes of Ondřej et al. 2010. The walker's view is
// rendered as for `vision` (steering/vision.h); everybody of whom a pixel shows is judged as a whole. In three steps:
//
//   far     of those whom the walker will come within `margin` of, between `near` and `horizon` seconds from now, the
//           first few are evaded one after the other by small changes of the velocity (Karamouzas et al. 2009,
//           steering/karamouzas_terms.h)
//   speed   evading is turning: the speed comes back at once, whatever the direction
//   near    what would happen within `near` seconds is left to reciprocal avoidance: the velocity closest to the one
//           wanted by which nobody near, seen or not, and no wall is touched (ORCA, van den Berg et al. 2011)
#pragma once

#include <span>

#include "steering/models.h"
#include "steering/vision.h"
#include "steering/vision_view.h"

namespace throng::steering {

enum VisionPredictiveParameter {
  kPredictReactionTime,
  kPredictMargin,
  kPredictNear,
  kPredictHorizon,
  kPredictMaxCollisions,
  kPredictStrength,
  kPredictWallDistance,
  kPredictRange,
  kPredictColumns,
  kPredictRows,
  kPredictEyeHeight,
  kPredictConeHeight,
  kPredictConeRadius
};

inline constexpr auto kVisionPredictiveParameters = withSight({
    {"reaction_time", "s", 0.5, 0.05, 10, "How long people take to come back to their preferred velocity."},
    {"margin", "m", 0.05, 0, 2, "Nearer than this, from body to body, counts as a collision."},
    {"near", "s", 1.25, 0.1, 60, "Collisions sooner than this are avoided by both in equal parts."},
    {"horizon", "s", 8, 0.5, 60, "Collisions later than this do not matter."},
    {"max_collisions", "count", 5, 0, 100, "At most this many collisions, the first to come, are evaded."},
    {"evasion_strength", "m/s²", 1, 0, 100, "How hard somebody evades a collision, at most."},
    {"wall_distance", "m", 0.2, 0, 10, "The distance that people keep from walls."},
});
inline std::span<const ModelParameter> visionPredictiveParameters() { return kVisionPredictiveParameters; }
inline float visionPredictiveRange(std::span<const float> parameters) { return parameters[kPredictRange]; }

/// Equal, bit for bit, to its slow twin on every instruction set.
void steerVisionPredictive(const StepInput& input, std::span<const float> parameters,
                           std::span<const std::uint32_t> slots, VelocityOutput out);
void steerVisionPredictiveReference(const StepInput& input, std::span<const float> parameters,
                                    std::span<const std::uint32_t> slots, VelocityOutput out);

namespace vision {

/// Sight of a walker with these parameters.
Sight predictiveSight(std::span<const float> parameters);

/// Evades those of the view whom `seen` marks, by number, and writes the velocity of the person in `slot`.
void evadeSeen(const StepInput& input, std::span<const float> parameters, const View& view, std::uint32_t slot,
               std::span<const std::uint8_t> seen, VelocityOutput out);

}  // namespace vision
}  // namespace throng::steering
