// The plan of a mesh in whole numbers, so that every decision about it is exact: places on a fine grid.
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

#include "geometry/box_index.h"
#include "geometry/triangulation.h"

namespace throng::import {

inline constexpr std::uint32_t kNone = 0xffffffffu;

/// A place in plan, in whole numbers of the grid's spacing. Never farther than kReach from the grid's origin: products
/// of two differences then fit 64 bits, and those of four 128.
using Spot = geometry::GridPlace<std::int32_t>;
using SpotBox = geometry::GridBox<std::int32_t>;
using BoxIndex = geometry::BoxIndex<std::int32_t>;

inline constexpr std::int32_t kReach = geometry::Triangulation::kReach;
using geometry::inCircle;
using geometry::Triangulation;

inline SpotBox boxOf(const std::array<Spot, 3>& triangle) {
  SpotBox box = SpotBox::around(triangle[0], triangle[1]);
  box.include({triangle[2], triangle[2]});
  return box;
}

/// Do the insides of two triangles meet? Both counter-clockwise: else some side has the other triangle on its right.
inline bool insidesMeet(const std::array<Spot, 3>& s, const std::array<Spot, 3>& t) {
  const auto apart = [](const std::array<Spot, 3>& p, const std::array<Spot, 3>& q) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Spot a = p[i], b = p[(i + 1) % 3];
      if (cross(a, b, q[0]) <= 0 && cross(a, b, q[1]) <= 0 && cross(a, b, q[2]) <= 0) return true;
    }
    return false;
  };
  return !apart(s, t) && !apart(t, s);
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

}  // namespace throng::import
