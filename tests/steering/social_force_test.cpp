// clang-format off: which instruction sets there are must be known before Highway is included
#include "agents/simd_targets.h"
// clang-format on
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "base/random.h"
#include "steering/small_world.h"
#include "steering/social_force.h"
#include "steering/social_force_terms.h"
#include "steering/twin_trials.h"

namespace throng::steering::social_force {
namespace {

struct SocialForce : testing::Test {
  std::vector<float> parameters = defaults(socialForceParameters());
  SmallWorld world;

  void steer(float dt) {
    world.buildIndex(socialForceRange(parameters));
    world.steer(steerSocialForce, parameters, dt);
  }
  void walk(float dt, int steps) {
    for (int step = 0; step < steps; ++step) {
      steer(dt);
      world.move(dt);
    }
  }
  Vec2 acceleration(std::uint32_t row, float dt) {
    steer(dt);
    return (world.next(row) - world.velocity(row)) / dt;
  }
};

TEST_F(SocialForce, ExponentialIsAccurate) {
  double worst = 0;
  for (int i = 0; i <= 900000; ++i) {
    const float x = kMinExponent + 1e-4f * static_cast<float>(i);
    if (x > kMaxExponent) break;
    const double exact = std::exp(double{x});
    worst = std::max(worst, std::abs(exponential(x) - exact) / exact);
  }
  std::printf("worst relative error %.2g\n", worst);
  EXPECT_LT(worst, 1e-6);
  EXPECT_EQ(exponential(0), 1.0f);
}

TEST_F(SocialForce, AloneAtRestStaysAtRest) {
  const auto person = world.add({12, 7}, {0, 0});
  walk(0.1f, 20);
  EXPECT_EQ(world.position(person), (Vec2{12, 7}));
}

TEST_F(SocialForce, DrivingRelaxesWithTau) {
  for (const float dt : {0.005f, 0.1f, 0.5f}) {
    SmallWorld fresh;
    const auto person = fresh.add({0, 0}, {0, 0});
    fresh.prefer(person, {1.3f, 0});
    const int steps = static_cast<int>(std::lround(1 / dt));  // 2 τ
    for (int step = 0; step < steps; ++step) {
      fresh.buildIndex(1);
      fresh.steer(steerSocialForce, parameters, dt);
      fresh.move(dt);
    }
    EXPECT_NEAR(fresh.velocity(person).x, 1.3 * (1 - std::pow(1 + dt / 0.5, -steps)), 1e-4);
    if (dt < 0.01f) {
      EXPECT_NEAR(fresh.velocity(person).x, 1.3 * (1 - std::exp(-2.0)), 0.005);
    }
  }
}

/// The published equations, in double precision and with the C library's exponential.
Point published(const SmallWorld& world, std::span<const float> p, std::uint32_t i,
                std::span<const Point> wall_points) {
  const agents::Crowd& c = world.crowd;
  const Point v{c.vx[i], c.vy[i]}, wanted{c.preferred_vx[i], c.preferred_vy[i]}, x{c.x[i], c.y[i]};
  const Point face = normalized(wanted);
  Point force = (wanted - v) * (p[kMass] / p[kRelaxationTime]);
  const auto push = [&](Point other, double reach, Point relative, bool person) {
    const double d = length(x - other);
    const Point n = (x - other) / d;
    const double lambda = p[kAnisotropy];
    const double weight = person ? lambda + (1 - lambda) * (1 - dot(n, face)) / 2 : 1;
    const double overlap = std::max(reach - d, 0.0);
    force += n * (weight * p[kRepulsionStrength] * std::exp((reach - d) / p[kRepulsionDistance]));
    force += n * (p[kBodyStiffness] * overlap);
    const Point tangent = perpendicular(n);
    force -= tangent * (p[kSlidingFriction] * overlap * dot(relative, tangent));
  };
  for (std::uint32_t j = 0; j < c.size(); ++j) {
    if (j == i) continue;
    push({c.x[j], c.y[j]}, double{c.radius[i]} + c.radius[j], v - Point{c.vx[j], c.vy[j]}, true);
  }
  for (const Point wall : wall_points) push(wall, c.radius[i], v, false);
  return force / p[kMass];
}

void expectNear(Vec2 found, Point expected, double relative, double absolute) {
  EXPECT_LT(length(Point{found.x, found.y} - expected), relative * length(expected) + absolute)
      << found.x << ", " << found.y << " instead of " << expected.x << ", " << expected.y;
}

TEST_F(SocialForce, ShortStepsFollowThePublishedEquations) {
  const float dt = 2e-5f;
  base::Random random(5);
  for (int round = 0; round < 200; ++round) {
    SmallWorld fresh;
    parameters[kAnisotropy] = static_cast<float>(random.uniform());
    for (int i = 0; i < 3; ++i) {
      const Vec2 place{static_cast<float>(random.uniform(0, 0.8)), static_cast<float>(random.uniform(0, 0.8))};
      const Vec2 velocity{static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1))};
      const auto row = fresh.add(place, velocity, static_cast<float>(random.uniform(0.2, 0.3)));
      fresh.prefer(row, {static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1))});
      fresh.crowd.max_speed[row] = 1000;
    }
    fresh.buildIndex(2.5f);
    fresh.steer(steerSocialForce, parameters, dt);
    for (std::uint32_t i = 0; i < 3; ++i) {
      expectNear((fresh.next(i) - fresh.velocity(i)) / dt, published(fresh, parameters, i, {}), 0.1, 0.05);
    }
  }
}

