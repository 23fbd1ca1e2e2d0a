#include "papers/streams.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <vector>

#include "throng/draw.h"
#include "throng/metrics.h"
#include "throng/models.h"
#include "throng/recording.h"
#include "throng/world.h"

#include "papers/trial.h"

namespace throng::papers {
namespace {

constexpr int kRuns = 50, kQuickRuns = 4;
constexpr double kRadius = 0.24;                         // m
constexpr double kLeastSpeed = 0.85, kMostSpeed = 2.05;  // m/s
constexpr double kDt = 0.1;                              // s
constexpr double kMargin = 0.3;                          // m between walls and where people start or go
constexpr double kGoalDepth = 2;                         // m
constexpr double kDrawn = 180;                           // s: pictures of a jam need not show all of it

/// Two groups of 50 in corridors of 6 m that cross at right angles.
Scene crossingStreams() {
  Scene scene = streamPeople("crossing-streams");
  scene.layers[0].walkable = {rectangle(-25, -3, 25, 3), rectangle(-3, -25, 3, 25)};
  scene.populations = {streamGroup("eastbound", 50, rectangle(-20, -2.7, -8, 2.7), rectangle(22.7, -2.7, 24.7, 2.7)),
                       streamGroup("northbound", 50, rectangle(-2.7, -20, 2.7, -8), rectangle(-2.7, 22.7, 2.7, 24.7))};
  return scene;
}

/// Two groups of 125 from two corners of a room through a passage 4 m wide and 10 m long, and apart again beyond.
Scene mergingStreams() {
  Scene scene = streamPeople("merging-streams");
  scene.layers[0].walkable = {rectangle(0, 0, 22, 18), rectangle(21, 7, 33, 11), rectangle(32, 0, 54, 18)};
  scene.populations = {streamGroup("upper", 125, rectangle(1, 10, 14, 17.5), rectangle(51, 11, 53.5, 17.5)),
                       streamGroup("lower", 125, rectangle(1, 0.5, 14, 8), rectangle(51, 0.5, 53.5, 7))};
  return scene;
}

Scene hallway1() { return hallwayScene("hallway1", 10, 50, 200, 30, false); }
Scene hallway2() { return hallwayScene("hallway2", 10, 50, 100, 20, true); }
Scene narrow50() { return hallwayScene("narrow-50", 3, 60, 50, 14, true); }
Scene narrow100() { return hallwayScene("narrow-100", 3, 80, 100, 28, true); }

constexpr StreamScenario kScenarios[] = {
    {"crossing-streams", crossingStreams, 12}, {"hallway1", hallway1, 12},  {"hallway2", hallway2, 14},
    {"merging-streams", mergingStreams, 20},   {"narrow-50", narrow50, 22}, {"narrow-100", narrow100, 30},
};

constexpr StreamMethod kMethods[] = {
    {"karamouzas-2010", "Karamouzas and Overmars"},
    {"moussaid", "Moussaïd et al."},
    {"orca", "Van den Berg et al."},
    {"karamouzas", nullptr},
    {"social-force", nullptr},
};

std::vector<StreamMethod> methodsThereAre() {
  std::vector<StreamMethod> methods;
  for (const StreamMethod& method : kMethods)
    for (const ModelInfo& info : steeringModels())
      if (info.name == method.model) methods.push_back(method);
  return methods;
}

/// In the names of files.
const char* endingOf(StreamUse use) {
  return use == StreamUse::kNone ? "" : use == StreamUse::kPublished ? "-stream" : "-stream-side";
}

/// Does anybody still get on?
class Progress {
 public:
  /// False when nobody has for kStuckTime.
  bool look(const Frame& frame, double time) {
    bool farther = frame.size() != people_;
    for (std::size_t i = 0; i < frame.size() && !farther; ++i) {
      const auto before = places_.find(frame.person[i]);
      farther = before == places_.end() ||
                std::hypot(frame.x[i] - before->second.x, frame.y[i] - before->second.y) > kStuckDistance;
    }
    if (farther) {
      places_.clear();
      for (std::size_t i = 0; i < frame.size(); ++i) places_[frame.person[i]] = {frame.x[i], frame.y[i]};
      people_ = frame.size(), since_ = time;
    }
    return time - since_ < kStuckTime;
  }

