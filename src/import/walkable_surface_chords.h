// Where a surface that lies above itself is cut: on straight lines across it from wall to wall, because routes can be
// planned over such lines, and at its narrow places.
#pragma once

#include <set>

#include "import/walkable_surface_cells.h"

namespace throng::import {

/// A straight line across a surface; both ends are at walls.
struct Cut {
  Spot a, b;
  double height = 0;  ///< m, of the surface at a
};

/// For all surfaces that are connected and lie above themselves. The cells that are `kept` count.
std::vector<Cut> findCuts(const Cells& cells, const std::vector<bool>& kept);

/// Things put together pair by pair, never two that stand against one another.
class Clusters {
 public:
  explicit Clusters(std::size_t count);
  std::uint32_t rootOf(std::uint32_t i);
  void oppose(std::uint32_t a, std::uint32_t b);
  void join(std::uint32_t a, std::uint32_t b);
  /// Of a root; roots all.
  const std::set<std::uint32_t>& against(std::uint32_t root) const { return against_[root]; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::set<std::uint32_t>> against_;  ///< per root
};

}  // namespace throng::import
