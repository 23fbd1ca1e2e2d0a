// A kernel against its slow twin on random crowds.
#pragma once

// clang-format off: which instruction sets there are must be known before Highway is included
#include "agents/simd_targets.h"
// clang-format on
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <vector>

#include "base/random.h"
#include "steering/parts.h"
#include "steering/small_world.h"

namespace throng::steering {

/// Two layers, the second wrapped; walls; some people on top of one another, some standing, some who face away from
/// where they want to go.
inline SmallWorld randomCrowd(std::uint64_t seed) {
  base::Random random(seed);
  SmallWorld world(2);
  const auto number = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  const float size = number(4, 25);
  world.wrap[1] = Rectangle{{0, 0}, {size, size}};
  for (int i = 0; i < 6; ++i) {
    const float x = number(0, size), y = number(0, size), w = number(0.1, 3), h = number(0.1, 3);
    world.addRing({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, static_cast<std::uint16_t>(i % 2));
  }
  const auto people = random.below(400);
  for (std::uint64_t i = 0; i < people; ++i) {
    Vec2 place{number(0, size), number(0, size)};
    if (i > 0 && random.below(20) == 0) place = world.position(static_cast<std::uint32_t>(random.below(i)));
    const auto row = world.add(place, {number(-1.5, 1.5), number(-1.5, 1.5)}, number(0.15, 0.4),
                               static_cast<std::uint16_t>(random.below(2)));
    world.crowd.target_x[row] = place.x + number(-3, 3), world.crowd.target_y[row] = place.y + number(-3, 3);
    if (random.below(3) == 0) world.prefer(row, {number(-1.5, 1.5), number(-1.5, 1.5)});
    if (random.below(6) == 0) world.prefer(row, {});
    if (random.below(4) == 0) world.crowd.vx[row] = world.crowd.vy[row] = 0;
  }
  if (seed % 2 == 0) return world;
  // Half of them have a line that they do not walk over, and are on one of a few ways.
  for (std::uint64_t i = 0; i < people; ++i) {
    const double angle = random.uniform(0, 6.3);
    const bool has_line = random.below(2) == 0;
    world.line_x.push_back(has_line ? static_cast<float>(std::cos(angle)) : 0.0f);
    world.line_y.push_back(has_line ? static_cast<float>(std::sin(angle)) : 0.0f);
    world.line_room.push_back(has_line && random.below(3) > 0 ? number(0, 1) : 0.0f);
    world.way.push_back(has_line ? static_cast<std::uint32_t>(random.below(6)) : 0);
  }
  return world;
}

/// On every instruction set that this processor has, in parts of every size, with parameters around the defaults.
inline void expectTwins(Kernel fast, Kernel slow, std::span<const ModelParameter> table,
                        float (*range)(std::span<const float>), std::uint64_t worlds = 30) {
  base::Random random(77);
  std::size_t compared = 0, steered = 0;
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    SmallWorld world = randomCrowd(seed);
    const std::size_t n = world.crowd.size();
    std::vector<float> parameters;
    for (const ModelParameter& p : table) {
      const double value =
          p.value == 0 ? random.uniform(p.min, std::min(p.max, 1.0)) : p.value * random.uniform(0.5, 2);
      parameters.push_back(static_cast<float>(std::min(p.max, std::max(p.min, value))));
    }
    const float dt = static_cast<float>(random.uniform(0.01, 0.5));
    world.buildIndex(range(parameters));
    const auto people = world.neighbours.people();
    StepInput input = world.input(dt);
    input.step = seed;
    std::vector<float> slow_x(n), slow_y(n);
    slow(input, parameters, people, {slow_x.data(), slow_y.data()});
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      SCOPED_TRACE(hwy::TargetName(target));
      hwy::SetSupportedTargetsForTest(target);
      std::vector<float> fast_x(n), fast_y(n);
      for (std::size_t begin = 0; begin < people.size();) {
        const std::size_t count = std::min<std::size_t>(people.size() - begin, 1 + random.below(200));
        fast(input, parameters, people.subspan(begin, count), {fast_x.data(), fast_y.data()});
        begin += count;
      }
      ASSERT_EQ(std::memcmp(fast_x.data(), slow_x.data(), n * sizeof(float)), 0) << "world " << seed;
      ASSERT_EQ(std::memcmp(fast_y.data(), slow_y.data(), n * sizeof(float)), 0) << "world " << seed;
      compared += n;
    }
    hwy::SetSupportedTargetsForTest(0);
    for (std::uint32_t row = 0; row < n; ++row) {
      const Vec2 next{slow_x[row], slow_y[row]};
      ASSERT_LE(length(next), world.crowd.max_speed[row] * 1.0001f);  // false for NaN, too
      steered += next != Vec2{world.crowd.preferred_vx[row], world.crowd.preferred_vy[row]};
    }
  }
  std::printf("%zu velocities equal on %zu targets, %zu of them steered\n", compared,
              hwy::SupportedAndGeneratedTargets().size(), steered);
  EXPECT_GT(steered, 1000u);
}

/// A step in parts against its slow twin: the same places and velocities at its end, bit for bit.
inline void expectTwinsInParts(const Parts& fast, const Parts& slow, std::span<const ModelParameter> table,
                               float (*range)(std::span<const float>), std::uint64_t worlds = 12) {
  const std::vector<float> parameters = defaults(table);
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    SmallWorld world = randomCrowd(seed);
    const std::size_t n = world.crowd.size();
    world.buildIndex(range(parameters));
    // A third of them are of another model, and walk straight on.
    std::vector<std::uint32_t> some;
    for (const std::uint32_t slot : world.neighbours.people())
      if (seed % 2 == 0 || slot % 3 != 0) some.push_back(slot);
    const float dt = seed % 3 == 0 ? 0.01f : 0.1f;
    const auto steps = [&](const Parts& parts, std::vector<float>& found) {
      StepInParts in_parts;
      std::vector<float> vx(n), vy(n), memory_x(n), memory_y(n);
      StepInput input = world.input(dt);
      for (std::size_t row = 0; row < n; ++row) memory_x[row] = 0.01f * static_cast<float>(row % 7);
      input.memory_x = memory_x.data(), input.memory_y = memory_y.data();
      const Together together{&parts, parameters, some};
      in_parts.run(input, {&together, 1}, world.threads, {vx.data(), vy.data(), memory_x.data(), memory_y.data()});
      for (const auto* column : {&vx, &vy, &memory_x, &memory_y})
        found.insert(found.end(), column->begin(), column->end());
    };
    std::vector<float> expected;
    steps(slow, expected);
    for (const float value : expected) ASSERT_TRUE(std::isfinite(value));
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      SCOPED_TRACE(hwy::TargetName(target));
      hwy::SetSupportedTargetsForTest(target);
      std::vector<float> found;
      steps(fast, found);
      ASSERT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(float)), 0) << "world " << seed;
      compared += some.size();
    }
    hwy::SetSupportedTargetsForTest(0);
  }
  EXPECT_GT(compared, 1000u);
}

}  // namespace throng::steering
