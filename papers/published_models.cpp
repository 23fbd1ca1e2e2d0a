// The figures that the papers of collision-free-speed, anticipation-velocity, power-law, gcfm and optimal-steps are
// known for, with these models as their papers have them (docs/papers.md).
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <vector>

#include "throng/world.h"

#include "papers/dense_scenes.h"
#include "papers/random.h"
#include "papers/validations.h"

namespace throng::papers {
namespace {

using Parameters = std::map<std::string, double>;

/// Who walks, and how it is computed.
struct Walkers {
  std::string model;
  Parameters parameters = {};
  double radius = 0.2;                                // m
  Distribution speed = Distribution::constant(1.34);  // m/s
  double dt = 0.1;                                    // s
  std::uint64_t seed = kFirstSeed;
};

/// A corridor along x that begins again after `length`; nobody in it yet.
Scene endless(const Walkers& who, double length, double width) {
  Scene scene;
  scene.layers.resize(1);
  Profile profile = withModelsAlone({});
  profile.radius = Distribution::constant(who.radius);
  profile.preferred_speed = who.speed;
  profile.steering.model = who.model;
  for (const auto& [name, value] : who.parameters) profile.steering.parameters[name] = value;
  scene.profiles = {profile};
  const Place place(0);
  scene.layers[0].walkable = {place.box(-5, 0, length + 5, width)};
  scene.layers[0].wrap = Rectangle{{0, -1}, {length, width + 1}};
  scene.run.dt = who.dt, scene.run.seed = who.seed;
  return scene;
}

/// Everybody at every `every` seconds from `settle` on, for `measured` s.
void watch(const Scene& scene, const Options& options, double settle, double measured, double every,
           const std::function<void(const World&, const Frame&)>& look) {
  Scene timed = scene;
  timed.run.duration = settle + measured;
  World world(timed, {.threads = options.threads});
  const auto interval = std::max<std::int64_t>(1, std::llround(every / scene.run.dt));
  while (!world.finished()) {
    world.step();
    if (world.time() > settle && static_cast<std::int64_t>(world.steps()) % interval == 0) look(world, world.frame());
  }
}

/// m/s: the mean speed of people one behind the other, `headway` m apart at first.
double fileSpeed(const Walkers& who, const Options& options, double headway) {
  constexpr int kPeople = 24;
  Scene scene = endless(who, kPeople * headway, 2 * who.radius + 0.1);
  std::vector<Point> places;
  std::uint64_t seed = who.seed;
  for (int i = 0; i < kPeople; ++i)
    places.push_back({(i + 0.5 + 0.1 * (uniform(seed) - 0.5)) * headway, who.radius + 0.05});
  Population people;
  people.start.shape = StartPoints{places};
  people.count = kPeople;
  people.goals = {{GoalDirection{{1, 0}}}};
  scene.populations = {people};
  double sum = 0;
  std::size_t count = 0;
  watch(scene, options, 30, 20, 0.5, [&](const World& world, const Frame& frame) {
    for (std::size_t i = 0; i < frame.size(); ++i) sum += world.velocityX()[i], ++count;
  });
  return sum / static_cast<double>(count);
}

struct TwoWays {
  double speed = 0;  ///< m/s, mean along the way wanted
  double lanes = 0;  ///< mean over bands of 0.3 m of |n1 - n2|/(n1 + n2)
};

/// `each` people both ways in a corridor without ends.
TwoWays bothWays(const Walkers& who, const Options& options, double length, double width, std::uint32_t each,
                 double settle, double measured) {
  Scene scene = endless(who, length, width);
  const Polygon inside = Place(0).box(0, who.radius + 0.01, length, width - who.radius - 0.01);
  scene.populations = {walkers(each, inside, {GoalDirection{{1, 0}}}), walkers(each, inside, {GoalDirection{{-1, 0}}})};
  TwoWays result;
  double speed = 0, lanes = 0;
  std::size_t speeds = 0, bands = 0;
  watch(scene, options, settle, measured, 1, [&](const World& world, const Frame& frame) {
    std::map<int, std::pair<int, int>> band;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const bool first = frame.population[i] == 0;
      speed += (first ? 1 : -1) * world.velocityX()[i], ++speeds;
      auto& [one, other] = band[static_cast<int>(frame.y[i] / 0.3)];
      (first ? one : other) += 1;
    }
    for (const auto& [unused, n] : band)
      lanes += std::abs(n.first - n.second) / static_cast<double>(n.first + n.second), ++bands;
  });
  result.speed = speed / static_cast<double>(speeds), result.lanes = lanes / static_cast<double>(bands);
  return result;
}

/// m/s: mean speed of people at random places who all go one way.
double oneWaySpeed(const Walkers& who, const Options& options, double width, double density) {
  constexpr double kLength = 20;
  Scene scene = endless(who, kLength, width);
  const Polygon inside = Place(0).box(0, who.radius + 0.01, kLength, width - who.radius - 0.01);
  scene.populations = {
      walkers(static_cast<std::uint32_t>(std::lround(density * width * kLength)), inside, {GoalDirection{{1, 0}}})};
  double sum = 0;
  std::size_t count = 0;
  watch(scene, options, 20, 20, 1, [&](const World& world, const Frame& frame) {
    for (std::size_t i = 0; i < frame.size(); ++i) sum += world.velocityX()[i], ++count;
  });
  return sum / static_cast<double>(count);
}

/// 1/s through an opening 0.4 m deep, of the middle half of 150 people; mean over seeds.
double doorFlow(const Options& options, DenseRun run, double width) {
  const int seeds = seedsOf(options, 3);
  run.threads = options.threads;
  double sum = 0;
  for (int i = 0; i < seeds; ++i) {
    run.seed = kFirstSeed + static_cast<std::uint64_t>(i);
    sum += bottleneck(run, width, 0.4).flow;
  }
  return sum / seeds;
}

/// Doors against Kretz 2006. `who`: in the names of rows.
void addDoors(const Options& options, const DenseRun& run, const std::string& who, Result& result) {
  for (const auto& [width, published] : {std::pair(0.8, 1.42), std::pair(1.2, 2.14)}) {
    tell(options, fmt::format("{}: door of {} m{}", run.model, width, who));
    result.rows.push_back(row(fmt::format("door {} m{}/flow", width, who), doorFlow(options, run, width), "1/s",
                              published, within(0.8 * published, 1.2 * published, "20 % from the measured one")));
  }
}

/// Whether shorter steps change anything.
void addConvergence(const Options& options, const std::string& model, Result& result) {
  tell(options, model + ": door of 1.2 m, steps of 0.01 s");
  DenseRun run{.model = model};
  const double coarse = doorFlow(options, run, 1.2);
  run.dt = 0.01;
  const double fine = doorFlow(options, run, 1.2);
  result.rows.push_back(row("door 1.2 m/flow with steps of 0.1 s over that with 0.01 s", fine > 0 ? coarse / fine : 0,
                            "1", std::nullopt, within(0.95, 1.05, "steps must not matter")));
}

}  // namespace

