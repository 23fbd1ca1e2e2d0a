// People of flows that spread set out by turns: they wait at their place while the way on is full.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "base/math.h"
#include "base/narrowing.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

/// Two squares of 36 m and a bridge between them, turned and mirrored as one likes.
struct TwoSquares {
  Scene scene;
  double sine = 0, cosine = 1, mirror = 1;
  Point turned(Point p) const {
    p.y *= mirror;
    return {cosine * p.x - sine * p.y, sine * p.x + cosine * p.y};
  }
  Point back(Point p) const { return {cosine * p.x + sine * p.y, mirror * (cosine * p.y - sine * p.x)}; }
};

TwoSquares twoSquares(std::uint32_t people, double width, double degrees = 0, bool mirrored = false,
                      bool avoid = true) {
  TwoSquares b;
  base::sinCos(degrees * base::kPi / 180, b.sine, b.cosine);
  b.mirror = mirrored ? -1 : 1;
  const double w = width / 2;
  std::vector<Point> ring{{-46, -18}, {-10, -18}, {-10, -w}, {10, -w}, {10, -18}, {46, -18},
                          {46, 18},   {10, 18},   {10, w},   {-10, w}, {-10, 18}, {-46, 18}};
  for (Point& p : ring) p = b.turned(p);
  if (mirrored) std::reverse(ring.begin(), ring.end());
  b.scene.layers.emplace_back().walkable = {{ring, {}}};
  b.scene.profiles.emplace_back();
  b.scene.profiles.front().preferred_speed = Distribution::uniform(1.1, 1.5);
  b.scene.profiles.front().avoid_congestion = b.scene.profiles.front().take_turns = avoid;
  b.scene.places = {{"west", b.turned({-28, 0}), {}, {}, 6}, {"east", b.turned({28, 0}), {}, {}, 6}};
  Population flow;
  flow.name = "walkers";
  flow.count = people;
  flow.flow = FlowEnds{"west", "east"};
  flow.flow->spread = true;
  b.scene.populations = {flow};
  b.scene.run.duration = 1000;
  return b;
}

std::size_t waiting(const World& world) {
  const auto& activity = world.crowd().activity;
  return static_cast<std::size_t>(std::count(activity.begin(), activity.end(), Activity::kStaying));
}

// Whoever stays does so on the square of a place, and not for ever.
TEST(Turns, PeopleWaitOnTheSquaresWhileTheBridgeIsFull) {
  for (const auto& [degrees, mirrored] : {std::pair(0.0, false), std::pair(37.0, true)}) {
    const TwoSquares b = twoSquares(240, 4, degrees, mirrored);
    World world(b.scene, 11, 2);
    std::set<std::uint32_t> stayed, walked_on;
    for (int i = 0; i < 1800; ++i) {
      world.step(0.1);
      if (i % 10 != 0) continue;
      const agents::Crowd& crowd = world.crowd();
      for (std::uint32_t r = 0; r < crowd.size(); ++r) {
        if (crowd.activity[r] == Activity::kStaying) {
          stayed.insert(crowd.person[r]);
          const Point at = b.back({crowd.x[r], crowd.y[r]});
          ASSERT_GT(std::abs(at.x), 10) << "waits on the bridge at " << world.time();
        } else if (stayed.count(crowd.person[r]) > 0) {
          walked_on.insert(crowd.person[r]);
        }
      }
    }
    EXPECT_GT(stayed.size(), 40u);
    EXPECT_GT(walked_on.size(), stayed.size() / 2);
  }
}

// On the bridge people walk, where they would stand in each other's way.
TEST(Turns, KeepABridgeFlowing) {
  const auto slow = [](bool avoid) {
    World world(twoSquares(240, 4, 0, false, avoid).scene, 12, 2);
    double on = 0, stand = 0;
    for (int i = 0; i < 1500; ++i) {
      world.step(0.1);
      if (i < 600 || i % 10 != 0) continue;
      const agents::Crowd& crowd = world.crowd();
      for (std::uint32_t r = 0; r < crowd.size(); ++r) {
        if (crowd.activity[r] == Activity::kStaying) continue;
        ++on, stand += length(Vec2{crowd.vx[r], crowd.vy[r]}) < 0.5f;
      }
    }
    return stand / on;
  };
  const double with = slow(true), without = slow(false);
  EXPECT_LT(with, 0.6 * without);
}

TEST(Turns, NobodyWaitsWhereThereIsRoomNorWhoMindsNobody) {
  for (const bool avoid : {true, false}) {
    World world(twoSquares(avoid ? 30 : 200, avoid ? 12 : 3, 20, false, avoid).scene, 13, 1);
    for (int i = 0; i < 900; ++i) {
      world.step(0.1);
      ASSERT_EQ(waiting(world), 0u) << world.time();
    }
  }
}

TEST(Turns, GoOnFromASnapshotWithAnyNumberOfThreads) {
  const TwoSquares b = twoSquares(240, 4);
  World world(b.scene, 5, 1), other(b.scene, 5, 3);
  for (int i = 0; i < 655; ++i) world.step(0.1);
  ASSERT_GT(waiting(world), 0u);
  other.load(world.save());
  for (int i = 0; i < 255; ++i) world.step(0.1), other.step(0.1);
  EXPECT_EQ(world.hash(), other.hash());
}

}  // namespace
}  // namespace throng::simulation
