// Places to plan in, and what the tests know about them without the corridor map's help.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "throng/scene.h"

#include "base/random.h"
#include "corridors/corridor_map.h"
#include "ground/shapes.h"

namespace throng::planning {

using corridors::CorridorMap;

using ground::box;
using ground::regular;

struct Place {
  Scene scene;
  CorridorMap map;
  Rectangle extent;

  Place(Layer layer, Rectangle bounds) : extent(bounds) {
    scene.layers = {std::move(layer)};
    finish();
  }
  explicit Place(Scene described, Rectangle bounds) : scene(std::move(described)), extent(bounds) { finish(); }

  /// Anywhere in the extent, walkable or not.
  Point anywhere(base::Random& random) const {
    return {random.uniform(extent.min.x, extent.max.x), random.uniform(extent.min.y, extent.max.y)};
  }
  /// A place with at least this clearance.
  Point somewhere(base::Random& random, double clearance = 0) const {
    for (int i = 0; i < 100000; ++i) {
      const Point p = anywhere(random);
      if (map.locate(p, 0) && clearanceOf(p, p) >= clearance) return p;
    }
    throw Error("no room in the test scene");
  }
  /// Of a straight line from all walls; brute force.
  double clearanceOf(Point a, Point b) const {
    double least = 1e9;
    for (const auto& wall : map.walls())
      if (wall.a != corridors::kNone)
        least = std::min(least, between(a, b, map.corners()[wall.a].at, map.corners()[wall.b].at));
    return least;
  }

