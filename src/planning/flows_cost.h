// What both ways of finding a flow share: the definition of costs.
#pragma once

#include <algorithm>
#include <cmath>

#include "planning/flows.h"

namespace throng::planning {

inline constexpr FlowCost kDetour = 10;  // times, for a gate that is supposed to be congested
inline constexpr FlowCost kUnreached = ~FlowCost{0};

/// An edge's length; at least 1 µm, so that every way leads strictly nearer to the goal.
inline FlowCost costOf(const graph::GraphEdge& edge) {
  return std::max(FlowCost{1}, static_cast<FlowCost>(std::floor(double{edge.length} * 1e6 + 0.5)));
}

}  // namespace throng::planning
