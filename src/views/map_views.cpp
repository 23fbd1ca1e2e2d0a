#include "views/map_views.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>

#include "corridors/visibility.h"
#include "planning/route_request.h"
#include "views/likely_places.h"
#include "views/map_lines.h"
#include "views/overlay_parts.h"

namespace throng::views {
namespace {

using corridors::NamedMap;

constexpr Paint kAxis{0x1f5fa8}, kSpoke{0xe08a1e, 0.55}, kPassage{0xc22f2f}, kCorridor{0x9cc9ea, 0.55},
    kRoute{0xb5179e}, kStart{0x2b7a3f}, kGoal{0xc22f2f};

const Profile& profileOf(const Scene& scene, const Population& population) {
  const auto found = std::find_if(scene.profiles.begin(), scene.profiles.end(),
                                  [&](const Profile& p) { return p.name == population.profile; });
  return found == scene.profiles.end() ? scene.profiles.at(0) : *found;
}

double parameter(const Profile& profile, const char* name, double otherwise) {
  const auto found = profile.planner.parameters.find(name);
  return found == profile.planner.parameters.end() ? otherwise : found->second;
}

/// Stretches on one layer each.
void addRouteLines(Overlay& overlay, const std::vector<RoutePoint>& points, Paint paint, double width) {
  for (std::size_t i = 0; i + 1 < points.size();) {
    Overlay::Line line{{points[i].at}, paint, width, points[i].layer};
    do line.points.push_back(points[++i].at);
    while (i + 1 < points.size() && points[i].layer == line.layer);
    overlay.lines.push_back(std::move(line));
  }
}

}  // namespace

void addCorridorMap(Overlay& overlay, const NamedMap& map) {
  // Blue lines would be lost on the blue of the clearance.
  const Paint axis = overlay.field ? Paint{0xff5a5f} : kAxis, spoke = overlay.field ? Paint{0xffffff, 0.5} : kSpoke;
  bool has_passages = false;
  for (std::uint16_t layer = 0; layer < map.layers.size(); ++layer) {
    for (const Segment& s : spokesOf(map.map, layer)) overlay.lines.push_back({{s.a, s.b}, spoke, 0.7, layer});
    for (Polyline& line : axisOf(map.map, layer)) overlay.lines.push_back({std::move(line.points), axis, 1.4, layer});
    for (const Segment& s : passagesOf(map.map, layer)) {
      overlay.lines.push_back({{s.a, s.b}, kPassage, 3.5, layer});
      has_passages = true;
    }
  }
  overlay.keys.push_back({Mark::kLine, axis, "medial axis"});
  overlay.keys.push_back({Mark::kLine, overlay.field ? Paint{0xbbbbbb} : spoke, "to the nearest walls"});
  if (has_passages) overlay.keys.push_back({Mark::kLine, kPassage, "passages between layers"});
  const corridors::MapStatistics s = map.map.statistics();
  addCaption(overlay, fmt::format("corridor map: {} vertices, {} edges, {} cells", s.vertices, s.edges, s.cells));
}

void addClearance(Overlay& overlay, const NamedMap& map) {
  overlay.field = Overlay::Field{[&cells = map.map](Point place, std::uint16_t layer) {
                                   const corridors::Located where = cells.locate(place, layer);
                                   return where ? cells.nearest(where, place).distance : -1.0;
                                 },
                                 "distance to the nearest wall (m)"};
}

namespace {

/// What of the routes of one population was drawn.
struct Drawn {
  std::size_t routes = 0, stranded = 0;
};

/// From goal to goal, for somebody of a population.
Drawn addJourney(Overlay& overlay, const NamedMap& map, const Population& population, RouteRequest request,
                 LikelyPlaces& places, Paint paint) {
  Drawn drawn;
  const double radius = request.radius;
  std::optional<Point> from = places.start(population.start, map.layer(population.layer), radius);
  for (const Goal& goal : population.goals) {
    const std::uint16_t layer = map.layer(goal.layer.empty() ? population.layer : goal.layer);
    request.to_layer = LayerId(layer);
    const auto to = from ? places.goal(goal, *from, layer, radius) : std::nullopt;
    if (!to) break;
    request.from = *from;
    request.to = *to;
    const RouteResult route = planning::planRoute(map, request);
    if (!route.reachable) ++drawn.stranded;
    addRouteLines(overlay, route.points, paint, 1.6);
    if (!route.points.empty()) {
      overlay.dots.push_back({route.points.front().at, paint, 2.6, route.points.front().layer});
      ++drawn.routes;
    }
    from = route.end;
    request.from_layer = route.end_layer;
  }
  return drawn;
}

}  // namespace

void addRoutes(Overlay& overlay, const NamedMap& map, const Scene& scene, int count) {
  Drawn all;
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    const Profile& profile = profileOf(scene, population);
    const double low = parameter(profile, "clearance_min", 0.4), high = parameter(profile, "clearance_max", 1.5);
    LikelyPlaces places(map.map, i + 1);
    Paint paint = populationPaint(i);
    paint.alpha = 0.8;
    std::size_t of_this = 0;
    for (int n = 0; n < count; ++n) {
      RouteRequest request;
      request.radius = std::max(profile.radius.mean, 0.05);
      request.from_layer = LayerId(map.layer(population.layer));
      const double preference = (n + 0.5) / count;
      request.clearance = low + (high - low) * preference;
      request.spread = 0.15 + 0.8 * preference;  // as the planner "corridor" has it
      request.side = parameter(profile, "side", 0);
      const Drawn one = addJourney(overlay, map, population, request, places, paint);
      of_this += one.routes;
      all.stranded += one.stranded;
    }
    all.routes += of_this;
    if (of_this > 0)
      overlay.keys.push_back({Mark::kLine, populationPaint(i),
                              population.name.empty() ? fmt::format("population {}", i + 1) : population.name});
  }
  addCaption(overlay, counted(all.routes, "route") +
                          (all.stranded > 0 ? fmt::format(", {} of them to goals out of reach", all.stranded) : ""));
}