Result tordeux2016(const Options& options) {
  Result result;
  Walkers who{.model = "collision-free-speed", .radius = 0.15, .speed = Distribution::constant(1.2)};
  for (const auto& [headway, flow] :
       {std::pair(0.6, 0.3 / 0.6), std::pair(1.0, 0.7), std::pair(1.5, 0.8), std::pair(2.0, 0.6)}) {
    tell(options, fmt::format("file, {} m apart", headway));
    result.rows.push_back(row(fmt::format("file/flow {} m apart", headway), fileSpeed(who, options, headway) / headway,
                              "1/s", flow, within(0.98 * flow, 1.02 * flow, "2 % from it")));
  }
  tell(options, "overlaps");
  DenseRun run;
  run.model = who.model, run.seed = kFirstSeed, run.threads = options.threads;
  result.rows.push_back(row("both ways, 2 per m²/overlaps of more than 1 cm", twoWayCorridor(run, 4, 2).overlapping,
                            "%", 0.0, atMost(0, "collision-free")));
  // The paper's people, and those of all other tables.
  addDoors(options, {.model = who.model, .radius = 0.15, .speed = 1.2}, ", bodies of 0.3 m", result);
  addDoors(options, {.model = who.model}, ", bodies of 0.4 m", result);
  addDoors(options, {.model = who.model, .time_gap = 0.5}, ", bodies of 0.4 m, T 0.5 s", result);
  addConvergence(options, who.model, result);
  return result;
}

