// The way somebody means to take: planners write it, followers read it.
#pragma once

#include <vector>

#include "throng/base.h"

namespace throng::environment {

/// Way-points in order, the last one being the goal.
using Route = std::vector<Vec2>;

}  // namespace throng::environment