namespace {

struct Eye {
  Point at;
  std::uint16_t layer = 0;
};

/// Where a few people start, on one layer or, when none is given, on any.
std::vector<Eye> likelyEyes(const NamedMap& map, const Scene& scene, LayerId layer) {
  constexpr std::size_t kEyes = 6;
  constexpr double kBody = 0.1;  // m
  std::vector<Eye> eyes;
  if (scene.populations.empty()) return eyes;
  for (std::size_t i = 0; i < std::max(scene.populations.size(), kEyes) && eyes.size() < kEyes; ++i) {
    const Population& population = scene.populations[i % scene.populations.size()];
    const std::uint16_t on = map.layer(population.layer);
    if (layer && on != map.layer(layer)) continue;
    const auto place = LikelyPlaces(map.map, i + 1).start(population.start, on, kBody);
    if (place) eyes.push_back({*place, on});
  }
  return eyes;
}

}  // namespace

void addVisibility(Overlay& overlay, const NamedMap& map, const Scene& scene, const std::vector<Point>& places,
                   LayerId layer) {
  std::vector<Eye> eyes;
  for (const Point& place : places) {
    corridors::requireFinite(place, "place");
    eyes.push_back({place, map.layer(layer)});
    if (!map.map.locate(place, eyes.back().layer))
      throw InputError(
          fmt::format("Nobody can look from ({:g}, {:g}): it lies in an obstacle or outside.", place.x, place.y));
  }
  if (places.empty()) eyes = likelyEyes(map, scene, layer);
  corridors::VisibilityScratch scratch;
  corridors::VisibilityPolygon polygon;
  for (std::size_t i = 0; i < eyes.size(); ++i) {
    Paint area = populationPaint(i), dot = area;
    area.alpha = 0.35;
    corridors::visibilityPolygon(map.map, map.map.locate(eyes[i].at, eyes[i].layer), eyes[i].at, scratch, polygon);
    const auto seen = corridors::perFloor(map.map, polygon);
    for (std::size_t l = 0; l < seen.size(); ++l)
      if (!seen[l].empty()) overlay.areas.push_back({seen[l], area, static_cast<std::uint16_t>(l)});
    overlay.dots.push_back({eyes[i].at, dot, 5, eyes[i].layer});
  }
  addCaption(overlay, "what is seen from " + counted(eyes.size(), "place"));
}

namespace {

void addCorridor(Overlay& overlay, const NamedMap& map, const RouteRequest& request) {
  const RouteCorridor corridor = planning::corridorOf(map, request);
  std::vector<std::vector<Polygon>> cells(map.layers.size());
  for (const LayerPolygon& cell : corridor.cells) cells[cell.layer].push_back(cell.polygon);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (!cells[i].empty()) overlay.areas.push_back({std::move(cells[i]), kCorridor, static_cast<std::uint16_t>(i)});
  for (const LayerPolyline& axis : corridor.axis)
    overlay.lines.push_back({axis.line.points, kAxis, 1.6, axis.layer, 5});
}

}  // namespace

void addRoute(Overlay& overlay, const NamedMap& map, const RouteRequest& request, const RouteResult& route) {
  addCorridor(overlay, map, request);
  addRouteLines(overlay, route.points, kRoute, 3.2);
  const std::uint16_t from = map.layer(request.from_layer);
  const std::uint16_t to = request.to_layer ? map.layer(request.to_layer) : from;
  overlay.dots.push_back({request.from, kStart, 6.5, from});
  overlay.labels.push_back({request.from, "start", kStart, from});
  if (!route.reachable && !route.points.empty()) {
    const std::uint16_t end = map.layer(route.end_layer);
    if (end == to) overlay.lines.push_back({{route.end, request.to}, kGoal, 1.6, end, 4});
    overlay.dots.push_back({route.end, kRoute, 6.5, end});
    overlay.labels.push_back({route.end, "nearest reachable place", kRoute, end});
  }
  overlay.dots.push_back({request.to, kGoal, 6.5, to});
  overlay.labels.push_back({request.to, "goal", kGoal, to});
  for (const RoutePoint& point : route.points) overlay.layers.push_back(point.layer);
  overlay.layers.insert(overlay.layers.end(), {from, to});
  for (std::uint16_t layer = 0; layer < map.layers.size(); ++layer)
    for (const Segment& s : passagesOf(map.map, layer)) overlay.lines.push_back({{s.a, s.b}, kPassage, 2, layer});
  overlay.keys.push_back({Mark::kLine, kRoute, "route"});
  overlay.keys.push_back({Mark::kLine, kAxis, "path on the medial axis"});
  overlay.keys.push_back({Mark::kArea, kCorridor, "corridor"});
}

}  // namespace throng::views
