#include "steering/optimal_steps.h"

#include "steering/twin_trials.h"

namespace throng::steering {
namespace {

struct OptimalSteps : testing::Test {
  std::vector<float> parameters = defaults(optimalStepsParameters());
  SmallWorld world;

  void steer(float dt = 0.1f) {
    world.buildIndex(optimalStepsRange(parameters));
    world.steer(steerOptimalSteps, parameters, dt);
  }
};

TEST_F(OptimalSteps, KernelEqualsTheSlowTwinBitForBit) {
  expectTwins(steerOptimalSteps, steerOptimalStepsReference, optimalStepsParameters(), optimalStepsRange, 20);
}

// A stride is 0.462 m + 0.235 s · v0 long and lasts its length / v0, on average also where that is no multiple of a
// step.
TEST_F(OptimalSteps, StridesAreAsLongAsPublished) {
  for (const float speed : {0.7f, 1.0f, 1.34f, 1.7f}) {
    SmallWorld field;
    const auto person = field.add({0, 0}, {speed, 0});
    field.add({0, 100}, {0, 0});
    // A wall beside the way: the disc is looked at.
    field.addRing({{-5, -0.7f}, {-5, -2}, {500, -2}, {500, -0.7f}});
    float before = 0;
    int strides = 0, steps = 0;
    for (; steps < 1000; ++steps) {
      field.buildIndex(optimalStepsRange(parameters));
      field.steer(steerOptimalSteps, parameters, 0.1f);
      const float now = field.column(SmallWorld::kMemoryY)[person];
      strides += now != before, before = now;
      field.move(0.1f);
    }
    const double length = 0.462 + 0.235 * speed;
    EXPECT_NEAR(strides, steps * 0.1 * speed / length, 2) << speed;
    EXPECT_LE(field.crowd.x[person] / strides, length * 1.001) << speed;
    EXPECT_GT(field.crowd.x[person] / strides, length * 0.8) << speed;
  }
}

TEST_F(OptimalSteps, NobodyStepsIntoAnotherOrThroughAThinWall) {
  const auto person = world.add({0, 0}, {1.3f, 0});
  world.add({0.6f, 0}, {0, 0});
  steer();
  const Vec2 there = world.next(person) * 0.6f;
  EXPECT_GT(length(there - Vec2{0.6f, 0}), 0.5f);

  SmallWorld walled;
  const auto alone = walled.add({0, 0}, {1.3f, 0});
  walled.addRing({{0.4f, -5}, {0.4f, 5}, {0.401f, 5}, {0.401f, -5}});
  walled.buildIndex(optimalStepsRange(parameters));
  walled.steer(steerOptimalSteps, parameters, 0.1f);
  EXPECT_LT(walled.next(alone).x * 0.6f, 0.16f);
}

TEST_F(OptimalSteps, AStrideGoesOnUntilItEnds) {
  const auto person = world.add({0, 0}, {1.3f, 0});
  world.column(SmallWorld::kMemoryX)[person] = 0.35f;
  world.crowd.vy[person] = 0.2f;
  steer();
  EXPECT_EQ(world.next(person), (Vec2{1.3f, 0.2f}));
  EXPECT_NEAR(world.column(SmallWorld::kMemoryX)[person], 0.25f, 1e-6);
}

}  // namespace
}  // namespace throng::steering
