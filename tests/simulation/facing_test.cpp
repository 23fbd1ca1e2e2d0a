// How bodies stand: people in a queue do not turn about with every centimetre that they shuffle.
#include "simulation/facing.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"
#include "simulation/scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

constexpr double kMostTurning = 3.5;  // rad/s

/// Turned by an angle around the origin, and mirrored at x = 0 before that.
struct Turn {
  double cosine, sine;
  bool mirrored;

  Turn(double angle, bool mirror) : cosine(std::cos(angle)), sine(std::sin(angle)), mirrored(mirror) {}
  Point operator()(double x, double y) const {
    if (mirrored) x = -x;
    return {cosine * x - sine * y, sine * x + cosine * y};
  }
  Polygon operator()(const std::vector<Point>& corners) const {
    Polygon turned;
    for (const Point p : corners) turned.outer.push_back((*this)(p.x, p.y));
    if (mirrored) std::reverse(turned.outer.begin(), turned.outer.end());
    return turned;
  }
};

Scene door(const Turn& at, double width, const std::string& model) {
  const double h = width / 2;
  Scene scene = emptyScene(model);
  scene.profiles[0].radius = Distribution::uniform(0.18, 0.22);
  scene.layers[0].walkable = {at(std::vector<Point>{
      {-8, -4}, {0, -4}, {0, -h}, {0.3, -h}, {0.3, -4}, {6, -4}, {6, 4}, {0.3, 4}, {0.3, h}, {0, h}, {0, 4}, {-8, 4}})};
  scene.populations = {inArea(60, at(std::vector<Point>{{-7, -3.5}, {-2, -3.5}, {-2, 3.5}, {-7, 3.5}}),
                              {toPoint(at(0.15, 0)), toPoint(at(4, 0))})};
  scene.populations[0].on_arrival = OnArrival::kLeave;
  return scene;
}

struct Step {
  Vec2 place, facing, motion;
};

TEST(Facing, NobodyTurnsAboutInAQueue) {
  for (const std::string model : {"throng", "social-force", "orca"}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(model + " " + std::to_string(seed));
      base::Random random(seed, 311);
      const Turn at(random.uniform(0, 6.28), seed % 2 == 0);
      World world(door(at, random.uniform(1, 1.4), model), seed, 1);
      const double dt = seed == 3 ? 0.05 : 0.1;
      std::vector<Step> before(100);
      std::size_t shuffling = 0, away = 0;
      double most = 0;
      for (int i = 0; i < static_cast<int>(30 / dt); ++i) {
        world.step(dt);
        const agents::Crowd& crowd = world.crowd();
        for (std::uint32_t r = 0; r < crowd.size(); ++r) {
          const Vec2 place{crowd.x[r], crowd.y[r]}, facing{crowd.facing_x[r], crowd.facing_y[r]};
          ASSERT_NEAR(length(facing), 1, 1e-5);
          Step& was = before[crowd.person[r]];
          if (was.facing != Vec2{}) {
            most =
                std::max(most, std::abs(std::atan2(double{det(was.facing, facing)}, double{dot(was.facing, facing)})));
            // Who moves on by less than 0.4 m in a second shuffles; their own way is what they want at the moment.
            was.motion = was.motion * static_cast<float>(1 - dt) + (place - was.place);
            const Vec2 wish{crowd.preferred_vx[r], crowd.preferred_vy[r]};
            if (i * dt > 5 && length(was.motion) < 0.4f && length(wish) > 0.5f) {
              ++shuffling;
              away += dot(facing, wish) < 0;
            }
          }
          was.place = place, was.facing = facing;
        }
      }
      EXPECT_LE(most, kMostTurning * dt * 1.001);
      if (model == "orca") continue;  // its people walk in circles there, faster than a stroll
      ASSERT_GT(shuffling, 1000U);    // there is a queue
      EXPECT_LE(static_cast<double>(away), 0.01 * static_cast<double>(shuffling));
    }
  }
}

TEST(Facing, WhoWalksFacesWhereTheyWalk) {
  Scene scene = emptyScene();
  scene.layers[0].walkable = {box(-50, -50, 50, 50)};
  scene.populations = {atPoints({{-20, 0}, {0, -30}, {20, 7}}, {toPoint({20, 30}), toPoint({-35, 20})})};
  World world(scene, 1, 1);
  int turning = 0, walking = 0;
  for (int i = 0; i < 400; ++i) {
    world.step(0.1);
    const agents::Crowd& crowd = world.crowd();
    for (std::uint32_t r = 0; r < crowd.size(); ++r) {
      if (length(Vec2{crowd.vx[r], crowd.vy[r]}) < 0.6f) continue;
      ++walking;
      turning += dot(Vec2{crowd.facing_x[r], crowd.facing_y[r]}, Vec2{crowd.heading_x[r], crowd.heading_y[r]}) < 0.999f;
    }
  }
  EXPECT_GT(walking, 600);
  EXPECT_LE(turning, 3 * 16);  // a goal on the way is turned at, once
}

TEST(Facing, ATurnIsAsFastInShortStepsAsInLongOnes) {
  for (const double dt : {0.01, 0.05, 0.1, 0.25}) {
    agents::Crowd crowd;
    crowd.add({});
    crowd.preferred_vx[0] = -1.3f;
    const Facing facing(dt);
    double time = 0;
    while (crowd.facing_x[0] > -0.98f && time < 5) facing.turn(crowd, 0, {-1.3f, 0.01f}, 1.3f), time += dt;
    // Most of half a turn at the greatest speed, the last of it more slowly.
    EXPECT_NEAR(time, 1.05, dt / 2 + 0.05) << dt;
  }
}

TEST(Facing, WhoHasNowhereToGoStaysAsTheyStand) {
  agents::Crowd crowd;
  crowd.add({});
  crowd.face(0, {0.6f, 0.8f});
  const Facing facing(0.1);
  facing.turn(crowd, 0, {-0.08f, 0}, 0.08f);
  EXPECT_EQ(crowd.facing_x[0], 0.6f);
  facing.turn(crowd, 0, {0, 0}, 0);
  EXPECT_EQ(crowd.facing_y[0], 0.8f);
  facing.turn(crowd, 0, {-0.5f, 0}, 0.5f);  // pushed along
  EXPECT_LT(crowd.facing_x[0], 0.6f);
}

}  // namespace
}  // namespace throng::simulation