Result xu2021(const Options& options) {
  Result result;
  // Radius, speeds, corridor and step of the paper, and what it uses in crowds of k and D.
  Walkers who{.model = "anticipation-velocity",
              .radius = 0.18,
              .speed = Distribution::truncatedNormal(1.55, 0.18, 1.0, 2.1),
              .dt = 0.05};
  const Parameters in_crowds{{"repulsion_strength", 6}, {"repulsion_range", 0.01}};
  const int seeds = seedsOf(options, 5);
  TwoWays avm, csm;
  for (int i = 0; i < seeds; ++i) {
    tell(options, fmt::format("seed {}", i + 1));
    who.seed = kFirstSeed + static_cast<std::uint64_t>(i);
    const auto add = [&](const char* model, Parameters parameters, TwoWays& sum) {
      who.model = model, who.parameters = std::move(parameters);
      const TwoWays one = bothWays(who, options, 26, 4, 120, 60, 40);
      sum.speed += one.speed / seeds, sum.lanes += one.lanes / seeds;
    };
    add("anticipation-velocity", in_crowds, avm);
    add("collision-free-speed", {}, csm);
  }
  result.rows.push_back(row("anticipation-velocity/lanes", avm.lanes, "1", std::nullopt, atLeast(0.7, "lanes")));
  result.rows.push_back(
      row("anticipation-velocity/speed", avm.speed, "m/s", std::nullopt, atLeast(0.3, "people get on")));
  result.rows.push_back(
      row("collision-free-speed/speed", csm.speed, "m/s", std::nullopt, atMost(0.1, "it locks, the paper says")));
  result.rows.push_back(observation("collision-free-speed/lanes", csm.lanes, "1"));
  // What there is to get on by: as many people who all go one way.
  for (const char* model : {"anticipation-velocity", "collision-free-speed"}) {
    who.model = model, who.seed = kFirstSeed;
    who.parameters = model == std::string("anticipation-velocity") ? in_crowds : Parameters{};
    result.rows.push_back(observation(fmt::format("{}/speed if all go one way", model),
                                      oneWaySpeed(who, options, 4, 240 / 104.0), "m/s"));
  }
  addConvergence(options, "anticipation-velocity", result);
  return result;
}

namespace {

/// From the middle of an ellipse to its edge, towards where `along` is the cosine.
double edge(double first, double second, double along) {
  const double squared = along * along;
  return 1 / std::sqrt(squared / (first * first) + (1 - squared) / (second * second));
}

struct Shares {
  double overlaps = 0, oscillations = 0;  ///< % of people and moments: ellipses overlap; walk back
};

/// The paper's two measures of what η does: 80 people leave a room by a door of 1.2 m. Oscillating is who walks away
/// from the door.
Shares sharesOf(const Options& options, double strength) {
  Walkers who{.model = "gcfm", .parameters = {{"strength", strength}}};
  Scene scene = endless(who, 20, 3);
  const Place place(0);
  scene.layers[0].wrap.reset();
  scene.layers[0].walkable = {place.polygon({{-10, -5},
                                             {0, -5},
                                             {0, -0.6},
                                             {0.4, -0.6},
                                             {0.4, -5},
                                             {12, -5},
                                             {12, 5},
                                             {0.4, 5},
                                             {0.4, 0.6},
                                             {0, 0.6},
                                             {0, 5},
                                             {-10, 5}})};
  scene.populations = {walkers(80, place.box(-9, -4.5, -1, 4.5), {GoalArea{{place.box(6, -3, 11, 3)}}})};
  scene.run.until_all_arrived = true;
  std::size_t overlapping = 0, back = 0, all = 0;
  watch(scene, options, 2, 120, 0.5, [&](const World& world, const Frame& frame) {
    const auto vx = world.velocityX(), vy = world.velocityY();
    for (std::size_t i = 0; i < frame.size(); ++i) {
      if (frame.x[i] > 0) continue;  // out
      bool deep = false;
      for (std::size_t j = 0; j < frame.size() && !deep; ++j) {
        const double x = frame.x[j] - frame.x[i], y = frame.y[j] - frame.y[i];
        const double distance = std::hypot(x, y);
        if (i == j || distance > 3) continue;
        const auto reach = [&](std::size_t k) {
          const double speed = std::hypot(vx[k], vy[k]);
          return edge(0.18 + 0.53 * speed, 0.25 - 0.05 * std::min(1.0, speed / 1.34),
                      (frame.heading_x[k] * x + frame.heading_y[k] * y) / distance);
        };
        deep = distance < reach(i) + reach(j);
      }
      overlapping += deep ? 1 : 0, back += vx[i] * (0.2 - frame.x[i]) - vy[i] * frame.y[i] < 0 ? 1 : 0, ++all;
    }
  });
  return {100.0 * static_cast<double>(overlapping) / static_cast<double>(all),
          100.0 * static_cast<double>(back) / static_cast<double>(all)};
}

}  // namespace

