// The plan of a mesh in whole numbers, so that every decision about it is exact: places on a fine grid, and an index of
// boxes on it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "throng/shapes.h"

namespace throng::import {

inline constexpr std::uint32_t kNone = 0xffffffffu;

/// A place in plan, in whole numbers of the grid's spacing. Never farther than kReach from the grid's origin: products
/// of two differences then fit 64 bits, and those of four 128.
struct Spot {
  std::int32_t x = 0, y = 0;
  bool operator==(const Spot&) const = default;
  auto operator<=>(const Spot&) const = default;
};

inline constexpr std::int32_t kReach = 1 << 27;

/// Twice the area of abc: positive when c lies to the left of a→b.
inline std::int64_t cross(Spot a, Spot b, Spot c) {
  return (std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - a.y) - (std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - a.x);
}

struct PlanGrid {
  Point origin;
  double spacing = 0x1p-12;  ///< m, a power of two: about a quarter of a millimetre

  /// Places too far out are moved to the rim of what can be described.
  Spot round(Point p) const {
    const auto whole = [](double v) {
      constexpr double kFarthest = kReach;
      return static_cast<std::int32_t>(std::floor(std::clamp(v, -kFarthest, kFarthest) + 0.5));
    };
    return {whole((p.x - origin.x) / spacing), whole((p.y - origin.y) / spacing)};
  }
  Point point(Spot s) const { return {origin.x + s.x * spacing, origin.y + s.y * spacing}; }
};

struct SpotBox {
  Spot min, max;

  static SpotBox around(Spot a, Spot b) {
    return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
  }
  SpotBox widened(std::int32_t by) const { return {{min.x - by, min.y - by}, {max.x + by, max.y + by}}; }
  bool overlaps(const SpotBox& o) const {
    return min.x <= o.max.x && o.min.x <= max.x && min.y <= o.max.y && o.min.y <= max.y;
  }
};

/// Which boxes meet a box. Boxes of like size share a grid of squares at least as large as they are, so that large and
/// small ones, thinly and densely spread ones cost alike.
class BoxIndex {
 public:
  BoxIndex() = default;
  explicit BoxIndex(std::vector<SpotBox> boxes);

  const SpotBox& box(std::uint32_t item) const { return boxes_[item]; }

  /// visit(item) once for every box that meets `box`, in an order that depends on the boxes only.
  template <class Visit>
  void query(const SpotBox& box, const Visit& visit) const {
    for (const Level& level : levels_) {
      const Square low = squareOf(box.min, level.shift), high = squareOf(box.max, level.shift);
      const auto take = [&](std::size_t k) {
        const SpotBox& other = boxes_[level.items[k]];
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
  static Square squareOf(Spot s, int shift) {
    constexpr std::int64_t kOffset = std::int64_t{1} << 30;
    return {static_cast<std::uint32_t>((s.y + kOffset) >> shift), static_cast<std::uint32_t>((s.x + kOffset) >> shift)};
  }
  static std::uint64_t key(Square s) { return std::uint64_t{s.row} << 32 | s.column; }
  static Square squareOfKey(std::uint64_t k) {
    return {static_cast<std::uint32_t>(k >> 32), static_cast<std::uint32_t>(k)};
  }

  std::vector<SpotBox> boxes_;
  std::vector<Level> levels_;
};

/// piece(box) for the boxes of the stretches of a long line, which together are far smaller than the box of the line.
template <class Piece>
void forStretches(Spot a, Spot b, std::int32_t longest, const Piece& piece) {
  const std::int64_t dx = std::int64_t{b.x} - a.x, dy = std::int64_t{b.y} - a.y;
  const bool slanted = std::min(std::abs(dx), std::abs(dy)) > longest;
  const std::int64_t n = slanted ? std::clamp<std::int64_t>(std::max(std::abs(dx), std::abs(dy)) / longest, 1, 256) : 1;
  const auto at = [&](std::int64_t i) {
    return Spot{static_cast<std::int32_t>(a.x + dx * i / n), static_cast<std::int32_t>(a.y + dy * i / n)};
  };
  for (std::int64_t i = 0; i < n; ++i) piece(SpotBox::around(at(i), at(i + 1)).widened(2));
}

}  // namespace throng::import
