// Situations that every model that sees people has to come out of.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>

#include "simulation/scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

struct Trial {
  std::size_t arrived = 0;
  double last_arrival = 0;  ///< s
  double nearest = 1e9;     ///< m, least gap between two bodies; negative: overlap
  double restless = 0;      ///< m/s², mean change of velocity of those still there, in the last 5 s
  double speed = 0;         ///< m/s, mean of those still there, in the last 5 s
  std::uint64_t hash = 0;
};

/// Runs for `duration`; nobody may ever be faster than allowed, or nowhere.
Trial run(const Scene& scene, double duration, std::uint64_t seed = 1) {
  constexpr double kDt = 0.1;
  World world(scene, seed, 1);
  Trial trial;
  double samples = 0;
  std::vector<float> vx, vy;
  while (world.time() < duration - 1e-9) {
    vx.assign(world.crowd().vx.begin(), world.crowd().vx.end());
    vy.assign(world.crowd().vy.begin(), world.crowd().vy.end());
    const std::size_t before = world.crowd().size();
    world.step(kDt);
    const agents::Crowd& crowd = world.crowd();
    trial.arrived += world.arrivals().size();
    if (!world.arrivals().empty()) trial.last_arrival = world.time();
    for (std::uint32_t i = 0; i < crowd.size(); ++i) {
      EXPECT_LE(std::hypot(crowd.vx[i], crowd.vy[i]), crowd.max_speed[i] * 1.001) << i;  // false for NaN, too
      for (std::uint32_t j = 0; j < i; ++j) {
        const double gap =
            std::hypot(crowd.x[i] - crowd.x[j], crowd.y[i] - crowd.y[j]) - crowd.radius[i] - crowd.radius[j];
        trial.nearest = std::min(trial.nearest, gap);
      }
      if (world.time() < duration - 5 || crowd.size() != before) continue;  // rows move when somebody leaves
      trial.restless += std::hypot(crowd.vx[i] - vx[i], crowd.vy[i] - vy[i]) / kDt;
      trial.speed += std::hypot(crowd.vx[i], crowd.vy[i]);
      ++samples;
    }
  }
  trial.hash = world.hash();
  if (samples > 0) trial.restless /= samples, trial.speed /= samples;
  return trial;
}

struct Steering : testing::TestWithParam<const char*> {
  Scene scene = emptyScene(GetParam());

  Steering() {
    scene.profiles[0].radius = Distribution::constant(0.25);
    scene.profiles[0].preferred_speed = Distribution::constant(1.3);
  }
  void add(Point from, Stage to) {
    scene.populations.push_back(atPoints({from}, {to}, "p" + std::to_string(scene.populations.size())));
  }
  void print(const char* what, const Trial& trial) const {
    std::printf("%-14s %-22s arrived %zu by %.1f s, least gap %.3f m, restless %.2f m/s², speed %.2f m/s\n", GetParam(),
                what, trial.arrived, trial.last_arrival, trial.nearest, trial.restless, trial.speed);
  }
};

TEST_P(Steering, AloneOneWalksStraightAtThePreferredSpeed) {
  add({0, 0}, toPoint({16, 12}));
  World world(scene, 1, 1);
  double off = 0;
  while (world.crowd().size() > 0 && world.time() < 30) {
    const agents::Crowd& crowd = world.crowd();
    off = std::max<double>(off, std::abs(0.6 * crowd.x[0] - 0.8 * crowd.y[0]));
    if (world.time() > 5) {
      EXPECT_NEAR(std::hypot(crowd.vx[0], crowd.vy[0]), 1.3, 0.01);
    }
    world.step(0.1);
  }
  EXPECT_LT(off, 0.3);
  EXPECT_LT(world.time(), 19.5 / 1.3 + 2.5);
}

