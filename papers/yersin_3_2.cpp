// Yersin, "Real-time motion planning, navigation, and behavior for large crowds of virtual humans", PhD thesis, EPFL
// 2009, Table 3.2: how long the navigation graphs of three environments take, and the paths of the flows in them. The
// models themselves are not public; ours are made up, of the same size and complexity.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "throng/draw.h"
#include "throng/places.h"

#include "papers/paper.h"
#include "papers/random.h"
#include "papers/timing.h"
#include "papers/towns.h"

namespace throng::papers {
namespace {

struct Environment {
  const char* name;
  const char* generator;
  double precision;                        // m
  double triangles, graph_seconds;         // published
  double vertices, edges;                  // published
  double planning_milliseconds, paths;     // published
  double most_seconds, most_milliseconds;  // to reach; 0: the published ones
  std::uint32_t pedestrians;
  std::vector<std::pair<std::string, std::string>> flows;
};

std::vector<Environment> environments() {
  return {{"itranarium", "itranarium", 0.25, 20646, 14, 346, 477, 15.6, 41, 0, 0, 1000, {{"entrance", "palm room"}}},
          {"planet eight", "planet-eight", 0.25, 768, 6, 27, 27, 2.2, 2, 0, 0, 10000, {{"west end", "east end"}}},
          {"city", "town", 0.5, 35871, 16 * 60, 5017, 8003, 1820, 350, 10, 50, 35000, cityPairs()}};
}

constexpr std::size_t kCapped = 50;  // paths of a flow, as flows have them in our worlds; the thesis has no such limit

struct Planned {
  std::size_t paths = 0, points = 0;
  double sum = 0;  ///< of all coordinates, so that nothing is left out that nobody reads
};

/// What the thesis's time holds (section 3.3): all paths of all flows, and the way-points of all pedestrians. Each is
/// on one of the paths of their flow, in turn, and has a p of their own: where they cross gates, from left to right.
/// For gates that are crossed from the higher vertex to the lower one it is 1 - p (section 3.1.2).
Planned planned(const NavigationGraph& graph, std::span<const std::pair<std::uint32_t, std::uint32_t>> ends,
                std::size_t most, std::uint32_t pedestrians, int threads, std::vector<Point>& points) {
  Planned result;
  points.clear();
  const auto flows = graph.flows(ends, most, threads);
  std::uint64_t random = 1;
  for (const std::vector<NavigationPath>& flow : flows) {
    result.paths += flow.size();
    if (flow.empty()) continue;
    for (std::uint32_t i = 0; i < pedestrians / flows.size(); ++i) {
      const NavigationPath& path = flow[i % flow.size()];
      const double p = uniform(random);
      for (std::size_t k = 0; k < path.edges.size(); ++k) {
        const NavigationGate& gate = graph.edges()[path.edges[k]];
        const double share = path.vertices[k] == gate.low ? p : 1 - p;
        points.push_back(gate.passage.a + (gate.passage.b - gate.passage.a) * share);
      }
    }
  }
  result.points = points.size();
  for (const Point& point : points) result.sum += point.x + point.y;
  return result;
}

void runEnvironment(const Environment& env, const Options& options, Result& result) {
  const std::string name = env.name;
  const auto tell = [&](const char* what) {
    if (options.progress) options.progress(fmt::format("{}: {}", name, what));
  };
  const int repetitions = options.seeds.value_or(options.quick ? 1 : 3);
  std::vector<double> making, planning, capped, longest;
  Planned all, few;
  std::vector<Point> points;
  std::optional<NavigationGraph> graph;
  std::optional<Scene> scene;
  for (int i = 0; i < repetitions; ++i) {
    tell("graph");
    const double generating = secondsOf([&] { generatePlace(env.generator, 1); });
    const double reading = secondsOf([&] { scene.emplace(meshScene(env.generator, env.precision, env.flows, 1)); });
    const double graphing = secondsOf([&] { graph.emplace(*scene, options.threads); });
    making.push_back(std::max(0.0, reading - generating) + graphing);
    tell("flows");
    const auto ends = flowEnds(*scene, *graph);
    graph->flows(ends, kCapped, options.threads);  // warm
    const auto plan = [&](std::size_t most) {
      return planned(*graph, ends, most, env.pedestrians, options.threads, points);
    };
    planning.push_back(1e3 * secondsOf([&] { all = plan(0); }));
    capped.push_back(1e3 * secondsOf([&] { few = plan(kCapped); }));
    double slowest = 0;
    for (const auto& pair : ends)
      slowest = std::max(slowest, secondsOf([&] { graph->flow(pair.first, pair.second, kCapped); }));
    longest.push_back(1e3 * slowest);
  }
  const auto least = [](const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); };
  const NavigationGraphStatistics s = graph->statistics();
  const double most_seconds = env.most_seconds > 0 ? env.most_seconds : env.graph_seconds;
  const double most_ms = env.most_milliseconds > 0 ? env.most_milliseconds : env.planning_milliseconds;
  const auto at_most = [](double value, const char* why) { return Target{Target::Comparison::kAtMost, value, why}; };
  const double triangles = static_cast<double>(scene->mesh->mesh->triangles.size());
  result.rows.push_back(row(name + "/triangles", triangles, "triangles", env.triangles,
                            Target{Target::Comparison::kAtLeast, 0.99 * env.triangles, "as complex as the published"}));
  result.rows.push_back(row(name + "/navigation graph", least(making), "s", env.graph_seconds,
                            at_most(most_seconds, env.most_seconds > 0 ? "target" : "published")));
  result.rows.push_back(observation(name + "/vertices", static_cast<double>(s.vertices), "vertices"));
  result.rows.back().published = env.vertices;
  result.rows.push_back(observation(name + "/edges", static_cast<double>(s.edges), "edges"));
  result.rows.back().published = env.edges;
  result.rows.push_back(row(name + "/planning, all paths and way-points", least(planning), "ms",
                            env.planning_milliseconds,
                            at_most(most_ms, env.most_milliseconds > 0 ? "target" : "published")));
  result.rows.push_back(observation(name + "/all paths", static_cast<double>(all.paths), "paths"));
  result.rows.back().published = env.paths;
  // Both depend on how many paths there are until no gate can be changed, so on the places, which are not the same.
  result.rows.push_back(
      observation(name + "/planning, for each path", least(planning) / static_cast<double>(all.paths), "ms"));
  result.rows.back().published = env.planning_milliseconds / env.paths;
  result.rows.push_back(observation(name + "/planning with at most 50 paths per flow (ours)", least(capped), "ms"));
  result.rows.push_back(observation(name + "/at most 50 per flow (ours)", static_cast<double>(few.paths), "paths"));
  result.rows.push_back(observation(name + "/slowest flow with at most 50 paths (ours)", least(longest), "ms"));
  result.notes.push_back(fmt::format("{}: {} pedestrians, {} way-points on all paths, {} on at most 50 per flow", name,
                                     env.pedestrians, all.points, few.points));
  std::string parts;
  for (const auto& part : s.parts) parts += fmt::format(", {} {:.2f} s", part.name, part.seconds);
  result.notes.push_back(fmt::format("{}: precision {:g} m, {} samples{}; quickest of {} ({:.2f} to {:.2f} s)", name,
                                     env.precision, s.samples, parts, repetitions, least(making),
                                     *std::max_element(making.begin(), making.end())));
  if (options.pictures.empty()) return;
  DrawSettings settings;
  settings.overwrite = true;
  settings.width = 1600;
  const auto path = std::filesystem::path(options.pictures) / fmt::format("{}.png", env.generator);
  drawScene(*scene, nullptr, path.string(), settings);
  result.files.push_back(path.string());
}

}  // namespace

Result yersin32(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  for (const Environment& env : environments()) runEnvironment(env, options, result);
  result.notes.push_back(
      "graph times are from the mesh to the graph, with the surface that can be walked on, the corridor "
      "map and what is seen from where; published on a 3.2 GHz Pentium Xeon");
  return result;
}

}  // namespace throng::papers
