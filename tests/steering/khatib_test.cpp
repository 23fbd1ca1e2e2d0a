#include "steering/khatib.h"

#include "steering/twin_trials.h"

namespace throng::steering {
namespace {

struct Khatib : testing::Test {
  std::vector<float> parameters = defaults(khatibParameters());
  SmallWorld world;

  Vec2 acceleration(std::uint32_t row, float dt) {
    world.buildIndex(khatibRange(parameters));
    world.steer(steerKhatib, parameters, dt);
    return (world.next(row) - world.velocity(row)) / dt;
  }
};

TEST_F(Khatib, KernelEqualsTheSlowTwinBitForBit) {
  expectTwins(steerKhatib, steerKhatibReference, khatibParameters(), khatibRange);
}

/// η (1/ρ - 1/ρ0) / ρ²
double published(double rho) { return 0.1 * (1 / rho - 1 / 1.2) / (rho * rho); }

TEST_F(Khatib, RepulsionIsThePublishedOne) {
  const auto person = world.add({0, 0}, {0, 0}), other = world.add({1, 0}, {0, 0});
  world.crowd.max_speed[person] = 1000;
  for (const float rho : {0.1f, 0.3f, 0.5f, 1.0f, 1.19f}) {
    world.crowd.x[other] = 0.5f + rho;
    EXPECT_NEAR(acceleration(person, 1e-4f).x, -published(rho), 0.01 * published(rho) + 1e-3) << rho;
  }
  world.crowd.x[other] = 0.5f + 1.21f;
  EXPECT_EQ(acceleration(person, 0.1f), Vec2{});
}

TEST_F(Khatib, WallsRepelAsPeopleDo) {
  world.addRing({{-5, -2}, {5, -2}, {5, -1}, {-5, -1}});
  const auto person = world.add({0, -0.35f}, {0, 0});
  EXPECT_NEAR(acceleration(person, 1e-4f).y, published(0.4), 0.01);
}

TEST_F(Khatib, LongStepsNeitherThrowNorOverlap) {
  for (const float dt : {0.02f, 0.1f, 0.5f}) {
    SmallWorld fresh;
    base::Random random(11);
    for (int i = 0; i < 60; ++i) {
      fresh.add({static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1))}, {0, 0});
    }
    for (float time = 0; time < 60; time += dt) {
      fresh.buildIndex(khatibRange(parameters));
      fresh.steer(steerKhatib, parameters, dt);
      fresh.move(dt);
    }
    double nearest = 1e9, fastest = 0, farthest = 0;
    for (std::uint32_t i = 0; i < 60; ++i) {
      fastest = std::max<double>(fastest, length(fresh.velocity(i)));
      farthest = std::max<double>(farthest, length(fresh.position(i)));
      for (std::uint32_t j = 0; j < i; ++j)
        nearest = std::min<double>(nearest, length(fresh.position(i) - fresh.position(j)));
    }
    std::printf("dt %.2f s: nearest pair %.3f m, farthest %.2f m, fastest %.4f m/s\n", dt, nearest, farthest, fastest);
    EXPECT_GT(nearest, 0.6);
    EXPECT_LT(farthest, 12);
    EXPECT_LT(fastest, 0.05);
  }
}

}  // namespace
}  // namespace throng::steering
