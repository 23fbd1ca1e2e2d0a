// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, Table 11.5: changing the corridor map,
// what can be seen from a place, and indicative routes, in places of the thesis' size and complexity. Figure 11.7 shows
// the same as pictures.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

#include "throng/draw.h"
#include "throng/navigation.h"

#include "papers/paper.h"
#include "papers/places.h"
#include "papers/timing.h"
#include "papers/trial.h"

namespace throng::papers {
namespace {

using Position = FreePositions::Position;

struct Published {
  double insertion, visibility, route;  // ms
};
struct Place {
  const char* generator;
  Published published;
};
constexpr Place kPlaces[] = {{"city-plan", {3.70, 0.15, 1.17}}, {"station", {1.25, 0.10, 0.85}}};

constexpr std::size_t kInsertions = 100, kPositions = 1000, kPairs = 1000;
constexpr double kHalfSide = 1;     // m, of the squares
constexpr double kRadius = 0.24;    // m
constexpr double kClearance = 0.5;  // m
constexpr double kInsertion = 0.3;  // ms; the other limits in µs
constexpr double kVisibility = 15, kRoute = 50, kSmallRoute = 4.9;

/// Everything that is asked of one place.
struct Work {
  std::vector<Position> squares, views;
  std::vector<RouteRequest> routes;
};

Ring squareAt(Point p) {
  return {p + Point{-kHalfSide, -kHalfSide}, p + Point{kHalfSide, -kHalfSide}, p + Point{kHalfSide, kHalfSide},
          p + Point{-kHalfSide, kHalfSide}};
}

std::vector<RouteRequest> requestsIn(const NavigationMap& map, FreePositions& positions) {
  const auto ends = positions.draw(map, kRadius, 2 * kPairs);
  std::vector<RouteRequest> requests;
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
    RouteRequest request;
    request.from = ends[i].at;
    request.to = ends[i + 1].at;
    request.from_layer = LayerId(ends[i].layer);
    request.to_layer = LayerId(ends[i + 1].layer);
    request.radius = kRadius;
    request.clearance = kClearance;
    requests.push_back(request);
  }
  return requests;
}

/// Squares that touch neither walls nor one another.
std::vector<Position> squaresIn(NavigationMap map, FreePositions& positions) {
  std::vector<Position> squares;
  while (squares.size() < kInsertions) {
    const auto centre = positions.draw(map, 1.01 * std::sqrt(2.0) * kHalfSide);
    if (!centre) break;
    map.insertObstacle(squareAt(centre->at), LayerId(centre->layer));
    squares.push_back(*centre);
  }
  return squares;
}

/// What each square took, s, in a map of its own. One is put in and taken out before: then there is room for more.
std::vector<double> timeInsertions(NavigationMap map, const std::vector<Position>& squares) {
  std::vector<double> seconds;
  const Ring first = squareAt(squares.front().at);
  map.removeObstacle(map.insertObstacle(first, LayerId(squares.front().layer)));
  for (const Position& square : squares) {
    const Ring ring = squareAt(square.at);
    const LayerId layer(square.layer);
    seconds.push_back(secondsOf([&] { map.insertObstacle(ring, layer); }));
  }
  return seconds;
}

std::vector<double> timeViews(const NavigationMap& map, const std::vector<Position>& views, std::size_t& corners) {
  std::vector<double> seconds;
  std::vector<RoutePoint> polygon;
  corners = 0;
  for (const Position& view : views) {
    const LayerId layer(view.layer);
    seconds.push_back(secondsOf([&] { map.visibleCorners(view.at, layer, polygon); }));
    corners += polygon.size();
  }
  return seconds;
}

std::vector<double> timeRoutes(const NavigationMap& map, const std::vector<RouteRequest>& requests,
                               std::size_t& reached) {
  std::vector<double> seconds;
  std::vector<RoutePoint> points;
  reached = 0;
  for (const RouteRequest& request : requests)
    seconds.push_back(secondsOf([&] { reached += map.route(request, points) ? 1 : 0; }));
  return seconds;
}

/// Mean and deviation over everything asked, s; for each the middle time of the passes, so that an interruption by
/// somebody else's work does not count. The first pass is not used: memory grows in it.
template <class Pass>
Spread timed(int passes, Pass&& pass) {
  std::vector<std::vector<double>> times(pass().size());
  for (int i = 0; i < passes; ++i) {
    const std::vector<double> seconds = pass();
    for (std::size_t k = 0; k < seconds.size(); ++k) times[k].push_back(seconds[k]);
  }
  std::vector<double> middles;
  for (std::vector<double>& each : times) middles.push_back(median(std::move(each)));
  return spreadOf(middles);
}

void addRow(Result& result, const std::string& name, double value, const char* unit, std::optional<double> published,
            double limit, std::string reason) {
  result.rows.push_back(
      row(name, value, unit, published, Target{Target::Comparison::kAtMost, limit, std::move(reason)}));
}

// --- pictures, after Figure 11.7 -------------------------------------------------------------------------------------

constexpr Paint kAxis{0x2b5fb4, 0.9}, kSpokes{0xe08a2e, 0.35}, kSquares{0x8c2d4f, 1}, kSeen{0xe3b23c, 0.35},
    kDot{0x222222, 1};

void draw(const Scene& scene, const Overlay& overlay, const char* what, const Options& options, Result& result) {
  DrawSettings settings;
  settings.title = fmt::format("{}: {}", scene.name, what);
  settings.width = 2000;
  settings.overwrite = true;
  const auto path = std::filesystem::path(options.pictures) / fmt::format("{}-{}.png", scene.name, what);
  drawOverlay(scene, overlay, path.string(), settings);
  result.files.push_back(path.string());
}

void drawInsertions(const Scene& scene, NavigationMap map, const Work& work, const Options& options, Result& result) {
  Overlay overlay;
  for (const Position& square : work.squares) {
    map.insertObstacle(squareAt(square.at), LayerId(square.layer));
    overlay.areas.push_back({{Polygon{squareAt(square.at), {}}}, kSquares, square.layer});
  }
  for (std::uint16_t layer = 0; layer < map.layers().size(); ++layer) {
    for (const Segment& spoke : map.spokes(LayerId(layer)))
      overlay.lines.push_back({{spoke.a, spoke.b}, kSpokes, 0.5, layer});
    for (const Polyline& line : map.axis(LayerId(layer))) overlay.lines.push_back({line.points, kAxis, 1, layer});
  }
  overlay.keys = {{Overlay::Key::Mark::kLine, kAxis, "medial axis"},
                  {Overlay::Key::Mark::kLine, kSpokes, "nearest walls"},
                  {Overlay::Key::Mark::kArea, kSquares, "inserted squares"}};
  draw(scene, overlay, "insertions", options, result);
}

void drawViews(const Scene& scene, const NavigationMap& map, const Work& work, const Options& options, Result& result) {
  constexpr std::size_t kShown = 12;
  Overlay overlay;
  for (std::size_t i = 0; i < std::min(kShown, work.views.size()); ++i) {
    const Position& view = work.views[i];
    const auto seen = map.visibilityPolygon(view.at, LayerId(view.layer));
    for (std::uint16_t layer = 0; layer < seen.size(); ++layer)
      if (!seen[layer].empty()) overlay.areas.push_back({seen[layer], kSeen, layer});
    overlay.dots.push_back({view.at, kDot, 4, view.layer});
  }
  overlay.keys = {{Overlay::Key::Mark::kDot, kDot, "looking from here"},
                  {Overlay::Key::Mark::kArea, kSeen, "what can be seen"}};
  draw(scene, overlay, "visibility", options, result);
}

void drawRoutes(const Scene& scene, const NavigationMap& map, const Work& work, const Options& options,
                Result& result) {
  constexpr std::size_t kShown = 24;
  Overlay overlay;
  std::vector<RoutePoint> points;
  for (std::size_t i = 0; i < std::min(kShown, work.routes.size()); ++i) {
    map.route(work.routes[i], points);
    if (points.empty()) continue;
    const Paint paint = populationPaint(i);
    for (std::size_t k = 0; k + 1 < points.size(); ++k)
      overlay.lines.push_back({{points[k].at, points[k + 1].at}, paint, 2, points[k].layer});
    overlay.dots.push_back({points.front().at, paint, 3, points.front().layer});
    overlay.dots.push_back({points.back().at, paint, 5, points.back().layer});
  }
  overlay.caption = fmt::format("indicative routes with {:g} m of clearance; small dots are starts", kClearance);
  draw(scene, overlay, "routes", options, result);
}

// --- the table -------------------------------------------------------------------------------------------------------

void runPlace(const Place& place, const Options& options, Result& result) {
  const auto tell = [&](const char* what) {
    if (options.progress) options.progress(fmt::format("{}, {}", place.generator, what));
  };
  const int passes = options.seeds.value_or(options.quick ? 3 : 9);
  const Scene scene = placeScene(place.generator);
  const NavigationMap map(scene);
  FreePositions positions(scene, 1);
  Work work;
  work.views = positions.draw(map, 0, kPositions);
  work.routes = requestsIn(map, positions);
  work.squares = squaresIn(map, positions);

  std::size_t corners = 0, reached = 0;
  tell("insertions");
  const Spread insertion = timed(passes, [&] { return timeInsertions(map, work.squares); });
  tell("visibility polygons");
  const Spread view = timed(passes, [&] { return timeViews(map, work.views, corners); });
  tell("routes");
  const Spread route = timed(passes, [&] { return timeRoutes(map, work.routes, reached); });

  const std::string name = place.generator;
  addRow(result, name + "/insertion", 1e3 * insertion.mean, "ms", place.published.insertion, kInsertion,
         "a twelfth of the published time in City");
  addRow(result, name + "/visibility polygon", 1e6 * view.mean, "µs", 1e3 * place.published.visibility, kVisibility,
         "a tenth of the published time in City");
  addRow(result, name + "/indicative route", 1e6 * route.mean, "µs", 1e3 * place.published.route, kRoute,
         "a twentieth of the published time in City");
  result.notes.push_back(
      fmt::format("{}: standard deviations {:.3f} ms, {:.1f} µs and {:.1f} µs, longest {:.3f} ms, {:.1f} µs and {:.1f} "
                  "µs; {} squares "
                  "were inserted, a visibility polygon has {:.0f} corners on average, {} of {} goals can be reached",
                  name, 1e3 * insertion.deviation, 1e6 * view.deviation, 1e6 * route.deviation, 1e3 * insertion.largest,
                  1e6 * view.largest, 1e6 * route.largest, work.squares.size(),
                  static_cast<double>(corners) / static_cast<double>(work.views.size()), reached, work.routes.size()));
  if (options.pictures.empty()) return;
  tell("pictures");
  drawInsertions(scene, map, work, options, result);
  drawViews(scene, map, work, options, result);
  drawRoutes(scene, map, work, options, result);
}

/// A map as small as those with which Detour, the route planner of many games, was timed.
void runOffice(const Options& options, Result& result) {
  if (options.progress) options.progress("office, routes");
  const Scene scene = officeScene();
  const NavigationMap map(scene);
  FreePositions positions(scene, 1);
  const std::vector<RouteRequest> requests = requestsIn(map, positions);
  std::size_t reached = 0;
  const int passes = options.seeds.value_or(options.quick ? 3 : 25);
  const Spread route = timed(passes, [&] { return timeRoutes(map, requests, reached); });
  addRow(result, "office/indicative route", 1e6 * route.mean, "µs", {}, kSmallRoute,
         "Detour's slowest on maps of 118 to 216 polygons");
  result.notes.push_back(fmt::format(
      "office: a map of {} cells, {} of {} goals can be reached; Detour takes 1.7 to 4.9 µs per path with its corners "
      "on maps of 118 to 216 polygons, without clearance (measured elsewhere, on this kind of machine)",
      map.statistics().cells, reached, requests.size()));
}

}  // namespace

Result jaklin115(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  for (const Place& place : kPlaces) runPlace(place, options, result);
  runOffice(options, result);
  return result;
}

}  // namespace throng::papers
