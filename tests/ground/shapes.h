// Shapes that the tests of this room build scenes from.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "throng/scene.h"

#include "base/math.h"
#include "base/random.h"

namespace throng::ground {

inline Polygon box(double x0, double y0, double x1, double y1) {
  return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}};
}

/// A regular polygon, counter-clockwise.
inline Polygon regular(Point centre, double radius, int corners, double turn = 0) {
  Polygon polygon;
  for (int i = 0; i < corners; ++i) {
    double s, c;
    base::sinCos(turn + 2 * base::kPi * i / corners, s, c);
    polygon.outer.push_back(centre + Point{c, s} * radius);
  }
  return polygon;
}

inline Scene sceneOf(Layer layer) {
  Scene scene;
  scene.layers = {std::move(layer)};
  scene.profiles = {Profile{}};
  return scene;
}

/// A room of 40 m by 30 m (or the open plane) with obstacles that may overlap, stick out and be cut by openings.
inline Layer randomLayer(base::Random& random, bool bounded) {
  Layer layer;
  if (bounded) layer.walkable = {box(0, 0, 40, 30)};
  for (std::uint64_t i = 0, n = random.below(12); i < n; ++i) {
    const Point centre{random.uniform(-2, 42), random.uniform(-2, 32)};
    const double radius = random.uniform(0.3, 4);
    layer.obstacles.push_back(regular(centre, radius, 3 + static_cast<int>(random.below(6)), random.uniform(0, 3)));
  }
  for (std::uint64_t i = 0, n = random.below(3); i < n; ++i) {
    const Point p{random.uniform(0, 38), random.uniform(0, 28)};
    layer.openings.push_back(box(p.x, p.y, p.x + random.uniform(0.5, 3), p.y + random.uniform(0.5, 3)));
  }
  for (std::uint64_t i = 0, n = random.below(5); i < n; ++i) {
    Polyline wall;
    for (std::uint64_t k = 0, m = 2 + random.below(4); k < m; ++k)
      wall.points.push_back({random.uniform(-3, 43), random.uniform(-3, 33)});
    layer.walls.push_back(wall);
  }
  return layer;
}

}  // namespace throng::ground
