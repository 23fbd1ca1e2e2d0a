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

/// Who does what in one step of a crowd of three profiles; the same random times left of strides with the same seed.
struct OneStep {
  SmallWorld world;
  std::vector<std::vector<float>> parameters;
  std::vector<std::vector<std::uint32_t>> slots;
  std::vector<Group> groups;

  explicit OneStep(std::uint64_t seed, float dt) : world(randomCrowd(seed)), slots(3) {
    base::Random random(seed + 1000);
    float range = 0;
    for (int g = 0; g < 3; ++g) {
      parameters.push_back(defaults(optimalStepsParameters()));
      for (float& value : parameters.back()) value *= static_cast<float>(random.uniform(0.8, 1.2));
      range = std::max(range, optimalStepsRange(parameters.back()));
    }
    for (std::size_t row = 0; row < world.crowd.size(); ++row) {
      // Some at the same time, by number; some have made no stride yet; some lag behind.
      world.column(SmallWorld::kMemoryX)[row] = static_cast<float>(random.below(6)) * dt / 3 - 0.4f * dt;
      world.column(SmallWorld::kMemoryY)[row] = static_cast<float>(random.below(4));
    }
    world.buildIndex(range);
    for (const std::uint32_t slot : world.neighbours.people())
      if (slot % 7 != 0) slots[slot % 3].push_back(slot);  // the others have another model
    for (std::size_t g = 0; g < 3; ++g) groups.push_back({parameters[g], slots[g]});
  }

  template <class Steer>
  std::vector<float> result(float dt, const Steer& steer) const {
    const std::size_t n = world.crowd.size();
    std::vector<float> all(4 * n);
    std::copy_n(world.column(SmallWorld::kMemoryX).data(), n, all.begin() + static_cast<std::ptrdiff_t>(2 * n));
    std::copy_n(world.column(SmallWorld::kMemoryY).data(), n, all.begin() + static_cast<std::ptrdiff_t>(3 * n));
    StepInput input = world.input(dt);
    input.memory_x = all.data() + 2 * n, input.memory_y = all.data() + 3 * n;
    steer(input, VelocityOutput{all.data(), all.data() + n, all.data() + 2 * n, all.data() + 3 * n});
    return all;
  }
};

TEST_F(OptimalSteps, InTurnOnAnyNumberOfThreadsIsOneByOneInTheOrderOfTime) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (const float dt : {0.02f, 0.1f, 0.25f}) {
      const OneStep step(seed, dt);
      const auto expected = step.result(dt, [&](const StepInput& input, VelocityOutput out) {
        steerOptimalStepsInTurnReference(input, step.groups, out);
      });
      for (const int count : {1, 3}) {
        const base::Threads threads(count);
        const auto found = step.result(dt, [&](const StepInput& input, VelocityOutput out) {
          steerOptimalStepsInTurn(input, step.groups, threads, out);
        });
        ASSERT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(float)), 0) << seed << " " << count;
        compared += found.size();
      }
      for (const float value : expected) ASSERT_TRUE(std::isfinite(value)) << seed;
    }
  EXPECT_GT(compared, 10000u);
}

// Of two who both want to step into the same place, the one whose stride ends first does what they would do if the
// other stood; the other then keeps away from where that one's foot is going to be.
TEST_F(OptimalSteps, WhoseStrideEndsFirstHasThePlace) {
  constexpr std::uint32_t kOne = 0, kTwo = 1;
  for (const std::uint32_t early : {kOne, kTwo}) {
    const std::uint32_t late = 1 - early;
    const auto stepped = [&](bool both) {
      SmallWorld field;
      field.add({0, 0.3f}, {1.3f, 0}, 0.2f), field.add({0, -0.3f}, {1.3f, 0}, 0.2f);
      field.prefer(kOne, {1.25f, -0.36f}), field.prefer(kTwo, {1.25f, 0.36f});
      if (!both) field.prefer(late, {});
      for (const std::uint32_t row : {kOne, kTwo}) field.column(SmallWorld::kMemoryY)[row] = 3;
      field.column(SmallWorld::kMemoryX)[early] = -0.02f, field.column(SmallWorld::kMemoryX)[late] = 0.03f;
      field.buildIndex(optimalStepsRange(parameters));
      field.steer(steerOptimalSteps, parameters, 0.1f);
      const auto foot = [&](std::uint32_t row) {
        const float steps = std::floor(field.column(SmallWorld::kMemoryX)[row] / 0.1f + 1.5f);
        return field.position(row) + field.next(row) * (steps * 0.1f);
      };
      return std::pair(foot(early), foot(late));
    };
    const auto [first, second] = stepped(true);
    EXPECT_EQ(first, stepped(false).first) << early;
    EXPECT_GT(length(first - second), 0.38f) << early;
    EXPECT_GT(first.x, 0.3f) << early;
  }
}

// Nobody sets a foot where another's is, however many decide in the same step.
TEST_F(OptimalSteps, FeetKeepApartInACrowd) {
  for (const float dt : {0.05f, 0.1f, 0.25f})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      base::Random random(seed);
      SmallWorld crowd;
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) {
          const Vec2 place{0.7f * static_cast<float>(i), 0.7f * static_cast<float>(j)};
          // All to the middle, from everywhere.
          const Vec2 way = Vec2{3.85f, 3.85f} - place;
          crowd.add(place, way * (1.3f / length(way)), 0.2f);
        }
      const auto foot = [&](std::uint32_t row) {
        const float steps = std::floor(crowd.column(SmallWorld::kMemoryX)[row] / dt + 0.5f);
        return crowd.position(row) + crowd.velocity(row) * (std::max(0.0f, steps) * dt);
      };
      for (int step = 0; step < 10 / dt; ++step) {
        crowd.buildIndex(optimalStepsRange(parameters));
        crowd.steer(steerOptimalSteps, parameters, dt);
        crowd.move(dt);
      }
      float nearest = 10;
      for (std::uint32_t a = 0; a < crowd.crowd.size(); ++a)
        for (std::uint32_t b = 0; b < a; ++b) nearest = std::min(nearest, length(foot(a) - foot(b)));
      EXPECT_GT(nearest, 0.36f) << "dt " << dt << ", seed " << seed;
    }
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
