#include "steering/short_term.h"

#include "steering/twin_trials.h"

namespace throng::steering {
namespace {

struct ShortTerm : testing::Test {
  SmallWorld world;

  /// One step of one of the two algorithms, numbered `step`.
  void steer(Kernel kernel, std::span<const float> parameters, float range, std::uint64_t step) {
    world.buildIndex(range);
    StepInput input = world.input(0.1f);
    input.step = step;
    kernel(input, parameters, world.neighbours.people(),
           {world.crowd.next_vx.data(), world.crowd.next_vy.data(), world.column(SmallWorld::kMemoryX).data(),
            world.column(SmallWorld::kMemoryY).data()});
  }
  void first(std::uint64_t step = 1) { steer(steerShortTerm1, one, shortTerm1Range(one), step); }
  void second(std::uint64_t step = 1) { steer(steerShortTerm2, two, shortTerm2Range(two), step); }
  Vec2 wayPoint(std::uint32_t row) const {
    return {world.column(SmallWorld::kMemoryX)[row], world.column(SmallWorld::kMemoryY)[row]};
  }

  std::vector<float> one = defaults(shortTerm1Parameters()), two = defaults(shortTerm2Parameters());
};

TEST_F(ShortTerm, FirstEqualsItsSlowTwinBitForBit) {
  expectTwins(steerShortTerm1, steerShortTerm1Reference, shortTerm1Parameters(), shortTerm1Range);
}

TEST_F(ShortTerm, SecondEqualsItsSlowTwinBitForBit) {
  expectTwins(steerShortTerm2, steerShortTerm2Reference, shortTerm2Parameters(), shortTerm2Range);
}

TEST_F(ShortTerm, EvenStepsOnlyRegister) {
  const auto person = world.add({0, 0}, {1.3f, 0});
  world.add({1.5f, 0.2f}, {-1.3f, 0});
  first(0);
  EXPECT_EQ(world.next(person), (Vec2{1.3f, 0}));
  second(2);
  EXPECT_EQ(world.next(person), (Vec2{1.3f, 0}));
  first(1);
  EXPECT_LT(world.next(person).y, 0);  // the other is on the left
  second(1);
  EXPECT_LT(world.next(person).y, 0);
}

TEST_F(ShortTerm, FirstTurnsOnlyForThoseInTheZone) {
  const auto person = world.add({0, 0}, {1, 0});
  const auto other = world.add({1, 0.5f}, {-1, 0});
  const auto turned = [&](Vec2 place) {
    world.crowd.x[other] = place.x, world.crowd.y[other] = place.y;
    first();
    return world.next(person).y;
  };
  EXPECT_LT(turned({1, 0.5f}), 0);
  EXPECT_GT(turned({1, -0.5f}), 0);
  EXPECT_LT(turned({1.5f, 0}), 0);     // straight ahead: right
  EXPECT_EQ(turned({0.7f, 0.8f}), 0);  // outside ±45°
  EXPECT_EQ(turned({2.1f, 0}), 0);     // beyond α
  EXPECT_EQ(turned({-1, 0}), 0);       // behind
  world.crowd.vx[other] = 1.5f;
  EXPECT_EQ(turned({1.5f, 0}), 0);  // walks away
}

TEST_F(ShortTerm, WhoIsTooNearSlidesAwayAndBothDo) {
  const auto person = world.add({0, 0}, {0, 0}), other = world.add({0.3f, 0}, {0, 0});
  first();
  // 0.2 m are missing; in a step of 0.1 s each makes up for 3/7 of them.
  EXPECT_NEAR(world.next(person).x, -0.2 * 3 / 7 / 0.1, 1e-5);
  EXPECT_NEAR(world.next(other).x, 0.2 * 3 / 7 / 0.1, 1e-5);
}

TEST_F(ShortTerm, FirstKeepsToADecisionForTwoSteps) {
  const auto person = world.add({0, 0}, {1.3f, 0});
  const auto other = world.add({1, 0.4f}, {-1.3f, 0});
  first(1);
  const float turned = world.next(person).y;
  EXPECT_LT(turned, 0);
  // Nobody there any more, but the decision stands until the next odd step.
  world.crowd.x[other] = -20;
  first(2);
  EXPECT_EQ(world.next(person).y, turned);
  first(3);
  EXPECT_EQ(world.next(person).y, 0);
}

TEST_F(ShortTerm, SecondWalksToACellBesideAndForgetsItWhenPast) {
  const auto person = world.add({0.5f, 0.5f}, {1.3f, 0});
  const auto other = world.add({2.5f, 0.6f}, {-1.3f, 0});
  second();
  EXPECT_EQ(wayPoint(person), (Vec2{1.5f, -0.5f}));  // r[1], since the other is on the left
  EXPECT_LT(length(world.next(person)), 1.3f);       // slower
  // Nobody ahead any more: the way-point stays until it is reached.
  world.crowd.x[other] = -20;
  second(3);
  EXPECT_EQ(wayPoint(person), (Vec2{1.5f, -0.5f}));
  EXPECT_LT(world.next(person).y, 0);
  world.crowd.x[person] = 1.4f, world.crowd.y[person] = -0.4f;
  second(5);
  EXPECT_EQ(wayPoint(person), Vec2{});
}

TEST_F(ShortTerm, SecondGivesUpAWayPointInAnEmergency) {
  const auto person = world.add({0.5f, 0.5f}, {1.3f, 0});
  world.add({2.5f, 0.4f}, {-1.3f, 0});
  second();
  EXPECT_EQ(wayPoint(person), (Vec2{1.5f, 1.5f}));  // l[1]
  world.add({0.9f, 0.5f}, {0, 0});
  second(3);
  EXPECT_EQ(wayPoint(person), Vec2{});
  EXPECT_LT(world.next(person).x, 1.3f);
}

}  // namespace
}  // namespace throng::steering
