// 75 people leave a room through an exit 0.5 m wide, real ones and ours from the same places (docs/validation.md).
#include <cmath>
#include <fmt/format.h>

#include "throng/world.h"

#include "papers/dense_scenes.h"
#include "papers/measured_crowds.h"
#include "papers/validations.h"

namespace throng::papers {
namespace {

constexpr const char* kFile = "bottleneck/040_c_56_h-.txt";
constexpr double kLine = 0;                             // m: y of the line that people pass
constexpr Rectangle kInFront{{-0.8, 0.2}, {0.8, 1.8}};  // m: where the density is taken

struct Outcome {
  double flow = 0;     ///< people/s, from the 10 % person to the 90 % person
  double density = 0;  ///< people/m² in front of the exit in the time between these two
  std::size_t passed = 0;
};

Outcome outcomeOf(const Trajectories& people, std::size_t count) {
  const std::vector<double> times = passingTimes(people, kLine);
  const auto nth = [&](double share) {
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(count))) - 1;
  };
  Outcome outcome;
  outcome.passed = times.size();
  if (times.size() <= nth(0.9)) return outcome;  // so few that there is no such flow
  outcome.flow = flowBetween(times, nth(0.1), nth(0.9));
  outcome.density = meanDensity(people, kInFront, times[nth(0.1)], times[nth(0.9)]);
  return outcome;
}

/// The room with its exit: 0.8 m wide at the room's side, 0.5 m after 0.15 m, 1.1 m long. Behind it is free space.
Scene room(const DenseRun& run) {
  Scene scene = crowdScene(run, 0.2);
  scene.layers[0].walkable = {{{{-2.8, 0},
                                {-0.4, 0},
                                {-0.25, -0.15},
                                {-0.25, -1.1},
                                {-4, -1.1},
                                {-4, -7},
                                {4, -7},
                                {4, -1.1},
                                {0.25, -1.1},
                                {0.25, -0.15},
                                {0.4, 0},
                                {2.8, 0},
                                {2.8, 8},
                                {-2.8, 8}},
                               {}}};
  scene.run.until_all_arrived = true;
  scene.run.duration = 200;
  return scene;
}

Trajectories simulated(const DenseRun& run, const std::vector<Point>& places) {
  World world(room(run), {.threads = run.threads});
  const Goal outside{GoalArea{{Place(0).box(-3, -6, 3, -4)}}};
  // Some of them stood closer together than bodies of 0.2 m radius can: there nobody can be added, but be put.
  std::vector<AgentId> ids;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto row = static_cast<double>(i / 15), column = static_cast<double>(i % 15);
    ids.push_back(world.add({.position = {-3.5 + 0.5 * column, -2 - 0.5 * row}, .goals = {outside}}));
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    world.setPosition(ids[i], {std::clamp(places[i].x, -2.8 + kRadius, 2.8 - kRadius), std::max(places[i].y, kRadius)});
  Trajectories people;
  people.rate = 1 / run.dt;
  while (!world.finished()) {
    world.step();
    const Frame frame = world.frame();
    for (std::size_t i = 0; i < frame.size(); ++i)
      people.sightings.push_back({frame.person[i], static_cast<std::int64_t>(world.steps()), {frame.x[i], frame.y[i]}});
  }
  people.sort();
  return people;
}

Outcome meanOutcome(const Options& options, int seeds, DenseRun run, const std::vector<Point>& places) {
  Outcome sum;
  const std::uint64_t first = run.seed;
  run.threads = options.threads;
  for (int i = 0; i < seeds; ++i) {
    run.seed = first + static_cast<std::uint64_t>(i);
    const Outcome one = outcomeOf(simulated(run, places), places.size());
    sum.flow += one.flow / seeds, sum.density += one.density / seeds, sum.passed += one.passed;
  }
  return sum;
}

constexpr double kOff = 0.15;  // share by which flow and density may differ from the measured ones

bool near(double found, double measured) { return std::abs(found / measured - 1) <= kOff; }

/// s: that with which most of flow and density are met, and of these the one that is nearest to both.
double chosenTimeGap(const Options& options, const Outcome& measured, const std::vector<Point>& places) {
  std::vector<double> gaps{0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.57, 0.65, 0.75};
  if (options.quick) gaps = {0.2, 0.3, 0.4, 0.57};
  double best = 0;
  std::pair<int, double> least;  // rows not met, distance
  for (const double gap : gaps) {
    tell(options, fmt::format("choosing the time gap: {} s", gap));
    DenseRun run;
    run.seed = 1, run.time_gap = gap;
    const Outcome found = meanOutcome(options, options.quick ? 2 : 10, run, places);
    const int missed = (near(found.flow, measured.flow) ? 0 : 1) + (near(found.density, measured.density) ? 0 : 1);
    const double off = std::hypot(found.flow / measured.flow - 1, found.density / measured.density - 1);
    if (const std::pair<int, double> now{missed, off}; best == 0 || now < least) least = now, best = gap;
  }
  return best;
}

}  // namespace

Result narrowExit(const Options& options) {
  Result result;
  const std::filesystem::path file = experimentsFolder() / kFile;
  if (!std::filesystem::exists(file)) {
    result.notes.push_back(
        fmt::format("skipped: data not found at {}; THRONG_DATA names the folder with experiments/", file.string()));
    return result;
  }
  const Trajectories real = readTrajectories(file.string(), {25, 1});
  std::vector<Point> places;
  for (const Sighting& seen : real.sightings)
    if (seen.frame == real.sightings.front().frame) places.push_back(seen.at);
  const Outcome measured = outcomeOf(real, places.size());

  DenseRun run;
  run.seed = kFirstSeed;
  const int seeds = seedsOf(options, 10);
  tell(options, "default time gap");
  const Outcome usual = meanOutcome(options, seeds, run, places);
  run.time_gap = chosenTimeGap(options, measured, places);
  tell(options, "chosen time gap");
  const Outcome found = meanOutcome(options, seeds, run, places);

  const auto observe = [&](const std::string& name, double value, const char* unit, double published) {
    result.rows.push_back(observation(name, value, unit));
    result.rows.back().published = published;
  };
  observe("default time gap/flow", usual.flow, "1/s", measured.flow);
  observe("default time gap/density in front", usual.density, "1/m²", measured.density);
  result.rows.push_back(observation("time gap chosen", *run.time_gap, "s"));
  result.rows.push_back(row(
      "everybody passes",
      100.0 * static_cast<double>(found.passed) / static_cast<double>(places.size() * static_cast<std::size_t>(seeds)),
      "%", std::nullopt, atLeast(100, "of all runs")));
  result.rows.push_back(row("flow", found.flow, "1/s", measured.flow,
                            within((1 - kOff) * measured.flow, (1 + kOff) * measured.flow, "15 % from it")));
  result.rows.push_back(row("density in front", found.density, "1/m²", measured.density,
                            within((1 - kOff) * measured.density, (1 + kOff) * measured.density, "15 % from it")));
  return result;
}

}  // namespace throng::papers
