// clang-format off: which instruction sets there are must be known before Highway is included
#include "agents/simd_targets.h"
// clang-format on
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "base/random.h"
#include "steering/small_world.h"
#include "steering/vision.h"
#include "steering/vision_predictive.h"
#include "steering/vision_reference.h"

namespace throng::steering::vision {
namespace {

TEST(VisionLaw, ElementaryFunctionsAreNearTheLibrarys) {
  base::Random random(1);
  double power = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto t = static_cast<float>(std::exp(random.uniform(-6, 6))), c = static_cast<float>(random.uniform(0, 3));
    power = std::max(power, std::abs(power2(-c * logarithm2(t)) / std::pow(double{t}, -double{c}) - 1));
  }
  std::printf("largest error of the power: %.1e\n", power);
  EXPECT_LT(power, 1e-5);
}

TEST(VisionLaw, PointsAreJudgedByTheDerivativeOfTheirBearing) {
  const Threshold own{0, 0.6f, 1.5f};
  // 4 m ahead, coming at 2 m/s and going left at 0.1 m/s: tti 2 s, α̇ = 0.1 / 4, τ1 = 0.6 · 2^-1.5.
  Stimulus s;
  perceive(own, 8, 0.4f, 16, s);
  EXPECT_NEAR(s.phi_plus, 0.025 - 0.6 * std::pow(2, -1.5), 1e-4);
  EXPECT_EQ(s.phi_minus, 0);
  EXPECT_NEAR(s.soonest, 2, 1e-6);
  perceive(own, 8, -0.8f, 16, s);  // and another to the right
  EXPECT_NEAR(s.phi_minus, 0.6 * std::pow(2, -1.5) - 0.05, 1e-4);
  Stimulus none;
  perceive(own, -8, 0.4f, 16, none);  // going away
  perceive(own, 8, 4, 16, none);      // passing well to the side
  EXPECT_EQ(none.phi_plus, 0);
  EXPECT_EQ(none.soonest, kNever);
}

// Eq. (14) as printed loses sight of a collision within its last second.
TEST(VisionLaw, WhoWillBeWalkedIntoStaysACollisionUntilTheContact) {
  const Threshold own{0, 0.6f, 1.5f};
  for (const double miss : {0.05, 0.2, 0.4}) {  // m, between the middles of two bodies of 0.25 m
    for (double time = 4; time > 0.3; time -= 0.1) {
      const double x = 2.6 * time;  // m, at 2.6 m/s
      Stimulus s;
      perceive(own, static_cast<float>(2.6 * x), static_cast<float>(2.6 * miss),
               static_cast<float>(x * x + miss * miss), s);
      const double rate = 2.6 * miss / (x * x + miss * miss),
                   band = 0.6 * std::pow((x * x + miss * miss) / (2.6 * x), -1.5);
      EXPECT_EQ(s.soonest < kNever, rate < band) << miss << " m in " << time << " s";
      EXPECT_LT(s.soonest, kNever) << miss << " m in " << time << " s";
    }
  }
}

TEST(VisionLaw, TheThreeCases) {
  const Stimulus both{-0.3f, 0.5f, 2}, free, only_right{-0.3f, 0, 2}, only_left{0, 0.5f, 2};
  EXPECT_EQ(turnFor(both, 0.05f, 0), -0.3f);  // Eq. (5): the lesser turn
  EXPECT_EQ(turnFor(both, 0.3f, 0), 0.5f);    // Eq. (6): nearer to the goal
  EXPECT_EQ(turnFor(both, -0.2f, 0), -0.3f);
  EXPECT_EQ(turnFor(both, 0.6f, 0), 0.6f);  // Eq. (7)
  EXPECT_EQ(turnFor(both, -0.4f, 0), -0.4f);
  EXPECT_EQ(turnFor(free, 0.05f, 0), 0);
  EXPECT_EQ(turnFor(free, 0.2f, 0), 0.2f);
  EXPECT_EQ(turnFor(only_right, 0.05f, 0), -0.3f);
  EXPECT_EQ(turnFor(only_left, 0.05f, 0), 0.5f);
  EXPECT_EQ(turnFor(Stimulus{-0.3f, 0.3f, 2}, 0, 0), 0.3f);        // a tie: to the left
  EXPECT_EQ(turnFor(Stimulus{-0.3f, 0.29f, 2}, 0, -0.1f), -0.3f);  // or as before
  EXPECT_EQ(turnFor(Stimulus{-0.3f, 0.2f, 2}, 0, -0.1f), 0.2f);
  EXPECT_EQ(speedShare(free, 3), 1);
  EXPECT_NEAR(speedShare(both, 3), 1 - std::exp(-2.0), 1e-6);
  EXPECT_EQ(speedShare({-0.3f, 0, 3.5f}, 3), 1);
}

struct Vision : testing::Test {
  std::vector<float> parameters = defaults(visionParameters());
  std::vector<float> points = defaults(visionPointsParameters());
};

/// Walls, and people of whom some stand, some on top of one another; the second layer wraps.
SmallWorld randomWorld(std::uint64_t seed, std::uint64_t most) {
  base::Random random(seed);
  SmallWorld world(2);
  const auto size = static_cast<float>(random.uniform(4, 40));
  world.wrap[1] = Rectangle{{0, 0}, {size, size}};
  world.floors[0].wall_height = static_cast<float>(random.uniform(0.3, 3));
  for (int i = 0; i < 6; ++i) {
    const auto x = static_cast<float>(random.uniform(0, size)), y = static_cast<float>(random.uniform(0, size));
    const auto w = static_cast<float>(random.uniform(0.1, 3)), h = static_cast<float>(random.uniform(0.1, 3));
    world.addRing({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, static_cast<std::uint16_t>(i % 2));
  }
  const auto people = 1 + random.below(most);
  for (std::uint64_t i = 0; i < people; ++i) {
    Vec2 place{static_cast<float>(random.uniform(0, size)), static_cast<float>(random.uniform(0, size))};
    if (i > 0 && random.below(20) == 0) place = world.position(static_cast<std::uint32_t>(random.below(i)));
    const Vec2 velocity{static_cast<float>(random.uniform(-1.5, 1.5)), static_cast<float>(random.uniform(-1.5, 1.5))};
    const auto row = world.add(place, velocity, 0.25f, static_cast<std::uint16_t>(random.below(2)));
    if (random.below(4) == 0) world.prefer(row, {});
    if (random.below(4) == 0) world.crowd.vx[row] = world.crowd.vy[row] = 0;
    world.column(SmallWorld::kMemoryX)[row] = static_cast<float>(random.uniform(-1.5, 1.5));
  }
  return world;
}

struct Ray {
  double x, y, z;
};

/// What one ray meets, in double precision and the scene's own coordinates: steps along the ray to bracket the first
/// change of sign of "outside the cone", then bisects. Knows nothing of the kernel's quadratic.
double marchCone(Ray ray, double eye, double cx, double cy, double height, double radius) {
  const auto inside = [&](double t) {
    const double z = eye + t * ray.z;
    return z >= 0 && z <= height && std::hypot(t * ray.x - cx, t * ray.y - cy) <= radius * (1 - z / height);
  };
  const double ground = -eye / ray.z;
  // Only near the axis can anything be.
  const double middle = (ray.x * cx + ray.y * cy) / (ray.x * ray.x + ray.y * ray.y);
  const double reach = 2 * radius / std::hypot(ray.x, ray.y);
  const double from = std::max(0.0, middle - reach), to = std::min(ground, middle + reach);
  constexpr int kSteps = 400;
  for (int i = 0; i <= kSteps && from < to; ++i) {
    double high = from + (to - from) * i / kSteps;
    if (!inside(high)) continue;
    double low = std::max(0.0, high - (to - from) / kSteps);
    for (int k = 0; k < 40; ++k) (inside((low + high) / 2) ? high : low) = (low + high) / 2;
    return high;
  }
  return INFINITY;
}

double meetWall(Ray ray, double eye, Point a, Point b, double top) {
  const Point e = b - a;
  const double across = ray.x * e.y - ray.y * e.x;
  const double t = (a.x * e.y - a.y * e.x) / across, u = (a.x * ray.y - a.y * ray.x) / across;
  const double z = eye + t * ray.z;
  return t > 0 && u >= 0 && u <= 1 && z >= 0 && z <= top ? t : INFINITY;
}

TEST_F(Vision, ImagesShowWhatRaysMeet) {
  parameters[kSightColumns] = 64, parameters[kSightRows] = 24;
  const Sight sight(parameters);
  Camera camera;
  camera.fit(sight);
  View view;
  Image image;
  std::size_t pixels = 0, filled = 0, different = 0;
  for (std::uint64_t seed = 100; seed < 112; ++seed) {
    SmallWorld world = randomWorld(seed, 40);
    world.buildIndex(visionRange(parameters));
    const std::uint32_t slot = world.neighbours.people()[0], row = world.neighbours.row()[slot];
    if (world.crowd.layer[row] == 1) continue;  // ghosts make the list of people longer
    lookReference(world.input(0.1f), sight, slot, view);
    renderFast(sight, camera, view, image);
    const Point at{world.crowd.x[row], world.crowd.y[row]};
    const Point h{world.crowd.heading_x[row], world.crowd.heading_y[row]};
    const double deg = M_PI / 180;
    for (int r = 0; r < 24; ++r) {
      for (int c = 0; c < 64; ++c, ++pixels) {
        const double side = std::tan(75 * deg) * (1 - (c + 0.5) / 32), up = std::tan(40 * deg) * (1 - (r + 0.5) / 12);
        const double forward = std::cos(40 * deg) + up * std::sin(40 * deg);
        const Ray ray{forward * h.x - side * h.y, forward * h.y + side * h.x,
                      up * std::cos(40 * deg) - std::sin(40 * deg)};
        double nearest = INFINITY;
        for (std::uint32_t j = 0; j < world.crowd.size(); ++j) {
          const Point to = Point{world.crowd.x[j], world.crowd.y[j]} - at;
          if (j == row || world.crowd.layer[j] != 0 || length(to) > sight.range || length(to) < 0.03) continue;
          nearest = std::min(nearest, marchCone(ray, 1.7, to.x, to.y, 1.8, 0.5));
        }
        const auto& walls = world.floors[0].walls;
        for (std::size_t w = 0; w < walls.size(); ++w)
          nearest = std::min(nearest, meetWall(ray, 1.7, Point{walls.a[w].x, walls.a[w].y} - at,
                                               Point{walls.b[w].x, walls.b[w].y} - at, world.floors[0].wall_height));
        const double found =
            1.0 / image.nearness[static_cast<std::size_t>(r) * image.stride + static_cast<std::size_t>(c)];
        const bool hit = nearest < 1e9;
        filled += hit;
        different += hit != (found < INFINITY) || (hit && std::abs(found - nearest) > 1e-3 * nearest + 1e-4);
      }
    }
  }
  std::printf("%zu of %zu pixels differ, %zu show something\n", different, pixels, filled);
  EXPECT_GT(filled, pixels / 20);
  EXPECT_LT(different, pixels / 500);  // on edges
}

/// Calls f(target) with every instruction set that this processor has.
template <class F>
void onEveryTarget(const F& f) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    f();
  }
  hwy::SetSupportedTargetsForTest(0);
}

