#include "map_views.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <random>

namespace throng::app {
namespace {

using Key = Overlay::Key;

constexpr Paint kAxis{0x1f5fa8}, kSpoke{0xe08a1e, 0.55}, kPassage{0xc22f2f}, kCorridor{0x9cc9ea, 0.55},
    kRoute{0xb5179e}, kStart{0x2b7a3f}, kGoal{0xc22f2f};
constexpr Paint kGate{0xd62828}, kGraphEdge{0x3d4f63, 0.65};

std::uint16_t layerIndex(const NavigationMap& map, const std::string& name) {
  const auto& layers = map.layers();
  const auto found = std::find(layers.begin(), layers.end(), name);
  return found == layers.end() ? std::uint16_t{0} : static_cast<std::uint16_t>(found - layers.begin());
}

/// Places that a population starts from or goes to, drawn evenly; the same ones every time.
class Places {
 public:
  Places(const NavigationMap& map, std::uint64_t seed) : map_(map), random_(seed) {}

  double uniform(double from, double to) {
    return from + (to - from) * static_cast<double>(random_() >> 11) * 0x1.0p-53;
  }

  std::optional<Point> start(const Start& start, const std::string& layer, double radius) {
    return walkable(layer, radius, [&]() -> std::optional<Point> {
      switch (start.kind) {
        case Start::Kind::kPoints:
          return start.points.empty() ? std::nullopt : std::optional(start.points[random_() % start.points.size()]);
        case Start::Kind::kLine:
          return onLine(start.line);
        case Start::Kind::kCircle: {
          const double angle = uniform(0, 2 * std::numbers::pi);
          return start.centre + Point{std::cos(angle), std::sin(angle)} * start.radius;
        }
        default:
          return inArea(start.area);
      }
    });
  }

  std::optional<Point> goal(const Stage& stage, Point from, const std::string& layer, double radius) {
    switch (stage.kind) {
      case Stage::Kind::kPoint:
        return stage.point;
      case Stage::Kind::kOpposite:
        return stage.centre * 2 - from;
      case Stage::Kind::kArea:
        return walkable(layer, radius, [&] { return inArea(stage.area); });
      default:
        return {};
    }
  }

 private:
  template <class Draw>
  std::optional<Point> walkable(const std::string& layer, double radius, const Draw& draw) {
    constexpr int kTries = 200;
    for (int i = 0; i < kTries; ++i) {
      const std::optional<Point> place = draw();
      if (place && map_.clearance(*place, layer) >= radius) return place;
    }
    return {};
  }

  std::optional<Point> onLine(const Polyline& line) {
    if (line.points.size() < 2) return {};
    const std::size_t i = random_() % (line.points.size() - 1);
    return line.points[i] + (line.points[i + 1] - line.points[i]) * uniform(0, 1);
  }

  /// Even-odd, over the box of one of the polygons; who is outside draws again.
  std::optional<Point> inArea(const std::vector<Polygon>& area) {
    if (area.empty()) return {};
    const Polygon& polygon = area[random_() % area.size()];
    Point low = polygon.outer.at(0), high = low;
    for (const Point& p : polygon.outer) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const Point place{uniform(low.x, high.x), uniform(low.y, high.y)};
    bool inside = crossings(polygon.outer, place);
    for (const Ring& hole : polygon.holes) inside = inside != crossings(hole, place);
    return inside ? std::optional(place) : std::nullopt;
  }

  static bool crossings(const Ring& ring, Point place) {
    bool odd = false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i], b = ring[(i + 1) % ring.size()];
      if ((a.y > place.y) != (b.y > place.y) && place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y)) odd = !odd;
    }
    return odd;
  }

  const NavigationMap& map_;
  std::mt19937_64 random_;
};

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

std::string plural(std::size_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

void addCaption(Overlay& overlay, const std::string& words) {
  overlay.caption += (overlay.caption.empty() ? "" : " · ") + words;
}

}  // namespace

