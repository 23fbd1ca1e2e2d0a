// Jaklin, "On weighted regions and social crowds", PhD thesis, Utrecht 2016, Table 6.1 and Figure 6.15: what a step of
// one person takes with MIRAN, by shortcut parameter σ and sampling distance d.
#include <algorithm>
#include <fmt/format.h>

#include "throng/world.h"

#include "papers/paper.h"
#include "papers/places.h"
#include "papers/suburb.h"
#include "papers/timing.h"
#include "papers/trial.h"

namespace throng::papers {
namespace {

constexpr double kShortcuts[] = {5, 10, 15, 20, 25, 30};      // m
constexpr double kSamplings[] = {0.2, 0.4, 0.6, 0.8, 1.0};    // m
constexpr double kRadius = 0.25, kLeast = 40, kLimit = 20.0;  // m, m between start and goal, µs

struct Place {
  Scene (*scene)();
  const char* name;
  double published[6][5];  // ms
};
constexpr Place kPlaces[] = {{abstractRegionsScene,
                              "abstract-regions-16x16",
                              {{0.28, 0.21, 0.20, 0.17, 0.16},
                               {0.51, 0.31, 0.27, 0.22, 0.20},
                               {0.77, 0.45, 0.36, 0.29, 0.25},
                               {1.08, 0.61, 0.45, 0.36, 0.31},
                               {1.44, 0.77, 0.58, 0.46, 0.38},
                               {1.89, 0.99, 0.71, 0.56, 0.46}}},
                             {suburbScene,
                              "suburb",
                              {{0.25, 0.18, 0.16, 0.14, 0.13},
                               {0.46, 0.27, 0.22, 0.19, 0.17},
                               {0.70, 0.41, 0.30, 0.25, 0.22},
                               {1.00, 0.55, 0.43, 0.34, 0.28},
                               {1.33, 0.72, 0.51, 0.43, 0.35},
                               {1.66, 0.91, 0.60, 0.51, 0.42}}}};

struct Ways {
  std::vector<Point> from, to;
};

Ways waysIn(const Scene& scene, std::size_t people) {
  const NavigationMap map(scene);
  FreePositions positions(scene, 1);
  Ways ways;
  while (ways.from.size() < people) {
    const Point a = positions.draw(map, kRadius + 0.1).value().at, b = positions.draw(map, kRadius + 0.1).value().at;
    if (length(b - a) > kLeast) ways.from.push_back(a), ways.to.push_back(b);
  }
  return ways;
}

/// What following took in each step, µs for each person who was on the way.
std::vector<double> timed(Scene scene, const Ways& ways, double shortcut, double sampling, double disc, int steps) {
  Profile& profile = scene.profiles[0];
  profile = withModelsAlone(profile);
  profile.radius = Distribution::constant(kRadius);
  profile.planner = {regionPlanner(), {}};
  profile.follower = {"miran", {{"shortcut", shortcut}, {"sampling", sampling}, {"disc", disc}, {"touch", disc}}};
  profile.steering = {"linear", {}};
  for (std::size_t i = 0; i < ways.from.size(); ++i) {
    Population walker;
    walker.name = fmt::format("walker {}", i + 1);
    walker.count = 1;
    walker.start.shape = StartPoints{{ways.from[i]}};
    walker.goals = {{GoalPoint{ways.to[i], 0.5}}};
    scene.populations.push_back(walker);
  }
  World world(scene, WorldOptions{.threads = 1, .seed = 1});
  const auto follow = [&] {
    const auto systems = world.systemTimes();
    return std::find_if(systems.begin(), systems.end(), [](const SystemTime& s) { return s.name == "follow"; })->last;
  };
  std::vector<double> times;
  for (int i = 0; i < steps; ++i) {
    const std::size_t people = world.frame().size();
    if (people == 0) break;
    world.step();
    times.push_back(1e6 * follow() / static_cast<double>(people));
  }
  return times;
}

/// The least time of the passes for every step: all of them do the same, and who else uses the machine only adds to it.
Spread leasts(int passes, const auto& pass) {
  std::vector<double> least = pass();
  for (int i = 1; i < passes; ++i) {
    const std::vector<double> times = pass();
    for (std::size_t k = 0; k < least.size(); ++k) least[k] = std::min(least[k], times[k]);
  }
  return spreadOf(least);
}

}  // namespace

Result jaklin615(const Options& options) {
  Result result;
  const int passes = options.seeds.value_or(options.quick ? 1 : 5), steps = options.quick ? 60 : 300;
  for (const Place& place : kPlaces) {
    const Scene scene = place.scene();
    const Ways ways = waysIn(scene, options.quick ? 20 : 100);
    const auto add = [&](double shortcut, double sampling, bool disc, std::optional<double> published) {
      if (options.progress) options.progress(fmt::format("{}, σ = {} m, d = {} m", place.name, shortcut, sampling));
      const Spread spread = leasts(passes, [&] { return timed(scene, ways, shortcut, sampling, disc, steps); });
      const std::string name =
          fmt::format("{}/{}/σ {} m/d {:.1f} m", place.name, disc ? "disc" : "point", shortcut, sampling);
      result.rows.push_back(row(name, spread.mean, "µs/step", published,
                                Target{Target::Comparison::kAtMost, kLimit, "a hundredth of the longest published"}));
      if (shortcut == 30 && sampling == 0.2)
        result.notes.push_back(
            fmt::format("{}: standard deviation {:.2f} µs, longest {:.2f} µs, over steps of {} people", name,
                        spread.deviation, spread.largest, ways.from.size()));
    };
    for (std::size_t i = 0; i < std::size(kShortcuts); ++i)
      for (std::size_t k = 0; k < std::size(kSamplings); ++k)
        add(kShortcuts[i], kSamplings[k], false, 1e3 * place.published[i][k]);
    add(30, 0.2, true, {});
    add(5, 1, true, {});
  }
  result.notes.push_back(fmt::format("routes planned with `{}`", regionPlanner()));
  return result;
}

}  // namespace throng::papers
