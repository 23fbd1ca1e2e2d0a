// Stream: van Goethem, Jaklin, Cook & Geraerts, "On streams and incentives: a synthesis of individual and collective
// crowd motion", CASA 2015; Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, chapter 9, whose
// equation numbers the comments give. A layer between following and any steering model: it turns the velocity that
// somebody prefers on their own (v_indiv) towards the stream of people whom they see going their way (v_stream), the
// more so the denser it is, and the steering model makes the result free of collisions. Ours, and off unless asked for,
// is the side preference: people turn to one side of those who come the other way before they meet.
#pragma once

#include <span>

#include "steering/models.h"

namespace throng::steering {

/// Places of the parameters in the table.
enum StreamParameter {
  kStreamFieldOfView,
  kStreamLookAhead,
  kStreamMaxNeighbours,
  kStreamDensityFactor,
  kStreamInternalMotivation,
  kStreamDeviationAngle,
  kStreamTimeSpent,
  kStreamDensityDelay,
  kStreamLeastSpeed,
  kStreamSidePreference,
  kStreamOncomingDistance,
  kStreamOncomingWidth
};

/// Name, paper and parameters. It is not one of models(): it needs one of them to follow.
const ModelInfo& streamInfo();

/// The distance at which neighbours are asked for.
float streamRange(std::span<const float> parameters);

/// Reads everybody's preferred velocity (of crowd) and writes what becomes of it; `out` may be the same columns. Equal,
/// bit for bit, to streamReference on every instruction set.
void stream(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
            VelocityOutput out);

/// The same, plainly: one person after the other, everybody else of the zone looked at. Quadratic time.
void streamReference(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     VelocityOutput out);

}  // namespace throng::steering
