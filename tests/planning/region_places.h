// Places with regions of several types to plan in, and the same ones moved.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ground/regions.h"
#include "places.h"

namespace throng::planning {

inline constexpr float kNeverWalked = std::numeric_limits<float>::infinity();

/// A place with regions of up to five types.
struct RegionPlace {
  Place place;
  ground::Regions regions;
  ground::RegionWeights weights;

  RegionPlace(Place made, std::uint64_t seed, int count, double largest) : place(std::move(made)) {
    base::Random random(seed, 71);
    for (int i = 0; i < count; ++i)
      place.scene.layers[0].regions.push_back({std::string(1, static_cast<char>('a' + i % 4)),
                                               {regular(place.anywhere(random), random.uniform(0.2, 1) * largest,
                                                        3 + static_cast<int>(random.below(6)), random.uniform(0, 3))}});
    regions = ground::Regions(place.scene);
    weights = {1};
    for (std::size_t i = 1; i < regions.types().size(); ++i)
      weights.push_back(static_cast<float>(random.uniform(0.5, random.below(3) == 0 ? 20 : 4)));
  }
  double costOf(std::span<const Point> line) const {
    double cost = 0;
    for (std::size_t i = 1; i < line.size(); ++i) cost += regions.cost(line[i - 1], line[i], 0, weights);
    return cost;
  }
};

inline RegionPlace cluttered(std::uint64_t seed) {
  return RegionPlace(clutteredRoom(seed, 40, 30, seed % 3 == 0 ? 0 : 14), seed, 9, 8);
}

/// Cells of one metre, each of a type of its own choice.
inline RegionPlace alignedScene(std::uint64_t seed, int columns, int rows) {
  base::Random random(seed, 77);
  Layer layer;
  layer.walkable = {box(-1, -1, columns + 1, rows + 1)};
  for (int x = -1; x <= columns; ++x)
    for (int y = -1; y <= rows; ++y) {
      const bool rim = x < 0 || y < 0 || x == columns || y == rows;
      const auto type = rim ? std::uint64_t{3} : random.below(4);
      layer.regions.push_back({std::string(1, static_cast<char>('a' + type)), {box(x, y, x + 1, y + 1)}});
    }
  RegionPlace in(Place(std::move(layer), {{0, 0}, {static_cast<double>(columns), static_cast<double>(rows)}}), seed, 0,
                 1);
  return in;
}

/// The same scene turned and mirrored, and made larger.
inline Point moved(Point p, double scale, bool mirrored) {
  const Point q{mirrored ? -p.x : p.x, p.y};
  return Point{0.6 * q.x - 0.8 * q.y, 0.8 * q.x + 0.6 * q.y} * scale + Point{31, -17};
}
inline void move(std::vector<Polygon>& polygons, double scale, bool mirrored) {
  for (Polygon& polygon : polygons)
    for (Point& p : polygon.outer) p = moved(p, scale, mirrored);
}

inline Scene moved(Scene scene, double scale, bool mirrored) {
  Layer& layer = scene.layers[0];
  move(layer.walkable, scale, mirrored), move(layer.obstacles, scale, mirrored);
  for (Polyline& wall : layer.walls)
    for (Point& p : wall.points) p = moved(p, scale, mirrored);
  for (Region& region : layer.regions) move(region.area, scale, mirrored);
  return scene;
}

}  // namespace throng::planning
