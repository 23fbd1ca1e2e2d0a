#include "base/math.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "base/random.h"

namespace throng::base {
namespace {

// The C library's long double functions (64-bit mantissa) are the yardstick: their own error is below 1e-18.
struct SinCosError {
  double worst = 0, at = 0;
  void take(double angle) {
    double s = 0, c = 0;
    sinCos(angle, s, c);
    const auto exact = static_cast<long double>(angle);
    const double error = static_cast<double>(std::max(std::fabs(s - std::sin(exact)), std::fabs(c - std::cos(exact))));
    if (!(error <= worst)) worst = error, at = angle;
  }
};

TEST(SinCos, IsAccurateEverywhere) {
  SinCosError error;
  Random random(11);
  for (int i = 0; i < 400'000; ++i) {
    error.take(random.uniform(-7, 7));
    error.take(random.uniform(-1e5, 1e5));
  }
  // Where the reduction changes quadrant, and where it cancels most: multiples of π/4 and their neighbours.
  for (int k = -130'000; k <= 130'000; ++k) {
    const double angle = k * (kPi / 4);
    if (std::fabs(angle) > 1e5) continue;
    error.take(angle);
    error.take(std::nextafter(angle, 1e9));
    error.take(std::nextafter(angle, -1e9));
  }
  EXPECT_LT(error.worst, 1e-14) << "at " << error.at;
  RecordProperty("worst", std::to_string(error.worst * 1e16) + "e-16");
}

TEST(SinCos, IsExactAtZeroAndOddAndEven) {
  double s = 1, c = 0;
  sinCos(0, s, c);
  EXPECT_EQ(s, 0);
  EXPECT_EQ(c, 1);
  Random random(12);
  for (int i = 0; i < 10'000; ++i) {
    const double angle = random.uniform(0, 100);
    double s1, c1, s2, c2;
    sinCos(angle, s1, c1);
    sinCos(-angle, s2, c2);
    ASSERT_NEAR(s1, -s2, 1e-15);
    ASSERT_NEAR(c1, c2, 1e-15);
    ASSERT_NEAR(s1 * s1 + c1 * c1, 1, 4e-15);
  }
}

TEST(Logarithm, IsAccurateOverAllNormalNumbers) {
  double worst = 0, at = 0;
  const auto take = [&](double value) {
    const long double exact = std::log(static_cast<long double>(value));
    const double got = logarithm(value);
    const double error = exact == 0 ? std::fabs(got) : static_cast<double>(std::fabs((got - exact) / exact));
    if (!(error <= worst)) worst = error, at = value;
  };
  Random random(13);
  for (int i = 0; i < 500'000; ++i) {
    take(1.0 - random.uniform());  // what Box-Muller asks for
    take(random.uniform(0.99, 1.01));
    take(std::ldexp(random.uniform(1, 2), static_cast<int>(random.below(2045)) - 1022));
  }
  for (int e = -1022; e <= 1023; ++e) {
    for (const double m :
         {1.0, 1.41421356237309504880, std::nextafter(1.41421356237309504880, 2.0), 1.9999999999999998}) {
      take(std::ldexp(m, e));
    }
  }
  for (double d = 1e-16; d < 1e-3; d *= 1.7) take(1 + d), take(1 - d);
  EXPECT_LT(worst, 1e-14) << "at " << at;
  EXPECT_EQ(logarithm(1), 0);
}

TEST(Logarithm, GrowsWithItsArgument) {
  Random random(14);
  for (int i = 0; i < 100'000; ++i) {
    const double a = random.uniform(1e-9, 2);
    ASSERT_LT(logarithm(a), logarithm(a * (1 + 1e-13))) << a;
  }
}

TEST(Exponential, IsAccurateWhereItsResultIsNormal) {
  double worst = 0, at = 0;
  const auto take = [&](double value) {
    const long double exact = std::exp(static_cast<long double>(value));
    const double error = static_cast<double>(std::fabs((exponential(value) - exact) / exact));
    if (!(error <= worst)) worst = error, at = value;
  };
  Random random(15);
  for (int i = 0; i < 300'000; ++i) {
    take(random.uniform(-708, 709.7));
    take(random.uniform(-2, 2));
  }
  for (int k = -1021; k <= 1023; ++k) {  // where the reduction changes its power of two
    for (const double part : {0.0, 0.499999999, 0.5, 0.500000001}) take((k + part) * 0.69314718055994530942);
  }
  for (double d = 1e-300; d < 1; d *= 1.7) take(d), take(-d);
  EXPECT_LT(worst, 4.5e-16) << "at " << at;  // two units in the last place
  EXPECT_EQ(exponential(0), 1);
}

TEST(Exponential, EndsInZeroAndInfinity) {
  EXPECT_EQ(exponential(-746), 0);
  EXPECT_EQ(exponential(-HUGE_VAL), 0);
  EXPECT_EQ(exponential(710), HUGE_VAL);
  EXPECT_EQ(exponential(HUGE_VAL), HUGE_VAL);
  EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_NEAR(exponential(-740) / std::exp(-740.0), 1, 1e-3);  // few bits are left there
  EXPECT_GT(exponential(709.7), 1e308);
}

}  // namespace
}  // namespace throng::base
