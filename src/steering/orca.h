#pragma once

#include "steering/models.h"

namespace throng::steering {

// van den Berg, Guy, Lin & Manocha, "Reciprocal n-body collision avoidance", ISRR 2011.
void steerOrca(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
               VelocityOutput out);

}  // namespace throng::steering
