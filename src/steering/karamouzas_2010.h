#pragma once

#include "steering/models.h"

namespace throng::steering {

// Karamouzas & Overmars, "Simulating human collision avoidance using a velocity-based approach", VRIPHYS 2010.
void steerKaramouzas2010(const StepInput& input, std::span<const float> parameters,
                         std::span<const std::uint32_t> slots, VelocityOutput out);

/// The same arithmetic, person by person over everybody and velocity by velocity: what the kernel is tested against,
/// bit for bit.
void steerKaramouzas2010Reference(const StepInput& input, std::span<const float> parameters,
                                  std::span<const std::uint32_t> slots, VelocityOutput out);

std::span<const ModelParameter> karamouzas2010Parameters();
float karamouzas2010Range(std::span<const float> parameters);

}  // namespace throng::steering
