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
  /// `cell`: size of a cell in m; about the distance that is asked for.
  SegmentGrid(std::span<const Vec2> a, std::span<const Vec2> b, float cell);

  bool empty() const { return ids_.empty(); }

  /// Appends the ids of all segments that may come within `range` of `place` (a superset, each once, ascending).
  /// `found` keeps its capacity, so a warm caller does not allocate.
  void query(Vec2 place, float range, std::vector<std::uint32_t>& found) const;
  /// True when no segment is in a cell within `range` of `place`: the cheap way out for people in the open.
  bool nothingNear(Vec2 place, float range) const;

 private:
  struct CellRange {
    int x0, y0, x1, y1;
  };
  CellRange cells(Vec2 low, Vec2 high) const;

  Vec2 origin_;
  float cell_ = 1;
  int columns_ = 0, rows_ = 0;
  std::vector<std::uint32_t> start_;  ///< per cell, into ids_; one more at the end
  std::vector<std::uint32_t> ids_;
};

}  // namespace throng::geometry