Result chraibi2010(const Options& options) {
  Result result;
  const Walkers who{.model = "gcfm"};
  // Mean speeds in single file by headway, measured (10.1088/1742-5468/2005/10/P10002 and its later refit).
  for (const auto& [headway, speed] :
       {std::pair(0.6, 0.23), std::pair(0.8, 0.44), std::pair(1.0, 0.73), std::pair(1.3, 0.89)}) {
    tell(options, fmt::format("file, {} m apart", headway));
    result.rows.push_back(row(fmt::format("file/speed {} m apart", headway), fileSpeed(who, options, headway), "m/s",
                              speed, within(speed - 0.15, speed + 0.15, "0.15 m/s from the measured mean")));
  }
  constexpr std::array kStrengths{0.1, 0.3, 0.6, 1.0};
  std::vector<Shares> shares;
  for (const double strength : kStrengths) {
    tell(options, fmt::format("η {}", strength));
    shares.push_back(sharesOf(options, strength));
    result.rows.push_back(
        observation(fmt::format("η {}/ellipses that overlap", strength), shares.back().overlaps, "%"));
    result.rows.push_back(observation(fmt::format("η {}/walk back", strength), shares.back().oscillations, "%"));
  }
  result.rows.push_back(row("overlaps, from the least η to the largest", shares.back().overlaps - shares[0].overlaps,
                            "%", std::nullopt, atMost(0, "fewer with stronger forces, the paper says")));
  result.rows.push_back(row("walking back, from the least η to the largest",
                            shares.back().oscillations - shares[0].oscillations, "%", std::nullopt,
                            atLeast(0, "more with stronger forces, the paper says")));
  addConvergence(options, "gcfm", result);
  return result;
}

namespace {

struct Mover {
  Point at, velocity;
};

/// s until two discs of radius r meet; negative: never.
double timeToCollision(const Mover& a, const Mover& b, double reach) {
  const Point x = b.at - a.at, v = a.velocity - b.velocity;
  const double c = lengthSquared(x) - reach * reach, b2 = dot(x, v), speed = lengthSquared(v);
  const double under = b2 * b2 - speed * c;
  return c > 0 && b2 > 0 && under > 0 ? c / (b2 + std::sqrt(under)) : -1;
}

}  // namespace