TEST_P(Steering, ExactlySymmetricMeetingsResolveTheSameWayEveryTime) {
  add({-6, 0}, toPoint({6, 0})), add({6, 0}, toPoint({-6, 0}));
  const Trial two = run(scene, 30), again = run(scene, 30);
  print("head-on", two);
  EXPECT_EQ(two.arrived, 2u);
  EXPECT_EQ(two.hash, again.hash);
  EXPECT_GT(two.nearest, -0.1);
  add({0, -6}, toPoint({0, 6})), add({0, 6}, toPoint({0, -6}));
  const Trial four = run(scene, 60);
  print("four ways", four);
  EXPECT_EQ(four.arrived, 4u);
  EXPECT_GT(four.nearest, -0.2);
}

TEST_P(Steering, ACornerIsLeftAndReached) {
  scene.layers[0].walkable = {box(0, 0, 8, 8)};
  add({0.26, 0.26}, toPoint({7.6, 7.6}));
  add({7.74, 0.26}, toPoint({0.4, 7.6}));
  const Trial trial = run(scene, 40);
  print("corners", trial);
  EXPECT_EQ(trial.arrived, 2u);
}

TEST_P(Steering, ADeadEndIsNoPlaceToTremble) {
  // A pocket that opens to the left; the goal is behind its back wall.
  scene.layers[0].walls.push_back({{{0, -1}, {5, -1}, {5, 1}, {0, 1}}});
  scene.profiles[0].planner.model = "direct";
  add({-3, 0}, toPoint({12, 0}));
  add({-4, 0.2}, toPoint({12, 0.2}));
  const Trial trial = run(scene, 40);
  print("dead end", trial);
  EXPECT_LT(trial.restless, 1.0);
}

TEST_P(Steering, SixToASquareMetreGetOutAndCalmDown) {
  scene.profiles[0].radius = Distribution::constant(0.15);
  scene.layers[0].walkable = {box(0, 0, 40, 4)};
  scene.populations.push_back(inArea(60, box(0.2, 0.2, 3.2, 3.6), {toArea(box(34, 0, 40, 4))}));
  const Trial trial = run(scene, 90);
  print("6/m²", trial);
  EXPECT_EQ(trial.arrived, 60u);
}

TEST_P(Steering, WhoStandsOnTheGoalStands) {
  for (int i = 0; i < 8; ++i) {
    const double angle = i * M_PI / 4;
    add({5 * std::cos(angle), 5 * std::sin(angle)}, toPoint({0, 0}));
    scene.populations.back().on_arrival = OnArrival::kStay;
  }
  const Trial trial = run(scene, 60);
  print("one goal", trial);
  EXPECT_GE(trial.arrived, 1u);
  EXPECT_LT(trial.restless, 1.0);
  EXPECT_LT(trial.speed, 0.3);
}

INSTANTIATE_TEST_SUITE_P(Models, Steering,
                         testing::Values("moussaid", "karamouzas", "khatib", "short-term-1", "short-term-2"),
                         [](const auto& model) {
                           std::string name = model.param;
                           std::erase(name, '-');
                           return name;
                         });

/// 40 against 40 in a hallway 3 m wide, with a side preference: nobody gets stuck, whatever the model.
struct NarrowHallway : testing::TestWithParam<const char*> {};

TEST_P(NarrowHallway, PeopleWithASidePreferencePass) {
  Scene scene = emptyScene(GetParam());
  scene.profiles[0].radius = Distribution::constant(0.24);
  scene.profiles[0].preferred_speed = Distribution::uniform(0.85, 2.05);
  scene.profiles[0].stream = {{"side_preference", 45}};
  scene.layers[0].walkable = {box(0, 0, 50, 3)};
  scene.populations.push_back(inArea(40, box(3, 0.3, 14, 2.7), {toArea(box(47.5, 0.3, 49.5, 2.7))}));
  scene.populations.push_back(inArea(40, box(36, 0.3, 47, 2.7), {toArea(box(0.5, 0.3, 2.5, 2.7))}, "back"));
  const Trial trial = run(scene, 110, 3);
  std::printf("%-14s arrived %zu by %.1f s\n", GetParam(), trial.arrived, trial.last_arrival);
  EXPECT_EQ(trial.arrived, 80u);
}

INSTANTIATE_TEST_SUITE_P(Models, NarrowHallway, testing::Values("orca", "social-force", "karamouzas", "moussaid"),
                         [](const auto& model) {
                           std::string name = model.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace throng::simulation
