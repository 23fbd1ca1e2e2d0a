// The cells of a plane without ends, in a table whose size depends on how many things there are and not on how far
// apart they are: for what stands somewhere one does not know beforehand. Of things that stay within known bounds there
// is the uniform grid (uniform_grid.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/random.h"

namespace throng::geometry {

class HashedCells {
 public:
  HashedCells() = default;
  /// For about so many things.
  explicit HashedCells(std::size_t things) : mask_(std::bit_ceil(std::max<std::size_t>(2 * things, 16)) - 1) {}

  std::size_t buckets() const { return mask_ + 1; }
  /// Neighbours along a row are neighbours in memory (the first bucket follows the last one); rows are scattered. Cells
  /// far apart, and of other layers, may share a bucket.
  std::size_t bucket(std::int64_t column, std::int64_t row, std::uint16_t layer = 0) const {
    const std::uint64_t line = std::uint64_t{layer} << 32 | static_cast<std::uint32_t>(row);
    return (base::mix(line) + static_cast<std::uint64_t>(column)) & mask_;
  }

  /// Column or row of a coordinate. What is absurdly far away shares the outermost cell, which is slow but right.
  static std::int64_t number(double coordinate, double cell) {
    constexpr double kFarthest = 1 << 29;
    return static_cast<std::int64_t>(std::clamp(std::floor(coordinate / cell), -kFarthest, kFarthest));
  }

 private:
  std::size_t mask_ = 0;
};

}  // namespace throng::geometry
