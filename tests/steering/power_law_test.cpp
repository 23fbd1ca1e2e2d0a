#include "steering/power_law.h"

#include "steering/parts.h"
#include "steering/twin_trials.h"

namespace throng::steering {
namespace {

struct PowerLaw : testing::Test {
  std::vector<float> parameters = defaults(powerLawParameters());
  SmallWorld world;

  Vec2 acceleration(std::uint32_t row, float dt = 1e-3f) {
    world.buildIndex(powerLawRange(parameters));
    world.steer(steerPowerLaw, parameters, dt);
    return (world.next(row) - world.velocity(row)) / dt;
  }
};

TEST_F(PowerLaw, KernelEqualsTheSlowTwinBitForBit) {
  expectTwins(steerPowerLaw, steerPowerLawReference, powerLawParameters(), powerLawRange);
}

/// k τ^-2 exp(-τ/τ0) for somebody at x with the relative velocity v; 0 without a collision.
double energy(Point x, Point v, double reach) {
  const double a = lengthSquared(v), b = -dot(x, v), c = lengthSquared(x) - reach * reach, d = b * b - a * c;
  if (b <= 0 || d <= 0) return 0;
  const double time = c / (b + std::sqrt(d));
  return 1.5 / (time * time) * std::exp(-time / 3);
}

// The force is the gradient of the published energy, by differences.
TEST_F(PowerLaw, ForceIsTheGradientOfTheEnergy) {
  base::Random random(4);
  int met = 0;
  for (int round = 0; round < 1500; ++round) {
    SmallWorld crowd;
    const auto number = [&](double most) { return static_cast<float>(random.uniform(-most, most)); };
    const auto person = crowd.add({0, 0}, {number(1.3), number(1.3)});
    const auto other = crowd.add({number(5), number(5)}, {number(1.3), number(1.3)});
    crowd.crowd.max_speed[person] = 1000;
    const Point x{-crowd.crowd.x[other], -crowd.crowd.y[other]};
    const Point v{crowd.crowd.vx[person] - crowd.crowd.vx[other], crowd.crowd.vy[person] - crowd.crowd.vy[other]};
    if (length(x) < 0.6) continue;
    const double h = 1e-5;
    const Point slope{(energy(x + Point{h, 0}, v, 0.5) - energy(x - Point{h, 0}, v, 0.5)) / (2 * h),
                      (energy(x + Point{0, h}, v, 0.5) - energy(x - Point{0, h}, v, 0.5)) / (2 * h)};
    if (!(length(slope) > 1e-3 && length(slope) < 4.5)) continue;
    crowd.buildIndex(powerLawRange(parameters));
    crowd.steer(steerPowerLaw, parameters, 0.01f);
    const Vec2 change = (crowd.next(person) - crowd.velocity(person)) / 0.01f;
    // Bearing right, 0.015 of the preferred velocity at most, in the relaxation time.
    const double right = 2 * 0.015 * length(crowd.velocity(person));
    EXPECT_NEAR(change.x, -slope.x, 0.02 * length(slope) + right + 1e-3) << round;
    EXPECT_NEAR(change.y, -slope.y, 0.02 * length(slope) + right + 1e-3) << round;
    ++met;
  }
  EXPECT_GT(met, 20);
}

TEST_F(PowerLaw, ForcesHaveALimit) {
  const auto person = world.add({0, 0}, {1.3f, 0});
  world.add({0.55f, 0.01f}, {-1.3f, 0});
  EXPECT_NEAR(length(acceleration(person)), 5, 1e-2);
}

TEST_F(PowerLaw, BodiesThatOverlapComeApart) {
  const auto person = world.add({0, 0}, {0.5f, 0});
  world.add({0.3f, 0}, {0, 0});
  EXPECT_LT(acceleration(person).x, -1);
}

TEST_F(PowerLaw, AWallIsNotWalkedInto) {
  world.addRing({{1, 5}, {1, -5}, {2, -5}, {2, 5}});
  const auto person = world.add({0.5f, 0}, {1.3f, 0});
  EXPECT_LT(acceleration(person).x, -1);
}

}  // namespace
}  // namespace throng::steering