 private:
  std::unordered_map<std::uint32_t, Point> places_;  ///< where they were when somebody last got on
  std::size_t people_ = 0;
  double since_ = 0;
};

MetricsReport runUntilStuck(const Trial& trial, std::uint64_t seed) {
  World world(trial.scene, {.threads = 1, .seed = seed});
  Metrics metrics(metricsSettings(trial.scene));
  metrics.observe(world.frame());
  Progress progress;
  while (!world.finished() && progress.look(world.frame(), world.time())) {
    world.step();
    metrics.observe(world.frame(), world.arrivals());
  }
  return metrics.report();
}

void draw(Trial trial, const std::string& name, double moment, const Options& options, Result& result) {
  const std::filesystem::path folder(options.pictures);
  const std::string recording = (folder / (name + ".sqlite")).string();
  trial.scene.run.duration = kDrawn;
  runTrial(trial, 1, 1, recording);
  const std::string picture = (folder / (name + ".png")).string();
  {
    Recording run(recording);
    DrawSettings settings;
    settings.overwrite = true;
    settings.width = 1600;
    settings.kind = PictureKind::kMoment;
    settings.time = std::min(moment, static_cast<double>(run.frameCount() - 1) / run.framesPerSecond());
    settings.title = fmt::format("{}, {:g} s", name, *settings.time);
    drawRecording(run, picture, settings);
  }
  const std::string ways = (folder / (name + "-ways.png")).string();
  drawTrajectories(recording, ways, name);
  std::filesystem::remove(recording);  // there would be hundreds of megabytes of them
  for (const std::string& file : {picture, ways}) result.files.push_back(file);
}

}  // namespace

Polygon rectangle(double x0, double y0, double x1, double y1) { return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}; }

Scene streamPeople(const std::string& name) {
  Scene scene;
  scene.name = name;
  scene.layers.resize(1);
  Profile profile = withModelsAlone({});
  profile.steering = {"orca", {}};
  profile.radius = Distribution::constant(kRadius);
  profile.preferred_speed = Distribution::uniform(kLeastSpeed, kMostSpeed);
  scene.profiles = {profile};
  scene.run.dt = kDt;
  scene.run.duration = kStreamTimeLimit;
  scene.run.until_all_arrived = true;
  scene.run.patience = kStreamTimeLimit;  // the tables have a measure of their own for who gets stuck
  return scene;
}

Population streamGroup(const std::string& name, std::uint32_t count, const Polygon& start, const Polygon& goal) {
  Population population;
  population.name = name;
  population.count = count;
  population.start.shape = StartArea{{start}};
  population.goals = {{GoalArea{{goal}}}};
  return population;
}

Scene hallwayScene(const std::string& name, double width, double length, std::uint32_t people, double start_length,
                   bool both_ways) {
  Scene scene = streamPeople(name);
  scene.layers[0].walkable = {rectangle(0, 0, length, width)};
  const double low = kMargin, high = width - kMargin, first = kGoalDepth + 2 * kMargin;
  scene.populations = {streamGroup("eastbound", people, rectangle(first, low, first + start_length, high),
                                   rectangle(length - kMargin - kGoalDepth, low, length - kMargin, high))};
  if (both_ways)
    scene.populations.push_back(streamGroup("westbound", people,
                                            rectangle(length - first - start_length, low, length - first, high),
                                            rectangle(kMargin, low, kMargin + kGoalDepth, high)));
  return scene;
}

std::span<const StreamScenario> streamScenarios() { return kScenarios; }

const StreamScenario& streamScenario(std::string_view name) {
  const auto* found = std::find_if(std::begin(kScenarios), std::end(kScenarios),
                                   [&](const StreamScenario& scenario) { return scenario.name == name; });
  if (found == std::end(kScenarios)) throw std::invalid_argument("no such scenario");
  return *found;
}

