#pragma once

#include "steering/models.h"

namespace throng::steering {

// Tordeux, Chraibi & Seyfried, "Collision-free speed model for pedestrian dynamics", Traffic and Granular Flow '15,
// 2016.
void steerCollisionFreeSpeed(const StepInput& input, std::span<const float> parameters,
                             std::span<const std::uint32_t> slots, VelocityOutput out);
/// The same over everybody, one by one.
void steerCollisionFreeSpeedReference(const StepInput& input, std::span<const float> parameters,
                                      std::span<const std::uint32_t> slots, VelocityOutput out);
/// Whoever is repelled more than they want to go on steps back: in long steps far too far.
const Parts& collisionFreeSpeedParts();
std::span<const ModelParameter> collisionFreeSpeedParameters();
float collisionFreeSpeedRange(std::span<const float> parameters);

}  // namespace throng::steering