TEST_F(SocialForce, WhoIsPushedBackTurnsALittleToTheRight) {
  const auto one = world.add({0, 0}, {1, 0}), two = world.add({0.6f, 0}, {-1, 0});
  world.buildIndex(2.5f);
  world.steer(steerSocialForce, parameters, 0.1f);
  EXPECT_LT(world.next(one).x, 1);
  EXPECT_LT(world.next(one).y, 0);
  EXPECT_GT(world.next(one).y, -0.02);
  EXPECT_GT(world.next(two).y, 0);
}

TEST_F(SocialForce, EqualPeoplePushEachOtherEquallyWhenBothAreSeen) {
  parameters[kAnisotropy] = 1;
  base::Random random(2);
  for (int round = 0; round < 100; ++round) {
    SmallWorld fresh;
    const Vec2 b{static_cast<float>(random.uniform(-0.7, 0.7)), static_cast<float>(random.uniform(-0.7, 0.7))};
    const Vec2 v{static_cast<float>(random.uniform(-0.5, 0.5)), static_cast<float>(random.uniform(-0.5, 0.5))};
    const auto one = fresh.add({0, 0}, v), two = fresh.add(b, -v);
    // Without a way to go: who is pushed back from theirs turns a little to the right.
    for (const auto i : {one, two}) fresh.crowd.preferred_vx[i] = fresh.crowd.preferred_vy[i] = 0;
    fresh.buildIndex(2.5f);
    fresh.steer(steerSocialForce, parameters, 0.1f);
    EXPECT_EQ(fresh.next(one), -fresh.next(two));
    EXPECT_NE(fresh.next(one), v);
  }
}

TEST_F(SocialForce, ThoseBehindCountLambda) {
  parameters[kAnisotropy] = 0.5f;
  const auto person = world.add({0, 0}, {0, 0});
  world.crowd.heading_x[person] = 1;
  world.crowd.heading_y[person] = 0;
  const auto other = world.add({0.6f, 0}, {0, 0});
  const float ahead = -acceleration(person, 1e-3f).x;
  world.crowd.x[other] = -0.6f;
  const float behind = acceleration(person, 1e-3f).x;
  EXPECT_NEAR(ahead, 25 * std::exp(-0.1 / 0.08), 0.05);
  EXPECT_NEAR(behind / ahead, 0.5, 1e-3);
  // Facing is where one wants to go, not where one was turned to.
  world.prefer(person, {-1, 0});
  world.crowd.vx[person] = -1;
  EXPECT_NEAR(acceleration(person, 1e-4f).x / ahead, 1, 0.01);
  parameters[kAnisotropy] = 0;
  world.prefer(person, {1, 0});
  world.crowd.vx[person] = 1;
  steer(1e-3f);
  EXPECT_EQ(world.next(person), world.velocity(person));
}

