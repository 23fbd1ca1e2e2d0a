#pragma once

#include "steering/models.h"

namespace throng::steering {

// Khatib, "Real-time obstacle avoidance for manipulators and mobile robots", Int. J. of Robotics Research 5(1), 1986:
// way- points attract, obstacles repel; with people as obstacles to one another as in Yersin, PhD thesis, EPFL 2009,
// section 4.2.1.
void steerKhatib(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                 VelocityOutput out);

/// The same without the grid, for tests.
void steerKhatibReference(const StepInput& input, std::span<const float> parameters,
                          std::span<const std::uint32_t> slots, VelocityOutput out);

std::span<const ModelParameter> khatibParameters();
float khatibRange(std::span<const float> parameters);

}  // namespace throng::steering
