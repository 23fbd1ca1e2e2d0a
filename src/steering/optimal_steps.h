#pragma once

#include "steering/models.h"

namespace throng::steering {

// Seitz & Köster, "Natural discretization of pedestrian movement in continuous space", Phys. Rev. E 86, 2012, with the
// potentials of von Sivers & Köster, "Dynamic stride length adaptation according to utility and personal space",
// Transportation Research Part B 74, 2015.
void steerOptimalSteps(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                       VelocityOutput out);
/// The same over everybody, one by one.
void steerOptimalStepsReference(const StepInput& input, std::span<const float> parameters,
                                std::span<const std::uint32_t> slots, VelocityOutput out);
std::span<const ModelParameter> optimalStepsParameters();
float optimalStepsRange(std::span<const float> parameters);

}  // namespace throng::steering
