// clang-format off: which instruction sets there are must be known before Highway is included
#include "agents/simd_targets.h"
// clang-format on
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <sstream>

#include "base/narrowing.h"
#include "base/random.h"
#include "steering/small_world.h"
#include "steering/stream.h"
#include "steering/stream_terms.h"

namespace throng::steering {
namespace {

constexpr double kPi = 3.14159265358979323846;

struct Stream : testing::Test {
  std::vector<float> parameters = defaults(streamInfo().parameters);
  SmallWorld world;

  Vec2 result(std::uint32_t row) {
    world.buildIndex(streamRange(parameters));
    world.steer(stream, parameters, 0.1f);
    return world.next(row);
  }
  /// Heads east at the origin and wants to walk `own`.
  std::uint32_t addSelf(Vec2 own) {
    const auto row = world.add({0, 0}, {1, 0}, 0.24f);
    world.prefer(row, own);
    return row;
  }
};

double angleBetween(Point a, Point b) { return std::atan2(det(a, b), dot(a, b)); }
Point rotated(Point v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {v.x * c - v.y * s, v.x * s + v.y * c};
}

TEST_F(Stream, AnglesAndTurnsAreAccurate) {
  double worst_angle = 0, worst_turn = 0;
  for (int i = -3600; i <= 3600; ++i) {
    const double angle = i * kPi / 3600;
    const float x = static_cast<float>(2.5 * std::cos(angle)), y = static_cast<float>(2.5 * std::sin(angle));
    const double difference = std::abs(streamAngle(x, y) - std::atan2(double{y}, double{x}));
    worst_angle = std::max(worst_angle, std::min(difference, std::abs(difference - 2 * kPi)));
    const auto turn = static_cast<float>(angle);
    const Point expected = rotated({0.6, -0.8}, turn);
    worst_turn = std::max(worst_turn, length(wide(streamTurned({0.6f, -0.8f}, turn)) - expected));
  }
  std::printf("worst angle %.2g rad, worst turn %.2g\n", worst_angle, worst_turn);
  EXPECT_LT(worst_angle, 1e-6);
  EXPECT_LT(worst_turn, 1e-6);
  EXPECT_EQ(streamAngle(0, 0), 0.0f);
}

/// Chapter 9 in double precision and with the C library's functions.
Point published(const SmallWorld& world, std::span<const float> p, std::uint32_t self) {
  const agents::Crowd& c = world.crowd;
  const Point x{c.x[self], c.y[self]}, heading{c.heading_x[self], c.heading_y[self]};
  const Point own{c.preferred_vx[self], c.preferred_vy[self]};
  const double range = p[kStreamLookAhead], view = p[kStreamFieldOfView] * kPi / 180;
  double area = 0;
  std::vector<std::pair<double, std::uint32_t>> stream;
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    const Point d = Point{c.x[i], c.y[i]} - x, v{c.vx[i], c.vy[i]};
    if (i == self || length(d) >= range || std::abs(angleBetween(heading, d)) > view / 2) continue;
    area += kPi * c.radius[i] * c.radius[i];
    if (dot(heading, v) > 1e-4) stream.emplace_back(length(d), i);
  }
  std::sort(stream.begin(), stream.end());
  const auto most = static_cast<std::size_t>(p[kStreamMaxNeighbours]);
  if (stream.size() > most) stream.resize(most);
  const double rho = std::min(p[kStreamDensityFactor] / (view / 2 * range * range) * area, 1.0);  // 9.1
  if (stream.empty()) return own;
  double s = 0;
  Point sum;
  for (const auto& [distance, i] : stream) {
    const Point v{c.vx[i], c.vy[i]}, d = Point{c.x[i], c.y[i]} - x;
    const Point per = rotated(v, rho * distance / range * angleBetween(v, d)) *
                      (std::max(length(v), double{p[kStreamLeastSpeed]}) / length(v));
    s += length(per) / static_cast<double>(stream.size());  // 9.2
    sum += per;
  }
  const Point v_stream = sum * (s / length(sum));  // 9.3
  const double dev = angleBetween(v_stream, own), least = p[kStreamDeviationAngle] * kPi / 180;
  const double phi = std::clamp((std::abs(dev) - least) / least, 0.0, 1.0);  // 9.5
  const double expected = world.column(SmallWorld::kExpectedTime)[self] * (1 + p[kStreamDensityDelay] * rho);
  const double tau =
      expected > 0 ? p[kStreamTimeSpent] *
                         std::clamp((world.column(SmallWorld::kWalkingTime)[self] - expected) / expected, 0.0, 1.0)
                   : 0;
  const double gamma = p[kStreamInternalMotivation];
  const double lambda = gamma + (1 - gamma) * std::max({phi, std::pow(1 - rho, 3), tau});  // 9.4, 9.6
  return rotated(normalized(v_stream), lambda * dev) * (s + lambda * (length(own) - s));
}

/// Anything that the parameters allow, near the defaults.
void randomParameters(base::Random& random, std::vector<float>& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ModelParameter& p = streamInfo().parameters[i];
    parameters[i] = static_cast<float>(std::min(p.max, std::max(p.min, p.value * random.uniform(0.5, 2))));
  }
  parameters[kStreamMaxNeighbours] = static_cast<float>(1 + random.below(10));
  if (random.below(2) == 0) parameters[kStreamInternalMotivation] = static_cast<float>(random.uniform());
}

