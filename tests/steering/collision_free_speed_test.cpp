#include "steering/collision_free_speed.h"

#include "steering/twin_trials.h"

namespace throng::steering {
namespace {

struct CollisionFreeSpeed : testing::Test {
  std::vector<float> parameters = defaults(collisionFreeSpeedParameters());
  SmallWorld world;

  Vec2 steered(std::uint32_t row, float dt = 0.1f) {
    world.buildIndex(collisionFreeSpeedRange(parameters));
    world.steer(steerCollisionFreeSpeed, parameters, dt);
    return world.next(row);
  }
};

TEST_F(CollisionFreeSpeed, KernelEqualsTheSlowTwinBitForBit) {
  expectTwins(steerCollisionFreeSpeed, steerCollisionFreeSpeedReference, collisionFreeSpeedParameters(),
              collisionFreeSpeedRange);
}

// In file the speed is the published one: min(v0, (distance - l)/T).
TEST_F(CollisionFreeSpeed, SpeedFollowsTheHeadway) {
  const auto person = world.add({0, 0}, {1.2f, 0}, 0.15f), ahead = world.add({1, 0}, {0, 0}, 0.15f);
  for (const float headway : {0.5f, 0.7f, 1.0f, 1.4f, 1.6f, 2.5f}) {
    world.crowd.x[ahead] = headway;
    EXPECT_NEAR(steered(person).x, std::clamp(headway - 0.3f, 0.0f, 1.2f), 1e-5) << headway;
  }
  world.crowd.x[ahead] = 1, world.crowd.y[ahead] = 0.31f;  // beside the way
  EXPECT_NEAR(steered(person).x, 1.2f, 1e-3);
}

// The direction against the published sum in double precision.
TEST_F(CollisionFreeSpeed, DirectionIsThePublishedSum) {
  base::Random random(3);
  for (int round = 0; round < 50; ++round) {
    SmallWorld crowd;
    const auto person = crowd.add({0, 0}, {1, 0});
    double ex = 1, ey = 0;
    for (int i = 0; i < 6; ++i) {
      const double angle = random.uniform(0, 6.28), distance = random.uniform(0.55, 2.5);
      const auto other = crowd.add(
          {static_cast<float>(distance * std::cos(angle)), static_cast<float>(distance * std::sin(angle))}, {0, 0});
      const double x = crowd.crowd.x[other], y = crowd.crowd.y[other], d = std::hypot(x, y);
      const double force = 5 * std::exp((0.5 - d) / 0.1);
      ex -= force * x / d, ey -= force * y / d;
    }
    crowd.buildIndex(collisionFreeSpeedRange(parameters));
    crowd.steer(steerCollisionFreeSpeed, parameters, 0.1f);
    const Vec2 next = crowd.next(person);
    if (length(next) < 0.01f) continue;
    EXPECT_NEAR(std::remainder(std::atan2(next.y, next.x) - std::atan2(ey, ex), 6.283185307), 0, 1e-3) << round;
  }
}

// dt ≤ min(T/2, 0.293 l/v0): who walks by the law alone hardly runs into anybody. (Two who come from the side, each
// just outside the other's way, may.)
TEST_F(CollisionFreeSpeed, WithinTheBoundOfTheStepBodiesDoNotMeet) {
  for (const float gap : {1.0f, 0.2f}) {
    SmallWorld crowd;
    base::Random random(7);
    parameters[2] = gap;
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 7; ++j) {
        const auto row = crowd.add({0.6f * static_cast<float>(i), 0.6f * static_cast<float>(j)}, {0, 0}, 0.25f);
        const double angle = random.uniform(0, 6.28);
        crowd.prefer(row, {1.4f * static_cast<float>(std::cos(angle)), 1.4f * static_cast<float>(std::sin(angle))});
      }
    float nearest = 9;
    for (int step = 0; step < 200; ++step) {
      crowd.buildIndex(collisionFreeSpeedRange(parameters));
      crowd.steer(steerCollisionFreeSpeed, parameters, 0.1f);
      crowd.move(0.1f);
      for (std::uint32_t i = 0; i < crowd.crowd.size(); ++i)
        for (std::uint32_t j = 0; j < i; ++j)
          nearest = std::min(nearest, length(crowd.position(i) - crowd.position(j)));
    }
    std::printf("T %.1f s: nearest %.4f m of 0.5\n", gap, nearest);
    EXPECT_GT(nearest, 0.48f);
  }
}

// Published: nothing breaks the symmetry (docs/models/collision-free-speed.md).
TEST_F(CollisionFreeSpeed, TwoWhoMeetHeadOnDoNotPass) {
  const auto person = world.add({0, 0}, {1, 0});
  const auto other = world.add({3, 0}, {-1, 0});
  for (int step = 0; step < 200; ++step) steered(person), world.move(0.1f);
  EXPECT_LT(world.position(person).x, world.position(other).x);
}

}  // namespace
}  // namespace throng::steering
