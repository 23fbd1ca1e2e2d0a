#pragma once

#include "steering/models.h"

namespace throng::steering {

// Helbing & Molnár, "Social force model for pedestrian dynamics", Phys. Rev. E 51, 1995; Helbing, Farkas & Vicsek,
// "Simulating dynamical features of escape panic", Nature 407, 2000.
void steerSocialForce(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                      VelocityOutput out);

/// The same arithmetic, one pair after the other over everybody, without grid or vectors: what the kernel is tested
/// against, bit for bit. Quadratic time.
void steerSocialForceReference(const StepInput& input, std::span<const float> parameters,
                               std::span<const std::uint32_t> slots, VelocityOutput out);

/// The same in parts no longer than a hundredth of a second (parts.h), which is what the world runs; and its slow twin.
const Parts& socialForceParts();
const Parts& socialForcePartsReference();

std::span<const ModelParameter> socialForceParameters();
float socialForceRange(std::span<const float> parameters);

}  // namespace throng::steering
