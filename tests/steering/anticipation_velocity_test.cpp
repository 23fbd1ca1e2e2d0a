#include "steering/anticipation_velocity.h"

#include "steering/twin_trials.h"

namespace throng::steering {
namespace {

struct AnticipationVelocity : testing::Test {
  std::vector<float> parameters = defaults(anticipationVelocityParameters());
  SmallWorld world;

  Vec2 steered(std::uint32_t row, float dt = 0.1f) {
    world.buildIndex(anticipationVelocityRange(parameters));
    world.steer(steerAnticipationVelocity, parameters, dt);
    return world.next(row);
  }
};

TEST_F(AnticipationVelocity, KernelEqualsTheSlowTwinBitForBit) {
  expectTwins(steerAnticipationVelocity, steerAnticipationVelocityReference, anticipationVelocityParameters(),
              anticipationVelocityRange);
}

// The turn towards the desired direction, in double precision, by somebody who comes.
TEST_F(AnticipationVelocity, TurnsAsPublished) {
  base::Random random(5);
  for (int round = 0; round < 100; ++round) {
    SmallWorld crowd;
    const auto person = crowd.add({0, 0}, {1.2f, 0});
    const auto other =
        crowd.add({static_cast<float>(random.uniform(0.6, 2.5)), static_cast<float>(random.uniform(-1, 1))},
                  {static_cast<float>(random.uniform(-1.3, 1.3)), static_cast<float>(random.uniform(-1, 1))});
    crowd.buildIndex(anticipationVelocityRange(parameters));
    crowd.steer(steerAnticipationVelocity, parameters, 0.05f);
    const Vec2 next = crowd.next(person);
    if (length(next) < 0.01f) continue;
    const double x = crowd.crowd.x[other], y = crowd.crowd.y[other], vx = crowd.crowd.vx[other],
                 vy = crowd.crowd.vy[other], d = std::hypot(x, y), speed = std::hypot(vx, vy);
    const double foreseen = std::max(0.5, (x * (x + vx - 1.2) + y * (y + vy)) / d);
    const double size = 3 * (1 + 0.5 * (1 - vx / speed)) * std::exp((0.5 - foreseen) / 0.1);
    const double desired = std::atan2(y + vy > 0 ? -size : size, 1);
    const double share = 1 - std::exp(-0.05 / 0.3);  // of the way from e to what is desired, after the step
    const double turned = std::atan2(share * std::sin(desired), 1 + share * (std::cos(desired) - 1));
    EXPECT_NEAR(std::atan2(next.y, next.x), turned, 2e-4) << round;
  }
}

// Ten short steps turn people as far as one long one: the equation of e is solved, not approached.
TEST_F(AnticipationVelocity, TurnsAsFarInAnySteps) {
  const auto headingAfter = [&](int steps) {
    SmallWorld crowd;
    const auto person = crowd.add({0, 0}, {1.2f, 0});
    crowd.prefer(person, {1, 0.7f});
    for (int i = 0; i < steps; ++i) {
      crowd.buildIndex(anticipationVelocityRange(parameters));
      crowd.steer(steerAnticipationVelocity, parameters, 0.2f / static_cast<float>(steps));
      crowd.crowd.vx[person] = crowd.next(person).x, crowd.crowd.vy[person] = crowd.next(person).y;
    }
    return std::atan2(crowd.next(person).y, crowd.next(person).x);
  };
  const float once = headingAfter(1);
  EXPECT_NEAR(headingAfter(10), once, 0.02);
  EXPECT_GT(once, 0.1f);
}

TEST_F(AnticipationVelocity, WhoIsStraightAheadIsPassedOnASideDrawnByLot) {
  int left = 0;
  for (int pair = 0; pair < 40; ++pair) {
    SmallWorld crowd;
    for (int i = 0; i < pair; ++i) crowd.add({100.0f + 5.0f * static_cast<float>(i), 0}, {0, 0});
    const auto person = crowd.add({0, 0}, {1, 0});
    const auto other = crowd.add({1, 0}, {-1, 0});
    crowd.buildIndex(anticipationVelocityRange(parameters));
    crowd.steer(steerAnticipationVelocity, parameters, 0.1f);
    EXPECT_NE(crowd.next(person).y, 0);
    EXPECT_LT(crowd.next(person).y * crowd.next(other).y, 0);  // on the same side of each
    left += crowd.next(person).y > 0;
  }
  EXPECT_GT(left, 8);
  EXPECT_LT(left, 32);
}

TEST_F(AnticipationVelocity, BesideAWallPeopleGoAlongIt) {
  world.addRing({{1, 5}, {1, -5}, {2, -5}, {2, 5}});
  const auto person = world.add({0.7f, 0}, {1, 0.5f});
  const Vec2 next = steered(person);
  EXPECT_NEAR(next.x, 0, 1e-5);
  EXPECT_GT(next.y, 0.9f);
}

}  // namespace
}  // namespace throng::steering