TEST_F(SocialForce, BodiesPushAndRubOnlyInContact) {
  parameters[kRepulsionStrength] = 0;
  const auto person = world.add({0, 0}, {0, 0.5f});
  const auto other = world.add({-0.501f, 0}, {0, 0});
  steer(0.1f);
  EXPECT_EQ(world.next(person), world.velocity(person));
  world.crowd.x[other] = -0.49f;
  steer(0.1f);
  EXPECT_GT(world.next(person).x, 0);      // pushed apart
  EXPECT_LT(world.next(person).y, 0.45f);  // slowed down along the other
  EXPECT_GT(world.next(person).y, 0);      // but not turned around
  EXPECT_GT(world.next(other).y, 0);       // who is taken along
  parameters[kBodyStiffness] = 0;
  steer(0.1f);
  EXPECT_NEAR(world.next(person).x, 0, 1e-3);  // slowed down, one turns a little to the right
  parameters[kSlidingFriction] = 0;
  steer(0.1f);
  EXPECT_EQ(world.next(person), world.velocity(person));
}

TEST_F(SocialForce, FartherThanTheRangeIsNowhere) {
  const auto person = world.add({0, 0}, {0, 0});
  const auto other = world.add({0.7f, 0}, {0, 0});
  parameters[kNeighbourRange] = 0.7f;
  steer(0.1f);
  EXPECT_EQ(world.next(person), Vec2{});
  world.crowd.x[other] = 0.6999f;
  steer(0.1f);
  EXPECT_LT(world.next(person).x, 0);
}

// A square pillar from (0, 0) to (4, 4); solid on the left means counter-clockwise.
struct SocialForceWalls : SocialForce {
  Vec2 at(Vec2 place) {
    SmallWorld fresh;
    fresh.addRing(ring);
    const auto person = fresh.add(place, {0, 0});
    fresh.crowd.max_speed[person] = 1000;
    fresh.buildIndex(2.5f);
    fresh.steer(steerSocialForce, parameters, 1e-4f);
    return fresh.next(person) / 1e-4f;
  }
  /// What walls at these points do.
  Point pushFrom(Vec2 place, std::vector<Point> points) {
    SmallWorld fresh;
    fresh.add(place, {0, 0});
    return published(fresh, parameters, 0, points);
  }
  std::vector<Vec2> ring{{0, 0}, {4, 0}, {4, 4}, {0, 4}};
};

TEST_F(SocialForceWalls, PushFromTheNearestPoint) {
  expectNear(at({2, -0.4f}), pushFrom({2, -0.4f}, {{2, 0}}), 0.01, 1e-3);
  expectNear(at({4.3f, 1}), pushFrom({4.3f, 1}, {{4, 1}}), 0.01, 1e-3);
  expectNear(at({2, 4.2f}), pushFrom({2, 4.2f}, {{2, 4}}), 0.01, 1e-3);  // in contact
  EXPECT_EQ(at({2, -3}), Vec2{});
}

TEST_F(SocialForceWalls, ACornerCountsOnce) {
  expectNear(at({-0.2f, -0.2f}), pushFrom({-0.2f, -0.2f}, {{0, 0}}), 0.01, 1e-3);
  expectNear(at({4.1f, -0.3f}), pushFrom({4.1f, -0.3f}, {{4, 0}}), 0.01, 1e-3);
  // And stays continuous where the nearest point passes from side to corner.
  expectNear(at({0, -0.3f}), pushFrom({0, -0.3f}, {{0, 0}}), 0.01, 1e-3);
  expectNear(at({1e-4f, -0.3f}), pushFrom({0, -0.3f}, {{0, 0}}), 0.01, 1e-3);
  // A corner in the middle of a straight wall is like none.
  ring.insert(ring.begin() + 1, Vec2{2, 0});
  for (const float x : {1.9f, 2.0f, 2.1f}) expectNear(at({x, -0.3f}), pushFrom({x, -0.3f}, {{x, 0}}), 0.01, 1e-3);
}

