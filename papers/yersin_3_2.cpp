// Yersin, "Real-time motion planning, navigation, and behavior for large crowds of virtual humans", PhD thesis, EPFL
// 2009, Table 3.2: how long the navigation graphs of three environments take, and the paths of the flows in them. The
// models themselves are not public; ours are made up, of the same size and complexity.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "throng/draw.h"
#include "throng/places.h"

#include "papers/paper.h"
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
  std::vector<std::pair<std::string, std::string>> flows;
};

std::vector<Environment> environments() {
  return {{"itranarium", "itranarium", 0.25, 20646, 14, 346, 477, 15.6, 41, 0, 0, {{"entrance", "palm room"}}},
          {"planet eight", "planet-eight", 0.25, 768, 6, 27, 27, 2.2, 2, 0, 0, {{"west end", "east end"}}},
          {"city", "town", 0.5, 35871, 16 * 60, 5017, 8003, 1820, 350, 10, 50, cityPairs()}};
}

void runEnvironment(const Environment& env, const Options& options, Result& result) {
  const std::string name = env.name;
  const auto tell = [&](const char* what) {
    if (options.progress) options.progress(fmt::format("{}: {}", name, what));
  };
  const int repetitions = options.seeds.value_or(options.quick ? 1 : 3);
  std::vector<double> making, planning, longest;
  std::size_t paths = 0;
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
    graph->flows(ends, 50, options.threads);  // warm
    planning.push_back(1e3 * secondsOf([&] {
                         paths = 0;
                         for (const auto& flow : graph->flows(ends, 50, options.threads)) paths += flow.size();
                       }));
    double slowest = 0;
    for (const auto& pair : ends) slowest = std::max(slowest, secondsOf([&] { graph->flow(pair.first, pair.second); }));
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
  result.rows.push_back(row(name + "/planning of all flows", least(planning), "ms", env.planning_milliseconds,
                            at_most(most_ms, env.most_milliseconds > 0 ? "target" : "published")));
  result.rows.push_back(row(name + "/slowest flow", least(longest), "ms", std::nullopt, at_most(20, "target")));
  result.rows.push_back(observation(name + "/paths", static_cast<double>(paths), "paths"));
  result.rows.back().published = env.paths;
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
