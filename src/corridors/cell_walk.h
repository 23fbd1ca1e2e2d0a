// Going from cell to cell of the corridor map: the chord polygons (see corridor_map.h) by corner and by side.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "corridors/corridor_map.h"
#include "geometry/predicates.h"

namespace throng::corridors {

/// Sides of a cell's polygon; side i goes from corner i to corner i + 1: origin, target, end foot, foot.
enum CellSide : std::uint8_t { kChordSide = 0, kTargetSide = 1, kWallSide = 2, kOriginSide = 3 };

inline Point cellCorner(const CorridorMap& map, std::uint32_t h, unsigned corner) {
  switch (corner & 3u) {
    case 0:
      return map.origin(h).at;
    case 1:
      return map.target(h).at;
    case 2:
      return map.footEnd(h);
    default:
      return map.foot(h);
  }
}

inline std::array<Point, 4> cellCorners(const CorridorMap& map, std::uint32_t h) {
  return {map.origin(h).at, map.target(h).at, map.footEnd(h), map.foot(h)};
}

/// The cell behind a side, and which of its sides that is. Behind the wall there is nothing.
struct CellEntry {
  std::uint32_t cell;
  std::uint8_t side;
};
inline CellEntry across(const CorridorMap& map, std::uint32_t h, unsigned side) {
  if (side == kChordSide) return {CorridorMap::twin(h), kChordSide};
  if (side == kTargetSide) return {map.edge(h).next, kOriginSide};
  return {map.edge(h).previous, kTargetSide};
}

/// m; farther from a line than this, 64-bit arithmetic is sure of the side (with coordinates below 1e8 m). It is also
/// well above what rounding moves feet and vertices by.
inline constexpr double kSureOfSide = 1e-7;

/// Side of c to the line a→b, exactly: +1 left, 0 on it, -1 right.
inline int sideOf(Point a, Point b, Point c) {
  const Point d = b - a;
  const double area = det(d, c - a), sure = kSureOfSide * (std::abs(d.x) + std::abs(d.y));
  if (area > sure) return 1;
  if (area < -sure) return -1;
  if (c == b || c == a) return 0;  // often, and the exact test is slow
  return geometry::orientation(a, b, c);
}

}  // namespace throng::corridors
