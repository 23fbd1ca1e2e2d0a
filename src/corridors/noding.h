// Walls that meet at their ends only, on the integer grid: what the Voronoi diagram needs (geometry/noding.h).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "corridors/medial_axis.h"

namespace throng::corridors {

/// A directed segment with free space on its right; `tag` is the caller's.
struct DirectedWall {
  IntegerGrid::Place a, b;
  std::uint32_t tag = 0;
  bool operator==(const DirectedWall&) const = default;
  auto operator<=>(const DirectedWall&) const = default;
};

/// Splits walls where they cross, touch, lie on one another or come nearer than the grid's spacing, rounding to the
/// grid, until they share nothing but ends; pieces that lie on one another are all kept. Sorted by their ends. Throws
/// InputError with the place when that does not come to an end. Walls that need no split cost one sweep; `split` tells
/// whether any did.
std::vector<DirectedWall> noded(std::vector<DirectedWall> walls, const IntegerGrid& grid, bool* split = nullptr);

/// A piece between two ends, a before b.
struct NodedWall {
  IntegerGrid::Place a, b;
  int weight = 0;         ///< how many rings go from a to b, less those that go back; walls without thickness have none
  std::uint32_t tag = 0;  ///< the greatest of the pieces'
  bool left_free = false, right_free = false;
};
/// Pieces that lie on one another made one, with their free sides: a place is free when rings go around it clockwise.
/// Tags from `sheet` on are of lines that go around nothing. Pieces that are free on no side are left out.
std::vector<NodedWall> withFreeSides(const std::vector<DirectedWall>& pieces, std::uint32_t sheet, bool split);

}  // namespace throng::corridors
