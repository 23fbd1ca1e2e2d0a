#pragma once

#include "steering/models.h"

namespace throng::steering {

void steerLinear(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                 VelocityOutput out);

}  // namespace throng::steering
