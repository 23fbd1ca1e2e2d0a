// People whose ways meet: two streams that cross, people in exact symmetry, four streams around a pillar
// (docs/validation.md).
#include <cmath>
#include <fmt/format.h>

#include "throng/metrics.h"
#include "throng/world.h"

#include "papers/dense_scenes.h"
#include "papers/trial.h"
#include "papers/validations.h"

namespace throng::papers {
namespace {

/// Two corridors that cross at right angles at the origin.
Polygon plus(const Place& place, double width, double reach) {
  const double w = width / 2, r = reach;
  return place.polygon(
      {{-r, -w}, {-w, -w}, {-w, -r}, {w, -r}, {w, -w}, {r, -w}, {r, w}, {w, w}, {w, r}, {-w, r}, {-w, w}, {-r, w}});
}

// Crossing

constexpr double kCorridor = 6;  // m wide
constexpr double kReach = 18;    // m from the middle to the ends
constexpr double kSettle = 40;   // s
constexpr double kWatch = 120;   // s

struct Crossing {
  StripeReport stripes;
  double flow = 0;  ///< people/s who arrive, of both streams
};

/// Two streams in corridors that cross, of `rate` people/s each.
Crossing crossStreams(const DenseRun& run, double rate) {
  const Place place(run.turned);
  Scene scene = crowdScene(run, 0.2);
  scene.layers[0].walkable = {plus(place, kCorridor, kReach)};
  const double side = kCorridor / 2 - 0.3;
  scene.populations = {walkers(0, place.box(-kReach + 0.3, -side, -kReach + 4, side),
                               {GoalArea{{place.box(kReach - 4, -side, kReach - 0.3, side)}}}),
                       walkers(0, place.box(-side, -kReach + 0.3, side, -kReach + 4),
                               {GoalArea{{place.box(-side, kReach - 4, side, kReach - 0.3)}}})};
  for (Population& stream : scene.populations) stream.rate = rate;
  scene.run.duration = kSettle + kWatch;
  MetricsSettings settings;
  settings.streams = {{.first = {0},
                       .second = {1},
                       .first_direction = place.at(1, 0),
                       .second_direction = place.at(0, 1),
                       .area = {place.box(-kCorridor / 2, -kCorridor / 2, kCorridor / 2, kCorridor / 2)}}};
  World world(scene, {.threads = run.threads});
  Metrics metrics(settings);
  std::size_t arrived = 0;
  while (!world.finished()) {
    world.step();
    if (world.time() < kSettle) continue;
    metrics.observe(world.frame(), world.arrivals());
    arrived += world.arrivals().size();
  }
  return {metrics.report().stripes.at(0), static_cast<double>(arrived) / kWatch};
}

// Symmetry

struct Arrivals {
  std::size_t people = 0, arrived = 0;
  double last = 0;                  ///< s; how long it ran where somebody has not arrived
  std::size_t right = 0, left = 0;  ///< people who pass the middle on their own right and left
};

/// Until everybody has arrived; the ways of the populations lead along `ways`.
Arrivals runToTheEnd(const Scene& scene, int threads, const Place& place, const std::vector<Point>& ways) {
  World world(scene, {.threads = threads});
  Arrivals result;
  result.people = world.frame().size();
  std::vector<bool> behind(result.people + 1, false);  // by person: has begun in front of the middle and passed it
  while (!world.finished()) {
    world.step();
    result.arrived += world.arrivals().size();
    result.last = world.time();
    const Frame frame = world.frame();
    for (std::size_t i = 0; !ways.empty() && i < frame.size(); ++i) {
      const Point at = place.back(frame.x[i], frame.y[i]), way = ways[frame.population[i]];
      if (behind[frame.person[i]] || dot(at, way) < 0) continue;
      behind[frame.person[i]] = true;
      (det(way, at) < 0 ? result.right : result.left) += 1;
    }
  }
  return result;
}

/// Ten people on a circle of 5 m and ten on one of 8 m around the same middle, in line with them, all at the same
/// speed; everybody walks to the place opposite.
Arrivals concentricCircles(const DenseRun& run) {
  Scene scene = crowdScene(run, 0);
  for (const double radius : {5.0, 8.0}) {
    Population circle;
    circle.count = 10;
    circle.start.shape = StartCircle{{0, 0}, radius, 0};
    circle.goals = {{GoalOpposite{{0, 0}, 0.5}}};
    scene.populations.push_back(circle);
  }
  scene.run.until_all_arrived = true;
  scene.run.duration = 120;
  return runToTheEnd(scene, run.threads, Place(0), {});
}

/// 25 people from each of four sides to the opposite side; where their corridors, 5 m wide, cross stands a pillar of
/// 2 m x 2 m.
Arrivals aroundAPillar(const DenseRun& run) {
  constexpr std::uint32_t kEach = 25;
  constexpr double kWidth = 5, kEnd = 16, kSide = kWidth / 2 - 0.3;  // m
  const Place place(run.turned);
  Scene scene = crowdScene(run, 0.2);
  scene.layers[0].walkable = {plus(place, kWidth, kEnd)};
  scene.layers[0].obstacles = {place.box(-1, -1, 1, 1)};
  const std::vector<Point> ways{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (const Point& way : ways) {
    const Point aside = perpendicular(way);
    const auto area = [&](double from, double to) {
      const Point a = way * from + aside * kSide, b = way * from - aside * kSide;
      const Point c = way * to - aside * kSide, d = way * to + aside * kSide;
      return place.polygon({a, b, c, d});
    };
    scene.populations.push_back(walkers(kEach, area(-kEnd + 0.3, -6), {GoalArea{{area(kEnd - 4, kEnd - 0.3)}}}));
  }
  scene.run.until_all_arrived = true;
  scene.run.duration = 300;
  return runToTheEnd(scene, run.threads, place, ways);
}

/// One person through an opening 1 cm wider than they are, in a wall 0.2 m thick.
Arrivals throughAGap(const DenseRun& run) {
  const Place place(run.turned);
  Scene scene = crowdScene(run, 0);
  const double half = kRadius + 0.005;
  scene.layers[0].walkable = {place.polygon({{-6, -3},
                                             {-0.1, -3},
                                             {-0.1, -half},
                                             {0.1, -half},
                                             {0.1, -3},
                                             {6, -3},
                                             {6, 3},
                                             {0.1, 3},
                                             {0.1, half},
                                             {-0.1, half},
                                             {-0.1, 3},
                                             {-6, 3}})};
  scene.populations = {walkers(1, place.box(-5, -2, -3, 2), {GoalPoint{place.at(4, 0), 0.5}})};
  scene.run.until_all_arrived = true;
  scene.run.duration = 60;
  return runToTheEnd(scene, run.threads, place, {});
}

/// Of several seeds, all together; the last arrival is that of the slowest.
template <class Experiment>
Arrivals allOf(const Options& options, const char* name, const std::vector<double>& turns,
               const Experiment& experiment) {
  Arrivals sum;
  for (int i = 0; i < seedsOf(options, 5); ++i) {
    tell(options, fmt::format("{}, seed {}", name, i + 1));
    DenseRun run;
    run.seed = kFirstSeed + static_cast<std::uint64_t>(i), run.threads = options.threads;
    run.turned = turns[static_cast<std::size_t>(i) % turns.size()];
    const Arrivals one = experiment(run);
    sum.people += one.people, sum.arrived += one.arrived, sum.right += one.right, sum.left += one.left;
    sum.last = std::max(sum.last, one.last);
  }
  return sum;
}

double percent(std::size_t part, std::size_t whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

Result crossing(const Options& options) {
  constexpr double kRight = 45, kOff = 8;  // °
  Result result;
  const int seeds = seedsOf(options, 5);
  for (const double rate : {2.0, 3.0, 4.0}) {
    double angle = 0, farthest = 0, strength = 0, flow = 0;
    for (int i = 0; i < seeds; ++i) {
      tell(options, fmt::format("{} people/s each, seed {}", rate, i + 1));
      DenseRun run;
      run.seed = kFirstSeed + static_cast<std::uint64_t>(i), run.threads = options.threads, run.turned = 29;
      const Crossing found = crossStreams(run, rate);
      // Lines 180° apart are the same.
      const double off = std::remainder(found.stripes.angle_degrees - kRight, 180);
      angle += (kRight + off) / seeds, farthest = std::max(farthest, std::abs(off));
      strength += found.stripes.strength / seeds, flow += found.flow / seeds;
    }
    const std::string name = fmt::format("{} people/s each", rate);
    result.rows.push_back(observation(name + "/angle of the stripes", angle, "°"));
    result.rows.back().published = kRight;
    result.rows.push_back(row(name + "/farthest seed from 45°", farthest, "°", std::nullopt, atMost(kOff, "")));
    result.rows.push_back(observation(name + "/strength of the stripes", strength, "1"));
    result.rows.push_back(
        row(name + "/people who arrive", flow, "1/s", 2 * rate, atLeast(1.9 * rate, "95 % of those who come: no jam")));
  }
  return result;
}

Result symmetry(const Options& options) {
  Result result;
  const auto add = [&](const std::string& name, const Arrivals& found) {
    result.rows.push_back(row(name + "/arrived", percent(found.arrived, found.people), "%", std::nullopt,
                              atLeast(100, "everybody, of all runs")));
    result.rows.push_back(observation(name + "/last arrival", found.last, "s"));
  };
  add("two circles, 10 + 10", allOf(options, "two circles", {0}, concentricCircles));
  const Arrivals pillar = allOf(options, "pillar", {29}, aroundAPillar);
  add("pillar, 4 x 25", pillar);
  const std::size_t passed = pillar.right + pillar.left;
  result.rows.push_back(observation("pillar, 4 x 25/pass it on their right", percent(pillar.right, passed), "%"));
  result.rows.push_back(observation("pillar, 4 x 25/pass it on their left", percent(pillar.left, passed), "%"));
  add("gap of 0.41 m, 1", allOf(options, "gap", {0, 29, 45, 67, 90}, throughAGap));
  return result;
}

}  // namespace throng::papers
