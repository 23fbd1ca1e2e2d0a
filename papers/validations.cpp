// Our own model `throng` against what was measured of people (docs/validation.md). Parameters were chosen on seeds
// below 50000, in places turned by 0°, 17°, 31°, 53° and 74°; the rows here are of other seeds and turns.
#include "papers/validations.h"

#include <cmath>
#include <fmt/format.h>

#include "papers/dense_crowds.h"
#include "papers/paper.h"
#include "papers/scenes.h"
#include "papers/trial.h"

namespace throng::papers {
namespace {

/// The mean over seeds.
template <class Experiment>
DenseResult mean(const Options& options, int usual, DenseRun run, const Experiment& experiment) {
  const int seeds = seedsOf(options, usual);
  DenseResult sum;
  for (int i = 0; i < seeds; ++i) {
    run.seed = kFirstSeed + static_cast<std::uint64_t>(i);
    run.threads = options.threads;
    const DenseResult one = experiment(run);
    sum.speed += one.speed / seeds, sum.flow += one.flow / seeds, sum.density += one.density / seeds;
    sum.lanes += one.lanes / seeds;
    sum.overlapping = std::max(sum.overlapping, one.overlapping);
    sum.last_arrival = std::max(sum.last_arrival, one.last_arrival);
    sum.arrived += one.arrived, sum.people += one.people;
  }
  return sum;
}

double weidmann(double density) { return 1.34 * (1 - std::exp(-1.913 * (1 / density - 1 / 5.4))); }

/// Mean of what was measured, people/s, by width in m: Kretz 2006, Seyfried 2009, Liddle 2009.
struct Door {
  double width, flow;
};
constexpr Door kDoors[] = {{0.8, 1.355}, {0.9, 1.613}, {1.0, 1.86}, {1.2, 2.27}, {1.6, 2.84}, {2.0, 3.55}};

}  // namespace

Result fundamentalDiagram(const Options& options) {
  Result result;
  for (const double width : {4.0, 1.8}) {
    for (const double density : {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0}) {
      if (width < 2 && density > 3.5) continue;  // more do not fit in at random
      tell(options, fmt::format("corridor {} m, {} people/m²", width, density));
      const DenseResult found =
          mean(options, 2, {}, [&](const DenseRun& run) { return oneWayCorridor(run, width, density); });
      const std::string name = fmt::format("corridor {} m/{} per m²", width, density);
      result.rows.push_back(observation(name + "/speed", found.speed, "m/s"));
      result.rows.back().published = weidmann(density);
      result.rows.push_back(row(name + "/off Weidmann", std::abs(found.speed - weidmann(density)), "m/s", std::nullopt,
                                atMost(0.2, "0.2 m/s from the curve")));
      result.rows.push_back(row(name + "/overlapping", found.overlapping, "%", std::nullopt, atMost(0.1, "")));
    }
  }
  return result;
}

Result bottlenecks(const Options& options) {
  Result result;
  for (const double depth : {0.4, 2.8}) {
    for (const Door& door : kDoors) {
      const double width = door.width, measured = door.flow;
      tell(options, fmt::format("opening {} m wide, {} m deep", width, depth));
      DenseRun run;
      run.turned = 41;
      const DenseResult found = mean(options, 3, run, [&](const DenseRun& r) { return bottleneck(r, width, depth); });
      const std::string name = fmt::format("{} m wide, {} m deep", width, depth);
      result.rows.push_back(observation(name + "/flow", found.flow, "1/s"));
      result.rows.back().published = measured;
      result.rows.push_back(row(name + "/off the measured mean", 100 * std::abs(found.flow / measured - 1), "%",
                                std::nullopt, atMost(15, "15 % from the mean of the measurements")));
      result.rows.push_back(row(name + "/overlapping", found.overlapping, "%", std::nullopt, atMost(0.1, "")));
      result.rows.push_back(observation(name + "/density in front", found.density, "1/m²"));
    }
  }
  return result;
}

Result counterflow(const Options& options) {
  Result result;
  for (const double density : {0.5, 1.0, 2.0}) {
    tell(options, fmt::format("two ways, {} people/m²", density));
    double slowest = 10;
    const DenseResult found = mean(options, 5, {}, [&](const DenseRun& run) {
      const DenseResult one = twoWayCorridor(run, 4, density);
      slowest = std::min(slowest, one.speed);
      return one;
    });
    const std::string name = fmt::format("4 m, {} per m²", density);
    result.rows.push_back(row(name + "/speed of the slowest run", slowest, "m/s", std::nullopt,
                              atLeast(0.3, "half of what one-way flow has there: no jam")));
    result.rows.push_back(row(name + "/lane order", found.lanes, "1", std::nullopt, atLeast(0.8, "")));
    result.rows.push_back(row(name + "/overlapping", found.overlapping, "%", std::nullopt, atMost(0.1, "")));
  }
  return result;
}

Result doors(const Options& options) {
  Result result;
  struct Case {
    double width;
    std::uint32_t left, right;
    double limit;
  };
  for (const Case& c : {Case{0.9, 25, 25, 90}, Case{1.2, 25, 25, 90}, Case{0.7, 100, 0, 100}}) {
    const std::string name = fmt::format("{} m, {} + {}", c.width, c.left, c.right);
    tell(options, name);
    DenseRun run;
    run.turned = 67;
    const DenseResult found =
        mean(options, 5, run, [&](const DenseRun& r) { return door(r, c.width, c.left, c.right); });
    result.rows.push_back(row(name + "/arrived",
                              100.0 * static_cast<double>(found.arrived) / static_cast<double>(found.people), "%",
                              std::nullopt, atLeast(100, "everybody, of all runs")));
    result.rows.push_back(row(name + "/last arrival", found.last_arrival, "s", std::nullopt, atMost(c.limit, "")));
    result.rows.push_back(row(name + "/overlapping", found.overlapping, "%", std::nullopt, atMost(0.1, "")));
  }
  return result;
}

Result circleOfAHundred(const Options& options) {
  Result result;
  const auto cross = [&](const std::string& prefix, const Trial& trial) {
    std::vector<double> times, slow, overlaps;
    for (int i = 0; i < seedsOf(options, 5); ++i) {
      tell(options, fmt::format("circle {}", i + 1));
      const MetricsReport report = runTrial(trial, kFirstSeed + static_cast<std::uint64_t>(i), options.threads);
      times.push_back(report.travel_time.max), slow.push_back(100 * report.slow_share);
      overlaps.push_back(report.deepest_overlap);
    }
    result.rows.push_back(
        row(prefix + "longest travel time", median(times), "s", std::nullopt, atMost(44, "vision-predictive's")));
    result.rows.push_back(row(prefix + "slower than 0.5 m/s", median(slow), "%", std::nullopt, atMost(0.2, "")));
    result.rows.push_back(row(prefix + "deepest overlap", median(overlaps), "m", std::nullopt, atMost(0.01, "")));
  };
  cross("", {circleScene("throng"), {}});
  // Setting out from rest takes people time that is no matter of avoiding anybody; the vision models have none of it.
  cross("walking from the start/",
        {circleScene("throng"), [](World& world, std::uint64_t) { walkFromTheStart(world); }});
  return result;
}

Result timeSteps(const Options& options) {
  Result result;
  const auto compare = [&](const std::string& name, auto&& experiment) {
    double coarse = 0, fine = 0;
    for (const double dt : {0.1, 0.01}) {
      tell(options, fmt::format("{}, dt {} s", name, dt));
      DenseRun run;
      run.dt = dt;
      (dt > 0.05 ? coarse : fine) = mean(options, 10, run, experiment).flow;  // one run differs from the next by 4 %
    }
    result.rows.push_back(observation(name + "/flow at 0.1 s", coarse, "1/s"));
    result.rows.push_back(observation(name + "/flow at 0.01 s", fine, "1/s"));
    result.rows.push_back(
        row(name + "/difference", 100 * std::abs(coarse / fine - 1), "%", std::nullopt, atMost(3, "")));
  };
  compare("corridor, 2 per m²", [](const DenseRun& run) {
    DenseResult found = oneWayCorridor(run, 4, 2);
    found.flow = found.speed * 2 * 4;
    return found;
  });
  compare("1.2 m wide, 0.4 m deep", [](const DenseRun& run) { return bottleneck(run, 1.2, 0.4); });
  return result;
}

std::span<const Table> validations() {
  static const Table kValidations[] = {
      {"fundamental-diagram", "speed by density in corridors without ends", "Weidmann 1993",
       "model throng with its default parameters; radius 0.2 m, 1.34 m/s; dt 0.1 s; 20 s to settle, 30 s measured; "
       "mean of\n"
       "2 seeds",
       fundamentalDiagram},
      {"bottlenecks", "flow through openings by width", "Kretz et al. 2006; Seyfried et al. 2009; Liddle et al. 2009",
       "150 people out of a room 8 m wide; radius 0.2 m, 1.34 ± 0.2 m/s; the place turned by 41°; flow of the middle "
       "half;\n"
       "mean of 3 seeds, worst overlap",
       bottlenecks},
      {"counterflow", "two-way flow in a corridor without ends", "",
       "4 m wide, as many people each way, mixed at random; 50 s to settle, 50 s measured; 5 seeds", counterflow},
      {"doors", "two streams, and one, through a door", "",
       "a wall 0.2 m thick between two rooms 10 m wide, turned by 67°; 5 seeds, the slowest counts", doors},
      {"circle", "a hundred people change places across a circle of radius 25 m", "",
       "radius 0.25 m, 1.3 m/s; median of 5 seeds", circleOfAHundred},
      {"time-steps", "the same flows with steps of 0.1 s and 0.01 s", "", "mean of 10 seeds", timeSteps},
      {"measured-diagrams", "speed by density, beside trajectories of real people",
       "Pedestrian Dynamics Data Archive, Forschungszentrum Jülich",
       "corridors without ends as wide as those of the experiments, at the measured densities; radius 0.2 m, 1.34 m/s\n"
       "(two-way: ± 0.2); real and simulated people are measured alike: Voronoi densities, in single file 1 / "
       "headway,\n"
       "speeds over 0.8 s; the mean speed must lie between the slowest and the fastest 5 % of the measured ones; the\n"
       "time gap is chosen for each experiment on seed 1; the rows are the mean of 2 other seeds",
       measuredDiagrams},
      {"narrow-exit", "75 people through an exit 0.5 m wide, beside real ones",
       "Pedestrian Dynamics Data Archive, Forschungszentrum Jülich; Adrian et al. 2020",
       "a room 5.6 m wide, the exit 0.8 m wide at the room's side, 0.5 m after 0.15 m, 1.1 m long; everybody starts "
       "where\n"
       "the real people stood; radius 0.2 m, 1.34 ± 0.2 m/s; flow at the room's side from the 10 % person to the 90 %\n"
       "person; density in the mean of that time within 0.8 m to both sides and 0.2 to 1.8 m in front of the exit; "
       "mean of\n"
       "10 seeds; the time gap is chosen on seeds 1 to 10",
       narrowExit},
      {"crossing", "two streams cross at right angles, in stripes", "",
       "corridors 6 m wide, turned by 29°; people come at a constant rate; radius 0.2 m, 1.34 ± 0.2 m/s; 40 s to "
       "settle,\n"
       "120 s measured; stripes where the corridors cross (docs/metrics.md); 5 seeds",
       crossing},
      {"symmetry", "people in exact symmetry, four streams around a pillar, one person through a gap", "",
       "circles of radius 5 and 8 m, everybody walks to the opposite place; corridors 5 m wide that cross, turned by "
       "29°,\n"
       "25 people from each side, a pillar of 2 m x 2 m in the middle; an opening 1 cm wider than a body in a wall 0.2 "
       "m\n"
       "thick, turned by 0°, 29°, 45°, 67° and 90°; 5 seeds, the slowest counts",
       symmetry},
      {"mazes", "two streams against one another through random mazes", "",
       "8 x 8 cells turned by 29°, a depth-first maze with three in ten of the other walls opened; 250 people each way "
       "at 2 per\n"
       "s, radius 0.2 m, 1.34 ± 0.2 m/s; at most 600 s, or until nobody gets on for 120 s; 3 mazes, the slowest counts",
       mazes},
  };
  return kValidations;
}

}  // namespace throng::papers
