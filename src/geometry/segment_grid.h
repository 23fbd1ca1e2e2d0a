// Which segments are near a place: the uniform grid over segments that do not move while it is in use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/uniform_grid.h"

namespace throng::geometry {

class SegmentGrid {
 public:
  SegmentGrid() = default;
  /// `cell`: size of a cell in m; about the distance that is asked for. Segments that reach over a large extent get
  /// larger cells, so that memory stays proportional to their number. All coordinates must be finite.
  SegmentGrid(std::span<const Vec2> a, std::span<const Vec2> b, float cell);

  bool empty() const { return grid_.empty(); }
  /// Memory held, for those who watch it.
  std::size_t bytes() const { return grid_.bytes(); }

  /// Appends the ids of all segments that may come within `range` of `place` (a superset, each once, ascending).
  /// `found` keeps its capacity, so a warm caller does not allocate.
  void query(Vec2 place, float range, std::vector<std::uint32_t>& found) const;
  /// True when no segment is in a cell within `range` of `place`: the cheap way out for people in the open.
  bool nothingNear(Vec2 place, float range) const;

 private:
  /// A box that holds all that is within range of a place; false when no cell is.
  bool boxNear(Vec2 place, float range, Point& low, Point& high) const;

  UniformGrid<double> grid_;
  Point end_;  ///< upper right corner of the cells
};

}  // namespace throng::geometry
