#include "ground/scene_places.h"

#include <cmath>

#include "base/overloaded.h"

namespace throng::ground {

std::vector<Point> placesOf(const Scene& scene) {
  std::vector<Point> places;
  const auto add = [&](const std::vector<Point>& more) { places.insert(places.end(), more.begin(), more.end()); };
  const auto addArea = [&](const std::vector<Polygon>& area) {
    for (const Polygon& polygon : area) add(polygon.outer);
  };
  const base::Overloaded addStart{
      [&](const StartPoints& at) { add(at.points); },
      [&](const StartLine& along) { add(along.line.points); },
      [&](const StartCircle& around) {
        const Point reach{around.radius, around.radius};
        add({around.centre - reach, around.centre + reach});
      },
      [&](const auto& in) { addArea(in.area); },
  };
  for (const Population& population : scene.populations) {
    const std::size_t first = places.size();
    std::visit(addStart, population.start.shape);
    const std::size_t starts = places.size();
    for (const Goal& goal : population.goals) {
      if (const auto* to = std::get_if<GoalPoint>(&goal.target)) places.push_back(to->point);
      if (const auto* in = std::get_if<GoalArea>(&goal.target)) addArea(in->area);
    }
    for (const Goal& goal : population.goals)
      if (const auto* across = std::get_if<GoalOpposite>(&goal.target))
        for (std::size_t i = first; i < starts; ++i) places.push_back(across->centre * 2.0 - places[i]);
  }
  for (const Event& event : scene.events)
    if (const auto* insertion = std::get_if<InsertObstacle>(&event.change)) add(insertion->obstacle.outer);
  for (const Place& place : scene.places) {
    const Point reach{place.radius, place.radius};
    add({place.at - reach, place.at + reach});
  }
  std::erase_if(places, [](Point p) { return !std::isfinite(p.x) || !std::isfinite(p.y); });
  return places;
}

}  // namespace throng::ground
