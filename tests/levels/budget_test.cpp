#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "base/random.h"
#include "levels/levels.h"

namespace throng::levels {
namespace {

struct Steps {
  double mean = 0, highest = 0;                ///< ms, of the last half of the steps
  double lowest_scale = 1, highest_scale = 0;  ///< in the last half
};

Steps walk(Budget& budget, int steps, const std::function<double(double)>& cost) {
  Steps seen;
  for (int i = 0; i < steps; ++i) {
    const double ms = cost(budget.scale());
    budget.spent(ms);
    EXPECT_GE(budget.scale(), kLeastScale);
    EXPECT_LE(budget.scale(), 1);
    if (i < steps / 2) continue;
    seen.mean += ms / (steps - steps / 2);
    seen.highest = std::max(seen.highest, ms);
    seen.lowest_scale = std::min(seen.lowest_scale, budget.scale());
    seen.highest_scale = std::max(seen.highest_scale, budget.scale());
  }
  return seen;
}

TEST(Budget, IsKeptWhateverThePowerOfTheScaleThatStepsCost) {
  for (const double power : {1.0, 2.0, 4.0}) {
    for (const double whole : {12.0, 30.0, 300.0}) {
      Budget budget(10);
      const Steps seen = walk(budget, 120, [&](double scale) { return 1 + whole * std::pow(scale, power); });
      EXPECT_LE(seen.highest, 10) << power << " " << whole;
      EXPECT_GE(seen.mean, 7.5) << power << " " << whole;
      EXPECT_LT(seen.highest_scale - seen.lowest_scale, 0.02 * seen.highest_scale) << power << " " << whole;
    }
  }
}

TEST(Budget, GoesToTheLeastScaleWhenNothingHelpsAndStaysAtOneWhenThereIsRoom) {
  Budget small(10), large(10);
  walk(small, 120, [](double) { return 14.0; });
  EXPECT_EQ(small.scale(), kLeastScale);
  walk(large, 60, [](double) { return 7.0; });
  EXPECT_EQ(large.scale(), 1);
}

TEST(Budget, ComesBackWhenTheCrowdHasGone) {
  Budget budget(10);
  walk(budget, 60, [](double) { return 14.0; });
  const Steps seen = walk(budget, 200, [](double scale) { return 2 + 3 * scale; });
  EXPECT_EQ(budget.scale(), 1);
  EXPECT_EQ(seen.lowest_scale, 1);
}

TEST(Budget, DoesNotFollowNoise) {
  base::Random random(1);
  for (const double power : {1.0, 2.0}) {
    Budget budget(10);
    const Steps seen =
        walk(budget, 400, [&](double scale) { return (1 + 30 * std::pow(scale, power)) * random.uniform(0.85, 1.15); });
    EXPECT_LT(seen.mean, 10) << power;
    EXPECT_GT(seen.mean, 7.5) << power;
    EXPECT_LT(seen.highest_scale - seen.lowest_scale, 0.12 * seen.highest_scale) << power;
  }
}

TEST(Budget, OfNothingChangesNothing) {
  Budget none;
  EXPECT_FALSE(none.active());
  none.spent(1e9);
  EXPECT_EQ(none.scale(), 1);
  Budget budget(5);
  budget.spent(HUGE_VAL);
  budget.spent(-1);
  EXPECT_TRUE(budget.active());
  EXPECT_EQ(budget.scale(), 1);
}

}  // namespace
}  // namespace throng::levels
