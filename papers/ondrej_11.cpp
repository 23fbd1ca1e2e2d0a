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

/// Shares of the time that the straight way takes, at which steps are timed: before they meet, while they do, and
/// after.
constexpr double kMoments[] = {0.1, 0.3, 0.5, 0.7, 0.9};

/// Who walks from where to where, and how long the straight way takes.
struct Crowd {
  std::vector<Polygon> walkable;  // nothing: an endless plane
  std::vector<Person> people;
  std::vector<Point> velocities;  // m/s; nothing: they set out
  double time = 0;                // s
};

void addWalker(Crowd& crowd, Point from, Point to, std::uint16_t population, std::uint64_t& random) {
  Person person;
  const double x = 2 * uniform(random) - 1, y = 2 * uniform(random) - 1;
  person.position = from + Point{x, y} * kJitter;
  person.goals = {{GoalPoint{to}}};
  person.population = population;
  crowd.people.push_back(person);
}

/// As many walkers per m² of the disc as in ondrej-1, so its radius grows with the root of their number. The circle
/// itself grows no faster: whoever finds no room on it stands on rings inside.
Crowd circleCrowd(std::uint32_t walkers) {
  Crowd crowd;
  std::uint64_t random = walkers;
  double radius = kCircle * std::sqrt(walkers / 100.0);
  crowd.time = 2 * radius / kSpeed;
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
  crowd.time = 2 * away / kSpeed;
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
  Profile profile = withModelsAlone({});
  profile.radius = Distribution::constant(radius);
  profile.preferred_speed = Distribution::constant(kSpeed);
  profile.steering.model = model;
  scene.profiles = {profile};
  // Nobody yet; for colours.
  for (const char* name : {"first", "second"}) {
    Population population;
    population.name = name;
    population.start.shape = StartPoints{{{0, 0}}};
    scene.populations.push_back(population);
  }
  scene.run.dt = kDt;
  scene.run.recording_rate = 1 / kDt;
  scene.run.duration = 1e4;
  World world(scene, WorldOptions{.threads = threads, .seed = 1});
  for (std::size_t i = 0; i < crowd.people.size(); ++i) {
    const AgentId id = world.add(crowd.people[i]);
    if (!crowd.velocities.empty()) world.setVelocity(id, crowd.velocities[i]);
  }
  return world;
}

/// The same people where `vision-predictive` has them at each of the moments, walking as they do then, so that every
/// model is timed in the same crowds. They are a little smaller from then on, since nobody may be put where they touch
/// somebody; the cones that are seen stay the same.
std::vector<Crowd> walkedCrowds(const Crowd& crowd, int threads) {
  World world = worldOf(crowd, "vision-predictive", kRadius, threads);
  std::vector<Crowd> crowds;
  for (const double moment : kMoments) {
    while (world.time() < moment * crowd.time) world.step(0.1);
    const Frame frame = world.frame();
    Crowd then{crowd.walkable, {}, {}, crowd.time};
    for (std::size_t i = 0; i < frame.size(); ++i) {
      then.people.push_back(crowd.people[frame.person[i] - 1]);
      then.people.back().position = {frame.x[i], frame.y[i]};
      then.velocities.push_back({world.velocityX()[i], world.velocityY()[i]});
    }
    crowds.push_back(std::move(then));
  }
  return crowds;
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
  double mean = 0, longest = 0;  // ms: of the moments
  double steering = 0;           // % of the steps
};

/// People may be put where they are when nobody touches anybody: four fifths of the radius, and less where somebody of
/// `vision-predictive` has come deeper into somebody else.
double radiusWithoutTouch(const Crowd& crowd) {
  double least = 2;
  for (std::size_t i = 0; i < crowd.people.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      least = std::min(least, length(crowd.people[i].position - crowd.people[k].position));
  return std::clamp(0.49 * least, 0.05, 0.8 * kRadius);
}

Timing timeSteps(const std::vector<Crowd>& crowds, const std::string& model, int threads, bool quick) {
  Timing timing;
  double steer = 0, all = 0;
  for (const Crowd& crowd : crowds) {
    World world = worldOf(crowd, model, radiusWithoutTouch(crowd), threads);
    std::vector<double> milliseconds;
    for (int i = 0; i < (quick ? 4 : 8); ++i) milliseconds.push_back(1e3 * secondsOf([&] { world.step(); }));
    milliseconds.erase(milliseconds.begin());  // everybody plans
    const double typical = median(milliseconds);
    timing.mean += typical / static_cast<double>(crowds.size());
    timing.longest = std::max(timing.longest, typical);
    for (const SystemTime& system : world.systemTimes()) {
      all += system.total;
      if (system.name == "steer") steer += system.total;
    }
  }
  timing.steering = 100 * steer / all;
  return timing;
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
      if (options.progress) options.progress(name + ": on their way");
      const std::vector<Crowd> crowds = walkedCrowds(crowd_of(walkers), threads);
      for (std::size_t i = 0; i < std::size(kModels); ++i) {
        if (options.progress) options.progress(fmt::format("{}: {}", name, kModels[i]));
        const Timing timing = timeSteps(crowds, kModels[i], threads, options.quick);
        result.rows.push_back(rowOf(fmt::format("{}/{}", name, kModels[i]), kModels[i], walkers, timing.mean));
        result.notes.push_back(
            fmt::format("{}/{}: {:.1f} ms a step when it takes longest, {:.0f} µs of a thread per walker"
                        " on average, steering {:.0f} % of the time",
                        name, kModels[i], timing.longest, 1e3 * timing.mean * threads / walkers, timing.steering));
        chart.series[i].points.push_back({static_cast<double>(walkers), timing.mean});
      }
      if (walkers == kPublished && !options.pictures.empty())
        drawCrowd(worldOf(crowds[std::size(kMoments) / 2], kModels[0], 0.8 * kRadius, threads),
                  fmt::format("{}-{}", scene, walkers), options, result);
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
