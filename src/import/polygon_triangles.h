// Polygons in space, cut into triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "throng/mesh.h"

namespace throng::import {

struct PolygonScratch {
  std::vector<Point> flat;
  std::vector<std::uint32_t> next, last;  ///< of each corner that is left, round the polygon
};

/// From so many corners on, they are found with an index, and another order of cutting is used.
inline constexpr std::size_t kLargePolygon = 64;

/// Cuts off ears of a polygon that need not be convex, nor quite flat; `triangles` gets corners as positions in
/// `corners`, two fewer than there are. A polygon that crosses itself gives as many, which do not tile it.
void cutIntoTriangles(std::span<const Point3> corners, PolygonScratch& scratch,
                      std::vector<std::array<std::uint32_t, 3>>& triangles);
/// The same triangles, with every corner compared with every other.
void cutIntoTrianglesSlowly(std::span<const Point3> corners, PolygonScratch& scratch,
                            std::vector<std::array<std::uint32_t, 3>>& triangles);

}  // namespace throng::import
