// The continuous check against samples on random motions, and stable matching against its definition.
#include "patches/contact.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "patches/pairing.h"

namespace throng::patches {
namespace {

PatchWalk randomWalk(base::Random& random) {
  PatchWalk walk;
  walk.first = random.uniform(0, 4);
  walk.step = random.uniform(0.4, 0.7);
  walk.control.resize(6 + random.below(8));
  Point p{random.uniform(0, 4), random.uniform(0, 4)};
  for (Point& c : walk.control) c = p, p += {random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6)};
  walk.from = walk.first;
  walk.until = walk.first + walk.step * static_cast<double>(walk.control.size() - 2);
  return walk;
}

TEST(Contact, IsFoundExactlyWhenThereIsOne) {
  base::Random random(7);
  int contacts = 0, none = 0;
  for (int i = 0; i < 4000; ++i) {
    const PatchWalk a = randomWalk(random), b = randomWalk(random);
    const Motion p = motionOf(a, a.from, a.until), q = motionOf(b, b.from, b.until);
    const double shift = random.uniform(-3, 3);
    const auto found = findContact(p, q, shift, 0.5);
    const auto sampled = sampleContact(p, q, shift, 0.5, 2000);
    if (sampled) {
      ASSERT_TRUE(found.has_value());
    }
    if (found) {
      ++contacts;
      // What it says is so: it is not invented.
      const double d = length(stateAt(a, found->time).position - stateAt(b, found->time - shift).position);
      EXPECT_NEAR(d, found->distance, 1e-9);
      EXPECT_LT(d, 0.5 + 1e-6);
    } else {
      ++none;
    }
  }
  EXPECT_GT(contacts, 300);
  EXPECT_GT(none, 500);
}

TEST(Contact, BetweenSamplesIsFound) {
  // Two who pass head-on at 4 m/s together touch for a moment only.
  PatchWalk a, b;
  a.first = b.first = 0, a.step = b.step = 1;
  a.control = {{-2, 0}, {0, 0}, {2, 0}, {4, 0}};
  b.control = {{4, 0.499}, {2, 0.499}, {0, 0.499}, {-2, 0.499}};
  const Motion p = motionOf(a, 0, 2), q = motionOf(b, 0, 2);
  EXPECT_TRUE(findContact(p, q, 0, 0.5));
  EXPECT_FALSE(sampleContact(p, q, 0, 0.5, 7));
  EXPECT_FALSE(findContact(p, q, 0, 0.4989));
}

TEST(Contact, WithObjectsAsSamplesHaveIt) {
  base::Random random(8);
  const Ring object = {{1, 1}, {2.5, 1.2}, {2, 2}, {1.2, 1.8}};
  for (int i = 0; i < 1000; ++i) {
    const PatchWalk a = randomWalk(random);
    const Motion p = motionOf(a, a.from, a.until);
    const auto found = findContact(p, object, 0.25);
    double least = 1e9;
    for (int s = 0; s <= 2000; ++s)
      least = std::min(least, distance(stateAt(a, a.from + (a.until - a.from) * s / 2000).position, object));
    EXPECT_TRUE(least >= 0.25 || found.has_value());
    EXPECT_TRUE(!found || found->distance < 0.25 + 1e-6);
    EXPECT_EQ(leastDepth(p, {0, 0}, {0, 1}, a.from, a.until) < -1, [&] {
      double depth = 1e9;
      for (int s = 0; s <= 2000; ++s)
        depth = std::min(depth, stateAt(a, a.from + (a.until - a.from) * s / 2000).position.y);
      return depth < -1;
    }());
  }
}

TEST(Pairing, StableMatchingIsStable) {
  base::Random random(9);
  for (int i = 0; i < 200; ++i) {
    const std::size_t n = 1 + random.below(12);
    std::vector<double> proposer(n * n), receiver(n * n);
    for (double& c : proposer) c = random.uniform();
    for (double& c : receiver) c = random.uniform();
    const auto match = stableMatching(n, proposer, receiver);
    std::vector<std::size_t> of(n);
    for (std::size_t p = 0; p < n; ++p) of[match[p]] = p;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t r = 0; r < n; ++r)
        EXPECT_FALSE(proposer[p * n + r] < proposer[p * n + match[p]] && receiver[p * n + r] < receiver[of[r] * n + r]);
  }
}

TEST(Pairing, EveryPairCanBeWalked) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const PatchDefinition patch = randomPatch(0.2, seed);
    for (const PatchPairing pairing : {PatchPairing::kRandom, PatchPairing::kInOrder, PatchPairing::kStable}) {
      PatchSettings settings;
      settings.pairing = pairing, settings.seed = seed;
      const auto pairs = pairUp(patch, settings, 0);
      for (const Pair& pair : pairs) {
        // Split by the period until nobody has to run.
        EXPECT_LE(pair.length / pair.time, 1.6 + 1e-9);
        EXPECT_TRUE(pairing == PatchPairing::kInOrder || pair.input.side != pair.output.side);
        const PatchWalk walk = straightWalk(patch, pair);
        EXPECT_NEAR(walk.until - walk.from, pair.time, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace throng::patches
