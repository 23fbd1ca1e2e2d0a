// Lines in plan that meet at their ends only (geometry/noding.h).
#pragma once

#include "base/parallel.h"
#include "import/walkable_surface_lines.h"

namespace throng::import {

struct PlanGraph {
  using Edge = geometry::PlaceEdge;  ///< of nodes, a < b
  std::vector<Spot> nodes;           ///< ascending
  std::vector<Edge> edges;           ///< ascending
  /// The upright faces on edges, ascending.
  std::vector<std::pair<Edge, std::uint32_t>> sheets;
  /// The cuts on edges, ascending.
  std::vector<std::pair<Edge, std::uint32_t>> cuts;
};

/// Every line becomes a chain of edges through all nodes (ends and crossings of lines) whose squares of the grid it
/// passes, and through all ends of lines that are too near to it to be told apart from it.
PlanGraph noded(std::vector<PlanLine> lines, const PlanGrid& grid, const base::Threads& threads);

}  // namespace throng::import
