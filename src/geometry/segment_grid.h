// Which segments are near a place: a uniform grid over segments that do not move while it is in use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/base.h"

namespace throng::geometry {

class SegmentGrid {
 public:
  SegmentGrid() = default;
  /// `cell`: size of a cell in m; about the distance that is asked for. Segments that reach over a large extent get
  /// larger cells, so that memory stays proportional to their number. All coordinates must be finite.
  SegmentGrid(std::span<const Vec2> a, std::span<const Vec2> b, float cell);

  bool empty() const { return ids_.empty(); }
  /// Memory held, for those who watch it.
  std::size_t bytes() const { return (start_.capacity() + ids_.capacity()) * sizeof(std::uint32_t); }

  /// Appends the ids of all segments that may come within `range` of `place` (a superset, each once, ascending).
  /// `found` keeps its capacity, so a warm caller does not allocate.
  void query(Vec2 place, float range, std::vector<std::uint32_t>& found) const;
  /// True when no segment is in a cell within `range` of `place`: the cheap way out for people in the open.
  bool nothingNear(Vec2 place, float range) const;

 private:
  /// Inclusive; empty when x0 > x1.
  struct CellRange {
    int x0, y0, x1, y1;
  };
  CellRange cells(Point low, Point high) const;
  CellRange cellsNear(Vec2 place, float range) const;
  int column(double x) const;
  int row(double y) const;
  /// visit(cell) for every cell that segment ab passes through, and perhaps a neighbour of such a cell.
  template <class Visit>
  void walk(Vec2 a, Vec2 b, const Visit& visit) const;
  bool fits(std::span<const Vec2> a, std::span<const Vec2> b, Point extent);

  Point origin_;
  double cell_ = 1;
  int columns_ = 0, rows_ = 0;
  std::vector<std::uint32_t> start_;  ///< per cell, into ids_; one more at the end
  std::vector<std::uint32_t> ids_;
};

}  // namespace throng::geometry
