#pragma once

#include "steering/models.h"

namespace throng::steering {

// Karamouzas, Skinner & Guy, "Universal power law governing pedestrian interactions", Phys. Rev. Lett. 113, 2014.
void steerPowerLaw(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                   VelocityOutput out);
/// The same over everybody, one by one.
void steerPowerLawReference(const StepInput& input, std::span<const float> parameters,
                            std::span<const std::uint32_t> slots, VelocityOutput out);
/// For steps longer than the law is stable at.
const Parts& powerLawParts();
std::span<const ModelParameter> powerLawParameters();
float powerLawRange(std::span<const float> parameters);

}  // namespace throng::steering
