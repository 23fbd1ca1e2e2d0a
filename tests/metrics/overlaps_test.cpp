// Overlapping pairs: by hand, and against the comparison of everybody with everybody.
#include "metrics/overlaps.h"

#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <utility>

#include "metrics/people.h"

namespace throng::metrics {
namespace {

using Wraps = std::vector<std::optional<Rectangle>>;

/// Everybody with everybody, and with their images in the eight fields around.
struct BruteForce {
  double tolerance = 0.01;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::uint64_t agent_steps = 0;
  double deepest = 0;

  static double distance(const Frame& f, std::size_t i, std::size_t j, const Rectangle* wrap) {
    double nearest = std::numeric_limits<double>::infinity();
    const int images = wrap ? 1 : 0;
    for (int kx = -images; kx <= images; ++kx)
      for (int ky = -images; ky <= images; ++ky) {
        const double dx = double{f.x[j]} - double{f.x[i]} + (wrap ? kx * (wrap->max.x - wrap->min.x) : 0);
        const double dy = double{f.y[j]} - double{f.y[i]} + (wrap ? ky * (wrap->max.y - wrap->min.y) : 0);
        nearest = std::min(nearest, std::sqrt(dx * dx + dy * dy));
      }
    return nearest;
  }

  void observe(const Frame& f, const Wraps& wraps) {
    std::set<std::uint32_t> touched;
    for (std::size_t i = 0; i < f.size(); ++i)
      for (std::size_t j = i + 1; j < f.size(); ++j) {
        if (f.layer[i] != f.layer[j]) continue;
        const bool wrapped = f.layer[i] < wraps.size() && wraps[f.layer[i]];
        const Rectangle* wrap = wrapped ? &*wraps[f.layer[i]] : nullptr;
        const double reach = double{f.radius[i]} + double{f.radius[j]};
        const double depth = reach - distance(f, i, j, wrap);
        deepest = std::max(deepest, depth);
        if (depth <= tolerance * reach) continue;
        touched.insert(f.person[i]), touched.insert(f.person[j]);
        pairs.insert({std::min(f.person[i], f.person[j]), std::max(f.person[i], f.person[j])});
      }
    agent_steps += touched.size();
  }
};

void expectSame(const Overlaps& fast, const BruteForce& slow) {
  EXPECT_EQ(fast.pairs(), slow.pairs.size());
  EXPECT_EQ(fast.agentSteps(), slow.agent_steps);
  EXPECT_NEAR(fast.deepest(), slow.deepest, 1e-9);
}

TEST(Overlaps, ByHand) {
  Overlaps overlaps(0.01);
  // 0.4 m apart with two radii of 0.25 m: 0.1 m deep. The third touches nobody, the fourth is a floor above.
  const FrameCopy first =
      frameOf(0, {{1, 0, 0, 0.25, 0}, {2, 0.4, 0, 0.25, 0}, {3, 1.5, 0, 0.25, 0}, {4, 0, 0, 0.25, 1}});
  overlaps.observe(first.view(), {});
  EXPECT_EQ(overlaps.pairs(), 1u);
  EXPECT_EQ(overlaps.agentSteps(), 2u);
  EXPECT_NEAR(overlaps.deepest(), 0.1, 1e-6);
  // The same pair again (not a new pair), and a third person who overlaps both.
  const FrameCopy second = frameOf(1, {{3, 0.2, 0, 0.25, 0}, {2, 0.4, 0, 0.25, 0}, {1, 0, 0, 0.25, 0}});
  overlaps.observe(second.view(), {});
  EXPECT_EQ(overlaps.pairs(), 3u);
  EXPECT_EQ(overlaps.agentSteps(), 5u);
  EXPECT_NEAR(overlaps.deepest(), 0.3, 1e-6);
}

TEST(Overlaps, ToleranceIsAShareOfTheRadii) {
  for (const auto& [apart, counted] : {std::pair{0.496, 0u}, {0.4951, 0u}, {0.4949, 1u}, {0.49, 1u}}) {
    Overlaps overlaps(0.01);  // of 0.5 m: 5 mm
    overlaps.observe(frameOf(0, {{1, 10, 10}, {2, 10 + apart, 10}}).view(), {});
    EXPECT_EQ(overlaps.pairs(), counted) << apart;
    EXPECT_NEAR(overlaps.deepest(), 0.5 - apart, 1e-6);
  }
}

TEST(Overlaps, AcrossTheBorderOfAWrappedLayer) {
  const Wraps wraps{Rectangle{{0, 0}, {20, 10}}};
  Overlaps overlaps(0.01);
  // Over the right border, over the top border, and over the corner.
  const FrameCopy frame =
      frameOf(0, {{1, 0.1, 5}, {2, 19.9, 5}, {3, 10, 0.1}, {4, 10, 9.9}, {5, 0.1, 0.1}, {6, 19.9, 9.9}});
  overlaps.observe(frame.view(), wraps);
  EXPECT_EQ(overlaps.pairs(), 3u);
  EXPECT_EQ(overlaps.agentSteps(), 6u);
  Overlaps open(0.01);
  open.observe(frame.view(), {});
  EXPECT_EQ(open.pairs(), 0u);
}

TEST(Overlaps, NobodyAndNowhere) {
  Overlaps overlaps(0.01);
  overlaps.observe(Frame{}, {});
  const float nan = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::max();
  overlaps.observe(
      frameOf(0, {{1, nan, 0}, {2, nan, 0}, {3, far, far}, {4, -far, 0}, {5, 0, 0, 0}, {6, 0, 0, 0}}).view(), {});
  EXPECT_EQ(overlaps.pairs(), 0u);
  overlaps.observe(frameOf(0, {{1, 1, 1, nan}, {2, 1, 1}, {3, 1, 1}, {3, 1, 1}}).view(), {});
  EXPECT_EQ(overlaps.pairs(), 1u);
}

TEST(Overlaps, SameAsEverybodyWithEverybody) {
  std::uint64_t all_pairs = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    base::Random random(seed, 0);
    // Open layers, large fields, and fields so small that everybody is everybody's neighbour on both sides.
    const double width = random.uniform(0.8, 20), height = random.uniform(0.8, 20);
    const double left = random.uniform(-50, 50), bottom = random.uniform(-50, 50);
    Wraps wraps;
    if (seed % 3 != 0) wraps.push_back(Rectangle{{left, bottom}, {left + width, bottom + height}});
    Overlaps fast(0.01);
    BruteForce slow;
    for (int step = 0; step < 5; ++step) {
      std::vector<Standing> people;
      const std::size_t n = random.below(150);
      for (std::uint32_t person = 1; person <= n; ++person) {
        people.push_back({person, random.uniform(left, left + width), random.uniform(bottom, bottom + height),
                          random.uniform(0.1, seed % 2 ? 0.2 : 0.4), static_cast<std::uint16_t>(random.below(2))});
      }
      shuffle(people, random);
      const FrameCopy frame = frameOf(step, people);
      fast.observe(frame.view(), wraps);
      slow.observe(frame.view(), wraps);
    }
    SCOPED_TRACE(seed);
    expectSame(fast, slow);
    all_pairs += fast.pairs();
  }
  EXPECT_GT(all_pairs, 5000u);
}

TEST(Overlaps, ALonelyPersonFarAwayChangesNothing) {
  base::Random random(7, 0);
  std::vector<Standing> people;
  for (std::uint32_t person = 1; person <= 400; ++person)
    people.push_back({person, random.uniform(-15, 15), random.uniform(-15, 15)});
  people.push_back({401, 3e9, -4e12});
  Overlaps fast(0.01);
  BruteForce slow;
  const FrameCopy frame = frameOf(0, people);
  fast.observe(frame.view(), {});
  slow.observe(frame.view(), {});
  expectSame(fast, slow);
  EXPECT_GT(fast.pairs(), 10u);
}

TEST(PairSet, CountsEachPairOnce) {
  PairSet set;
  std::set<std::pair<std::uint32_t, std::uint32_t>> twin;
  base::Random random(3, 0);
  for (int i = 0; i < 20000; ++i) {
    const auto a = static_cast<std::uint32_t>(random.below(100)),
               b = a + 1 + static_cast<std::uint32_t>(random.below(50));
    if (i % 2)
      set.insert(a, b);
    else
      set.insert(b, a);
    twin.insert({a, b});
    ASSERT_EQ(set.size(), twin.size());
  }
}

}  // namespace
}  // namespace throng::metrics
