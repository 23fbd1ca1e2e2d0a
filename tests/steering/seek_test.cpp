#include "steering/seek.h"

#include <gtest/gtest.h>

#include "steering/small_world.h"

namespace throng::steering {
namespace {

struct Seek : testing::Test {
  std::vector<float> parameters = defaults(seekParameters());
  SmallWorld world;

  Vec2 steered(std::uint32_t row, float dt) {
    world.buildIndex(1);
    world.steer(steerSeek, parameters, dt);
    return world.next(row);
  }
};

TEST_F(Seek, StartsWithTheLargestAccelerationAndEndsExactlyAtThePreferredVelocity) {
  const auto person = world.add({0, 0}, {0, 0});
  world.prefer(person, {1.3f, 0});
  EXPECT_FLOAT_EQ(steered(person, 0.1f).x, 0.3f);
  for (int step = 0; step < 5; ++step) {
    steered(person, 0.1f);
    world.move(0.1f);
  }
  EXPECT_EQ(world.velocity(person), (Vec2{1.3f, 0}));  // after 1.3 / 3 s
}

TEST_F(Seek, TheSameTimeToTurnAtEveryStepSize) {
  for (const float dt : {0.01f, 0.05f, 0.1f}) {
    SmallWorld fresh;
    const auto person = fresh.add({0, 0}, {0, 1.3f});
    fresh.prefer(person, {1.3f, 0});
    float time = 0;
    while (fresh.velocity(person) != Vec2{1.3f, 0} && time < 5) {
      fresh.buildIndex(1);
      fresh.steer(steerSeek, parameters, dt);
      EXPECT_LE(length(fresh.next(person) - fresh.velocity(person)), 3 * dt * 1.0001f);
      fresh.move(dt);
      time += dt;
    }
    EXPECT_NEAR(time, 1.3f * std::sqrt(2.0f) / 3, 1.01f * dt);
  }
}

TEST_F(Seek, NeverFasterThanTheMaximumSpeed) {
  const auto person = world.add({0, 0}, {3, 0});
  world.prefer(person, {3, 4});
  world.crowd.max_speed[person] = 2;
  EXPECT_NEAR(length(steered(person, 0.1f)), 2, 1e-6);
}

TEST_F(Seek, ArrivalSlowsDownInProportionToTheDistance) {
  parameters[1] = 2;  // m
  const auto person = world.add({0, 0}, {0.65f, 0});
  world.prefer(person, {1.3f, 0});
  world.crowd.activity[person] = agents::Activity::kWalking;
  world.crowd.target_x[person] = 1;
  world.crowd.target_y[person] = 0;
  EXPECT_FLOAT_EQ(steered(person, 0.5f).x, 0.65f);
  world.crowd.target_x[person] = 3;
  EXPECT_FLOAT_EQ(steered(person, 0.5f).x, 1.3f);
}

TEST_F(Seek, WithoutATargetThereIsNoArrival) {
  parameters[1] = 2;
  const auto person = world.add({0, 0}, {1.3f, 0});
  world.crowd.target_x[person] = world.crowd.target_y[person] = 0;
  world.crowd.activity[person] = agents::Activity::kHeading;
  EXPECT_FLOAT_EQ(steered(person, 0.1f).x, 1.3f);
}

TEST_F(Seek, AWalkWithArrivalEndsAtTheTarget) {
  parameters[1] = 1.5f;
  const auto person = world.add({0, 0}, {0, 1});
  world.crowd.activity[person] = agents::Activity::kWalking;
  const Vec2 target{5, 2};
  world.crowd.target_x[person] = target.x;
  world.crowd.target_y[person] = target.y;
  for (int step = 0; step < 300; ++step) {
    world.prefer(person, normalized(target - world.position(person)) * 1.3f);
    steered(person, 0.1f);
    world.move(0.1f);
  }
  EXPECT_LT(length(target - world.position(person)), 0.02f);
  EXPECT_LT(length(world.velocity(person)), 0.02f);
}

}  // namespace
}  // namespace throng::steering
