#pragma once

#include "steering/models.h"

namespace throng::steering {

// Karamouzas, Heil, van Beek & Overmars, "A predictive collision avoidance model for pedestrian simulation", Motion in
// Games 2009.
void steerKaramouzas(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     VelocityOutput out);

/// The same arithmetic, person by person over everybody, without grid or vectors: what the kernel is tested against,
/// bit for bit.
void steerKaramouzasReference(const StepInput& input, std::span<const float> parameters,
                              std::span<const std::uint32_t> slots, VelocityOutput out);

std::span<const ModelParameter> karamouzasParameters();
float karamouzasRange(std::span<const float> parameters);

}  // namespace throng::steering
