// What sticks out of a wrapped layer on one side comes in on the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "throng/shapes.h"

namespace throng::ground {

/// How often a rectangle must be repeated, to either side, until everything between two places is covered.
struct Repeats {
  int x0, x1, y0, y1;

  Repeats(const Rectangle& wrap, const Rectangle& around) {
    const auto count = [](double beyond, double size) {
      constexpr double kMost = 8;  // what lies farther away is not there
      return static_cast<int>(std::clamp(std::ceil(beyond / size), 0.0, kMost));
    };
    const Point size = wrap.max - wrap.min;
    x0 = -count(wrap.min.x - around.min.x, size.x), x1 = count(around.max.x - wrap.max.x, size.x);
    y0 = -count(wrap.min.y - around.min.y, size.y), y1 = count(around.max.y - wrap.max.y, size.y);
  }
  bool none() const { return x0 == 0 && x1 == 0 && y0 == 0 && y1 == 0; }

  /// visit(by) for every place that the rectangle is moved by.
  template <class Visit>
  void forEach(const Rectangle& wrap, const Visit& visit) const {
    const Point size = wrap.max - wrap.min;
    for (int column = x0; column <= x1; ++column)
      for (int row = y0; row <= y1; ++row) visit(Point{column * size.x, row * size.y});
  }
};

/// What of the polygons is in a wrapped layer, merged; polygons that do not stick out stay as they are.
void wrapPolygons(const Rectangle& wrap, std::vector<Polygon>& polygons);

}  // namespace throng::ground
