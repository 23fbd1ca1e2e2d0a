#include "steering/karamouzas.h"

#include "steering/karamouzas_terms.h"
#include "steering/twin_trials.h"

namespace throng::steering::karamouzas {
namespace {

struct Karamouzas : testing::Test {
  std::vector<float> parameters = defaults(karamouzasParameters());
  SmallWorld world;

  void steer(float dt) {
    world.buildIndex(karamouzasRange(parameters));
    world.steer(steerKaramouzas, parameters, dt);
  }
  Vec2 acceleration(std::uint32_t row, float dt) {
    steer(dt);
    return (world.next(row) - world.velocity(row)) / dt;
  }
};

TEST_F(Karamouzas, KernelEqualsTheSlowTwinBitForBit) {
  expectTwins(steerKaramouzas, steerKaramouzasReference, karamouzasParameters(), karamouzasRange);
}

TEST_F(Karamouzas, TimesToCollisionAreThoseOfWalking) {
  base::Random random(9);
  int met = 0;
  for (int round = 0; round < 300; ++round) {
    const Point apart{random.uniform(-6, 6), random.uniform(-6, 6)}, v{random.uniform(-2, 2), random.uniform(-2, 2)};
    const double reach = random.uniform(0.3, 1);
    const Vec2 p{static_cast<float>(apart.x), static_cast<float>(apart.y)};
    const Vec2 relative{static_cast<float>(v.x), static_cast<float>(v.y)};
    const float found = timeToCollision(p, relative, static_cast<float>(reach), 1e9f);
    if (length(apart) <= reach) {
      EXPECT_EQ(found, 0);
      continue;
    }
    double walked = 0;
    while (walked < 12 && length(apart - v * walked) > reach) walked += 1e-3;
    if (found < 11) {
      EXPECT_NEAR(found, walked, 0.1) << round;  // walking may step over a grazing
      ++met;
    } else if (walked < 11) {
      EXPECT_NEAR(length(apart - v * walked), reach, 0.01) << round;
    }
  }
  EXPECT_GT(met, 10);
}

// The published force in the ranges of D, for somebody who will be met from the side.
TEST_F(Karamouzas, TheForceIsThePublishedOneInEveryRange) {
  const float dt = 1e-4f;
  parameters[kEvasionStrength] = 3;
  parameters[kMinDistance] = 1;
  const auto person = world.add({0, 0}, {1, 0});
  const auto other = world.add({4, 4}, {0, -1});
  const auto expect = [&](double magnitude) {
    Vec2 a = acceleration(person, dt);
    a.y += kTurn * orcaTurn(world.crowd.person[person]) * 1.0f / parameters[kReactionTime];  // bears right
    // 4 seconds on they would stand in one place; the personal space is entered before.
    const double t = timeToCollision({world.crowd.x[other], world.crowd.y[other]}, {1, 1}, 0.75f, 0);
    const Point then{t - world.crowd.x[other], -(world.crowd.y[other] - t)};
    const Point n = normalized(then);
    EXPECT_NEAR(a.x, magnitude * n.x, 0.01 * magnitude + 0.01);
    EXPECT_NEAR(a.y, magnitude * n.y, 0.01 * magnitude + 0.01);
    return t + 0.25;  // D
  };
  expect(3);
  world.crowd.x[other] = world.crowd.y[other] = 6.9f;  // D about 6.6
  expect(3);
  parameters[kMidDistance] = 4;
  parameters[kMaxDistance] = 8;
  const double d = expect(3 * (8 - (6.9 - 0.75 / std::sqrt(2.0) + 0.25)) / 4);
  EXPECT_NEAR(d, 6.9 - 0.75 / std::sqrt(2.0) + 0.25, 1e-3);
  parameters[kMaxDistance] = 6;
  EXPECT_EQ(acceleration(person, dt), Vec2{});
  world.crowd.x[other] = world.crowd.y[other] = 0.9f;  // D about 0.62: nearer than d_min
  expect(3 / (0.9 - 0.75 / std::sqrt(2.0) + 0.25));
}

TEST_F(Karamouzas, OnlyTheFirstCollisionsCount) {
  const auto person = world.add({0, 0}, {1, 0});
  world.add({4, 3.9f}, {0, -1}), world.add({6, -5.8f}, {0, 1});
  const Vec2 both = acceleration(person, 0.01f);
  parameters[kMaxCollisions] = 1;
  const Vec2 first = acceleration(person, 0.01f);
  EXPECT_NE(both, first);
  parameters[kMaxCollisions] = 0;
  EXPECT_EQ(acceleration(person, 0.01f), Vec2{});
}

TEST_F(Karamouzas, WallsPushWithinTheSafeDistance) {
  world.addRing({{-5, -2}, {5, -2}, {5, -1}, {-5, -1}});
  const auto person = world.add({0, 0}, {0, 0});
  EXPECT_EQ(acceleration(person, 1e-3f), Vec2{});  // 0.75 m away
  world.crowd.y[person] = -0.55f;                  // 0.2 m
  EXPECT_NEAR(acceleration(person, 1e-4f).y, (0.5 + 0.25 - 0.45) / (0.2 * 0.2), 0.05);
}

// However dense a crowd is in which all go one way, in a corridor without ends, nobody is driven backwards.
TEST_F(Karamouzas, NobodyWalksBackwards) {
  for (const double density : {0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0}) {
    SmallWorld corridor;
    constexpr float kLength = 8, kWidth = 2;
    corridor.wrap[0] = Rectangle{{0, 0}, {kLength, kWidth}};
    base::Random random(13);
    const auto people = static_cast<std::size_t>(density * kLength * kWidth);
    for (std::size_t i = 0; i < people; ++i) {
      const Vec2 at{static_cast<float>(random.uniform(0, kLength)), static_cast<float>(random.uniform(0, kWidth))};
      corridor.add(at, {static_cast<float>(random.uniform(0.8, 1.5)), 0});
    }
    float slowest = 9;
    for (int step = 0; step < 100; ++step) {
      corridor.buildIndex(karamouzasRange(parameters));
      corridor.steer(steerKaramouzas, parameters, 0.1f);
      corridor.move(0.1f);
      for (std::uint32_t i = 0; i < people; ++i) {
        slowest = std::min(slowest, corridor.velocity(i).x);
        float &x = corridor.crowd.x[i], &y = corridor.crowd.y[i];
        x -= x >= kLength ? kLength : 0, y -= y >= kWidth ? kWidth : 0, y += y < 0 ? kWidth : 0;
      }
    }
    EXPECT_GT(slowest, -1e-5f) << density;
  }
}

TEST_F(Karamouzas, WhatIsBehindIsNotSeen) {
  const auto person = world.add({0, 0}, {0.5f, 0});
  world.add({-2, 0}, {1.5f, 0});
  steer(0.1f);
  EXPECT_EQ(world.next(person), (Vec2{0.5f, 0}));
  parameters[kViewAngle] = 180;
  steer(0.1f);
  EXPECT_GT(world.next(person).x, 0.5f);
}

}  // namespace
}  // namespace throng::steering::karamouzas
