// Shapes in the plane, in metres.
#pragma once

#include <vector>

#include "throng/base.h"

#pragma GCC visibility push(default)
namespace throng {

/// Rings are not closed: the first point is not repeated at the end.
using Ring = std::vector<Point>;

/// An area with holes.
struct Polygon {
  Ring outer;
  std::vector<Ring> holes;
};

/// A line with corners.
struct Polyline {
  std::vector<Point> points;
};

/// A straight line from a to b.
struct Segment {
  Point a;
  Point b;
};

/// With sides along the axes.
struct Rectangle {
  Point min;
  Point max;
};

}  // namespace throng
#pragma GCC visibility pop
