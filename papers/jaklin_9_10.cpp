// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, section 9.4.5 and Figure 9.10: what a step
// takes with Stream, by the number of people, in the village "military" and in a wide hallway. The thesis steers with
// Moussaïd's model; ORCA stands beside it.
#include <filesystem>
#include <fmt/format.h>

#include "throng/draw.h"
#include "throng/places.h"
#include "throng/world.h"

#include "papers/paper.h"
#include "papers/streams.h"
#include "papers/timing.h"

namespace throng::papers {
namespace {

constexpr double kStep = 0.1;                   // s
constexpr double kRealTime = 1e3 * kStep;       // ms: a step that takes no longer than what it simulates
constexpr double kDensity = 1.5;                // people per m² where they start
constexpr double kHallwayWidth = 30;            // m
constexpr double kVillage = 200, kCorner = 20;  // m: its side, and how far from corners people start

/// A quarter of the people from each side, to random places at the side opposite.
Scene military(std::uint32_t people) {
  Scene scene = streamPeople("military");
  scene.layers = generatePlace("military", 1).layers;
  const double depth = 2 + people / 4.0 / (kDensity * (kVillage - 2 * kCorner));
  const double low = kCorner, high = kVillage - kCorner, end = kVillage - 1, goal = 5;
  const std::uint32_t count = people / 4;
  scene.populations = {
      streamGroup("from the west", count, rectangle(1, low, 1 + depth, high), rectangle(end - goal, low, end, high)),
      streamGroup("from the east", count, rectangle(end - depth, low, end, high), rectangle(1, low, 1 + goal, high)),
      streamGroup("from the south", count, rectangle(low, 1, high, 1 + depth), rectangle(low, end - goal, high, end)),
      streamGroup("from the north", count, rectangle(low, end - depth, high, end), rectangle(low, 1, high, 1 + goal))};
  return scene;
}

/// Half of the people from each end of a hallway that leaves 20 m between them.
Scene hallwayStress(std::uint32_t people) {
  const double start = 10 + people / 2.0 / (kDensity * kHallwayWidth);
  return hallwayScene("hallway-stress", kHallwayWidth, 2 * start + 25, people / 2, start, true);
}

struct Experiment {
  const char* name;
  Scene (*scene)(std::uint32_t people);
  std::uint32_t published;  // people at interactive rates
  std::uint32_t wanted;
  int before;  // steps until people meet
};

constexpr Experiment kExperiments[] = {
    {"military", military, 1'700, 30'000, 300},
    {"hallway-stress", hallwayStress, 1'100, 20'000, 150},
};

struct Variant {
  const char* model;
  StreamUse use;
};
constexpr Variant kVariants[] = {{"moussaid", StreamUse::kPublished},
                                 {"moussaid", StreamUse::kSidePreference},
                                 {"orca", StreamUse::kPublished},
                                 {"orca", StreamUse::kSidePreference}};

void runExperiment(const Experiment& experiment, const Variant& variant, std::uint32_t people, const Options& options,
                   Result& result) {
  const std::string name =
      fmt::format("{}/{} people/{}, {}", experiment.name, people, variant.model, nameOf(variant.use));
  const auto tell = [&](const char* what) {
    if (options.progress) options.progress(fmt::format("{}: {}", name, what));
  };
  tell("placing");
  Scene scene = experiment.scene(people);
  scene.profiles[0].steering.model = variant.model;
  scene.profiles[0].stream.emplace();
  if (variant.use == StreamUse::kSidePreference) (*scene.profiles[0].stream)["side_preference"] = kStreamSide;
  World world(scene, WorldOptions{.threads = options.threads > 0 ? options.threads : 1, .seed = 1});
  tell("until people meet");
  const int share = options.quick ? 3 : 1;
  for (int i = 0; i < experiment.before / share; ++i) world.step();
  const std::vector<SystemTime> before(world.systemTimes().begin(), world.systemTimes().end());
  const std::size_t present = world.frame().size();
  tell("steps");
  std::vector<double> milliseconds;
  for (int i = 0; i < 100 / share; ++i) milliseconds.push_back(1e3 * secondsOf([&] { world.step(); }));
  const Spread step = spreadOf(milliseconds);
  double stream = 0, steer = 0, all = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double took = world.systemTimes()[i].total - before[i].total;
    all += took;
    if (before[i].name == "stream") stream = took;
    if (before[i].name == "steer") steer = took;
  }
  // The thesis plots its times and calls them interactive; it gives no number.
  result.rows.push_back(row(name, step.mean, "ms/step", std::nullopt,
                            {Target::Comparison::kAtMost, kRealTime, "interactive: ten steps a second"}));
  result.notes.push_back(fmt::format(
      "{}: {} present, longest step {:.1f} ms; Stream {:.0f} % of a step, steering {:.0f} %; {} thread{}", name,
      present, step.largest, 100 * stream / all, 100 * steer / all, world.threads(), world.threads() == 1 ? "" : "s"));
  if (options.pictures.empty() || people != experiment.published || &variant != kVariants) return;
  DrawSettings settings;
  settings.kind = PictureKind::kMoment;
  settings.trail = 0;
  settings.width = 1600;
  settings.title = fmt::format("{} after {:.0f} s", name, world.time());
  settings.overwrite = true;
  const auto path = std::filesystem::path(options.pictures) / fmt::format("{}.png", experiment.name);
  const Frame frame = world.frame();
  drawScene(world.scene(), &frame, path.string(), settings);
  result.files.push_back(path.string());
}

}  // namespace

Result jaklin910(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  for (const Experiment& experiment : kExperiments)
    for (const std::uint32_t people : {experiment.published, experiment.wanted})
      for (const Variant& variant : kVariants) runExperiment(experiment, variant, people, options, result);
  return result;
}

}  // namespace throng::papers
