// Which cells may contain a place: a grid over cells that can come and go, which geometry/uniform_grid.h cannot.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/shapes.h"

namespace throng::corridors {

/// Every square of the grid lists the cells whose polygon meets it.
class CellGrid {
 public:
  CellGrid() = default;
  /// `extents`: width and height of all of those cells together, m.
  explicit CellGrid(Rectangle bounds, std::size_t cells_expected = 1, double extents = 0);

  /// `polygon`: convex, at most four corners.
  void insert(std::uint32_t cell, std::span<const Point> polygon);
  /// With the polygon it was inserted with.
  void remove(std::uint32_t cell, std::span<const Point> polygon);
  /// Candidates for a place; none outside the bounds.
  std::span<const std::uint32_t> at(Point place) const {
    const double x = (place.x - bounds_.min.x) * inverse_, y = (place.y - bounds_.min.y) * inverse_;
    if (!(x >= 0 && y >= 0 && x < columns_ && y < rows_)) return {};
    const Square& square = squares_[static_cast<std::size_t>(static_cast<int>(y)) * static_cast<std::size_t>(columns_) +
                                    static_cast<std::size_t>(static_cast<int>(x))];
    return {pool_.data() + square.start, square.count};
  }
  const Rectangle& bounds() const { return bounds_; }
  std::size_t bytes() const;
  /// Places in all lists.
  std::size_t entries() const;

 private:
  struct Square {
    std::uint32_t start = 0, count = 0, capacity = 0;
  };
  template <class Visit>
  void visit(std::span<const Point> polygon, const Visit& visit) const;
  /// Closes the gaps of lists that have moved.
  void compact();

  Rectangle bounds_;
  double size_ = 1, inverse_ = 1;
  int columns_ = 0, rows_ = 0;
  std::vector<Square> squares_;
  std::vector<std::uint32_t> pool_;  ///< the squares' lists; a list that outgrows its place moves to the end
  std::size_t wasted_ = 0;           ///< places of lists that have moved
};

}  // namespace throng::corridors
