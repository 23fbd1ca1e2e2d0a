#pragma once

#include "steering/models.h"

namespace throng::steering {

// Yersin, "Real-time motion planning, navigation, and behavior for large crowds of virtual humans", PhD thesis, EPFL
// 2009, chapter 5: short-term avoidance. The first algorithm (section 5.1) turns the way-point away from people ahead;
// the improved one (section 5.2) looks at rows of grid cells ahead and goes to one beside them.
void steerShortTerm1(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     VelocityOutput out);
void steerShortTerm2(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     VelocityOutput out);

/// The same without the neighbours' grid, for tests.
void steerShortTerm1Reference(const StepInput& input, std::span<const float> parameters,
                              std::span<const std::uint32_t> slots, VelocityOutput out);
void steerShortTerm2Reference(const StepInput& input, std::span<const float> parameters,
                              std::span<const std::uint32_t> slots, VelocityOutput out);

std::span<const ModelParameter> shortTerm1Parameters();
std::span<const ModelParameter> shortTerm2Parameters();
float shortTerm1Range(std::span<const float> parameters);
float shortTerm2Range(std::span<const float> parameters);

}  // namespace throng::steering