void addCorridorMap(Overlay& overlay, const NavigationMap& map) {
  // Blue lines would be lost on the blue of the clearance.
  const Paint axis = overlay.field ? Paint{0xff5a5f} : kAxis, spoke = overlay.field ? Paint{0xffffff, 0.5} : kSpoke;
  bool has_passages = false;
  for (std::size_t i = 0; i < map.layers().size(); ++i) {
    const auto layer = static_cast<std::uint16_t>(i);
    for (const Segment& s : map.spokes(map.layers()[i])) overlay.lines.push_back({{s.a, s.b}, spoke, 0.7, layer});
    for (Polyline& line : map.axis(map.layers()[i]))
      overlay.lines.push_back({std::move(line.points), axis, 1.4, layer});
    for (const Segment& s : map.passages(map.layers()[i])) {
      overlay.lines.push_back({{s.a, s.b}, kPassage, 3.5, layer});
      has_passages = true;
    }
  }
  overlay.keys.push_back({Key::Mark::kLine, axis, "medial axis"});
  overlay.keys.push_back({Key::Mark::kLine, overlay.field ? Paint{0xbbbbbb} : spoke, "to the nearest walls"});
  if (has_passages) overlay.keys.push_back({Key::Mark::kLine, kPassage, "passages between layers"});
  const NavigationStatistics s = map.statistics();
  addCaption(overlay, fmt::format("corridor map: {} vertices, {} edges, {} cells", s.vertices, s.edges, s.cells));
}

void addClearance(Overlay& overlay, const NavigationMap& map) {
  overlay.field = Overlay::Field{[&map](Point place, std::uint16_t layer) {
                                   const std::string& name = map.layers()[layer];
                                   const auto nearest = map.nearestWall(place, name);
                                   return nearest ? nearest->distance : -1.0;
                                 },
                                 "distance to the nearest wall (m)"};
}

namespace {

std::vector<Point> circle(Point centre, double radius) {
  constexpr int kCorners = 48;
  std::vector<Point> points;
  for (int i = 0; i <= kCorners; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCorners;
    points.push_back(centre + Point{std::cos(angle), std::sin(angle)} * radius);
  }
  return points;
}

void addPlaces(Overlay& overlay, const Scene& scene, const NavigationGraph& graph) {
  for (const Place& place : scene.places) {
    const auto vertex = graph.locate(scene, place.name);
    const std::uint16_t layer = vertex ? graph.vertices()[*vertex].layer : std::uint16_t{0};
    overlay.lines.push_back({circle(place.at, place.radius), {0x222222}, 1.5, layer});
    overlay.labels.push_back({place.at, place.name, {0x222222}, layer});
  }
}

}  // namespace

void addFlows(Overlay& overlay, const NavigationGraph& graph, const Scene& scene) {
  std::size_t paths = 0, flows = 0;
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    if (!population.flow) continue;
    const auto from = graph.locate(scene, population.flow->from), to = graph.locate(scene, population.flow->to);
    if (!from || !to) continue;
    const auto found = graph.flow(*from, *to, population.flow->paths);
    Paint paint = populationPaint(i);
    paint.alpha = found.size() > 60 ? 0.12 : 0.35;
    for (const NavigationPath& path : found) {
      std::vector<Point> points{graph.vertices()[path.vertices.front()].centre};
      for (const std::uint32_t edge : path.edges) {
        const Segment& gate = graph.edges()[edge].passage;
        points.push_back((gate.a + gate.b) * 0.5);
      }
      points.push_back(graph.vertices()[path.vertices.back()].centre);
      overlay.lines.push_back({std::move(points), paint, 1.6, graph.vertices()[*from].layer});
    }
    paint.alpha = 1;
    const std::string name = population.name.empty() ? fmt::format("flow {}", flows + 1) : population.name;
    overlay.keys.push_back({Key::Mark::kLine, paint, fmt::format("{} ({} paths)", name, found.size())});
    paths += found.size();
    ++flows;
  }
  addPlaces(overlay, scene, graph);
  addCaption(overlay, fmt::format("{} flows, {} paths", flows, paths));
}

void addLevels(Overlay& overlay, const NavigationGraph& graph, const Scene& scene) {
  constexpr std::uint32_t kColours[] = {0x4575b4, 0x74add1, 0xabd9e9, 0xfdae61, 0xd73027, 0xa50026, 0x7f0000, 0x400000};
  const auto levels = graph.levels(scene.levels);
  const std::size_t top = scene.levels.levels.size() - 1;
  const auto paintOf = [&](std::size_t level, double alpha) {
    // The highest is red, whatever their number.
    return Paint{kColours[top <= 4 ? 4 - (top - level) : level], alpha};
  };
  for (std::size_t v = 0; v < levels.size(); ++v) {
    const NavigationCylinder& cylinder = graph.vertices()[v];
    overlay.areas.push_back(
        {{{circle(cylinder.centre, cylinder.radius), {}}}, paintOf(levels[v], 0.4), cylinder.layer});
  }
  for (const Camera& camera : scene.levels.cameras) {
    const Point at{camera.position.x, camera.position.y};
    const Point ahead = normalized(Point{camera.direction.x, camera.direction.y});
    const double half = camera.field_of_view * std::numbers::pi / 360, reach = scene.levels.far_distance;
    const Point across{-ahead.y, ahead.x};
    const Point left = at + (ahead * std::cos(half) + across * std::sin(half)) * reach;
    const Point right = at + (ahead * std::cos(half) - across * std::sin(half)) * reach;
    overlay.lines.push_back({{left, at, right}, {0x111111}, 2.5, 0});
    overlay.dots.push_back({at, {0x111111}, 6, 0});
  }
  for (std::size_t level = top + 1; level-- > 0;)
    overlay.keys.push_back({Key::Mark::kArea, paintOf(level, 0.7), fmt::format("level {}", level)});
  addCaption(overlay, fmt::format("levels of simulation for {} camera{}", scene.levels.cameras.size(),
                                  scene.levels.cameras.size() == 1 ? "" : "s"));
}

