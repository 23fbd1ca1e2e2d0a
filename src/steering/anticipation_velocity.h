#pragma once

#include "steering/models.h"

namespace throng::steering {

// Xu, Chraibi & Seyfried, "Anticipation in a velocity-based model for pedestrian dynamics", Transportation Research
// Part C 133, 2021.
void steerAnticipationVelocity(const StepInput& input, std::span<const float> parameters,
                               std::span<const std::uint32_t> slots, VelocityOutput out);
/// The same over everybody, one by one.
void steerAnticipationVelocityReference(const StepInput& input, std::span<const float> parameters,
                                        std::span<const std::uint32_t> slots, VelocityOutput out);
std::span<const ModelParameter> anticipationVelocityParameters();
float anticipationVelocityRange(std::span<const float> parameters);

}  // namespace throng::steering
