// Random mazes.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/shapes.h"

namespace throng::papers {

/// Square cells in rows and columns. Every cell can be reached from every other: a depth-first walk from cell to cell
/// opens the walls that it goes through; of the walls that are left each is opened with a chance of `opened`, so that
/// there is more than one way.
class Maze {
 public:
  Maze(int size, double opened, std::uint64_t seed);

  int size() const { return size_; }  ///< rows, and columns
  /// Can one go from this cell to the next one to the right?
  bool opensRight(int column, int row) const { return right_[index(column, row)]; }
  /// And to the next one above?
  bool opensUp(int column, int row) const { return up_[index(column, row)]; }
  /// Between cells, with cells `cell` m wide and the first one's corner at the origin. The border is not among them.
  std::vector<Segment> walls(double cell) const;

 private:
  std::size_t index(int column, int row) const { return static_cast<std::size_t>(row * size_ + column); }

  int size_;
  std::vector<bool> right_, up_;
};

}  // namespace throng::papers
