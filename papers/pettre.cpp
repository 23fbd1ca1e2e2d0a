// Pettré, "Populate your game scene!", Motion in Games 2008, sections 4 and 5 and Figure 2: seven flows of 5,000 people
// in a city, and what a step takes at every level of simulation.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

#include "throng/draw.h"
#include "throng/world.h"

#include "papers/paper.h"
#include "papers/timing.h"
#include "papers/towns.h"

namespace throng::papers {
namespace {

constexpr int kThreads = 2;

/// Far outside, and looking away: nobody is seen.
Camera nowhere() { return {{-10000, -10000, 1.7}, {-1, 0, 0}, 30}; }

/// ms per step: of `steps`, after some that warm up.
Spread stepping(World& world, double dt, int warm, int steps, const std::function<void(const char*)>& tell) {
  for (int i = 0; i < warm; ++i) world.step(dt);
  std::vector<double> milliseconds;
  for (int i = 0; i < steps; ++i) {
    tell("steps");
    milliseconds.push_back(1e3 * secondsOf([&] { world.step(dt); }));
  }
  return spreadOf(milliseconds);
}

Scene cityScene(std::uint32_t people) {
  const auto pairs = cityPairs();
  Scene scene = meshScene("town", 0.5, pairs, 0);
  for (std::size_t i = 0; i < scene.populations.size(); ++i)
    scene.populations[i].count = people / 7 + (i < people % 7 ? 1 : 0);
  return scene;
}

void drawCity(const World& world, const Options& options, const char* file, Result& result) {
  if (options.pictures.empty()) return;
  DrawSettings settings;
  settings.kind = PictureKind::kMoment;
  settings.width = 1800;
  settings.overwrite = true;
  const auto path = std::filesystem::path(options.pictures) / file;
  const Frame frame = world.frame();
  drawScene(world.scene(), &frame, path.string(), settings);
  result.files.push_back(path.string());
}

}  // namespace

Result pettre(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  const int threads = options.threads > 0 ? options.threads : kThreads;
  const std::uint32_t people = options.quick ? 3500 : 35'000, many = options.quick ? 100'000 : 1'000'000;
  std::string doing;
  const auto tell = [&](const char* what) {
    if (options.progress) options.progress(fmt::format("{}: {}", doing, what));
  };
  const auto at_most = [](double value, const char* why) { return Target{Target::Comparison::kAtMost, value, why}; };

  doing = "city";
  tell("navigation graph");
  Scene scene = cityScene(people);
  std::optional<NavigationGraph> graph;
  const double making = secondsOf([&] { graph.emplace(scene, threads); });
  result.rows.push_back(row("navigation graph", making, "s", 20 * 60, at_most(10, "target")));
  double slowest = 0;
  const auto ends = flowEnds(scene, *graph);
  graph->flow(ends.front().first, ends.front().second);  // warm
  for (const auto& pair : ends)
    slowest = std::max(slowest, 1e3 * secondsOf([&] { graph->flow(pair.first, pair.second); }));
  result.rows.push_back(row("slowest of the flows", slowest, "ms", 1000, at_most(20, "target")));

  doing = fmt::format("{} people, avoidance everywhere", people);
  tell("placing");
  {
    World world(scene, {.threads = threads, .navigation_graph = &*graph});
    const Spread step = stepping(world, 0.1, 50, options.seeds.value_or(options.quick ? 30 : 150), tell);
    result.rows.push_back(row(fmt::format("{} people, avoidance everywhere, step of 0.1 s", people), step.mean, "ms",
                              std::nullopt, at_most(100.0 * people / 35'000, "real time")));
    result.notes.push_back(
        fmt::format("avoidance everywhere: longest step {:.1f} ms, {:.2f} M agent-steps/s on {} threads", step.largest,
                    people / step.mean / 1e3, threads));
    drawCity(world, options, "city.png", result);
    // Somebody stands on the market square and looks around.
    const Place& square = *std::find_if(scene.places.begin(), scene.places.end(),
                                        [](const Place& p) { return p.name == "market square"; });
    world.setCameras({{{square.at.x, square.at.y, square.z.value_or(0) + 1.7}, {1, 0, 0}, 60}});
    const Spread seen = stepping(world, 0.1, 50, options.seeds.value_or(options.quick ? 30 : 150), tell);
    std::size_t close = 0;
    const auto top = static_cast<std::uint8_t>(world.scene().levels.levels.size() - 1);
    for (const std::uint8_t level : world.levels()) close += level == top;
    result.rows.push_back(
        observation(fmt::format("{} people, a camera on the market square", people), seen.mean, "ms"));
    result.notes.push_back(
        fmt::format("camera: {} people at the highest level, {} are at low levels", close, world.atLowLevels()));
  }

  // Figure 2: every level by itself.
  constexpr std::uint32_t kFigure = 10'000;
  for (std::size_t level = 0; level < 5; ++level) {
    doing = fmt::format("{} people at level {}", kFigure, level);
    tell("placing");
    Scene one = cityScene(kFigure);
    const SimulationLevel settings = one.levels.levels[level];
    one.levels.levels = {settings};
    one.levels.cameras = {nowhere()};
    World world(one, {.threads = threads, .navigation_graph = &*graph});
    const Spread step = stepping(world, 0.01, 100, options.quick ? 100 : 300, tell);
    const std::string name = fmt::format("level {}, {} people, step of 0.01 s", level, kFigure);
    result.rows.push_back(level == 0 ? row(name, step.mean, "ms", 10, at_most(10, "published: 100 Hz"))
                                     : observation(name, step.mean, "ms"));
  }

  doing = fmt::format("{} people at the lowest level", many);
  tell("placing");
  Scene crowd = cityScene(many);
  crowd.levels.cameras = {nowhere()};
  World world(crowd, {.threads = threads, .navigation_graph = &*graph});
  const Spread step = stepping(world, 0.01, 150, options.seeds.value_or(options.quick ? 100 : 300), tell);
  result.rows.push_back(row(fmt::format("{} people at the lowest level, step of 0.01 s", many), step.mean, "ms",
                            std::nullopt, at_most(10.0 * many / 1'000'000, "100 Hz")));
  result.notes.push_back(
      fmt::format("lowest level: {} of {} are at low levels, longest step {:.1f} ms, {:.0f} bytes per "
                  "person",
                  world.atLowLevels(), many, step.largest, static_cast<double>(world.memory()) / many));
  result.notes.push_back(
      "the city is made up: 630 m x 430 m; published: 640 m x 420 m, about 100,000 triangles, 5,017 vertices and 8,003 "
      "edges");
  return result;
}

}  // namespace throng::papers
