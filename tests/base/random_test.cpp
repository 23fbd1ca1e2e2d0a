// Statistical sanity of the random streams. All seeds are fixed, so a bound that holds once holds for ever; bounds are
// five standard deviations of the statistic under the hypothesis that the stream is good.
#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace throng::base {
namespace {

/// χ² of counts against equal expectation; about k-1 ± sqrt(2(k-1)).
double chiSquare(const std::vector<std::uint64_t>& counts, double total) {
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const auto c : counts) sum += (c - expected) * (c - expected) / expected;
  return sum;
}

void expectUniform(const std::vector<std::uint64_t>& counts, double total) {
  const double freedom = static_cast<double>(counts.size()) - 1;
  EXPECT_NEAR(chiSquare(counts, total), freedom, 5 * std::sqrt(2 * freedom));
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size());
  double ma = 0, mb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) ma += a[i] / n, mb += b[i] / n;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - ma) * (b[i] - mb), aa += (a[i] - ma) * (a[i] - ma), bb += (b[i] - mb) * (b[i] - mb);
  }
  return ab / std::sqrt(aa * bb);
}

TEST(Random, IsSplitMix64) {
  // Steele, Lea & Flood's generator from state 1234567: values any implementation of it gives.
  Random random(1234567);
  const std::uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                    4593380528125082431u, 16408922859458223821u};
  for (const auto e : expected) EXPECT_EQ(random.bits(), e);
}

TEST(Random, UniformIsUniformAndBelowOne) {
  Random random(1, 1);
  std::vector<std::uint64_t> counts(1000);
  const int n = 1'000'000;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    ++counts[static_cast<std::size_t>(u * 1000)];
  }
  expectUniform(counts, n);
  EXPECT_NEAR(sum / n, 0.5, 5 / std::sqrt(12.0 * n));
  for (int i = 0; i < 1000; ++i) {
    const double u = random.uniform(-3, 7);
    ASSERT_TRUE(u >= -3 && u < 7);
  }
}

TEST(Random, BelowReachesEveryValueEquallyOften) {
  Random random(2, 9);
  for (const std::uint64_t n : {1u, 2u, 3u, 7u, 1000u}) {
    std::vector<std::uint64_t> counts(n);
    const int draws = 300'000;
    for (int i = 0; i < draws; ++i) {
      const auto value = random.below(n);
      ASSERT_LT(value, n);
      ++counts[value];
    }
    if (n > 1) {
      expectUniform(counts, draws);
    } else {
      EXPECT_EQ(counts[0], static_cast<std::uint64_t>(draws));
    }
  }
  EXPECT_LT(random.below(~std::uint64_t{0}), ~std::uint64_t{0});
}

TEST(Random, EveryBitIsSetHalfTheTime) {
  Random random(3, 3);
  std::vector<int> set(64);
  const int n = 200'000;
  for (int i = 0; i < n; ++i) {
    const auto word = random.bits();
    for (int b = 0; b < 64; ++b) set[b] += static_cast<int>(word >> b & 1);
  }
  for (int b = 0; b < 64; ++b) EXPECT_NEAR(set[b], n / 2, 5 * std::sqrt(n) / 2) << "bit " << b;
}

TEST(Random, NormalHasTheMomentsAndTheTailsOfANormal) {
  Random random(4, 4);
  const int n = 1'000'000;
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
  std::vector<double> values(n);
  for (auto& v : values) {
    v = random.normal();
    m1 += v / n, m2 += v * v / n, m3 += v * v * v / n, m4 += v * v * v * v / n;
  }
  const double root = std::sqrt(static_cast<double>(n));
  EXPECT_NEAR(m1, 0, 5 / root);
  EXPECT_NEAR(m2, 1, 5 * std::sqrt(2.0) / root);
  EXPECT_NEAR(m3, 0, 5 * std::sqrt(15.0) / root);
  EXPECT_NEAR(m4, 3, 5 * std::sqrt(96.0) / root);
  // Kolmogorov-Smirnov: sup |F_n - Φ| · sqrt(n) exceeds 2.0 once in 1500 samples.
  std::sort(values.begin(), values.end());
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    const double phi = 0.5 * std::erfc(-values[i] / std::sqrt(2.0));
    largest = std::max({largest, std::fabs((i + 1.0) / n - phi), std::fabs(static_cast<double>(i) / n - phi)});
  }
  EXPECT_LT(largest * root, 2.0);
}

TEST(Random, StreamsOfNeighboursInNumberOrSeedAreNotRelated) {
  const int kStreams = 20'000;
  // The first, and a later, draw of stream i against those of stream i+1, and of the same person under the next seed.
  for (const int draw : {0, 1, 5}) {
    std::vector<double> here(kStreams), next(kStreams), other_seed(kStreams);
    for (int i = 0; i < kStreams; ++i) {
      Random a(1, static_cast<std::uint64_t>(i)), b(1, static_cast<std::uint64_t>(i) + 1);
      Random c(2, static_cast<std::uint64_t>(i));
      for (int k = 0; k <= draw; ++k) here[i] = a.uniform(), next[i] = b.uniform(), other_seed[i] = c.uniform();
    }
    const double bound = 5 / std::sqrt(static_cast<double>(kStreams));
    EXPECT_LT(std::fabs(correlation(here, next)), bound) << "draw " << draw;
    EXPECT_LT(std::fabs(correlation(here, other_seed)), bound) << "draw " << draw;
  }
}

TEST(Random, FirstDrawsOverPeopleAreUniform) {
  for (const std::uint64_t seed : {0u, 1u, 2u, 12345u}) {
    std::vector<std::uint64_t> counts(256);
    for (std::uint64_t person = 0; person < 100'000; ++person) {
      Random random(seed, person);
      ++counts[static_cast<std::size_t>(random.uniform() * 256)];
    }
    expectUniform(counts, 100'000);
  }
}

TEST(Random, StreamsDoNotOverlap) {
  // All streams are parts of one cycle of 2^64, so two that begin close together would repeat one another.
  std::vector<std::uint64_t> seen;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (std::uint64_t person = 0; person < 20'000; ++person) {
      Random random(seed, person);
      for (int k = 0; k < 16; ++k) seen.push_back(random.bits());
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(Random, GoesOnFromASavedState) {
  Random random(8, 15);
  for (int i = 0; i < 37; ++i) random.normal();
  Random resumed(random.state());
  for (int i = 0; i < 100; ++i) ASSERT_EQ(random.normal(), resumed.normal());
}

}  // namespace
}  // namespace throng::base
