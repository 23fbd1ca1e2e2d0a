#include "bench/navigation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "throng/import.h"
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
  std::vector<ObstacleId> inserted;
  for (std::size_t i = 0; i < kInserted; ++i) {
    const Point p = places.draw(map);
    squares.push_back({p + Point{-kHalfSide, -kHalfSide}, p + Point{kHalfSide, -kHalfSide},
                       p + Point{kHalfSide, kHalfSide}, p + Point{-kHalfSide, kHalfSide}});
    inserted.push_back(map.insertObstacle(squares.back()));
  }
  std::vector<double> times;
  for (std::size_t i = 0; i < repetitions; ++i) {
    for (const ObstacleId id : inserted) map.removeObstacle(id);
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

/// A round place of 100 m with a border of many corners, as models have them that were measured or drawn by hand.
Polygon roughPlace(std::size_t corners) {
  constexpr double kAcross = 100, kRoughness = 0.001, kTurn = 6.283185307179586;
  Polygon area;
  for (std::size_t i = 0; i < corners; ++i) {
    const double turn = kTurn * static_cast<double>(i) / static_cast<double>(corners);
    const double r = kAcross / 2 * (1 + kRoughness * std::sin(12.9898 * static_cast<double>(i)));
    area.outer.push_back({r * std::cos(turn), r * std::sin(turn)});
  }
  return area;
}

Scene roughScene() {
  constexpr std::size_t kCorners = 2000;
  Scene scene;
  scene.layers.emplace_back();
  scene.layers[0].name = "ground";
  scene.layers[0].walkable = {roughPlace(kCorners)};
  return scene;
}

/// A model with one face of many corners, from the file to the scene.
std::vector<double> timeManyCorners(std::size_t repetitions) {
  constexpr std::size_t kCorners = 100000;
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("throng-bench-" + std::to_string(::getpid()) + ".obj");
  {
    std::ofstream file(path);
    file.precision(9);
    for (const Point p : roughPlace(kCorners).outer) file << "v " << p.x << ' ' << p.y << " 0\n";
    file << 'f';
    for (std::size_t i = 1; i <= kCorners; ++i) file << ' ' << i;
    file << '\n';
  }
  auto times = repeat(repetitions, 1, [&](std::size_t) { sceneFromMesh(loadMesh(path.string(), {"z", 1, {}}), {}); });
  std::filesystem::remove(path);
  return times;
}

}  // namespace

void addNavigation(const Options& options, const std::function<bool(const std::string&)>& wanted,
                   std::vector<Row>& rows) {
  const std::size_t few = options.quick ? 3 : 9;
  const auto add = [&](const std::string& name, auto&& times) {
    if (!wanted(name)) return;
    if (options.progress) options.progress(name);
    rows.push_back(rowOf(name, times(), "µs"));
  };
  add("construction/city-plan", [&] { return timeConstruction(cityScene(), few); });
  add("graph/city-plan", [&] { return timeGraph(cityScene(), 3); });
  add("graph/rough-place", [&] { return timeGraph(roughScene(), 3); });
  add("import/many-corners", [&] { return timeManyCorners(3); });
  add("insertion/city-plan", [&] { return timeInsertion(cityScene(), few); });
  add("visibility/city-plan", [&] { return timeVisibility(cityScene(), few); });
  add("route/city-plan", [&] { return timeRoutes(cityScene(), few); });
  add("route/small", [&] { return timeRoutes(officeScene(), 3 * few); });
}

}  // namespace throng::bench
