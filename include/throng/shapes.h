// Shapes in the plane, in metres.
#pragma once

#include <vector>

#include "throng/base.h"

namespace throng {

/// Rings are not closed: the first point is not repeated at the end.
using Ring = std::vector<Point>;

struct Polygon {
  Ring outer;
  std::vector<Ring> holes;
};

struct Polyline {
  std::vector<Point> points;
};

struct Segment {
  Point a;
  Point b;
};

struct Rectangle {
  Point min;
  Point max;
};

}  // namespace throng