void randomTimes(base::Random& random, SmallWorld& world) {
  for (std::size_t row = 0; row < world.crowd.size(); ++row) {
    if (random.below(2) == 0) continue;
    world.column(SmallWorld::kExpectedTime)[row] = static_cast<float>(random.uniform(5, 60));
    world.column(SmallWorld::kWalkingTime)[row] = static_cast<float>(random.uniform(0, 120));
  }
}

TEST_F(Stream, FollowsThePublishedEquations) {
  base::Random random(3);
  int changed = 0;
  for (int round = 0; round < 3000; ++round) {
    SmallWorld fresh;
    randomParameters(random, parameters);
    const auto people = 2 + random.below(14);
    for (std::uint64_t i = 0; i < people; ++i) {
      const Vec2 place{static_cast<float>(random.uniform(0, 2)), static_cast<float>(random.uniform(0, 2))};
      const Vec2 velocity{static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1))};
      const auto row = fresh.add(place, velocity, static_cast<float>(random.uniform(0.2, 0.3)));
      fresh.prefer(row, {static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1))});
    }
    randomTimes(random, fresh);
    fresh.buildIndex(streamRange(parameters));
    fresh.steer(stream, parameters, 0.1f);
    const Point expected = published(fresh, parameters, 0);
    // Where the wish and the stream are opposed, rounding decides which way round.
    const Point own{fresh.crowd.preferred_vx[0], fresh.crowd.preferred_vy[0]};
    if (length(expected - own) > 1e-3) ++changed;
    EXPECT_LT(length(wide(fresh.next(0)) - expected), 2e-4) << "round " << round;
  }
  std::printf("%d of 3000 people turned by a stream\n", changed);
  EXPECT_GT(changed, 500);
}

TEST_F(Stream, AloneOrAmongOpposedOrStandingPeopleNothingChanges) {
  const auto self = addSelf({1.2f, 0.3f});
  EXPECT_EQ(result(self), (Vec2{1.2f, 0.3f}));
  for (int i = 0; i < 8; ++i) {
    const float y = -0.7f + 0.2f * static_cast<float>(i);
    world.add({1, y}, i % 2 ? Vec2{-1, 0.2f} : Vec2{0, 0}, 0.24f);  // opposed, and standing
    world.add({-0.3f, y}, {1, 1}, 0.24f);                           // behind
    world.add({1.6f, y}, {1, 1}, 0.24f);                            // too far
  }
  EXPECT_EQ(result(self), (Vec2{1.2f, 0.3f}));
}

TEST_F(Stream, WhoWantsToStandIsNotCarriedAway) {
  const auto self = addSelf({0, 0});
  for (int i = 0; i < 8; ++i) world.add({0.6f, -0.7f + 0.2f * static_cast<float>(i)}, {1, 0}, 0.24f);
  EXPECT_EQ(result(self), Vec2{});
}

// ρ = 1 and everybody at the edge of the view: λ = 0, the person follows along the line of sight.
TEST_F(Stream, DensityMakesPeopleFollow) {
  const auto self = addSelf({1.4f, 0});
  for (int i = 0; i < 8; ++i) world.add({1.4999f, 1e-3f * static_cast<float>(i)}, {0.5f, 0.4f}, 0.24f);
  const Vec2 dense = result(self);
  EXPECT_NEAR(length(dense), std::sqrt(0.41), 1e-3);
  EXPECT_NEAR(dense.y, 0, 5e-3);
  // And close by, they go the same way.
  for (std::uint32_t row = 1; row < world.crowd.size(); ++row)
    world.crowd.x[row] = 0.001f, world.crowd.y[row] = 1e-4f * static_cast<float>(row);
  const Vec2 near = result(self);
  EXPECT_NEAR(near.x, 0.5, 1e-3);
  EXPECT_NEAR(near.y, 0.4, 1e-3);
}