std::vector<float> varied(std::span<const ModelParameter> table, base::Random& random) {
  std::vector<float> values;
  for (const ModelParameter& p : table) {
    const double value = p.value == 0 ? random.uniform(0, 0.1) : p.value * random.uniform(0.5, 1.5);
    values.push_back(static_cast<float>(std::clamp(value, p.min, p.max)));
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == "columns") values[i] = static_cast<float>(16 + random.below(100));
    if (table[i].name == "rows") values[i] = static_cast<float>(4 + random.below(30));
  }
  return values;
}

TEST_F(Vision, TheRasteriserAgreesWithARayPerPixel) {
  base::Random random(3);
  std::size_t pixels = 0;
  View view;
  Camera camera;
  Image slow, fast;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    SmallWorld world = randomWorld(seed, 120);
    parameters = varied(visionParameters(), random);
    const Sight sight(parameters);
    camera.fit(sight);
    world.buildIndex(sight.range);
    for (std::size_t i = 0; i < 4; ++i) {
      lookReference(world.input(0.1f), sight, world.neighbours.people()[i % world.neighbours.people().size()], view);
      renderReference(sight, camera, view, slow);
      onEveryTarget([&] {
        renderFast(sight, camera, view, fast);
        for (int r = 0; r < camera.rows; ++r) {
          for (int c = 0; c < camera.columns; ++c) {
            const std::size_t at = static_cast<std::size_t>(r) * slow.stride + static_cast<std::size_t>(c);
            ASSERT_EQ(slow.nearness[at], fast.nearness[at]) << "seed " << seed << ", row " << r << ", column " << c;
            if (slow.nearness[at] > 0) {
              ASSERT_EQ(slow.number[at], fast.number[at]);
            }
            ++pixels;
          }
        }
      });
    }
  }
  std::printf("%zu pixels equal\n", pixels);
}

