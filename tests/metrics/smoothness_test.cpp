// Jerk and heading reversals of walks whose derivatives are known.
#include "metrics/smoothness.h"

#include <functional>
#include <gtest/gtest.h>
#include <numbers>

#include "throng/metrics.h"

#include "metrics/people.h"

namespace throng {
namespace {

using metrics::frameOf;
constexpr double kPi = std::numbers::pi;

MetricsReport walk(double seconds, double dt, const std::function<Point(double)>& place) {
  Metrics metrics;
  for (int i = 0; i * dt <= seconds + 1e-9; ++i) {
    const Point at = place(i * dt);
    metrics.observe(frameOf(i * dt, {{1, at.x, at.y}}).view());
  }
  return metrics.report();
}

/// What is left of a derivative taken over places `interval` apart of a wave of angular frequency `omega`.
double attenuation(double omega, double interval) {
  return std::pow(std::sin(omega * interval / 2) / (omega * interval / 2), 3);
}

TEST(ThirdDerivative, ExactForCubicsAtUnevenTimes) {
  const std::array<double, 4> times{2.0, 1.5, 1.4, 0.3};
  std::array<Point, 4> places;
  for (std::size_t i = 0; i < 4; ++i) {
    const double t = times[i];
    places[i] = {0.5 * t * t * t - t * t + 3, -2 * t * t * t + t};
  }
  const Point jerk = metrics::thirdDerivative(times, places);
  EXPECT_NEAR(jerk.x, 3, 1e-11);
  EXPECT_NEAR(jerk.y, -12, 1e-11);
}

TEST(Smoothness, StraightOnIsPerfectlySmooth) {
  // Numbers that floats hold exactly, so that 0 is 0.
  const MetricsReport report = walk(20, 0.125, [](double t) { return Point{1.25 * t, 0.5 * t}; });
  EXPECT_EQ(report.jerk, 0);
  EXPECT_EQ(report.heading_reversals, 0);
  // Otherwise the rounding of places leaves little.
  const MetricsReport rounded = walk(20, 0.1, [](double t) { return Point{1.3 * t, 0.7 * t}; });
  EXPECT_LT(rounded.jerk, 0.02);
  EXPECT_EQ(rounded.heading_reversals, 0);
}

TEST(Smoothness, ConstantJerkAndASteadyTurn) {
  EXPECT_NEAR(walk(3, 0.1, [](double t) { return Point{t + 0.5 * t * t * t, 0}; }).jerk, 3, 0.01);
  // A circle of 5 m at 1.5 m/s: v³/r² of jerk, and a turn that never turns back.
  const double omega = 0.3;
  const MetricsReport report = walk(60, 0.1, [&](double t) {
    return Point{5 * std::cos(omega * t), 5 * std::sin(omega * t)};
  });
  EXPECT_NEAR(report.jerk, 1.5 * 1.5 * 1.5 / 25 * attenuation(omega, 0.1), 2e-3);
  EXPECT_EQ(report.heading_reversals, 0);
}

TEST(Smoothness, AWaveAtAnyFrameRate) {
  // 0.1 m to each side once in two seconds: heading ±0.24 rad, two reversals a wave.
  const double amplitude = 0.1, omega = kPi;
  const auto place = [&](double t) { return Point{1.3 * t, amplitude * std::sin(omega * t)}; };
  const double jerk = amplitude * omega * omega * omega / std::numbers::sqrt2;
  for (const double dt : {0.01, 0.02, 0.05, 0.1}) {
    const MetricsReport report = walk(60, dt, place);
    EXPECT_NEAR(report.jerk, jerk * attenuation(omega, 0.1), 0.01 * jerk) << dt;
    EXPECT_NEAR(report.heading_reversals, 60, 1.1) << dt;
  }
  // Coarser frames are taken as they are.
  const MetricsReport coarse = walk(60, 0.25, place);
  EXPECT_NEAR(coarse.jerk, jerk * attenuation(omega, 0.25), 0.02 * jerk);
  EXPECT_NEAR(coarse.heading_reversals, 60, 1.1);
}

TEST(Smoothness, SmallTurnsAreNone) {
  // Headings within ±a: a change of 2a from end to end, 5° are needed.
  const auto reversals = [](double degrees) {
    const double slope = std::tan(degrees * kPi / 180);
    return walk(60, 0.1,
                [&](double t) {
                  return Point{1.3 * t, 1.3 * slope / kPi * std::sin(kPi * t)};
                })
        .heading_reversals;
  };
  EXPECT_EQ(reversals(2.3), 0);
  EXPECT_NEAR(reversals(2.7), 60, 1.1);
}

TEST(Smoothness, TremblingCountsAndStandingDoesNot) {
  // To and fro at 1.5 m/s, changing every 0.1 s: about-turns count as turns back, 600 a minute less the first.
  const auto tremble = [](double size) {
    return walk(60, 0.1, [=](double t) { return Point{std::lround(t * 10) % 2 ? size : 0, 0}; });
  };
  EXPECT_NEAR(tremble(0.15).heading_reversals, 598, 1);
  EXPECT_NEAR(tremble(0.15).jerk, 8 * 0.15 / 2 / 0.001, 1);
  // At 0.15 m/s it is standing.
  EXPECT_EQ(tremble(0.015).heading_reversals, 0);
  EXPECT_EQ(tremble(0.015).jerk, 0);
  // Standing between two walks in different directions: no turn, and no time to count.
  const MetricsReport pause = walk(40, 0.125, [](double t) {
    return t < 10 ? Point{t, 0} : t < 30 ? Point{10, 0} : Point{10, t - 30};
  });
  EXPECT_EQ(pause.heading_reversals, 0);
}

TEST(Smoothness, OverPeopleAndTheirTime) {
  // A minute of a wave with 60 reversals beside three minutes straight: 60 in four minutes; squares of jerk likewise.
  Metrics metrics;
  const auto wave = [](double t) { return Point{1.3 * t, 0.1 * std::sin(kPi * t)}; };
  for (int i = 0; i <= 1800; ++i) {
    std::vector<metrics::Standing> people{{7, 0.125 * i, 50}, {8, 3, 80}};  // and one who stands
    if (i <= 600) people.push_back({9, wave(i * 0.1).x, wave(i * 0.1).y});
    metrics.observe(frameOf(i * 0.1, people).view());
  }
  const MetricsReport both = metrics.report(), alone = walk(60, 0.1, wave);
  EXPECT_NEAR(both.heading_reversals, 15, 0.3);
  EXPECT_NEAR(both.jerk, alone.jerk / 2, 0.01);
}

TEST(Smoothness, GapsArrivalsAndBordersMakeNone) {
  MetricsSettings settings;
  settings.wrap = {Rectangle{{0, 0}, {16, 16}}};
  settings.standing = {1};
  Metrics metrics(settings);
  for (int i = 0; i <= 400; ++i) {
    const double t = i * 0.125;
    std::vector<Arrival> arrivals;
    // Around the field; somebody without a goal who dances; somebody who jumps while nobody looks.
    std::vector<metrics::Standing> people{{1, std::fmod(1.25 * t, 16.0), 3},
                                          {2, i % 2 ? 5.0 : 5.5, 8, 0.25, 0, 1},
                                          {3, i < 200 ? t / 8 : 10 - t / 8, 12.0}};
    if (i == 200) people.pop_back();
    // Who has arrived may dance too.
    people.push_back({4, i < 100 ? t / 2 : i % 2 ? 6 : 6.5, 14});
    if (i == 99) arrivals.push_back({4, t});
    metrics.observe(frameOf(t, people).view(), arrivals);
  }
  const MetricsReport report = metrics.report();
  EXPECT_EQ(report.jerk, 0);
  EXPECT_EQ(report.heading_reversals, 0);
}

}  // namespace
}  // namespace throng