 private:
  void finish() {
    scene.profiles = {Profile{}};
    const ground::WalkableSpace space(scene);
    map = CorridorMap(space, scene.connections);
  }
  static double toSegment(Point p, Point a, Point b) {
    const double squared = lengthSquared(b - a);
    const double t = squared > 0 ? std::clamp(dot(p - a, b - a) / squared, 0.0, 1.0) : 0;
    return length(p - (a + (b - a) * t));
  }
  static double between(Point a, Point b, Point c, Point d) {
    const double c_side = det(b - a, c - a), d_side = det(b - a, d - a);
    const double a_side = det(d - c, a - c), b_side = det(d - c, b - c);
    if (c_side * d_side < 0 && a_side * b_side < 0) return 0;
    return std::min(std::min(toSegment(a, c, d), toSegment(b, c, d)), std::min(toSegment(c, a, b), toSegment(d, a, b)));
  }
};

/// Convex blocks that may overlap, sheets, and shapes like L and U.
inline Place clutteredRoom(std::uint64_t seed, double width, double height, int things) {
  base::Random random(seed, 1);
  Layer layer;
  layer.walkable = {box(0, 0, width, height)};
  for (int i = 0; i < things; ++i) {
    const Point at{random.uniform(0, width), random.uniform(0, height)};
    const double size = random.uniform(0.1, 0.12 * width);
    switch (random.below(4)) {
      case 0:
      case 1:
        layer.obstacles.push_back(regular(at, size, 3 + static_cast<int>(random.below(5)), random.uniform(0, 3)));
        break;
      case 2: {
        Polyline wall;
        for (std::uint64_t k = 0, n = 2 + random.below(3); k < n; ++k)
          wall.points.push_back(at + Point{random.uniform(-2, 2), random.uniform(-2, 2)} * size);
        layer.walls.push_back(wall);
        break;
      }
      default: {
        const double w = random.uniform(0.2, 0.8) * size;
        layer.obstacles.push_back(box(at.x, at.y, at.x + 3 * size, at.y + w));
        layer.obstacles.push_back(box(at.x, at.y, at.x + w, at.y + 2 * size));
        if (random.below(2) == 0)
          layer.obstacles.push_back(box(at.x + 3 * size - w, at.y, at.x + 3 * size, at.y + 2 * size));
      }
    }
  }
  return Place(std::move(layer), {{0, 0}, {width, height}});
}

/// Rooms of 5 m behind thin walls with doors of many widths; some rooms have none.
inline Place roomsAndDoors(std::uint64_t seed, int columns, int rows) {
  base::Random random(seed, 2);
  Layer layer;
  const double w = 5 * columns, h = 5 * rows;
  layer.walkable = {box(0, 0, w, h)};
  const auto wall = [&](Point a, Point b) {
    const Point along = (b - a) / 5;
    const double door = random.uniform(0.2, 1.6), at = random.uniform(0.3, 4.7 - door);
    if (random.below(5) == 0) {
      layer.walls.push_back({{a, b}});
    } else {
      layer.walls.push_back({{a, a + along * at}});
      layer.walls.push_back({{a + along * (at + door), b}});
    }
  };
  for (int x = 0; x < columns; ++x)
    for (int y = 0; y < rows; ++y) {
      const Point p{5.0 * x, 5.0 * y};
      if (x > 0) wall(p, p + Point{0, 5});
      if (y > 0) wall(p, p + Point{5, 0});
    }
  return Place(std::move(layer), {{0, 0}, {w, h}});
}

/// Blocks of houses with streets between them.
inline Place blockCity(std::uint64_t seed, int blocks, double pitch) {
  base::Random random(seed, 3);
  Layer layer;
  const double size = blocks * pitch;
  layer.walkable = {box(0, 0, size, size)};
  for (int x = 0; x < blocks; ++x)
    for (int y = 0; y < blocks; ++y) {
      const Point p{x * pitch, y * pitch};
      const double a = random.uniform(1, 4), b = random.uniform(1, 4), c = random.uniform(1, 4),
                   d = random.uniform(1, 4);
      Polygon house = box(p.x + a, p.y + b, p.x + pitch - c, p.y + pitch - d);
      const double cut = random.uniform(1, 0.3 * pitch);
      if (random.below(2) == 0) {  // an L
        house.outer = {{p.x + a, p.y + b},
                       {p.x + pitch - c, p.y + b},
                       {p.x + pitch - c, p.y + cut + b},
                       {p.x + a + cut, p.y + cut + b},
                       {p.x + a + cut, p.y + pitch - d},
                       {p.x + a, p.y + pitch - d}};
      }
      layer.obstacles.push_back(house);
    }
  return Place(std::move(layer), {{0, 0}, {size, size}});
}

/// Two floors side by side in plan, joined by a passage of `width` m at (20, 5).
inline Place twoFloors(double width) {
  Scene scene;
  Layer low, high;
  low.name = "low", high.name = "high";
  low.walkable = {box(0, 0, 20, 10)};
  low.obstacles = {box(8, 2, 9, 9)};
  high.walkable = {box(20, 0, 40, 10)};
  high.obstacles = {box(30, 0, 31, 7)};
  scene.layers = {low, high};
  const Segment line{{20, 5 - width / 2}, {20, 5 + width / 2}};
  scene.connections = {{"stair", "low", line, "high", line}};
  return Place(std::move(scene), {{0, 0}, {40, 10}});
}

/// Which places of a fine grid somebody can get to: brute force.
class GridFlood {
 public:
  GridFlood(const Place& place, double step) : step_(step) {
    columns_ = static_cast<int>((place.extent.max.x - place.extent.min.x) / step);
    rows_ = static_cast<int>((place.extent.max.y - place.extent.min.y) / step);
    for (int y = 0; y <= rows_; ++y)
      for (int x = 0; x <= columns_; ++x) {
        const Point p = at(x, y);
        clearance_.push_back(place.map.locate(p, 0) ? place.clearanceOf(p, p) : 0);
      }
  }
  /// From the grid places next to the start, over places of at least this clearance.
  void run(Point start, double least, bool diagonals) {
    reached_.assign(clearance_.size(), 0);
    open_.clear();
    const int x0 = static_cast<int>(start.x / step_), y0 = static_cast<int>(start.y / step_);
    for (int x = x0; x <= x0 + 1; ++x)
      for (int y = y0; y <= y0 + 1; ++y) visit(x, y, least);
    while (!open_.empty()) {
      const auto i = open_.back();
      open_.pop_back();
      const int x = static_cast<int>(i) % (columns_ + 1), y = static_cast<int>(i) / (columns_ + 1);
      for (int dx = -1; dx <= 1; ++dx)
        for (int dy = -1; dy <= 1; ++dy)
          if (diagonals || dx == 0 || dy == 0) visit(x + dx, y + dy, least);
    }
  }
  bool reaches(Point goal, bool all) const {
    const int x0 = static_cast<int>(goal.x / step_), y0 = static_cast<int>(goal.y / step_);
    int count = 0;
    for (int x = x0; x <= x0 + 1; ++x)
      for (int y = y0; y <= y0 + 1; ++y) count += inside(x, y) && reached_[index(x, y)];
    return all ? count == 4 : count > 0;
  }
  double nearest(Point goal) const {
    double best = 1e9;
    for (std::size_t i = 0; i < reached_.size(); ++i)
      if (reached_[i])
        best = std::min(best,
                        length(at(static_cast<int>(i) % (columns_ + 1), static_cast<int>(i) / (columns_ + 1)) - goal));
    return best;
  }

 private:
  Point at(int x, int y) const { return {x * step_, y * step_}; }
  bool inside(int x, int y) const { return x >= 0 && y >= 0 && x <= columns_ && y <= rows_; }
  std::size_t index(int x, int y) const { return static_cast<std::size_t>(y * (columns_ + 1) + x); }
  void visit(int x, int y, double least) {
    if (!inside(x, y) || reached_[index(x, y)] || clearance_[index(x, y)] < least) return;
    reached_[index(x, y)] = 1;
    open_.push_back(index(x, y));
  }

  double step_;
  int columns_, rows_;
  std::vector<double> clearance_;
  std::vector<char> reached_;
  std::vector<std::size_t> open_;
};

}  // namespace throng::planning