void compareKernels(Kernel kernel, Kernel twin, std::span<const ModelParameter> table,
                    float (*range)(std::span<const float>), std::uint64_t worlds) {
  base::Random random(9);
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    SmallWorld world = randomWorld(seed, 60);
    const std::vector<float> values = varied(table, random);
    const std::size_t n = world.crowd.size();
    const float dt = static_cast<float>(random.uniform(0.01, 0.5));
    world.buildIndex(range(values));
    const auto people = world.neighbours.people();
    std::vector<float> slow(3 * n), fast(3 * n);
    twin(world.input(dt), values, people, {slow.data(), slow.data() + n, slow.data() + 2 * n});
    onEveryTarget([&] {
      std::fill(fast.begin(), fast.end(), 0.0f);
      for (std::size_t begin = 0; begin < people.size(); begin += 7)
        kernel(world.input(dt), values, people.subspan(begin, std::min<std::size_t>(7, people.size() - begin)),
               {fast.data(), fast.data() + n, fast.data() + 2 * n});
      ASSERT_EQ(std::memcmp(fast.data(), slow.data(), 3 * n * sizeof(float)), 0) << "seed " << seed;
      compared += n;
    });
    for (const float value : slow) ASSERT_TRUE(std::isfinite(value));
  }
  std::printf("%zu velocities equal on %zu targets\n", compared, hwy::SupportedAndGeneratedTargets().size());
}

