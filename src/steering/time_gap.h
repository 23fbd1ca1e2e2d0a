// Steering model `throng`, our own: one law from an empty street to a packed door.
#pragma once

#include <span>

#include "steering/models.h"

namespace throng::steering {

std::span<const ModelParameter> throngParameters();
float throngRange(std::span<const float> parameters);

Preparation throngPreparation();
void steerThrong(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                 VelocityOutput out);

/// The slow twin: looks at everybody, direction by direction. Same bits.
void steerThrongReference(const StepInput& input, std::span<const float> parameters,
                          std::span<const std::uint32_t> slots, VelocityOutput out);

}  // namespace throng::steering
