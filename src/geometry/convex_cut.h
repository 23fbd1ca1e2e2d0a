// A convex shape cut along a line.
#pragma once

#include <span>
#include <vector>

#include "throng/shapes.h"

namespace throng::geometry {

/// The part of a convex ring, or of a line of two points, where height(p) <= 0; height is linear in p.
template <class Height>
std::vector<Point> cutConvex(std::span<const Point> shape, const Height& height) {
  std::vector<Point> kept;
  const bool line = shape.size() == 2;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Point a = shape[i], b = shape[(i + 1) % shape.size()];
    const double ha = height(a), hb = height(b);
    if (ha <= 0) kept.push_back(a);
    const bool crosses = (ha < 0 && hb > 0) || (ha > 0 && hb < 0);
    if (crosses && !(line && i == 1)) kept.push_back(a + (b - a) * (ha / (ha - hb)));
  }
  return kept;
}

/// The part where dot(normal, p) <= limit.
inline std::vector<Point> cutConvex(std::span<const Point> shape, Point normal, double limit) {
  return cutConvex(shape, [=](Point p) { return dot(normal, p) - limit; });
}

}  // namespace throng::geometry