TEST_F(SocialForceWalls, BothWallsOfAnInsideCornerPush) {
  ring = {{0, 0}, {0, 4}, {4, 4}, {4, 0}};  // a room, seen from inside
  expectNear(at({0.3f, 0.4f}), pushFrom({0.3f, 0.4f}, {{0, 0.4}, {0.3, 0}}), 0.01, 1e-3);
  EXPECT_LT(length(at({2, 2})), 1e-6f);
}

TEST_F(SocialForceWalls, ASheetPushesToBothSidesAndFromItsEnd) {
  ring = {{0, 0}, {4, 0}};  // there and back
  expectNear(at({2, 0.3f}), pushFrom({2, 0.3f}, {{2, 0}}), 0.01, 1e-3);
  expectNear(at({2, -0.3f}), pushFrom({2, -0.3f}, {{2, 0}}), 0.01, 1e-3);
  expectNear(at({4.3f, 0.1f}), pushFrom({4.3f, 0.1f}, {{4, 0}}), 0.01, 1e-3);
  expectNear(at({-0.3f, 0}), pushFrom({-0.3f, 0}, {{0, 0}}), 0.01, 1e-3);
}

TEST_F(SocialForce, PeopleWhoCrowdOntoOneSpotCalmDownAtEveryStepSize) {
  for (const float dt : {0.02f, 0.1f, 0.25f, 0.5f}) {
    SCOPED_TRACE(dt);
    SmallWorld fresh;
    base::Random random(11);
    for (int i = 0; i < 100; ++i) {  // 100 people on 4 m²: five times as many as fit
      fresh.add({static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1))}, {0, 0});
    }
    double farthest = 0, fastest = 0;
    for (float time = 0; time < 60; time += dt) {
      fresh.buildIndex(2.5f);
      fresh.steer(steerSocialForce, parameters, dt);
      fresh.move(dt);
      for (std::uint32_t i = 0; i < 100; ++i) {
        ASSERT_LE(length(fresh.velocity(i)), fresh.crowd.max_speed[i] * 1.0001f);  // false for NaN, too
      }
    }
    double nearest = 1e9;
    for (std::uint32_t i = 0; i < 100; ++i) {
      farthest = std::max<double>(farthest, length(fresh.position(i)));
      fastest = std::max<double>(fastest, length(fresh.velocity(i)));
      for (std::uint32_t j = 0; j < i; ++j) {
        nearest = std::min<double>(nearest, length(fresh.position(i) - fresh.position(j)));
      }
    }
    std::printf("dt %.2f s: nearest pair %.3f m, farthest %.2f m from the centre, fastest %.4f m/s\n", dt, nearest,
                farthest, fastest);
    EXPECT_GT(nearest, 0.5);
    EXPECT_LT(farthest, 12);
    EXPECT_LT(fastest, 0.02);
  }
}

TEST_F(SocialForce, PeoplePressedAgainstAWallDoNotOscillate) {
  for (const float dt : {0.02f, 0.1f, 0.5f}) {
    SCOPED_TRACE(dt);
    SmallWorld fresh;
    fresh.addRing({{-20, -1}, {20, -1}, {20, 0}, {-20, 0}});
    // Three rows that want to walk down through the wall.
    for (int i = 0; i < 30; ++i) {
      const auto row =
          fresh.add({0.55f * static_cast<float>(i % 10), 0.4f + 0.6f * static_cast<float>(i / 10)}, {0, 0});
      fresh.prefer(row, {0, -1.3f});
    }
    for (float time = 0; time < 60; time += dt) {
      fresh.buildIndex(2.5f);
      fresh.steer(steerSocialForce, parameters, dt);
      fresh.move(dt);
    }
    for (std::uint32_t i = 0; i < 30; ++i) {
      EXPECT_LT(length(fresh.velocity(i)), 0.12f);  // the outer ones still make room, sideways
      EXPECT_GT(fresh.position(i).y, 0.2f);
    }
  }
}

