#include "ground/scene_places.h"

#include <cmath>

namespace throng::ground {

std::vector<Point> placesOf(const Scene& scene) {
  std::vector<Point> places;
  const auto add = [&](const std::vector<Point>& more) { places.insert(places.end(), more.begin(), more.end()); };
  const auto addArea = [&](const std::vector<Polygon>& area) {
    for (const Polygon& polygon : area) add(polygon.outer);
  };
  for (const Population& population : scene.populations) {
    const std::size_t first = places.size();
    const Start& start = population.start;
    add(start.points), add(start.line.points), addArea(start.area);
    const Point reach{start.radius, start.radius};
    if (start.kind == Start::Kind::kCircle) add({start.centre - reach, start.centre + reach});
    const std::size_t starts = places.size();
    for (const Stage& goal : population.goals) {
      if (goal.kind == Stage::Kind::kPoint) places.push_back(goal.point);
      if (goal.kind == Stage::Kind::kArea) addArea(goal.area);
    }
    for (const Stage& goal : population.goals)
      for (std::size_t i = first; i < starts && goal.kind == Stage::Kind::kOpposite; ++i)
        places.push_back(goal.centre * 2.0 - places[i]);
  }
  for (const Event& event : scene.events) add(event.obstacle.outer);
  for (const Place& place : scene.places) {
    const Point reach{place.radius, place.radius};
    add({place.at - reach, place.at + reach});
  }
  std::erase_if(places, [](Point p) { return !std::isfinite(p.x) || !std::isfinite(p.y); });
  return places;
}

}  // namespace throng::ground
