#include "steering/time_gap.h"

#include <array>

#include "steering/time_gap_terms.h"
#include "steering/twin_trials.h"

namespace throng::steering {
namespace {

TEST(ThrongModel, KernelEqualsTheSlowTwinBitForBit) {
  expectTwins(steerThrong, steerThrongReference, throngParameters(), throngRange);
}

TEST(ThrongModel, WhatWasPreparedChangesNothing) {
  const auto prepared = [](const StepInput& input, std::span<const float> parameters,
                           std::span<const std::uint32_t> slots, VelocityOutput out) {
    const Preparation preparation = throngPreparation();
    const std::size_t all = input.neighbours.slots();
    base::Column<float> memory(preparation.floats * all);
    for (std::size_t begin = 0; begin < all; begin += 100)
      preparation.prepare(input, begin, std::min(all, begin + 100), memory.data());
    StepInput with = input;
    with.prepared = memory.data();
    steerThrong(with, parameters, slots, out);
  };
  expectTwins(prepared, steerThrongReference, throngParameters(), throngRange, 10);
}

/// People who do not overlap, at random, with every density up to what fits.
SmallWorld apart(std::uint64_t seed) {
  base::Random random(seed);
  SmallWorld world;
  const auto number = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  const auto tries = 20 + random.below(400);
  for (std::uint64_t k = 0; k < tries; ++k) {
    const Vec2 place{number(0, 8), number(0, 8)};
    const float radius = number(0.15, 0.3);
    bool free = true;
    for (std::uint32_t row = 0; row < world.crowd.size(); ++row)
      free = free && length(world.position(row) - place) > radius + world.crowd.radius[row];
    if (!free) continue;
    const auto row = world.add(place, {number(-1, 1), number(-1, 1)}, radius);
    world.prefer(row, {number(-1.4, 1.4), number(-1.4, 1.4)});
    if (random.below(3) == 0) world.crowd.vx[row] = world.crowd.vy[row] = 0;
  }
  return world;
}

TEST(ThrongModel, NobodyWalksIntoAnybody) {
  const std::vector<float> parameters = defaults(throngParameters());
  std::size_t people = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = apart(seed);
    const float dt = std::array{0.02f, 0.1f, 0.25f}[seed % 3];
    world.buildIndex(throngRange(parameters));
    world.steer(steerThrong, parameters, dt);
    // Long steps may meet those who step back in the same moment.
    const float depth = dt > 0.1f ? 0.1f : 0.01f;
    for (std::uint32_t i = 0; i < world.crowd.size(); ++i) {
      const Vec2 to = world.position(i) + world.next(i) * dt;
      for (std::uint32_t j = 0; j < i; ++j) {
        const Vec2 other = world.position(j) + world.next(j) * dt;
        ASSERT_GT(length(to - other), world.crowd.radius[i] + world.crowd.radius[j] - depth) << i << " and " << j;
      }
    }
    people += world.crowd.size();
  }
  EXPECT_GT(people, 3000u);
}

TEST(ThrongModel, InAMirrorPeopleKeepToTheOtherSide) {
  std::vector<float> parameters = defaults(throngParameters());
  std::size_t same = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SmallWorld world = apart(seed), mirrored = apart(seed);
    for (std::uint32_t row = 0; row < mirrored.crowd.size(); ++row) {
      mirrored.crowd.y[row] = 8 - mirrored.crowd.y[row];
      mirrored.crowd.vy[row] = -mirrored.crowd.vy[row];
      mirrored.crowd.heading_y[row] = -mirrored.crowd.heading_y[row];
      mirrored.crowd.preferred_vy[row] = -mirrored.crowd.preferred_vy[row];
    }
    const auto steer = [&](SmallWorld& w, float side) {
      parameters[time_gap::kSidePreference] = side;
      w.buildIndex(throngRange(parameters));
      w.steer(steerThrong, parameters, 0.1f);
    };
    steer(world, 0.6f), steer(mirrored, -0.6f);
    for (std::uint32_t row = 0; row < world.crowd.size(); ++row) {
      const Vec2 a = world.next(row), b = mirrored.next(row);
      same += std::abs(a.x - b.x) < 1e-3f && std::abs(a.y + b.y) < 1e-3f ? 1 : 0;
      ++all;
    }
  }
  // But for those to whom two directions are as good to the last bits.
  EXPECT_GT(same, all * 99 / 100) << same << " of " << all;
}

/// What somebody who wants to walk at 1.3 m/s does behind somebody who walks at `pace` the same way.
float speedBehind(float gap, float own, float pace, float dt) {
  const std::vector<float> parameters = defaults(throngParameters());
  SmallWorld world;
  const auto behind = world.add({0, 0}, {own, 0}, 0.2f);
  const auto ahead = world.add({0.4f + gap, 0}, {pace, 0}, 0.2f);
  world.prefer(behind, {1.3f, 0}), world.prefer(ahead, {std::max(0.1f, pace), 0});
  world.buildIndex(throngRange(parameters));
  world.steer(steerThrong, parameters, dt);
  EXPECT_NEAR(world.next(behind).y, 0, 0.02f) << gap;
  return world.next(behind).x;
}

