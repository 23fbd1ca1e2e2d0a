#include "bench/navigation.h"

#include <algorithm>
#include <chrono>

#include "throng/navigation.h"
#include "throng/navigation_graph.h"

#include "bench/city.h"

namespace throng::bench {
namespace {

constexpr double kRadius = 0.24, kClearance = 0.5;  // m, of routes
constexpr double kHalfSide = 1;                     // m, of the squares that are inserted
constexpr std::size_t kAsked = 1000, kInserted = 100;

/// µs per piece of work of each repetition, after one that is not counted: memory grows in it.
template <class Work>
std::vector<double> repeat(std::size_t repetitions, std::size_t pieces, Work&& work) {
  std::vector<double> times;
  for (std::size_t i = 0; i <= repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < pieces; ++k) work(k);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (i > 0) times.push_back(1e6 * seconds / static_cast<double>(pieces));
  }
  return times;
}

Row rowOf(const std::string& name, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  Row row;
  row.name = name;
  row.value = values[values.size() / 2];
  row.unit = "µs";
  row.repetitions = values.size();
  row.lowest = values.front();
  row.highest = values.back();
  return row;
}

std::vector<double> timeRoutes(const Scene& scene, std::size_t repetitions) {
  const NavigationMap map(scene);
  FreePlaces places(scene, kRadius);
  std::vector<RouteRequest> requests(kAsked);
  for (RouteRequest& request : requests) {
    request.from = places.draw(map);
    request.to = places.draw(map);
    request.radius = kRadius;
    request.clearance = kClearance;
  }
  std::vector<RoutePoint> points;
  return repeat(repetitions, kAsked, [&](std::size_t i) { map.route(requests[i], points); });
}

std::vector<double> timeVisibility(const Scene& scene, std::size_t repetitions) {
  const NavigationMap map(scene);
  FreePlaces places(scene, kRadius);
  std::vector<Point> from(kAsked);
  for (Point& place : from) place = places.draw(map);
  std::vector<RoutePoint> corners;
  return repeat(repetitions, kAsked, [&](std::size_t i) { map.visibleCorners(from[i], {}, corners); });
}

/// Squares that touch nothing, all into one map; they are taken out again between the repetitions, untimed.
std::vector<double> timeInsertion(const Scene& scene, std::size_t repetitions) {
  NavigationMap map(scene);
  FreePlaces places(scene, 1.5 * kHalfSide);
  std::vector<Ring> squares;
  std::vector<std::uint32_t> inserted;
  for (std::size_t i = 0; i < kInserted; ++i) {
    const Point p = places.draw(map);
    squares.push_back({p + Point{-kHalfSide, -kHalfSide}, p + Point{kHalfSide, -kHalfSide},
                       p + Point{kHalfSide, kHalfSide}, p + Point{-kHalfSide, kHalfSide}});
    inserted.push_back(map.insertObstacle(squares.back()));
  }
  std::vector<double> times;
  for (std::size_t i = 0; i < repetitions; ++i) {
    for (const std::uint32_t id : inserted) map.removeObstacle(id);
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < kInserted; ++k) inserted[k] = map.insertObstacle(squares[k]);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    times.push_back(1e6 * seconds / static_cast<double>(kInserted));
  }
  return times;
}

std::vector<double> timeConstruction(const Scene& scene, std::size_t repetitions) {
  return repeat(repetitions, 1, [&](std::size_t) { NavigationMap{scene}; });
}

/// With samples every 0.5 m, from the scene to the graph.
std::vector<double> timeGraph(const Scene& scene, std::size_t repetitions) {
  return repeat(repetitions, 1, [&](std::size_t) { NavigationGraph{scene}; });
}

}  // namespace

void addNavigation(const Options& options, const std::function<bool(const std::string&)>& wanted,
                   std::vector<Row>& rows) {
  const std::size_t few = options.quick ? 3 : 9;
  const auto add = [&](const std::string& name, auto&& times) {
    if (!wanted(name)) return;
    if (options.progress) options.progress(name);
    rows.push_back(rowOf(name, times()));
  };
  add("construction/city-plan", [&] { return timeConstruction(cityScene(), few); });
  add("graph/city-plan", [&] { return timeGraph(cityScene(), 3); });
  add("insertion/city-plan", [&] { return timeInsertion(cityScene(), few); });
  add("visibility/city-plan", [&] { return timeVisibility(cityScene(), few); });
  add("route/city-plan", [&] { return timeRoutes(cityScene(), few); });
  add("route/small", [&] { return timeRoutes(officeScene(), 3 * few); });
}

}  // namespace throng::bench
