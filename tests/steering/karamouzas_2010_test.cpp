#include "steering/karamouzas_2010.h"

#include <map>
#include <set>

#include "steering/karamouzas_2010_terms.h"
#include "steering/twin_trials.h"

namespace throng::steering::karamouzas_2010 {
namespace {

struct Karamouzas2010 : testing::Test {
  std::vector<float> parameters = defaults(karamouzas2010Parameters());
  SmallWorld world;

  Vec2 steered(std::uint32_t row) {
    world.buildIndex(karamouzas2010Range(parameters));
    world.steer(steerKaramouzas2010, parameters, 0.1f);
    return world.next(row);
  }
  /// Degrees from the preferred velocity of a person who walks along x.
  double turn(std::uint32_t row) {
    const Vec2 next = steered(row);
    return std::atan2(next.y, next.x) * 180 / base::kPi;
  }
};

TEST_F(Karamouzas2010, KernelEqualsTheSlowTwinBitForBit) {
  // So many velocities and people take long to try one by one: people look less far here.
  std::vector<ModelParameter> table(karamouzas2010Parameters().begin(), karamouzas2010Parameters().end());
  table[kNeighbourRange].value = 3;
  expectTwins(steerKaramouzas2010, steerKaramouzas2010Reference, table, karamouzas2010Range, 14);
}

// The four ranges of the time to collision: which velocities come into question.
TEST_F(Karamouzas2010, VelocitiesComeIntoQuestionAsPublished) {
  const Coefficients c(parameters);
  const auto person = world.add({0, 0}, {1, 0});
  world.buildIndex(karamouzas2010Range(parameters));
  world.crowd.max_speed[person] = 1.5f;
  Walker walker;
  ASSERT_TRUE(walkerOf(c, world.input(0.1f), world.neighbours.people()[0], walker));
  Candidates candidates;
  const auto expect = [&](float time, double angle, double low) {
    SCOPED_TRACE(time);
    propose(c, walker, time, candidates);
    double widest = 0, slowest = 9, fastest = 0;
    for (std::size_t i = 0; i < kCandidates; ++i) {
      const double speed = std::hypot(candidates.ux[i], candidates.uy[i]);
      if (speed > 0.01) widest = std::max<double>(widest, std::abs(std::atan2(candidates.uy[i], candidates.ux[i])));
      slowest = std::min(slowest, speed), fastest = std::max(fastest, speed);
    }
    EXPECT_NEAR(widest * 180 / base::kPi, angle, 1e-3);
    EXPECT_NEAR(slowest, low, 1e-5);
    EXPECT_NEAR(fastest, 1.5, 1e-5);
  };
  expect(7.999f, 0.015, 0.5);
  expect(7, 15, 0.5);
  expect(6, 30, 0.5);
  expect(2.5f, 30, 0.5);
  expect(1.25f, 45, 0);
  expect(0, 90, 0);
}

TEST_F(Karamouzas2010, WhatIsFarAwayInTimeChangesNothing) {
  const auto person = world.add({0, 0}, {1, 0});
  const auto other = world.add({9, 0}, {0, 0});
  EXPECT_EQ(steered(person), (Vec2{1, 0}));  // 8.25 s
  world.crowd.x[other] = 8.5f;
  EXPECT_NE(steered(person), (Vec2{1, 0}));
}

TEST_F(Karamouzas2010, TwoWhoMeetHeadOnBothBearRight) {
  const auto a = world.add({0, 0}, {1, 0}), b = world.add({4, 0}, {-1, 0});
  EXPECT_LT(steered(a).y, 0);
  EXPECT_GT(steered(b).y, 0);
}

TEST_F(Karamouzas2010, AWallAheadIsNotWalkedInto) {
  world.addRing({{1, 5}, {1, -5}, {2, -5}, {2, 5}});
  const auto person = world.add({0.74f, 0}, {1, 0});
  world.crowd.max_speed[person] = 1.5f;
  EXPECT_LT(steered(person).x, 0.2f);
}

// As many directions and speeds as the peer tries, more speeds straight on, and the preferred velocity first.
TEST_F(Karamouzas2010, DirectionsAndSpeedsAreAsManyAsSaid) {
  const Coefficients c(parameters);
  world.add({0, 0}, {1, 0});
  world.buildIndex(karamouzas2010Range(parameters));
  Walker walker;
  ASSERT_TRUE(walkerOf(c, world.input(0.1f), world.neighbours.people()[0], walker));
  Candidates candidates;
  propose(c, walker, 1, candidates);
  EXPECT_EQ(candidates.ux[0], 1.0f);
  std::map<int, std::set<int>> speeds;  // mm/s by hundredths of a degree
  for (std::size_t i = 0; i < kCandidates; ++i) {
    const double ux = candidates.ux[i], uy = candidates.uy[i], speed = std::hypot(ux, uy);
    if (speed > 0)
      speeds[static_cast<int>(std::lround(std::atan2(uy, ux) * 18000 / base::kPi))].insert(
          static_cast<int>(std::lround(1000 * speed)));
  }
  EXPECT_EQ(speeds.size(), 19u);
  for (const auto& [angle, of] : speeds) EXPECT_GE(of.size(), angle == 0 ? 47u : 14u) << angle;
}

// Setting out costs as much as it is worth, at every speed at which nobody is met within 8 s: then people set out.
TEST_F(Karamouzas2010, OfSpeedsThatCostTheSameTheOneNearestToThePreferredIsTaken) {
  const auto person = world.add({0, 0}, {0, 0});
  world.prefer(person, {1.3f, 0});
  world.add({3, 0}, {0, 0});
  const float free = (3 - 0.75f) / 8;  // m/s: the bodies' radii, and the personal space of 0.5 m
  const Vec2 next = steered(person);
  EXPECT_EQ(next.y, 0);
  EXPECT_LE(next.x, free);
  EXPECT_GT(next.x, free - 0.05f);
}

// Around a place without ends, where nobody is the first.
TEST_F(Karamouzas2010, ACrowdAtRestSetsOut) {
  for (const float distance : {1.6f, 1.2f}) {
    SmallWorld file;
    const float length = 10 * distance;
    file.wrap[0] = Rectangle{{0, -20}, {length, 20}};
    base::Random random(5);
    for (int i = 0; i < 10; ++i) {
      const auto jitter = static_cast<float>(random.uniform(-0.1, 0.1));
      const auto row = file.add({distance * (static_cast<float>(i) + 0.5f) + jitter, 0}, {0, 0}, 0.2f);
      file.prefer(row, {1.3f, 0});
    }
    for (int step = 0; step < 300; ++step) {
      file.buildIndex(karamouzas2010Range(parameters));
      file.steer(steerKaramouzas2010, parameters, 0.1f);
      file.move(0.1f);
      for (float& x : file.crowd.x) x = std::fmod(x, length);
    }
    float sum = 0;
    for (const float speed : file.crowd.vx) sum += speed / 10;
    EXPECT_GT(sum, 1) << distance;
  }
}

// Who stands in somebody's personal space can be left, and can be walked beside.
TEST_F(Karamouzas2010, InThePersonalSpaceTheBodiesAreNotToMeet) {
  const auto person = world.add({0, 0}, {1, 0});
  const auto other = world.add({0.6f, 0}, {1, 0});
  EXPECT_EQ(steered(person), (Vec2{1, 0}));
  world.crowd.vx[other] = 0;
  EXPECT_LT(length(steered(person)), 0.5f);
}

TEST_F(Karamouzas2010, WhatIsBehindIsNotSeen) {
  const auto person = world.add({0, 0}, {0.5f, 0});
  world.add({-2, 0}, {1.5f, 0});
  EXPECT_EQ(steered(person), (Vec2{0.5f, 0}));
}

}  // namespace
}  // namespace throng::steering::karamouzas_2010
