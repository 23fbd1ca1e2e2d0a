#pragma once

#include "steering/models.h"

namespace throng::steering {

// Chraibi, Seyfried & Schadschneider, "Generalized centrifugal-force model for pedestrian dynamics", Phys. Rev. E 82,
// 2010.
void steerGcfm(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
               VelocityOutput out);
/// The same over everybody, one by one.
void steerGcfmReference(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                        VelocityOutput out);
/// For steps longer than the law is stable at.
const Parts& gcfmParts();
std::span<const ModelParameter> gcfmParameters();
float gcfmRange(std::span<const float> parameters);

/// From the middle of an ellipse with these semi-axes to its edge, in a direction of which `along` is the cosine to the
/// first axis.
float ellipseRadius(float first, float second, float along);

}  // namespace throng::steering
