// Ondřej, Pettré, Olivier & Donikian, "A synthetic-vision based steering approach for crowd simulation", SIGGRAPH 2010,
// section 5.2 and Figure 11: what a step takes, by the number of walkers, in the scene of the circle. The figure has no
// numbers; the text says that 25 pictures a second are kept up to 200 walkers.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <numbers>

#include "throng/draw.h"
#include "throng/world.h"

#include "papers/paper.h"
#include "papers/random.h"
#include "papers/timing.h"
#include "papers/trial.h"

namespace throng::papers {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kFrame = 40;                       // ms: 25 steps a second
constexpr double kDt = 0.04;                        // s
constexpr double kSpeed = 1.3, kRadius = 0.25;      // m/s, m
constexpr double kCircle = 25;                      // m, of 100 walkers, as in ondrej-1
constexpr double kApart = 2 * kPi * kCircle / 100;  // m, on it
constexpr double kGrid = 1.5;                       // m, between walkers who start in a corridor
constexpr double kJitter = 0.05;                    // m
constexpr std::uint32_t kPublished = 200, kWanted = 1000;
constexpr const char* kModels[] = {"vision", "vision-predictive", "vision-points"};

/// Who walks from where to where, and for how long until they have met.
struct Crowd {
  std::vector<Polygon> walkable;  // nothing: an endless plane
  std::vector<Person> people;
  double until = 0;  // s
};

void addWalker(Crowd& crowd, Point from, Point to, std::uint16_t population, std::uint64_t& random) {
  Person person;
  const double x = 2 * uniform(random) - 1, y = 2 * uniform(random) - 1;
  person.position = from + Point{x, y} * kJitter;
  Stage goal;
  goal.point = to;
  person.goals = {goal};
  person.population = population;
  crowd.people.push_back(person);
}

/// As many walkers per m² of the disc as in ondrej-1, so its radius grows with the root of their number. The circle
/// itself grows no faster: whoever finds no room on it stands on rings inside.
Crowd circleCrowd(std::uint32_t walkers) {
  Crowd crowd;
  std::uint64_t random = walkers;
  double radius = kCircle * std::sqrt(walkers / 100.0);
  // Then the first have four fifths of their way to the centre behind them, and meet everybody.
  crowd.until = 0.8 * radius / kSpeed;
  for (std::uint32_t left = walkers; left > 0; radius -= kApart) {
    const std::uint32_t here = std::min(left, static_cast<std::uint32_t>(2 * kPi * radius / kApart + 1e-9));
    for (std::uint32_t i = 0; i < here; ++i) {
      const double angle = 2 * kPi * i / here;
      const Point from{radius * std::cos(angle), radius * std::sin(angle)};
      addWalker(crowd, from, Point{} - from, 0, random);
    }
    left -= here;
  }
  return crowd;
}

/// Two square groups that meet where two corridors cross.
Crowd crossingCrowd(std::uint32_t walkers) {
  Crowd crowd;
  std::uint64_t random = walkers;
  const auto rows = static_cast<std::uint32_t>(std::ceil(std::sqrt(walkers / 2.0)));
  const double half = rows * kGrid / 2 + 0.5, away = 2 * half + 1, end = away + half + 2;
  crowd.walkable = {Polygon{{{-end, -half},
                             {-half, -half},
                             {-half, -end},
                             {half, -end},
                             {half, -half},
                             {end, -half},
                             {end, half},
                             {half, half},
                             {half, end},
                             {-half, end},
                             {-half, half},
                             {-end, half}},
                            {}}};
  crowd.until = 0.75 * away / kSpeed;
  for (std::uint32_t i = 0; i < walkers / 2; ++i) {
    const double along = (i / rows - (rows - 1) / 2.0) * kGrid, across = (i % rows - (rows - 1) / 2.0) * kGrid;
    addWalker(crowd, {along - away, across}, {along + away, across}, 0, random);
    addWalker(crowd, {across, along - away}, {across, along + away}, 1, random);
  }
  return crowd;
}

World worldOf(const Crowd& crowd, const std::string& model, double radius, int threads) {
  Scene scene;
  scene.name = "ondrej-11";
  scene.layers.resize(1);
  scene.layers[0].walkable = crowd.walkable;
  Profile profile;
  profile.radius = Distribution::constant(radius);
  profile.preferred_speed = Distribution::constant(kSpeed);
  profile.steering.model = model;
  scene.profiles = {profile};
  // Nobody yet; for colours.
  for (const char* name : {"first", "second"}) {
    Population population;
    population.name = name;
    population.start.points = {{0, 0}};
    scene.populations.push_back(population);
  }
  scene.run.dt = kDt;
  scene.run.recording_rate = 1 / kDt;
  scene.run.duration = 1e4;
  World world(scene, WorldOptions{.threads = threads, .seed = 1});
  for (const Person& person : crowd.people) world.add(person);
  return world;
}

/// The same people where `orca` has them when they have met: every model is timed in the same crowd. They are a little
/// larger until then, so that nobody stands in anybody afterwards.
Crowd metCrowd(Crowd crowd, int threads) {
  World world = worldOf(crowd, "orca", 1.1 * kRadius, threads);
  while (world.time() < crowd.until) world.step(0.1);
  const Frame frame = world.frame();
  std::vector<Person> people;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    Person person = crowd.people[frame.person[i] - 1];
    person.position = {frame.x[i], frame.y[i]};
    people.push_back(person);
  }
  crowd.people = std::move(people);
  return crowd;
}

