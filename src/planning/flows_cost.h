// What both ways of finding a flow share: the definition of costs.
#pragma once

#include <algorithm>
#include <cmath>

#include "planning/flows.h"

namespace throng::planning {

inline constexpr FlowCost kDetour = 10;               // times, for a gate that is supposed to be congested
inline constexpr FlowCost kUnreached = ~FlowCost{0};  // the same as kNoWay: what costs so much is nowhere near

/// A length in m; at least 1 µm, so that every way leads strictly nearer to the goal.
inline FlowCost costOf(double metres) {
  constexpr double kMost = 1e8;  // m; sums of them and of detours stay far below kUnreached
  return std::max(FlowCost{1}, static_cast<FlowCost>(std::floor(std::min(metres, kMost) * 1e6 + 0.5)));
}
/// Of an edge: as given, or its length.
inline FlowCost costOf(const graph::NavigationGraph& graph, std::span<const FlowCost> costs, std::size_t edge) {
  return costs.empty() ? costOf(double{graph.edges()[edge].length}) : costs[edge];
}
/// What a metre of a path costs on average.
inline double factorOf(const graph::NavigationGraph& graph, std::span<const FlowCost> costs, const FlowPath& path) {
  if (costs.empty() || path.edges.empty()) return 1;
  FlowCost weighed = 0, plain = 0;
  for (const std::uint32_t e : path.edges) weighed += costs[e], plain += costOf(graph, {}, e);
  return static_cast<double>(weighed) / static_cast<double>(plain);
}

}  // namespace throng::planning