TEST_F(SocialForce, TwoWhoMeetHeadOnDoNotWalkThroughEachOther) {
  for (const float dt : {0.05f, 0.1f, 0.2f}) {
    SmallWorld fresh;
    const auto one = fresh.add({0, 0}, {1.3f, 0}), two = fresh.add({6, 0.1f}, {-1.3f, 0});
    double nearest = 1e9;
    for (float time = 0; time < 8; time += dt) {
      fresh.buildIndex(2.5f);
      fresh.steer(steerSocialForce, parameters, dt);
      fresh.move(dt);
      nearest = std::min<double>(nearest, length(fresh.position(one) - fresh.position(two)));
    }
    EXPECT_GT(nearest, 0.45);
    EXPECT_GT(fresh.position(one).x, fresh.position(two).x + 1);  // they got past
  }
}

TEST_F(SocialForce, CoincidentPeopleSeparate) {
  for (const float dt : {0.1f, 0.5f}) {
    SmallWorld fresh, again;
    for (SmallWorld* w : {&fresh, &again}) {
      for (int i = 0; i < 5; ++i) w->add({3, 3}, {0, 0});
      for (float time = 0; time < 20; time += dt) {
        w->buildIndex(2.5f);
        w->steer(steerSocialForce, parameters, dt);
        w->move(dt);
      }
    }
    for (std::uint32_t i = 0; i < 5; ++i) {
      EXPECT_EQ(fresh.position(i), again.position(i));
      EXPECT_LT(length(fresh.position(i) - Vec2{3, 3}), 3);
      for (std::uint32_t j = 0; j < i; ++j) EXPECT_GT(length(fresh.position(i) - fresh.position(j)), 0.5f);
    }
  }
  EXPECT_EQ(partingDirection(4, 9), -partingDirection(9, 4));
  EXPECT_NEAR(length(partingDirection(4, 9)), 1, 1e-6);
}

