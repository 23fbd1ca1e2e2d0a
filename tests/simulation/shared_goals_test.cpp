// Crowds that gather: around one point, in an area, at a point on the way.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/predicates.h"
#include "simulation/scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

Scene hall(std::uint32_t people, std::vector<Goal> goals, OnArrival on_arrival) {
  Scene scene = emptyScene("throng");
  scene.profiles[0].radius = Distribution::uniform(0.18, 0.25);
  scene.profiles[0].preferred_speed = Distribution::uniform(1.1, 1.5);
  scene.layers[0].walkable = {box(-12, -10, 12, 10)};
  scene.populations = {inArea(people, box(-11, -9, 11, 9), std::move(goals))};
  scene.populations[0].on_arrival = on_arrival;
  return scene;
}

std::size_t staying(const World& world) {
  const auto& activity = world.crowd().activity;
  return static_cast<std::size_t>(std::count(activity.begin(), activity.end(), agents::Activity::kStaying));
}

TEST(SharedGoals, ManyGatherAroundOnePoint) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 90);
    const Point at{random.uniform(-8, 8), random.uniform(-6, 6)};
    const auto people = static_cast<std::uint32_t>(20 + random.below(41));
    Scene scene = hall(people, {toPoint(at)}, OnArrival::kStay);
    for (const bool shared : {true, false}) {
      scene.profiles[0].share_goals = shared;
      World world(scene, seed, 2);
      for (int i = 0; i < 600; ++i) world.step(0.1);
      if (!shared) {
        EXPECT_LT(staying(world), people / 2);
        continue;
      }
      EXPECT_EQ(staying(world), people);
      // No wider than a loose crowd of so many is.
      const double wide = std::sqrt(people / 1.5 / M_PI) + 1;
      for (std::size_t r = 0; r < people; ++r)
        EXPECT_LT(std::hypot(world.crowd().x[r] - at.x, world.crowd().y[r] - at.y), wide);
    }
  }
}

TEST(SharedGoals, WhoStaysInAnAreaHasAPlaceOfTheirOwnThere) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 91);
    const double x = random.uniform(-9, 3), y = random.uniform(-8, 2);
    const Polygon area = box(x, y, x + 6, y + 6);
    Scene scene = hall(60, {toArea(area)}, OnArrival::kStay);
    World world(scene, seed, 2);
    for (int i = 0; i < 600; ++i) world.step(0.1);
    EXPECT_GE(staying(world), 58u);
    std::size_t inside = 0;
    std::size_t deep = 0;
    for (std::size_t r = 0; r < 60; ++r) {
      const Point p{world.crowd().x[r], world.crowd().y[r]};
      inside += geometry::contains(area, p);
      deep += p.x > x + 1.5 && p.x < x + 4.5 && p.y > y + 1.5 && p.y < y + 4.5;
    }
    EXPECT_GT(inside, 40u);  // the others found no way in
    // A quarter of the area, and about as much of the people, wherever they came from.
    EXPECT_GT(deep, 6u);
    EXPECT_LT(deep, 27u);
  }
}

TEST(SharedGoals, APointOnTheWayIsPassedByMany) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 92);
    const Point at{random.uniform(-6, 6), random.uniform(-6, 6)};
    Scene scene = hall(100, {toPoint(at, 0.3), toArea(box(9, -9, 11, 9))}, OnArrival::kLeave);
    World world(scene, seed, 2);
    while (world.crowd().size() > 0 && world.time() < 120) world.step(0.1);
    EXPECT_EQ(world.crowd().size(), 0u);
  }
}

// Where nobody stands at the goal, nothing changes.
TEST(SharedGoals, WhoIsAloneWalksAllTheWay) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Scene scene = hall(1, {toPoint({5, 5}, 0.2), toPoint({-5, 2}, 0.2)}, OnArrival::kStay);
    std::vector<Vec2> ends;
    for (const bool shared : {true, false}) {
      scene.profiles[0].share_goals = shared;
      World world(scene, seed, 1);
      for (int i = 0; i < 400; ++i) world.step(0.1);
      ends.push_back({world.crowd().x[0], world.crowd().y[0]});
    }
    EXPECT_EQ(ends[0], ends[1]);
  }
}

TEST(SharedGoals, ThreadsDoNotChangeABit) {
  const Scene scene = hall(80, {toPoint({0, 0}), toArea(box(-6, -6, 6, 6))}, OnArrival::kStay);
  World one(scene, 1, 1), many(scene, 1, 5);
  for (int i = 0; i < 400; ++i) {
    one.step(0.1), many.step(0.1);
    ASSERT_EQ(one.hash(), many.hash()) << i;
  }
}

}  // namespace
}  // namespace throng::simulation