void addNavigationGraph(Overlay& overlay, const NavigationGraph& graph) {
  const auto& vertices = graph.vertices();
  // The many that are connected are green, the next ones have the colours of populations.
  const auto paintOf = [](std::uint32_t component, double alpha) {
    Paint paint = component == 0 ? Paint{0x2f8f5b} : populationPaint(component - 1);
    paint.alpha = alpha;
    return paint;
  };
  for (const NavigationCylinder& v : vertices) {
    overlay.areas.push_back({{{circle(v.centre, v.radius), {}}}, paintOf(v.component, 0.05), v.layer});
    overlay.lines.push_back({circle(v.centre, v.radius), paintOf(v.component, 0.55), 0.6, v.layer});
  }
  for (const NavigationGate& e : graph.edges()) {
    const NavigationCylinder &a = vertices[e.low], &b = vertices[e.high];
    const Point middle = (e.passage.a + e.passage.b) * 0.5;
    overlay.lines.push_back({{a.centre, middle}, kGraphEdge, 0.7, a.layer});
    overlay.lines.push_back({{middle, b.centre}, kGraphEdge, 0.7, b.layer});
  }
  for (const NavigationGate& e : graph.edges())
    overlay.lines.push_back({{e.gate.a, e.gate.b}, kGate, 1.1, vertices[e.low].layer});
  const NavigationGraphStatistics s = graph.statistics();
  overlay.keys.push_back({Key::Mark::kLine, paintOf(0, 1), "cylinders"});
  overlay.keys.push_back({Key::Mark::kLine, kGate, "gates"});
  overlay.keys.push_back({Key::Mark::kLine, kGraphEdge, "edges"});
  if (s.components > 1) overlay.keys.push_back({Key::Mark::kLine, paintOf(1, 1), "not connected with the rest"});
  addCaption(overlay,
             fmt::format("navigation graph: {} vertices, {} edges; samples every {:g} m, bodies of radius {:g} m",
                         s.vertices, s.edges, graph.precision(), graph.bodyRadius()));
}

void addRoutes(Overlay& overlay, const NavigationMap& map, const Scene& scene, int count) {
  std::size_t drawn = 0, stranded = 0;
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    const Profile& profile = profileOf(scene, population);
    const double radius = std::max(profile.radius.mean, 0.05);
    const double low = parameter(profile, "clearance_min", 0.4), high = parameter(profile, "clearance_max", 1.5);
    Places places(map, i + 1);
    std::size_t of_this = 0;
    for (int n = 0; n < count; ++n) {
      RouteRequest request;
      request.radius = radius;
      request.from_layer = population.layer;
      const double preference = (n + 0.5) / count;
      request.clearance = low + (high - low) * preference;
      request.spread = 0.15 + 0.8 * preference;  // as the planner "corridor" has it
      request.side = parameter(profile, "side", 0);
      std::optional<Point> from = places.start(population.start, population.layer, radius);
      for (const Stage& stage : population.goals) {
        request.to_layer = stage.layer.empty() ? population.layer : stage.layer;
        const auto to = from ? places.goal(stage, *from, request.to_layer, radius) : std::nullopt;
        if (!to) break;
        request.from = *from;
        request.to = *to;
        const RouteResult route = map.plan(request);
        if (!route.reachable) ++stranded;
        Paint paint = populationPaint(i);
        paint.alpha = 0.8;
        addRouteLines(overlay, route.points, paint, 1.6);
        if (!route.points.empty()) {
          overlay.dots.push_back({route.points.front().at, paint, 2.6, route.points.front().layer});
          ++of_this;
        }
        from = route.end;
        request.from_layer = route.end_layer;
      }
    }
    drawn += of_this;
    if (of_this > 0)
      overlay.keys.push_back({Key::Mark::kLine, populationPaint(i),
                              population.name.empty() ? fmt::format("population {}", i + 1) : population.name});
  }
  addCaption(overlay, plural(drawn, "route") +
                          (stranded > 0 ? fmt::format(", {} of them to goals out of reach", stranded) : ""));
}

