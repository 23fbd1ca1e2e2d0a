// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, Table 11.2: how long the explicit corridor
// map takes to construct. The thesis' places are not published, only their complexity (Table 11.1); ours are generated
// with the same numbers of obstacles and vertices.
//
// A map is the Voronoi diagram of the walls and what is made of it. So beside the thesis' times stands the time of the
// bare diagram, by the same library and in the same run: a ratio that no machine's speed changes.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "papers/paper.h"
#include "papers/places.h"
#include "papers/timing.h"
#include "papers/trial.h"

namespace throng::papers {
namespace {

struct Place {
  const char* generator;
  const char* published_name;
  double published;  // ms, with Vroni, the fastest of Table 11.2
  // Table 11.1: obstacles, their vertices; vertices, edges and annotations of the map.
  std::size_t obstacles, corners, vertices, edges, annotations;
};

constexpr Place kPlaces[] = {
    {"city-plan", "City", 84, 184, 2098, 1444, 1623, 6310},
    {"station", "Station", 368, 568, 1800, 660, 768, 2804},
};

constexpr double kAtMost = 40;         // ms from the scene to the map
constexpr double kTimesDiagram = 1.5;  // of the bare diagram's time
constexpr double kTimesLinear = 1.5;   // of what growth in proportion to the vertices would be

/// One construction, s.
struct Construction {
  double space = 0;  ///< from the scene to the walkable space: checks and polygon booleans
  double map = 0;    ///< from there to the map
  double bare = 0;   ///< the bare diagram, thrown away
  double total() const { return space + map; }
};

Construction construct(const Scene& scene, NavigationStatistics& statistics) {
  std::optional<NavigationMap> map;
  const double total = secondsOf([&] { map.emplace(scene); });
  statistics = map->statistics();
  return {total - statistics.build_seconds, statistics.build_seconds, map->timeBareDiagram()};
}

template <class Value>
double medianOf(const std::vector<Construction>& runs, Value&& value) {
  std::vector<double> values;
  for (const Construction& run : runs) values.push_back(value(run));
  return median(std::move(values));
}

std::vector<Construction> repeat(const Scene& scene, int runs, NavigationStatistics& statistics) {
  construct(scene, statistics);  // the memory allocator and the caches get to know it
  std::vector<Construction> constructions;
  for (int i = 0; i < runs; ++i) constructions.push_back(construct(scene, statistics));
  return constructions;
}

void runPlace(const Place& place, const Options& options, Result& result) {
  const int runs = options.seeds.value_or(options.quick ? 3 : 15);
  if (options.progress) options.progress(fmt::format("{}, {} constructions", place.generator, runs));
  const Scene scene = placeScene(place.generator);
  NavigationStatistics map;
  const std::vector<Construction> times = repeat(scene, runs, map);
  const auto ms = [&](double Construction::*part) {
    return 1e3 * medianOf(times, [&](const Construction& c) { return c.*part; });
  };
  const std::string name = place.generator;
  const auto add = [&](const char* what, double value, const char* unit, std::optional<double> published, double limit,
                       const char* reason) {
    result.rows.push_back(
        row(name + "/" + what, value, unit, published, Target{Target::Comparison::kAtMost, limit, reason}));
  };
  add("scene to walkable space", ms(&Construction::space), "ms", {}, kAtMost, "a part of the total");
  add("walkable space to map", ms(&Construction::map), "ms", {}, kAtMost, "a part of the total");
  add("total", 1e3 * medianOf(times, [](const Construction& c) { return c.total(); }), "ms", place.published, kAtMost,
      "less than half of the fastest published time");
  add("map / bare diagram", medianOf(times, [](const Construction& c) { return c.map / c.bare; }), "times", {},
      kTimesDiagram, "the map is little more than the diagram of its walls");

  const Complexity complexity = complexityOf(scene);
  result.notes.push_back(fmt::format(
      "{} has {} obstacles with {} vertices ({} of Table 11.1: {}, {}); its map has {} vertices, {} edges and {} "
      "annotations ({}, {}, {}), {} cells, {:.2f} MB",
      name, complexity.obstacles, complexity.vertices, place.published_name, place.obstacles, place.corners,
      map.vertices, map.edges, map.annotations, place.vertices, place.edges, place.annotations, map.cells,
      static_cast<double>(map.bytes) / 1e6));
  std::string parts;
  for (const NavigationStatistics::Part& part : map.parts)
    parts += fmt::format("{}{} {:.2f}", parts.empty() ? "" : ", ", part.name, 1e3 * part.seconds);
  result.notes.push_back(fmt::format("{}: the bare diagram takes {:.2f} ms; parts of the last construction, ms: {}",
                                     name, ms(&Construction::bare), parts));
}

/// How the time grows with the number of vertices, in the worst place there is.
void runGrowth(const Options& options, Result& result) {
  const std::vector<std::uint32_t> sizes =
      options.quick ? std::vector<std::uint32_t>{3'000, 10'000} : std::vector<std::uint32_t>{10'000, 30'000, 100'000};
  const int runs = options.seeds.value_or(options.quick ? 1 : 3);
  std::vector<double> seconds;
  for (const std::uint32_t size : sizes) {
    if (options.progress) options.progress(fmt::format("hostile, {} vertices", size));
    const Scene scene = placeScene("hostile", size);
    NavigationStatistics map;
    const std::vector<Construction> times = repeat(scene, runs, map);
    seconds.push_back(medianOf(times, [](const Construction& c) { return c.map; }));
    const double space = medianOf(times, [](const Construction& c) { return c.space; });
    result.notes.push_back(
        fmt::format("hostile with {} vertices ({} walls where all are cut at one another): walkable space {:.1f} ms, "
                    "map {:.1f} ms, "
                    "{:.2f} µs per vertex, {:.2f} times the bare diagram",
                    complexityOf(scene).vertices, map.walls, 1e3 * space, 1e3 * seconds.back(),
                    1e6 * seconds.back() / static_cast<double>(size),
                    medianOf(times, [](const Construction& c) { return c.map / c.bare; })));
  }
  const double times = static_cast<double>(sizes.back()) / sizes.front(), growth = seconds.back() / seconds.front();
  result.notes.push_back(fmt::format("hostile: time grows with the number of vertices to the power of {:.2f}",
                                     std::log(growth) / std::log(times)));
  result.rows.push_back(row(fmt::format("hostile/map of {} / of {} vertices", sizes.back(), sizes.front()), growth,
                            "times", {},
                            Target{Target::Comparison::kAtMost, kTimesLinear * times, "near-linear growth"}));
}

}  // namespace

Result jaklin112(const Options& options) {
  Result result;
  for (const Place& place : kPlaces) runPlace(place, options, result);
  runGrowth(options, result);
  result.notes.push_back(
      "Table 11.2 also has 141 ms (City) and 381 ms (Station) with Boost, 554 and 1266 ms on a graphics processor.");
  return result;
}

}  // namespace throng::papers
