// Random mazes.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/shapes.h"

#include "papers/dense_crowds.h"

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

struct MazeResult {
  std::size_t arrived = 0, people = 0;
  double last_arrival = 0;  ///< s; how long it ran where somebody has not arrived
  double longest_stay = 0;  ///< s: the longest time that somebody on the way did not get 0.5 m away from a place
  std::size_t stayed = 0;   ///< people who did so for more than 30 s
};

/// Two streams of 250 people, one from the left and one from the right, through the maze of the run's seed; corridors
/// are `width` m wide.
MazeResult walkMaze(const DenseRun& run, double width);

}  // namespace throng::papers
