#include "metrics/streams.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

#include "base/overloaded.h"
#include "geometry/boxes.h"
#include "geometry/predicates.h"

namespace throng::metrics {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kApart = 30 * kDegree;     ///< directions that differ by less are one stream
constexpr double kOpposed = 135 * kDegree;  ///< streams that differ by more walk against one another
constexpr double kEndless = 100;            ///< m; how far somebody who walks a direction for ever is followed
constexpr double kRoomBeside = 5;           ///< m; how far from the straight ways people of a lane may walk
constexpr double kShortestMeeting = 1;      ///< m

double angleBetween(Point a, Point b) { return std::atan2(std::abs(det(a, b)), dot(a, b)); }

/// From `min` to `max` m.
struct Range {
  double min, max;
  double size() const { return max - min; }
  bool contains(double value) const { return value >= min && value <= max; }
};

Range intersection(Range a, Range b) { return {std::max(a.min, b.min), std::min(a.max, b.max)}; }

/// A population's, or a stream's, way: as the crow flies.
struct Way {
  std::vector<std::uint16_t> populations;
  Point direction;            ///< unit
  std::vector<Point> places;  ///< corners of starts and goals

  Range along(Point unit) const {
    Range range{dot(unit, places.front()), dot(unit, places.front())};
    for (const Point place : places)
      range = {std::min(range.min, dot(unit, place)), std::max(range.max, dot(unit, place))};
    return range;
  }
  Range across(Point unit) const { return along(perpendicular(unit)); }
};

void addCorners(std::vector<Point>& places, const std::vector<Polygon>& area) {
  for (const Polygon& polygon : area) places.insert(places.end(), polygon.outer.begin(), polygon.outer.end());
}

void addCorners(std::vector<Point>& places, const Rectangle& box) {
  const Ring corners = geometry::cornersOf(box);
  places.insert(places.end(), corners.begin(), corners.end());
}

std::vector<Point> startPlaces(const Start& start) {
  std::vector<Point> places;
  std::visit(base::Overloaded{[&](const StartPoints& at) { places = at.points; },
                              [&](const StartLine& along) { places = along.line.points; },
                              [&](const StartCircle& circle) {
                                const Point reach{circle.radius, circle.radius};
                                addCorners(places, Rectangle{circle.centre - reach, circle.centre + reach});
                              },
                              [&](const auto& in) { addCorners(places, in.area); }},
             start.shape);
  return places;
}

Point middle(const std::vector<Point>& places) {
  Point low = places.front(), high = places.front();
  for (const Point place : places) {
    low = {std::min(low.x, place.x), std::min(low.y, place.y)};
    high = {std::max(high.x, place.x), std::max(high.y, place.y)};
  }
  return (low + high) / 2.0;
}

const Layer* layerOf(const Scene& scene, const std::string& name) {
  for (const Layer& layer : scene.layers)
    if (name.empty() || layer.name == name) return &layer;
  return nullptr;
}

std::optional<Way> wayOf(const Scene& scene, const Population& population) {
  if (population.goals.size() != 1 || population.on_arrival == OnArrival::kGoBack) return std::nullopt;
  const Goal& goal = population.goals.front();
  const Layer* layer = layerOf(scene, population.layer);
  if (!layer || (!goal.layer.empty() && goal.layer != layer->name)) return std::nullopt;
  Way way;
  way.places = startPlaces(population.start);
  if (way.places.empty()) return std::nullopt;
  const Point start = middle(way.places);
  std::vector<Point> goals;
  std::visit(base::Overloaded{[&](const GoalPoint& to) { goals = {to.point}; },
                              [&](const GoalArea& in) { addCorners(goals, in.area); },
                              [](const GoalOpposite&) {},  // everybody a way of their own
                              [](const GoalDistrict&) {},
                              [&](const GoalDirection& ahead) {
                                for (const Point place : way.places)
                                  goals.push_back(place + kEndless * normalized(ahead.direction));
                              }},
             goal.target);
  if (goals.empty()) return std::nullopt;
  way.direction = normalized(middle(goals) - start);
  if (way.direction == Point{}) return std::nullopt;
  way.places.insert(way.places.end(), goals.begin(), goals.end());
  // Around a wrapped layer for ever: everywhere in it.
  if (std::holds_alternative<GoalDirection>(goal.target) && layer->wrap) {
    way.places.clear();
    addCorners(way.places, *layer->wrap);
  }
  return way;
}

/// The rectangle between which both walk along the line on which they meet.
std::vector<Point> opposedArea(const Way& first, const Way& second) {
  const Point axis = normalized(first.direction - second.direction), left = perpendicular(axis);
  const Range along = intersection(first.along(axis), second.along(axis));
  Range across = intersection(first.across(axis), second.across(axis));
  if (along.size() < kShortestMeeting || across.size() < 0) return {};
  across = {across.min - kRoomBeside, across.max + kRoomBeside};
  return {along.min * axis + across.min * left, along.max * axis + across.min * left,
          along.max * axis + across.max * left, along.min * axis + across.max * left};
}

/// The parallelogram that lies on both ways.
std::vector<Point> crossingArea(const Way& first, const Way& second) {
  const Range a = first.across(first.direction), b = second.across(second.direction);
  if (a.size() < kShortestMeeting || b.size() < kShortestMeeting) return {};
  const Point left_a = perpendicular(first.direction), left_b = perpendicular(second.direction);
  const double size = det(left_a, left_b);
  // Where left_a · p = at_a and left_b · p = at_b.
  const auto corner = [&](double at_a, double at_b) {
    return Point{(at_a * left_b.y - at_b * left_a.y) / size, (at_b * left_a.x - at_a * left_b.x) / size};
  };
  std::vector<Point> corners{corner(a.min, b.min), corner(a.max, b.min), corner(a.max, b.max), corner(a.min, b.max)};
  const Point centre = (corners[0] + corners[2]) / 2.0;
  const bool on_both = first.along(first.direction).contains(dot(first.direction, centre)) &&
                       second.along(second.direction).contains(dot(second.direction, centre));
  if (!on_both) corners.clear();
  return corners;
}

std::string joinNames(const Scene& scene, const std::vector<std::uint16_t>& populations) {
  std::string text;
  for (const std::uint16_t i : populations) text += (text.empty() ? "" : "+") + scene.populations[i].name;
  return text;
}

}  // namespace