TEST(ThrongModel, SpeedBehindSomebodyIsTheGapOverTheTimeGap) {
  const float time_gap = defaults(throngParameters())[time_gap::kTimeGap];
  for (const float gap : {0.05f, 0.1f, 0.2f})
    EXPECT_NEAR(speedBehind(gap, 0.5f, 0, 0.1f), (gap - time_gap::kStandoff) / time_gap, 0.02f) << gap;
}

TEST(ThrongModel, WhoFollowsReckonsWithTheGapOfAMomentLater) {
  const float time_gap = defaults(throngParameters())[time_gap::kTimeGap], later = time_gap::kAnticipation;
  for (const float gap : {0.05f, 0.1f, 0.2f}) {
    const float room = gap - time_gap::kStandoff, pace = 0.5f;
    const float half_the_gap = (gap + time_gap::kTouch) / 0.2f;  // in a step, and no more
    const float expected =
        std::min(half_the_gap, std::max(room / time_gap, (room + later * pace) / (time_gap + later)));
    EXPECT_NEAR(speedBehind(gap, 0.5f, pace, 0.1f), expected, 0.02f) << gap;
  }
}

// A packed file still moves: nobody waits for a gap behind somebody who goes on, and nobody is led into them.
TEST(ThrongModel, WhoFollowsShufflesOnWithoutAGap) {
  const time_gap::Coefficients c(defaults(throngParameters()), 0.1f);
  const auto straight = [&](float gap, float pace, Vec2 wanted) {
    time_gap::Walker w{};
    w.preferred = {1.3f, 0}, w.wanted = w.heading = {1, 0}, w.radius = 0.2f, w.wanted_speed = 1.3f;
    return time_gap::speedFor(c, time_gap::otherOf(w, {0.4f + gap, 0}, {pace, 0}, 0.2f, wanted, 7), 1, 0, 1.3f);
  };
  for (const float gap : {0.0f, 0.01f, 0.02f}) {
    EXPECT_NEAR(straight(gap, 0.06f, {1, 0}), 0.06f + time_gap::kSetOff, 1e-4f) << gap;
    EXPECT_NEAR(straight(gap, 0, {1, 0}), time_gap::kSetOff, 1e-4f) << gap;
    EXPECT_LT(straight(gap, 0, {-1, 0}), time_gap::kSetOff) << gap;
  }
  EXPECT_LT(straight(0, 0.3f, {1, 0}), 1.0f);
  EXPECT_LT(straight(-0.006f, 0, {1, 0}), 1e-4f);  // no deeper
}

// Steps aside and back, and what is walked, may each keep to the gaps; all of it together leads nobody into anybody,
// with people of the same kind, whatever their wishes and however they stand.
TEST(ThrongModel, NobodyIsLedIntoAnybody) {
  base::Random random(8, 21);
  for (const float dt : {0.05f, 0.1f, 0.2f}) {
    for (int round = 0; round < 40; ++round) {
      SmallWorld world;
      const double side = random.uniform(1.5, 4);
      std::vector<Vec2> places;
      for (int tries = 0; tries < 200; ++tries) {
        const Vec2 at{static_cast<float>(random.uniform(0, side)), static_cast<float>(random.uniform(0, side))};
        bool is_free = true;
        for (const Vec2& other : places) is_free &= length(other - at) > 0.4f;
        if (is_free) places.push_back(at);
      }
      for (const Vec2& at : places) {
        const double angle = random.uniform(0, 6.28), speed = random.uniform(0.5, 1.6);
        const Vec2 wish{static_cast<float>(speed * std::cos(angle)), static_cast<float>(speed * std::sin(angle))};
        const auto row = world.add(at, wish * static_cast<float>(random.uniform(0, 1)), 0.2f);
        world.prefer(row, wish);
      }
      const std::vector<float> parameters = defaults(throngParameters());
      world.buildIndex(throngRange(parameters));
      world.steer(steerThrong, parameters, dt);
      for (std::size_t a = 0; a < places.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
          const Vec2 to = places[a] + world.next(static_cast<std::uint32_t>(a)) * dt - places[b] -
                          world.next(static_cast<std::uint32_t>(b)) * dt;
          EXPECT_GT(length(to), 0.39f) << "dt " << dt << ", round " << round << ", before "
                                       << length(places[a] - places[b]);
        }
    }
  }
}

TEST(ThrongModel, WhatWasWalkedBeforeMakesNoDifferenceToTheSpeedBehindSomebody) {
  // Or people would be fast and slow by turns, the more often the shorter steps are.
  for (const float gap : {0.1f, 0.2f}) {
    const float slow = speedBehind(gap, 0.3f, 0.5f, 0.1f);
    for (const float own : {0.4f, 0.5f, 0.6f}) EXPECT_FLOAT_EQ(speedBehind(gap, own, 0.5f, 0.1f), slow) << gap << own;
  }
}

}  // namespace
}  // namespace throng::steering
