// Where the people of a scene are likely to start and go: drawn evenly, and the same places every time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "throng/scene.h"

#include "corridors/corridor_map.h"

namespace throng::views {

class LikelyPlaces {
 public:
  LikelyPlaces(const corridors::CorridorMap& map, std::uint64_t seed) : map_(map), random_(seed) {}

  /// Where somebody of that radius (m) can stand; nothing when none was found.
  std::optional<Point> start(const Start& start, std::uint16_t layer, double radius);
  /// For somebody who comes from a place; nothing for a direction, and when no place was found.
  std::optional<Point> goal(const Goal& goal, Point from, std::uint16_t layer, double radius);

 private:
  double uniform(double from, double to);
  std::optional<Point> walkable(std::uint16_t layer, double radius, const std::function<std::optional<Point>()>& draw);
  std::optional<Point> onLine(const Polyline& line);
  std::optional<Point> inArea(const std::vector<Polygon>& area);

  const corridors::CorridorMap& map_;
  std::mt19937_64 random_;
};

}  // namespace throng::views