TEST_F(Vision, KernelEqualsTheSlowTwinBitForBit) {
  compareKernels(steerVision, steerVisionReference, visionParameters(), visionRange, 12);
}

TEST_F(Vision, KernelOfPointsEqualsTheSlowTwinBitForBit) {
  compareKernels(steerVisionPoints, steerVisionPointsReference, visionPointsParameters(), visionRange, 60);
}

TEST_F(Vision, KernelOfPredictionEqualsTheSlowTwinBitForBit) {
  compareKernels(steerVisionPredictive, steerVisionPredictiveReference, visionPredictiveParameters(),
                 visionPredictiveRange, 12);
}

/// Lets everybody walk and returns the least distance that two of them had.
double walkFor(SmallWorld& world, Kernel kernel, std::span<const float> values, double seconds, float dt = 0.1f) {
  double nearest = INFINITY;
  for (double time = 0; time < seconds; time += dt) {
    world.buildIndex(visionRange(values));
    world.steer(kernel, values, dt);
    world.move(dt);
    for (std::uint32_t i = 0; i < world.crowd.size(); ++i) {
      const Vec2 v = world.velocity(i);
      if (length(v) > 0.1f) world.crowd.heading_x[i] = normalized(v).x, world.crowd.heading_y[i] = normalized(v).y;
      for (std::uint32_t j = 0; j < i; ++j)
        nearest = std::min<double>(nearest, length(world.position(i) - world.position(j)));
    }
  }
  return nearest;
}

TEST_F(Vision, ExactlySymmetricMeetingsResolveTheSameWayEveryTime) {
  for (const bool images : {true, false}) {
    const Kernel kernel = images ? steerVision : steerVisionPoints;
    const auto& values = images ? parameters : points;
    SmallWorld one, two;
    for (SmallWorld* world : {&one, &two}) {
      world->add({-8, 0}, {1.3f, 0});
      world->add({8, 0}, {-1.3f, 0});
    }
    const double nearest = walkFor(one, kernel, values, 12);
    walkFor(two, kernel, values, 12);
    EXPECT_GT(nearest, 0.5);
    EXPECT_GT(one.position(0).x, 3);
    EXPECT_LT(one.position(1).x, -3);
    EXPECT_EQ(one.position(0), two.position(0));
    std::printf("head-on, %s: nearest %.2f m\n", images ? "images" : "points", nearest);
  }
}

