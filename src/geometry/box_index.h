// Which boxes meet a box, on an integer plane. Boxes of like size share a grid of squares at least as large as they
// are, so that large and small ones, thinly and densely spread ones cost alike; the uniform grid (uniform_grid.h) is
// for things of one size.
#pragma once

#include <vector>

#include "geometry/integer_plane.h"

namespace throng::geometry {

template <class N>
class BoxIndex {
 public:
  BoxIndex() = default;
  explicit BoxIndex(std::vector<GridBox<N>> boxes);

  const GridBox<N>& box(std::uint32_t item) const { return boxes_[item]; }

  /// visit(item) once for every box that meets `box`, in an order that depends on the boxes only.
  template <class Visit>
  void query(const GridBox<N>& box, const Visit& visit) const {
    for (const Level& level : levels_) {
      const Square low = squareOf(box.min, level.shift), high = squareOf(box.max, level.shift);
      const auto take = [&](std::size_t k) {
        const GridBox<N>& other = boxes_[level.items[k]];
        if (!other.overlaps(box)) return;
        // A box lies in up to four squares; it counts in the first of them that is looked at.
        const Square first = squareOf(other.min, level.shift);
        const Square here = squareOfKey(level.keys[k]);
        if (here.row == std::max(first.row, low.row) && here.column == std::max(first.column, low.column))
          visit(level.items[k]);
      };
      if (static_cast<std::size_t>(high.row - low.row) > level.keys.size()) {
        for (std::size_t k = 0; k < level.keys.size(); ++k) take(k);
        continue;
      }
      for (std::uint32_t row = low.row; row <= high.row; ++row) {
        const std::uint64_t end = key({row, high.column});
        auto k = static_cast<std::size_t>(
            std::lower_bound(level.keys.begin(), level.keys.end(), key({row, low.column})) - level.keys.begin());
        for (; k < level.keys.size() && level.keys[k] <= end; ++k) take(k);
      }
    }
  }

 private:
  struct Square {
    std::uint32_t row = 0, column = 0;
  };
  struct Level {
    int shift = 0;  ///< squares are 2^shift wide
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> items;
  };
  static Square squareOf(GridPlace<N> s, int shift) {
    constexpr std::int64_t kOffset = std::int64_t{1} << 34;  // beyond every coordinate; squares are 2^6 wide or wider
    return {static_cast<std::uint32_t>((s.y + kOffset) >> shift), static_cast<std::uint32_t>((s.x + kOffset) >> shift)};
  }
  static std::uint64_t key(Square s) { return std::uint64_t{s.row} << 32 | s.column; }
  static Square squareOfKey(std::uint64_t k) {
    return {static_cast<std::uint32_t>(k >> 32), static_cast<std::uint32_t>(k)};
  }

  std::vector<GridBox<N>> boxes_;
  std::vector<Level> levels_;
};

extern template class BoxIndex<std::int32_t>;
extern template class BoxIndex<std::int64_t>;

}  // namespace throng::geometry
