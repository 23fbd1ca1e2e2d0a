#pragma once

#include "steering/models.h"

namespace throng::steering {

// Moussaïd, Helbing & Theraulaz, "How simple rules determine pedestrian behavior and crowd disasters", PNAS 108(17),
// 2011; with the foot point of Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, section
// 10.3.5, as an option.
void steerMoussaid(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                   VelocityOutput out);

/// The same arithmetic, direction by direction and person by person over everybody, without grid or vectors: what the
/// kernel is tested against, bit for bit.
void steerMoussaidReference(const StepInput& input, std::span<const float> parameters,
                            std::span<const std::uint32_t> slots, VelocityOutput out);

/// The same with bodies that push in parts of a step (parts.h), which is what the world runs; and its slow twin.
const Parts& moussaidParts();
const Parts& moussaidPartsReference();

std::span<const ModelParameter> moussaidParameters();
float moussaidRange(std::span<const float> parameters);

}  // namespace throng::steering
