#include "views/likely_places.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/overloaded.h"
#include "geometry/predicates.h"

namespace throng::views {

std::optional<Point> LikelyPlaces::start(const Start& start, std::uint16_t layer, double radius) {
  using Place = std::optional<Point>;
  const base::Overloaded draw{
      [&](const StartPoints& at) {
        return at.points.empty() ? std::nullopt : Place(at.points[random_() % at.points.size()]);
      },
      [&](const StartLine& along) { return onLine(along.line); },
      [&](const StartCircle& circle) -> Place {
        const double angle = uniform(0, 2 * std::numbers::pi);
        return circle.centre + Point{std::cos(angle), std::sin(angle)} * circle.radius;
      },
      [&](const auto& in) { return inArea(in.area); },
  };
  return walkable(layer, radius, [&] { return std::visit(draw, start.shape); });
}

std::optional<Point> LikelyPlaces::goal(const Goal& goal, Point from, std::uint16_t layer, double radius) {
  using Place = std::optional<Point>;
  return std::visit(base::Overloaded{
                        [](const GoalPoint& to) -> Place { return to.point; },
                        [&](const GoalArea& in) { return walkable(layer, radius, [&] { return inArea(in.area); }); },
                        [&](const GoalOpposite& across) -> Place { return across.centre * 2 - from; },
                        [](const GoalDirection&) { return Place(); },
                        [](const GoalDistrict&) { return Place(); },
                    },
                    goal.target);
}

double LikelyPlaces::uniform(double from, double to) {
  return from + (to - from) * static_cast<double>(random_() >> 11) * 0x1.0p-53;
}

std::optional<Point> LikelyPlaces::walkable(std::uint16_t layer, double radius,
                                            const std::function<std::optional<Point>()>& draw) {
  constexpr int kTries = 200;
  for (int i = 0; i < kTries; ++i) {
    const std::optional<Point> place = draw();
    if (place && map_.clearance(*place, layer) >= radius) return place;
  }
  return {};
}

std::optional<Point> LikelyPlaces::onLine(const Polyline& line) {
  if (line.points.size() < 2) return {};
  const std::size_t i = random_() % (line.points.size() - 1);
  return line.points[i] + (line.points[i + 1] - line.points[i]) * uniform(0, 1);
}

/// In the box of one of the polygons; who is outside of it draws again.
std::optional<Point> LikelyPlaces::inArea(const std::vector<Polygon>& area) {
  if (area.empty()) return {};
  const Polygon& polygon = area[random_() % area.size()];
  Point low = polygon.outer.at(0), high = low;
  for (const Point& p : polygon.outer) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const Point place{uniform(low.x, high.x), uniform(low.y, high.y)};
  return geometry::contains(polygon, place) ? std::optional(place) : std::nullopt;
}

}  // namespace throng::views