// Figure 9.7: whom nothing deters walks on; others are dragged along until the stream leads too far off.
TEST_F(Stream, MotivationDeviationAndTimeBringPeopleBackToTheirOwnWay) {
  const auto self = addSelf({1.2f, 0});
  for (int i = 0; i < 8; ++i) world.add({0.5f, -0.7f + 0.2f * static_cast<float>(i)}, {1, 0}, 0.24f);
  EXPECT_NEAR(length(result(self)), 1, 0.01);
  parameters[kStreamInternalMotivation] = 1;
  EXPECT_EQ(result(self), (Vec2{1.2f, 0}));
  parameters[kStreamInternalMotivation] = 0;

  const float half = std::sqrt(0.5f) * 1.2f;
  const auto turn = [&](Vec2 own) {
    world.prefer(self, own);
    return angleBetween({1, 0}, wide(result(self)));
  };
  EXPECT_LT(turn({half, half}), 0.15);                                        // 45°: dragged along
  EXPECT_GT(turn({0.5f * 1.2f, 0.866f * 1.2f}), 0.3);                         // 60°: half-hearted
  EXPECT_NEAR(turn({0, 1.2f}), kPi / 2, 0.15);                                // 90°: leaves
  EXPECT_NEAR(turn({-0.3f, 1.2f}), angleBetween({1, 0}, {-0.3, 1.2}), 1e-5);  // beyond

  world.prefer(self, {1.2f, 0});
  world.column(SmallWorld::kExpectedTime)[self] = 10;
  world.column(SmallWorld::kWalkingTime)[self] = 20;  // ρ = 1: twice the free time is as expected
  EXPECT_NEAR(length(result(self)), 1, 0.01);
  world.column(SmallWorld::kWalkingTime)[self] = 40;
  EXPECT_EQ(result(self), (Vec2{1.2f, 0}));
  parameters[kStreamTimeSpent] = 0;
  EXPECT_NEAR(length(result(self)), 1, 0.01);
}

// The side preference, in double precision: 1 at the person's feet down to 0 at the far end of the way, added up to 1.
double oncomingShare(const SmallWorld& world, std::span<const float> p, std::uint32_t self) {
  const agents::Crowd& c = world.crowd;
  const Point x{c.x[self], c.y[self]}, way = normalized(Point{c.preferred_vx[self], c.preferred_vy[self]});
  double sum = 0;
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    const Point d = Point{c.x[i], c.y[i]} - x;
    const double ahead = dot(way, d);
    const bool on_way =
        ahead > 0 && ahead < p[kStreamOncomingDistance] && std::abs(det(way, d)) < p[kStreamOncomingWidth] / 2;
    if (i != self && on_way && std::abs(angleBetween(way, {c.heading_x[i], c.heading_y[i]})) > 2 * kPi / 3)
      sum += 1 - ahead / p[kStreamOncomingDistance];
  }
  return std::min(sum, 1.0);
}

TEST_F(Stream, SidePreferenceTurnsAwayFromThoseWhoComeTheOtherWay) {
  base::Random random(5);
  double largest = 0, worst = 0;
  for (int round = 0; round < 500; ++round) {
    SmallWorld fresh;
    randomParameters(random, parameters);
    for (std::uint64_t i = 0; i < 2 + random.below(30); ++i) {
      const Vec2 place{static_cast<float>(random.uniform(0, 12)), static_cast<float>(random.uniform(0, 12))};
      const Vec2 velocity{static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1))};
      fresh.add(place, velocity, 0.25f);
    }
    const float side = static_cast<float>(random.uniform(-90, 90));
    Vec2 turned[2];
    for (const bool aside : {false, true}) {
      parameters[kStreamSidePreference] = aside ? side : 0;
      fresh.buildIndex(streamRange(parameters));
      fresh.steer(stream, parameters, 0.1f);
      turned[aside] = fresh.next(0);
    }
    const double angle = -side * kPi / 180 * oncomingShare(fresh, parameters, 0);
    worst = std::max(worst, length(wide(turned[1]) - rotated(wide(turned[0]), angle)));
    largest = std::max(largest, std::abs(angle));
  }
  std::printf("turned by up to %.2g rad, off by at most %.2g m/s\n", largest, worst);
  EXPECT_GT(largest, 0.5);
  EXPECT_LT(worst, 1e-5);
}

TEST_F(Stream, TwoWhoMeetBothTurnToTheirRight) {
  parameters[kStreamSidePreference] = 45;
  const auto self = addSelf({1.2f, 0});
  const auto other = world.add({4, 0.1f}, {-1.2f, 0});
  world.add({-3, 0}, {-1, 0});    // behind
  world.add({4, 1.5f}, {-1, 0});  // beside the way
  world.add({5, 0}, {0, 1});      // crosses it
  EXPECT_LT(result(self).y, -0.3f);
  EXPECT_GT(result(other).y, 0.3f);
  // Also while they stand, face to face.
  world.crowd.vx[other] = world.crowd.vx[self] = 0;
  EXPECT_LT(result(self).y, -0.3f);
  parameters[kStreamSidePreference] = -45;
  EXPECT_GT(result(self).y, 0.3f);
  world.crowd.heading_x[other] = 1;  // turned round
  EXPECT_EQ(result(self), (Vec2{1.2f, 0}));
}