std::span<const StreamMethod> streamMethods() {
  static const auto methods = methodsThereAre();
  return methods;
}

StreamOutcome runStream(const StreamScenario& scenario, const StreamMethod& method, StreamUse use,
                        const Options& options, Result& result) {
  Trial trial{scenario.scene(), {}};
  trial.scene.profiles[0].steering.model = method.model;
  if (use != StreamUse::kNone) trial.scene.profiles[0].stream.emplace();
  if (use == StreamUse::kSidePreference) (*trial.scene.profiles[0].stream)["side_preference"] = kStreamSide;
  const std::string name = fmt::format("{}-{}{}", scenario.name, method.model, endingOf(use));
  const int runs = options.seeds.value_or(options.quick ? kQuickRuns : kRuns);

  std::vector<MetricsReport> reports(static_cast<std::size_t>(runs));
  std::atomic<int> next = 0;
  std::mutex telling;
  const auto work = [&] {
    for (int run = next++; run < runs; run = next++) {
      if (options.progress) {
        const std::lock_guard lock(telling);
        options.progress(fmt::format("{}, run {} of {}", name, run + 1, runs));
      }
      reports[static_cast<std::size_t>(run)] = runUntilStuck(trial, static_cast<std::uint64_t>(run) + 1);
    }
  };
  const unsigned threads =
      options.threads > 0 ? static_cast<unsigned>(options.threads) : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();

  StreamOutcome outcome;
  outcome.runs = runs;
  double arrivals = 0;
  for (const MetricsReport& report : reports) {
    outcome.deadlocks += report.arrivals < report.people ? 1 : 0;
    outcome.collisions += static_cast<double>(report.collision_agent_steps) / runs;
    outcome.deepest = std::max(outcome.deepest, report.deepest_overlap);
    outcome.travel_time += report.travel_time.mean * static_cast<double>(report.travel_time.count);
    arrivals += static_cast<double>(report.travel_time.count);
    outcome.distance += report.distance.mean / runs;
    outcome.energy += report.energy / runs;
    outcome.missing += static_cast<double>(report.people - report.arrivals) / runs;
  }
  outcome.travel_time /= std::max(arrivals, 1.0);
  if (!options.pictures.empty()) draw(trial, name, scenario.moment, options, result);
  return outcome;
}

const char* nameOf(StreamUse use) {
  return use == StreamUse::kNone        ? "without Stream"
         : use == StreamUse::kPublished ? "Stream as published"
                                        : "Stream with a side preference";
}

std::string outcomeHead() {
  return fmt::format("{:<34}{:<30}{:>9}{:>9}{:>11}{:>10}{:>9}{:>9}{:>9}", "", "Stream", "deadlocks", "missing",
                     "collisions", "deepest m", "travel s", "walked m", "J/kg");
}

std::string outcomeLine(const StreamScenario& scenario, const StreamMethod& method, StreamUse use,
                        const StreamOutcome& outcome) {
  return fmt::format("{:<34}{:<30}{:>9}{:>9.1f}{:>11.1f}{:>10.3f}{:>9.1f}{:>9.1f}{:>9.4f}",
                     fmt::format("{}/{}", scenario.name, method.model), nameOf(use),
                     fmt::format("{} of {}", outcome.deadlocks, outcome.runs), outcome.missing, outcome.collisions,
                     outcome.deepest, outcome.travel_time, outcome.distance, outcome.energy);
}

std::string outcomeTerms() {
  return fmt::format(
      "A deadlock is a run in which nobody of those who are left gets {:g} m from where they were for {:g} s, or one "
      "that "
      "is\n"
      "not over after {:g} s; missing is the mean number of people who have not arrived. Travel times are of those who "
      "arrive.\n"
      "Collisions are people more than 1 % of the two radii inside somebody else, added up over the steps.\n"
      "The side preference is {:g}°, and ours; Stream as published is that with its defaults.",
      kStuckDistance, kStuckTime, kStreamTimeLimit, kStreamSide);
}

}  // namespace throng::papers
