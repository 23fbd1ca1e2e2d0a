// Who stands in whom. Two people of one layer overlap when their discs do; pairs are found with a grid whose cells are
// hashed, so that neither a lonely person far away nor a large field costs memory or time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "throng/frame.h"
#include "throng/scene.h"

#include "geometry/hashed_cells.h"

namespace throng::metrics {

/// A set of pairs of people: open addressing, never shrinks.
class PairSet {
 public:
  void insert(std::uint32_t a, std::uint32_t b);
  std::uint64_t size() const { return size_; }

 private:
  void place(std::uint64_t key);
  std::vector<std::uint64_t> table_;  ///< 0: empty; a pair of different people is never 0
  std::uint64_t size_ = 0;
};

class Overlaps {
 public:
  /// `tolerance`: share of the sum of radii by which two people may overlap and not be counted.
  explicit Overlaps(double tolerance) : tolerance_(tolerance) {}

  void observe(const Frame& frame, std::span<const std::optional<Rectangle>> wrap);

  std::uint64_t pairs() const { return pairs_.size(); }
  std::uint64_t agentSteps() const { return agent_steps_; }
  /// m, of all overlaps, those within the tolerance too.
  double deepest() const { return deepest_; }

 private:
  /// Cells of one layer. In a wrapped layer a whole number of them, modulo which neighbours are looked for.
  struct Grid {
    std::optional<Rectangle> wrap;
    double cell_x = 1, cell_y = 1;       ///< m
    std::int32_t columns = 0, rows = 0;  ///< 0: not wrapped
  };
  struct Entry {
    float x, y, radius;
    std::uint32_t row;  ///< of the frame
    std::int32_t column, line;
    std::uint16_t layer;
  };

  void makeGrids(const Frame& frame, std::span<const std::optional<Rectangle>> wrap, double cell);
  void fillCells(const Frame& frame);
  void searchLine(const Frame& frame, std::uint32_t slot, std::int32_t line, std::uint32_t first_slot);
  void searchBuckets(const Frame& frame, const Entry& me, std::uint32_t begin, std::uint32_t count, std::int32_t line,
                     std::uint32_t first_slot);
  void compare(const Frame& frame, const Entry& a, const Entry& b);
  std::uint32_t bucket(std::int32_t column, std::int32_t line, std::uint16_t layer) const {
    return static_cast<std::uint32_t>(cells_.bucket(column, line, layer));
  }

  double tolerance_;
  PairSet pairs_;
  std::uint64_t agent_steps_ = 0;
  double deepest_ = 0;
  // Scratch, kept for its capacity.
  std::vector<Grid> grids_;
  std::vector<Entry> found_, entries_;  ///< in frame order; by bucket
  std::vector<std::uint32_t> start_;    ///< per bucket, into entries_; one more at the end
  geometry::HashedCells cells_;
  std::vector<std::uint8_t> touched_;  ///< per frame row: overlaps somebody in this frame
};

}  // namespace throng::metrics