/// Two layers, the second wrapped; people on top of one another, standing, or without a wish.
SmallWorld randomWorld(base::Random& random) {
  SmallWorld world(2);
  const auto size = static_cast<float>(random.uniform(4, 25));
  world.wrap[1] = Rectangle{{0, 0}, {size, size}};
  const auto people = random.below(600);
  for (std::uint64_t i = 0; i < people; ++i) {
    Vec2 place{static_cast<float>(random.uniform(0, size)), static_cast<float>(random.uniform(0, size))};
    if (i > 0 && random.below(20) == 0) place = world.position(static_cast<std::uint32_t>(random.below(i)));
    Vec2 velocity{static_cast<float>(random.uniform(-1.5, 1.5)), static_cast<float>(random.uniform(-1.5, 1.5))};
    if (random.below(8) == 0) velocity = random.below(2) == 0 ? Vec2{} : velocity * 1e-5f;
    const auto row = world.add(place, velocity, static_cast<float>(random.uniform(0.15, 0.4)),
                               static_cast<std::uint16_t>(random.below(2)));
    if (random.below(4) == 0) world.prefer(row, {});
    if (random.below(4) == 0) world.prefer(row, {0.3f, -1.1f});
  }
  randomTimes(random, world);
  return world;
}

// Slow twin against kernel on every instruction set that this processor has, in parts of every size, in place.
TEST_F(Stream, KernelEqualsTheSlowTwinBitForBit) {
  base::Random random(78);
  std::size_t compared = 0, changed = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SmallWorld fresh = randomWorld(random);
    const std::size_t n = fresh.crowd.size();
    if (seed > 0) randomParameters(random, parameters);
    if (seed % 3 > 0) parameters[kStreamSidePreference] = static_cast<float>(random.uniform(-90, 90));
    fresh.buildIndex(streamRange(parameters) * (seed % 2 ? 1.0f : 2.0f));
    const auto people = fresh.neighbours.people();
    std::vector<float> slow_x(n), slow_y(n);
    streamReference(fresh.input(0.1f), parameters, people, {slow_x.data(), slow_y.data()});
    const auto own_x = fresh.crowd.preferred_vx, own_y = fresh.crowd.preferred_vy;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      SCOPED_TRACE(hwy::TargetName(target));
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(target);
      fresh.crowd.preferred_vx = own_x, fresh.crowd.preferred_vy = own_y;
      float *x = fresh.crowd.preferred_vx.data(), *y = fresh.crowd.preferred_vy.data();
      for (std::size_t begin = 0; begin < people.size();) {
        const std::size_t count = std::min<std::size_t>(people.size() - begin, 1 + random.below(200));
        stream(fresh.input(0.1f), parameters, people.subspan(begin, count), {x, y});
        begin += count;
      }
      ASSERT_EQ(std::memcmp(x, slow_x.data(), n * sizeof(float)), 0) << "seed " << seed;
      ASSERT_EQ(std::memcmp(y, slow_y.data(), n * sizeof(float)), 0) << "seed " << seed;
      compared += n;
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
    for (std::size_t row = 0; row < n; ++row) {
      ASSERT_TRUE(std::isfinite(slow_x[row]) && std::isfinite(slow_y[row]));
      changed += slow_x[row] != own_x[row] || slow_y[row] != own_y[row] ? 1 : 0;
    }
  }
  std::printf("%zu velocities equal on %zu targets; a stream turns %zu people\n", compared,
              hwy::SupportedAndGeneratedTargets().size(), changed);
  EXPECT_GT(changed, 1000u);
}

TEST_F(Stream, StandsInTheDocumentationWithEveryParameter) {
  std::ifstream file(std::string(THRONG_SOURCE_DIR) + "/docs/models/stream.md");
  std::ostringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  ASSERT_TRUE(text.starts_with("# Stream\n"));
  for (const ModelParameter& p : streamInfo().parameters) {
    const std::string row = fmt::format("| `{}` | {} | {} | {} … {} |", p.name, p.unit, p.value, p.min, p.max);
    EXPECT_NE(text.find(row), std::string::npos) << row;
    EXPECT_EQ(p.description.back(), '.');
  }
}

}  // namespace
}  // namespace throng::steering