void addVisibility(Overlay& overlay, const NavigationMap& map, const Scene& scene, const std::vector<Point>& places,
                   const std::string& layer) {
  struct Eye {
    Point at;
    std::string layer;
  };
  std::vector<Eye> eyes;
  for (const Point& place : places) {
    if (!map.walkable(place, layer))
      throw InputError(
          fmt::format("Nobody can look from ({:g}, {:g}): it lies in an obstacle or outside.", place.x, place.y));
    eyes.push_back({place, layer});
  }
  constexpr std::size_t kEyes = 6;
  for (std::size_t i = 0; places.empty() && i < std::max(scene.populations.size(), kEyes); ++i) {
    if (scene.populations.empty() || eyes.size() >= kEyes) break;
    const std::size_t which = i % scene.populations.size();
    const Population& population = scene.populations[which];
    if (!layer.empty() && layerIndex(map, population.layer) != layerIndex(map, layer)) continue;
    const auto place = Places(map, i + 1).start(population.start, population.layer, 0.1);
    if (place) eyes.push_back({*place, population.layer});
  }
  for (std::size_t i = 0; i < eyes.size(); ++i) {
    Paint area = populationPaint(i), dot = area;
    area.alpha = 0.35;
    const auto seen = map.visibilityPolygon(eyes[i].at, eyes[i].layer);
    for (std::size_t l = 0; l < seen.size(); ++l)
      if (!seen[l].empty()) overlay.areas.push_back({seen[l], area, static_cast<std::uint16_t>(l)});
    overlay.dots.push_back({eyes[i].at, dot, 5, layerIndex(map, eyes[i].layer)});
  }
  addCaption(overlay, fmt::format("what is seen from {}", plural(eyes.size(), "place")));
}

void addPlan(Overlay& overlay, const NavigationMap& map, const RouteRequest& request, const RouteResult& route) {
  const RouteCorridor corridor = map.corridor(request);
  std::vector<Overlay::Area> cells(map.layers().size(), {{}, kCorridor, 0});
  for (const LayerPolygon& cell : corridor.cells) cells[cell.layer].pieces.push_back(cell.polygon);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (!cells[i].pieces.empty()) overlay.areas.push_back({cells[i].pieces, kCorridor, static_cast<std::uint16_t>(i)});
  for (const LayerPolyline& axis : corridor.axis)
    overlay.lines.push_back({axis.line.points, kAxis, 1.6, axis.layer, 5});
  addRouteLines(overlay, route.points, kRoute, 3.2);
  const std::uint16_t from = layerIndex(map, request.from_layer);
  const std::uint16_t to = request.to_layer.empty() ? from : layerIndex(map, request.to_layer);
  overlay.dots.push_back({request.from, kStart, 6.5, from});
  overlay.labels.push_back({request.from, "start", kStart, from});
  if (!route.reachable && !route.points.empty()) {
    const std::uint16_t end = layerIndex(map, route.end_layer);
    if (end == to) overlay.lines.push_back({{route.end, request.to}, kGoal, 1.6, end, 4});
    overlay.dots.push_back({route.end, kRoute, 6.5, end});
    overlay.labels.push_back({route.end, "nearest reachable place", kRoute, end});
  }
  overlay.dots.push_back({request.to, kGoal, 6.5, to});
  overlay.labels.push_back({request.to, "goal", kGoal, to});
  for (const auto& point : route.points) overlay.layers.push_back(point.layer);
  overlay.layers.insert(overlay.layers.end(), {from, to});
  for (std::size_t i = 0; i < map.layers().size(); ++i)
    for (const Segment& s : map.passages(map.layers()[i]))
      overlay.lines.push_back({{s.a, s.b}, kPassage, 2, static_cast<std::uint16_t>(i)});
  overlay.keys.push_back({Key::Mark::kLine, kRoute, "route"});
  overlay.keys.push_back({Key::Mark::kLine, kAxis, "path on the medial axis"});
  overlay.keys.push_back({Key::Mark::kArea, kCorridor, "corridor"});
}

Point placeOf(const std::string& text, const std::string& option) {
  Point place;
  int used = 0;
  const int found = std::sscanf(text.c_str(), "%lf,%lf%n", &place.x, &place.y, &used);
  if (found != 2 || static_cast<std::size_t>(used) != text.size() || !std::isfinite(place.x) || !std::isfinite(place.y))
    throw InputError(fmt::format("{} {}: allowed: a place as X,Y in m, such as 12.5,3", option, text));
  return place;
}

}  // namespace throng::app