void drawCrowd(const World& world, const std::string& name, const Options& options, Result& result) {
  DrawSettings settings;
  settings.title = name;
  settings.overwrite = true;
  const std::string path = (std::filesystem::path(options.pictures) / (name + ".png")).string();
  const Frame frame = world.frame();
  drawScene(world.scene(), &frame, path, settings);
  result.files.push_back(path);
}

struct Place {
  const char* name;
  Crowd (*crowd)(std::uint32_t walkers);
};
constexpr Place kScenes[] = {{"circle", circleCrowd}, {"crossing", crossingCrowd}};

struct Timing {
  double median = 0, longest = 0;  // ms
  double steering = 0;             // % of the steps
};

Timing timeSteps(World& world, bool quick) {
  for (int i = 0; i < 3; ++i) world.step();
  const auto stages = [&] {
    double steer = 0, all = 0;
    for (const StageTime& stage : world.stageTimes()) {
      all += stage.total;
      if (stage.name == "steer") steer = stage.total;
    }
    return std::pair{steer, all};
  };
  const auto before = stages();
  std::vector<double> milliseconds;
  for (int i = 0; i < (quick ? 5 : 15); ++i) milliseconds.push_back(1e3 * secondsOf([&] { world.step(); }));
  const auto after = stages();
  return {median(milliseconds), *std::max_element(milliseconds.begin(), milliseconds.end()),
          100 * (after.first - before.first) / (after.second - before.second)};
}

/// Only what is said to look with pixels has something to keep up with; `vision-points` stands beside.
Row rowOf(const std::string& name, const std::string& model, std::uint32_t walkers, double milliseconds) {
  const Target target{Target::Comparison::kAtMost, kFrame, "25 steps a second"};
  const bool pixels = model != "vision-points";
  if (pixels && walkers == kPublished) return row(name, milliseconds, "ms/step", kFrame, target);
  if (pixels && walkers == kWanted) return row(name, milliseconds, "ms/step", std::nullopt, target);
  return observation(name, milliseconds, "ms/step");
}

}  // namespace

Result ondrej11(const Options& options) {
  Result result;
  if (!options.pictures.empty()) std::filesystem::create_directories(options.pictures);
  const int threads = options.threads > 0 ? options.threads : 2;
  std::vector<std::uint32_t> numbers{50, 100, 200, 500};
  if (!options.quick) numbers.insert(numbers.end(), {1000, 2000});
  for (const auto& [scene, crowd_of] : kScenes) {
    Chart chart;
    for (const char* model : kModels) chart.series.push_back({model, {}});
    for (const std::uint32_t walkers : numbers) {
      const std::string name = fmt::format("{}/{} walkers", scene, walkers);
      if (options.progress) options.progress(name + ": until they meet");
      const Crowd crowd = metCrowd(crowd_of(walkers), threads);
      for (std::size_t i = 0; i < std::size(kModels); ++i) {
        if (options.progress) options.progress(fmt::format("{}: {}", name, kModels[i]));
        World world = worldOf(crowd, kModels[i], kRadius, threads);
        const Timing timing = timeSteps(world, options.quick);
        result.rows.push_back(rowOf(fmt::format("{}/{}", name, kModels[i]), kModels[i], walkers, timing.median));
        result.notes.push_back(fmt::format("{}/{}: longest step {:.1f} ms, steering {:.0f} % of the time, {} threads",
                                           name, kModels[i], timing.longest, timing.steering, world.threads()));
        chart.series[i].points.push_back({static_cast<double>(walkers), timing.median});
        if (i == 0 && walkers == kPublished && !options.pictures.empty())
          drawCrowd(world, fmt::format("{}-{}", scene, walkers), options, result);
      }
    }
    if (options.pictures.empty()) continue;
    chart.x_label = "walkers";
    chart.y_label = "ms per step";
    chart.marks = {{kFrame, "25 steps a second"}};
    DrawSettings settings;
    settings.title = fmt::format("{}: a step on {} threads", scene, threads);
    settings.overwrite = true;
    const std::string path = (std::filesystem::path(options.pictures) / fmt::format("{}.png", scene)).string();
    drawChart(chart, path, settings);
    result.files.push_back(path);
  }
  return result;
}

}  // namespace throng::papers