/// Two layers, the second wrapped; walls; people on top of one another.
SmallWorld randomWorld(std::uint64_t seed) {
  base::Random random(seed);
  SmallWorld world(2);
  const auto size = static_cast<float>(random.uniform(4, 25));
  world.wrap[1] = Rectangle{{0, 0}, {size, size}};
  for (int i = 0; i < 6; ++i) {
    const auto x = static_cast<float>(random.uniform(0, size)), y = static_cast<float>(random.uniform(0, size));
    const auto w = static_cast<float>(random.uniform(0.1, 3)), h = static_cast<float>(random.uniform(0.1, 3));
    world.addRing({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, static_cast<std::uint16_t>(i % 2));
  }
  const auto people = random.below(500);
  for (std::uint64_t i = 0; i < people; ++i) {
    Vec2 place{static_cast<float>(random.uniform(0, size)), static_cast<float>(random.uniform(0, size))};
    if (i > 0 && random.below(20) == 0) place = world.position(static_cast<std::uint32_t>(random.below(i)));
    const Vec2 velocity{static_cast<float>(random.uniform(-1.5, 1.5)), static_cast<float>(random.uniform(-1.5, 1.5))};
    const auto row = world.add(place, velocity, static_cast<float>(random.uniform(0.15, 0.4)),
                               static_cast<std::uint16_t>(random.below(2)));
    if (random.below(4) == 0) world.prefer(row, {});
    if (random.below(4) == 0) world.crowd.vx[row] = world.crowd.vy[row] = 0;
  }
  return world;
}

// Slow twin against kernel on every instruction set that this processor has, in parts of every size.
TEST_F(SocialForce, AStepInPartsEqualsItsSlowTwinBitForBit) {
  expectTwinsInParts(socialForceParts(), socialForcePartsReference(), socialForceParameters(), socialForceRange);
}

/// Thirty people who press through one another to the same place: how far they have got after a second, on average.
double squeezed(float dt) {
  const std::vector<float> parameters = defaults(socialForceParameters());
  SmallWorld world;
  base::Random random(5);
  for (int i = 0; i < 30; ++i) {
    const Vec2 place{0.52f * static_cast<float>(i % 6) + static_cast<float>(random.uniform(0, 0.05)),
                     0.52f * static_cast<float>(i / 6) + static_cast<float>(random.uniform(0, 0.05))};
    world.prefer(world.add(place, {}), normalized(Vec2{8, 1} - place) * 1.3f);
  }
  StepInParts in_parts;
  for (int step = 0; step < std::lround(1 / dt); ++step) {
    world.buildIndex(socialForceRange(parameters));
    const Together together{&socialForceParts(), parameters, world.neighbours.people()};
    auto& crowd = world.crowd;
    in_parts.run(world.input(dt), {&together, 1}, world.threads,
                 {crowd.next_vx.data(), crowd.next_vy.data(), world.column(SmallWorld::kMemoryX).data(),
                  world.column(SmallWorld::kMemoryY).data()});
    world.move(dt);
  }
  double sum = 0;
  for (std::uint32_t row = 0; row < world.crowd.size(); ++row) sum += double{world.position(row).x} / 30;
  return sum;
}

TEST_F(SocialForce, StepsOfATenthAndOfAHundredthOfASecondComeToTheSame) {
  const double start = 0.52 * 2.5 + 0.025, coarse = squeezed(0.1f) - start, fine = squeezed(0.01f) - start;
  std::printf("%.3f m with steps of 0.1 s, %.3f m with 0.01 s\n", coarse, fine);
  EXPECT_GT(fine, 0.3);
  EXPECT_NEAR(coarse / fine, 1, 0.02);
}

TEST_F(SocialForce, KernelEqualsTheSlowTwinBitForBit) {
  base::Random random(77);
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SmallWorld fresh = randomWorld(seed);
    const std::size_t n = fresh.crowd.size();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const ModelParameter& p = socialForceParameters()[i];
      parameters[i] = static_cast<float>(std::min(p.max, std::max(p.min, p.value * random.uniform(0.5, 2))));
    }
    const float dt = static_cast<float>(random.uniform(0.01, 0.5));
    fresh.buildIndex(socialForceRange(parameters));
    const auto people = fresh.neighbours.people();
    std::vector<float> slow_x(n), slow_y(n);
    steerSocialForceReference(fresh.input(dt), parameters, people, {slow_x.data(), slow_y.data()});
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      SCOPED_TRACE(hwy::TargetName(target));
      hwy::SetSupportedTargetsForTest(target);
      std::vector<float> fast_x(n), fast_y(n);
      for (std::size_t begin = 0; begin < people.size();) {
        const std::size_t count = std::min<std::size_t>(people.size() - begin, 1 + random.below(200));
        steerSocialForce(fresh.input(dt), parameters, people.subspan(begin, count), {fast_x.data(), fast_y.data()});
        begin += count;
      }
      ASSERT_EQ(std::memcmp(fast_x.data(), slow_x.data(), n * sizeof(float)), 0) << "seed " << seed;
      ASSERT_EQ(std::memcmp(fast_y.data(), slow_y.data(), n * sizeof(float)), 0) << "seed " << seed;
      compared += n;
    }
    hwy::SetSupportedTargetsForTest(0);
    for (std::size_t row = 0; row < n; ++row) ASSERT_TRUE(std::isfinite(slow_x[row]) && std::isfinite(slow_y[row]));
  }
  std::printf("%zu velocities equal on %zu targets\n", compared, hwy::SupportedAndGeneratedTargets().size());
}

}  // namespace
}  // namespace throng::steering::social_force