/// As the paper does with recordings: g(τ) is how often a time to collision is seen, over how often it would be if
/// people did not interact, which pairs from different times show; the energy is ln(1/g), up to a constant factor.
Result karamouzas2014(const Options& options) {
  constexpr double kSize = 14, kBin = 0.2;  // m, s
  constexpr std::size_t kBins = 25;         // up to 5 s
  std::array<double, kBins> seen{}, scrambled{};
  for (int i = 0; i < seedsOf(options, 3); ++i) {
    tell(options, fmt::format("seed {}", i + 1));
    Walkers who{.model = "power-law", .radius = 0.2, .speed = Distribution::truncatedNormal(1.3, 0.2, 0.8, 1.8)};
    who.seed = kFirstSeed + static_cast<std::uint64_t>(i);
    Scene scene = endless(who, kSize, kSize);
    scene.layers[0].walkable.clear();
    scene.layers[0].wrap = Rectangle{{0, 0}, {kSize, kSize}};
    const Polygon inside = Place(0).box(0.3, 0.3, kSize - 0.3, kSize - 0.3);
    for (const Point to : {Point{1, 0}, Point{-1, 0}, Point{0, 1}, Point{0, -1}})
      scene.populations.push_back(walkers(15, inside, {GoalDirection{to}}));
    std::vector<std::vector<Mover>> moments;
    watch(scene, options, 20, options.quick ? 60 : 200, 1, [&](const World& world, const Frame& frame) {
      moments.emplace_back();
      for (std::size_t k = 0; k < frame.size(); ++k)
        moments.back().push_back({{frame.x[k], frame.y[k]}, {world.velocityX()[k], world.velocityY()[k]}});
    });
    const auto count = [&](const Mover& a, const Mover& b, std::array<double, kBins>& into) {
      if (length(a.at - b.at) > kSize / 2) return;
      const double time = timeToCollision(a, b, 0.4);
      if (time >= 0 && time < kBin * kBins) into[static_cast<std::size_t>(time / kBin)] += 1;
    };
    for (std::size_t m = 0; m < moments.size(); ++m)
      for (std::size_t a = 0; a < moments[m].size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
          count(moments[m][a], moments[m][b], seen);
          for (std::size_t other : {(m + 37) % moments.size(), (m + 71) % moments.size()})
            count(moments[m][a], moments[other][b], scrambled);
        }
  }
  double all_seen = 0, all_scrambled = 0;
  for (std::size_t i = kBins / 2; i < kBins; ++i) all_seen += seen[i], all_scrambled += scrambled[i];
  // A straight line through ln E + τ/τ0 over ln τ: the law is τ^-2 exp(-τ/τ0).
  Result result;
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 1; i < kBins / 2; ++i) {
    const double time = (static_cast<double>(i) + 0.5) * kBin;
    const double g = seen[i] / all_seen / (scrambled[i] / all_scrambled);
    const double energy = g > 0 ? -std::log(g) : 0;
    result.rows.push_back(observation(fmt::format("energy at {:.1f} s", time), energy, "1"));
    if (!(energy > 0.02) || time > 2 || seen[i] < 20) continue;
    const double x = std::log(time), y = std::log(energy) + time / 3;
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double slope = n > 1 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : 0;
  result.rows.push_back(
      row("exponent of the energy, 0.2 to 2 s", slope, "1", -2.0, within(-2.5, -1.5, "a quarter from the paper's")));
  addConvergence(options, "power-law", result);
  return result;
}

Result seitz2012(const Options& options) {
  Result result;
  // Weidmann 1993: mean speed by density.
  for (const auto& [density, speed] : {std::pair(0.5, 1.30), std::pair(1.0, 1.06), std::pair(1.5, 0.81),
                                       std::pair(2.0, 0.61), std::pair(2.5, 0.45), std::pair(3.0, 0.33)}) {
    tell(options, fmt::format("{} per m²", density));
    result.rows.push_back(row(fmt::format("one way/speed at {} per m²", density),
                              oneWaySpeed({.model = "optimal-steps"}, options, 3, density), "m/s", speed,
                              within(0.75 * speed, 1.25 * speed, "a quarter from Weidmann's")));
  }
  // Strides end where velocities change; in a crowd each differs from the one before. How long most of them last, times
  // the preferred speed, is how long they are when nobody is in the way.
  for (const double speed : {0.8, 1.34, 1.8}) {
    tell(options, fmt::format("strides at {} m/s", speed));
    Walkers who{.model = "optimal-steps", .speed = Distribution::constant(speed), .dt = 0.01};
    Scene scene = endless(who, 20, 3);
    scene.populations = {walkers(40, Place(0).box(0, 0.3, 20, 2.7), {GoalDirection{{1, 0}}})};
    std::map<std::uint32_t, std::pair<Point, int>> going;  // velocity, and for how many steps
    std::map<int, int> lasting;
    watch(scene, options, 5, 30, 0.01, [&](const World& world, const Frame& frame) {
      for (std::size_t i = 0; i < frame.size(); ++i) {
        const Point velocity{world.velocityX()[i], world.velocityY()[i]};
        auto& [last, steps] = going[frame.person[i]];
        if (length(velocity - last) > 1e-6) ++lasting[steps], last = velocity, steps = 0;
        ++steps;
      }
    });
    const auto most = std::max_element(lasting.begin(), lasting.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const double published = 0.462 + 0.235 * speed;
    result.rows.push_back(row(fmt::format("stride at {} m/s", speed),
                              most == lasting.end() ? 0 : most->first * who.dt * speed, "m", published,
                              within(0.95 * published, 1.05 * published, "5 % from it")));
  }
  addDoors(options, {.model = "optimal-steps"}, "", result);
  addConvergence(options, "optimal-steps", result);
  return result;
}

}  // namespace throng::papers
