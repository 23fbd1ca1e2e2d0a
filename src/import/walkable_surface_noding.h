// Lines in plan that meet at their ends only (geometry/noding.h).
#pragma once

#include "base/parallel.h"
#include "import/walkable_surface_lines.h"

namespace throng::import {

struct PlanGraph {
  struct Edge {
    std::uint32_t a = 0, b = 0;  ///< nodes, a < b
    bool operator==(const Edge&) const = default;
    auto operator<=>(const Edge&) const = default;
  };
  std::vector<Spot> nodes;  ///< ascending
  std::vector<Edge> edges;  ///< ascending
  /// The upright faces on edges, ascending.
  std::vector<std::pair<Edge, std::uint32_t>> sheets;
  /// The cuts on edges, ascending.
  std::vector<std::pair<Edge, std::uint32_t>> cuts;
};

/// Every line becomes a chain of edges through all nodes (ends and crossings of lines) whose squares of the grid it
/// passes, and through all ends of lines that are too near to it to be told apart from it.
PlanGraph noded(std::vector<PlanLine> lines, const PlanGrid& grid, const base::Threads& threads);

}  // namespace throng::import
