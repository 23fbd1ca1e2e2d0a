// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, section 11.3.3 and Figure 11.6: how long a
// step of a crowd takes in the city, with and without avoiding one another. The thesis steers with Moussaïd's model and
// follows routes with MIRAN; ours is the indicative route method, so the work is alike, not the same. ORCA stands
// beside Moussaïd's model.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "throng/draw.h"
#include "throng/world.h"

#include "papers/paper.h"
#include "papers/places.h"
#include "papers/timing.h"

namespace throng::papers {
namespace {

struct Experiment {
  const char* steering;
  const char* what;
  std::uint32_t people, quick_people;
  double radius;             // m
  std::uint32_t comparable;  // people of the published time
  double published;          // ms per step of that many
  const char* published_on;
};

constexpr Experiment kExperiments[] = {
    {"moussaid", "with avoidance, moussaid", 100'000, 10'000, 0.24, 10'000, 63, "8 threads"},
    {"orca", "with avoidance, orca", 100'000, 10'000, 0.24, 10'000, 63, "8 threads"},
    {"linear", "without avoidance", 1'000'000, 100'000, 0.05, 100'000, 82, "one thread"},
};

constexpr int kThreads = 2;
constexpr double kPreferredSpeed = 1.4;    // m/s
constexpr double kLeastDistance = 50;      // m between start and goal
constexpr double kStep = 0.1;              // s
constexpr double kRealTime = 1e3 * kStep;  // ms: a step that takes no longer than what it simulates

Scene crowdScene(const Experiment& experiment, std::uint32_t people) {
  Scene scene = placeScene("city-plan");
  Profile& profile = scene.profiles.front();
  profile = withModelsAlone(profile);
  profile.radius = Distribution::constant(experiment.radius);
  profile.preferred_speed = Distribution::constant(kPreferredSpeed);
  profile.planner = {"corridor", {}};
  profile.follower = {"irm", {}};
  profile.steering = {experiment.steering, {}};
  Population walkers;
  walkers.name = "walkers";
  walkers.count = people;
  walkers.start.shape = StartArea{scene.layers.front().walkable};
  scene.populations = {walkers};
  scene.run.dt = kStep;
  return scene;
}

/// Everybody gets a goal of their own.
void setGoals(World& world, const NavigationMap& map, double radius, std::uint64_t seed) {
  FreePositions positions(world.scene(), seed);
  const std::vector<AgentId> ids(world.ids().begin(), world.ids().end());
  for (const AgentId id : ids) {
    const Frame frame = world.frame();
    const std::size_t row = world.row(id);
    const Point start{frame.x[row], frame.y[row]};
    Point goal;
    do {
      goal = positions.draw(map, radius).value().at;
    } while (length(goal - start) < kLeastDistance);
    world.setGoals(id, {{GoalPoint{goal}}});
  }
}

std::string systemsPerStep(const World& world, const std::vector<SystemTime>& before, std::size_t steps) {
  std::string text;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double ms = 1e3 * (world.systemTimes()[i].total - before[i].total) / static_cast<double>(steps);
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", before[i].name, ms);
  }
  return text;
}

void drawCrowd(const Experiment& experiment, const World& world, const Options& options, Result& result) {
  DrawSettings settings;
  settings.kind = PictureKind::kMoment;
  settings.trail = 0;
  settings.width = 2000;
  settings.title = fmt::format("{} people, {}, after {:.1f} s", world.frame().size(), experiment.what, world.time());
  settings.overwrite = true;
  const auto path = std::filesystem::path(options.pictures) / fmt::format("city-{}.png", experiment.steering);
  const Frame frame = world.frame();
  drawScene(world.scene(), &frame, path.string(), settings);
  result.files.push_back(path.string());
}

void runExperiment(const Experiment& experiment, const Options& options, Result& result) {
  const std::uint32_t people = options.quick ? experiment.quick_people : experiment.people;
  const auto tell = [&](const char* what) {
    if (options.progress) options.progress(fmt::format("{} people {}: {}", people, experiment.what, what));
  };
  const int threads = options.threads > 0 ? options.threads : kThreads;
  const Scene scene = crowdScene(experiment, people);
  tell("placing");
  std::optional<World> world;
  const double placing = secondsOf([&] { world.emplace(scene, WorldOptions{.threads = threads, .seed = 1}); });
  tell("goals");
  const NavigationMap map(scene);
  setGoals(*world, map, experiment.radius, 1);
  tell("routes");
  world->step();
  const auto systems = world->systemTimes();
  const std::vector<SystemTime> before(systems.begin(), systems.end());
  const double planning =
      std::find_if(before.begin(), before.end(), [](const SystemTime& system) { return system.name == "plan"; })->total;

  const auto steps = static_cast<std::size_t>(options.seeds.value_or(options.quick ? 10 : 30));
  std::vector<double> milliseconds;
  std::size_t arrived = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    tell("steps");
    milliseconds.push_back(1e3 * secondsOf([&] { world->step(); }));
    arrived += world->arrivals().size();
  }
  const Spread step = spreadOf(milliseconds);

  const std::string name = fmt::format("{}/{} people", experiment.what, people);
  const double share = static_cast<double>(people) / experiment.people;
  result.rows.push_back(row(
      name, step.mean, "ms/step", people == experiment.comparable ? std::optional(experiment.published) : std::nullopt,
      Target{Target::Comparison::kAtMost, share * kRealTime,
             share == 1 ? "real time" : fmt::format("real time of {} people, in proportion", experiment.people)}));
  result.notes.push_back(fmt::format(
      "{}: {} threads, {} steps, standard deviation {:.1f} ms, longest {:.1f} ms, {:.1f} M agent-steps/s; published: "
      "{:g} ms for {} people on {}",
      name, world->threads(), steps, step.deviation, step.largest, people / step.mean / 1e3, experiment.published,
      experiment.comparable, experiment.published_on));
  result.notes.push_back(fmt::format("{}: systems, ms: {}", name, systemsPerStep(*world, before, steps)));
  result.notes.push_back(fmt::format(
      "{}: placing took {:.1f} s, planning {:.1f} s ({:.0f} routes/s), {} goals cannot be reached, {} people arrived; "
      "{:.0f} bytes per person",
      name, placing, planning, people / planning, world->unreachable(), arrived,
      static_cast<double>(world->memory()) / people));
  if (!options.pictures.empty()) drawCrowd(experiment, *world, options, result);
}

}  // namespace

Result jaklin116(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  for (const Experiment& experiment : kExperiments) runExperiment(experiment, options, result);
  return result;
}

}  // namespace throng::papers