TEST_F(Vision, PredictionResolvesSymmetricMeetings) {
  const std::vector<float> values = defaults(visionPredictiveParameters());
  for (const int people : {2, 3, 4, 7, 24}) {  // on a circle, each to the opposite place, without any jitter
    SmallWorld one, two;
    const double radius = std::max(6.0, 0.25 * people);
    for (SmallWorld* world : {&one, &two}) {
      for (int i = 0; i < people; ++i) {
        const double angle = 2 * M_PI * i / people;
        const Vec2 way{static_cast<float>(-std::cos(angle)), static_cast<float>(-std::sin(angle))};
        world->add(way * static_cast<float>(-radius), way * 1.3f);
      }
    }
    const double nearest = walkFor(one, steerVisionPredictive, values, 3 * radius);
    walkFor(two, steerVisionPredictive, values, 3 * radius);
    std::printf("%d on a circle: nearest %.3f m\n", people, nearest);
    // Two dozen who all come to one point at once squeeze each other a little.
    EXPECT_GE(nearest, people < 10 ? 0.4999 : 0.47);
    for (std::uint32_t i = 0; i < one.crowd.size(); ++i) {
      EXPECT_EQ(one.position(i), two.position(i));
      EXPECT_GT(dot(one.position(i), Vec2{one.crowd.preferred_vx[i], one.crowd.preferred_vy[i]}), 1.3 * radius);
    }
  }
}

TEST_F(Vision, TurningAndSpeedStayWithinTheirBounds) {
  for (std::uint64_t seed = 40; seed < 50; ++seed) {
    SmallWorld world = randomWorld(seed, 60);
    world.buildIndex(visionRange(parameters));
    const auto before = world.column(SmallWorld::kMemoryX);
    world.steer(steerVision, parameters, 0.1f);
    for (std::uint32_t i = 0; i < world.crowd.size(); ++i) {
      EXPECT_LE(std::abs(world.column(SmallWorld::kMemoryX)[i] - before[i]), 0.1f * kMaxTurnChange + 1e-6f);
      EXPECT_LE(std::abs(world.column(SmallWorld::kMemoryX)[i]), kMaxTurn);
      const float speed = std::min(length(world.velocity(i)), world.crowd.max_speed[i]);
      EXPECT_LE(std::abs(length(world.next(i)) - speed), 0.1f * kMaxAcceleration + 1e-5f);
    }
  }
}

TEST_F(Vision, WhatAWallHidesIsNotSeenAndALowWallIsLookedOver) {
  for (const float height : {3.0f, 0.4f}) {
    SmallWorld world;
    world.floors[0].wall_height = height;
    world.addRing({{4, -3}, {4.2f, -3}, {4.2f, 3}, {4, 3}});
    world.add({0, 0}, {1.3f, 0});
    const auto other = world.add({8, 0}, {-1.3f, 0});
    world.buildIndex(30);
    const Sight sight(parameters);
    Camera camera;
    camera.fit(sight);
    View view;
    Image image;
    std::uint32_t slot = 0;
    for (const std::uint32_t s : world.neighbours.people())
      if (world.neighbours.row()[s] != other) slot = s;
    lookReference(world.input(0.1f), sight, slot, view);
    renderFast(sight, camera, view, image);
    std::size_t person = 0, wall = 0;
    for (std::size_t r = 0; r < 48; ++r) {
      for (std::size_t c = 0; c < 256; ++c) {
        if (!(image.nearness[r * image.stride + c] > 0)) continue;
        ++(image.number[r * image.stride + c] == 0 ? person : wall);
      }
    }
    EXPECT_GT(wall, 100u);
    EXPECT_EQ(person > 5, height < 1.7f) << person;
    EXPECT_EQ(person == 0, height > 1.7f) << person;
  }
}

TEST_F(Vision, ThresholdsDifferFromPersonToPerson) {
  parameters[kSightBSpread] = 0.2f, parameters[kSightCSpread] = 0.5f;
  double least = 9, most = 0;
  for (std::uint32_t person = 0; person < 1000; ++person) {
    const Threshold own = thresholdOf(parameters, person);
    least = std::min<double>(least, own.b), most = std::max<double>(most, own.b);
    EXPECT_EQ(own.a, 0);
    EXPECT_LE(std::abs(own.c - 1.5f), 0.5f);
    EXPECT_EQ(own.b, thresholdOf(parameters, person).b);
  }
  EXPECT_NEAR(least, 0.4, 0.01);
  EXPECT_NEAR(most, 0.8, 0.01);
}

}  // namespace
}  // namespace throng::steering::vision
