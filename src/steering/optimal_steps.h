#pragma once

#include "steering/models.h"

namespace throng::steering {

// Seitz & Köster, "Natural discretization of pedestrian movement in continuous space", Phys. Rev. E 86, 2012, with the
// potentials of von Sivers & Köster, "Dynamic stride length adaptation according to utility and personal space",
// Transportation Research Part B 74, 2015.
/// Everybody of all profiles, in the order in which their strides end.
void steerOptimalStepsInTurn(const StepInput& input, std::span<const Group> groups, const base::Threads& threads,
                             VelocityOutput out);
/// The same, one by one, each looking at everybody.
void steerOptimalStepsInTurnReference(const StepInput& input, std::span<const Group> groups, VelocityOutput out);
/// The same for `slots` alone; others do not walk in strides.
void steerOptimalSteps(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                       VelocityOutput out);
std::span<const ModelParameter> optimalStepsParameters();
float optimalStepsRange(std::span<const float> parameters);

}  // namespace throng::steering
