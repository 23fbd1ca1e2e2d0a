#include "steering/gcfm.h"

#include "steering/parts.h"
#include "steering/twin_trials.h"

namespace throng::steering {
namespace {

struct Gcfm : testing::Test {
  std::vector<float> parameters = defaults(gcfmParameters());
  SmallWorld world;

  Vec2 acceleration(std::uint32_t row) {
    world.buildIndex(gcfmRange(parameters));
    world.steer(steerGcfm, parameters, 1e-3f);
    return (world.next(row) - world.velocity(row)) / 1e-3f;
  }
};

TEST_F(Gcfm, KernelEqualsTheSlowTwinBitForBit) {
  expectTwins(steerGcfm, steerGcfmReference, gcfmParameters(), gcfmRange);
}

TEST_F(Gcfm, TheEdgeLiesOnTheEllipse) {
  base::Random random(2);
  for (int round = 0; round < 100; ++round) {
    const double a = random.uniform(0.1, 1), b = random.uniform(0.1, 0.5), angle = random.uniform(0, 6.28);
    const double r = ellipseRadius(static_cast<float>(a), static_cast<float>(b), static_cast<float>(std::cos(angle)));
    EXPECT_NEAR(std::pow(r * std::cos(angle) / a, 2) + std::pow(r * std::sin(angle) / b, 2), 1, 1e-4);
  }
}

// Of somebody who walks in front, in double precision.
TEST_F(Gcfm, ForceIsThePublishedOne) {
  const auto person = world.add({0, 0}, {1, 0}), other = world.add({3, 0}, {0.5f, 0});
  world.crowd.preferred_speed[other] = 1;
  for (const double distance : {1.6, 1.9, 2.4, 3.0}) {
    world.crowd.x[other] = static_cast<float>(distance);
    const double gap = distance - (0.18 + 0.53) - (0.18 + 0.53 * 0.5);
    EXPECT_NEAR(acceleration(person).x, -std::pow(0.3 + 0.5, 2) / gap, 0.01) << distance;
  }
  world.crowd.x[other] = static_cast<float>(0.18 + 0.53 + 0.18 + 0.53 * 0.5 + 2.01);
  EXPECT_EQ(acceleration(person), Vec2{});
  world.crowd.x[other] = 0.9f;  // the ellipses overlap
  EXPECT_NEAR(acceleration(person).x, -9, 0.01);
}

// As published: K is 0 for who does not move, and for who is behind.
TEST_F(Gcfm, WhoIsBehindOrStandsIsNotFelt) {
  const auto person = world.add({0, 0}, {1, 0});
  world.add({-1, 0}, {1.5f, 0});
  EXPECT_EQ(acceleration(person), Vec2{});
  const auto standing = world.add({20, 0}, {0, 0});
  world.add({19, 0}, {1, 0});
  EXPECT_EQ(acceleration(standing), Vec2{});
}

}  // namespace
}  // namespace throng::steering