MeetingPlace::MeetingPlace(Streams streams, std::uint16_t layer) : streams_(std::move(streams)), layer_(layer) {
  const auto valid = [](Point d) { return std::isfinite(d.x) && std::isfinite(d.y) && lengthSquared(d) > 0; };
  if (!valid(streams_.first_direction) || !valid(streams_.second_direction))
    throw InputError(fmt::format("streams \"{}\" must have directions that are longer than 0", streams_.name));
  angle_ = angleBetween(streams_.first_direction, streams_.second_direction);
  if (!(angle_ >= kApart - 1e-9))
    throw InputError(fmt::format("streams \"{}\" have directions {:.1f}° apart; they must be 30° apart or more",
                                 streams_.name, angle_ / kDegree));
  if (!(geometry::area(streams_.area) > 0))
    throw InputError(fmt::format("the area of streams \"{}\" must enclose more than 0 m²", streams_.name));
  bounds_ = geometry::bounds(streams_.area).value();
}

bool MeetingPlace::opposed() const { return angle_ > kOpposed; }

int MeetingPlace::stream(std::uint16_t population, Point place) const {
  const auto has = [&](const std::vector<std::uint16_t>& populations) {
    return std::find(populations.begin(), populations.end(), population) != populations.end();
  };
  const int stream = has(streams_.first) ? 1 : has(streams_.second) ? -1 : 0;
  return stream != 0 && geometry::boxContains(bounds_, place) && geometry::contains(streams_.area, place) ? stream : 0;
}

std::optional<Streams> streamsOf(const Scene& scene) {
  std::vector<Way> ways;
  std::string layer;
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    if (population.goals.empty()) continue;
    const std::optional<Way> way = wayOf(scene, population);
    if (!way) return std::nullopt;
    const std::string& here = layerOf(scene, population.layer)->name;
    if (!ways.empty() && here != layer) return std::nullopt;
    layer = here;
    auto same = std::find_if(ways.begin(), ways.end(),
                             [&](const Way& other) { return angleBetween(other.direction, way->direction) < kApart; });
    if (same == ways.end()) same = ways.insert(ways.end(), Way{{}, way->direction, {}});
    same->populations.push_back(static_cast<std::uint16_t>(i));
    same->places.insert(same->places.end(), way->places.begin(), way->places.end());
  }
  if (ways.size() != 2) return std::nullopt;
  const bool opposed = angleBetween(ways[0].direction, ways[1].direction) > kOpposed;
  std::vector<Point> area = opposed ? opposedArea(ways[0], ways[1]) : crossingArea(ways[0], ways[1]);
  if (area.empty()) return std::nullopt;
  Streams streams;
  streams.name = joinNames(scene, ways[0].populations) + "/" + joinNames(scene, ways[1].populations);
  streams.first = ways[0].populations;
  streams.second = ways[1].populations;
  streams.first_direction = ways[0].direction;
  streams.second_direction = ways[1].direction;
  streams.area = {Polygon{std::move(area), {}}};
  streams.layer = layer;
  return streams;
}

std::vector<Circle> circlesOf(const Scene& scene) {
  std::vector<Circle> circles;
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    if (population.goals.size() != 1) continue;
    const auto* across = std::get_if<GoalOpposite>(&population.goals.front().target);
    if (!across) continue;
    const Point centre = across->centre;
    auto same = std::find_if(circles.begin(), circles.end(), [&](const Circle& circle) {
      return circle.centre == centre && circle.layer == population.layer;
    });
    if (same == circles.end()) same = circles.insert(circles.end(), Circle{"", centre, {}, population.layer});
    same->name += (same->name.empty() ? "" : "+") + population.name;
    same->populations.push_back(static_cast<std::uint16_t>(i));
  }
  return circles;
}

}  // namespace throng::metrics
