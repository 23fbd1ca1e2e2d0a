#pragma once

#include "steering/models.h"

namespace throng::steering {

// Reynolds, "Steering behaviors for autonomous characters", GDC 1999: seek, and arrival when asked for.
void steerSeek(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
               VelocityOutput out);

std::span<const ModelParameter> seekParameters();

}  // namespace throng::steering
