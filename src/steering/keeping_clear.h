// Reciprocal avoidance as a last resort of models that look farther ahead: ORCA (van den Berg et al. 2011) for one
// person.
#pragma once

#include "steering/models.h"

namespace throng::steering {

/// The velocity nearest to the one wanted by which nobody near, and no wall, is touched within `horizon` seconds.
Vec2 keepingClear(const StepInput& input, std::uint32_t slot, float horizon, Vec2 wanted);

}  // namespace throng::steering
