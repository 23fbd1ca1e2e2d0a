#include "base/hash.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "base/random.h"

namespace throng::base {
namespace {

std::uint64_t hashOf(const std::vector<unsigned char>& bytes) {
  Hash hash;
  hash.add(std::span<const unsigned char>(bytes));
  return hash.value();
}

TEST(Hash, IsTheSameForTheSameBytes) {
  const std::vector<unsigned char> bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  EXPECT_EQ(hashOf(bytes), hashOf(bytes));
  // Wherever they lie: no reading over the end, no alignment asked for.
  std::vector<unsigned char> shifted{99};
  shifted.insert(shifted.end(), bytes.begin(), bytes.end());
  Hash hash;
  hash.add(std::span<const unsigned char>(shifted).subspan(1));
  EXPECT_EQ(hash.value(), hashOf(bytes));
}

TEST(Hash, ChangesWithEveryBitAndEveryLength) {
  for (std::size_t size = 0; size <= 40; ++size) {
    std::set<std::uint64_t> seen;
    std::vector<unsigned char> bytes(size);
    seen.insert(hashOf(bytes));
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      auto flipped = bytes;
      flipped[bit / 8] ^= static_cast<unsigned char>(1u << (bit % 8));
      seen.insert(hashOf(flipped));
    }
    EXPECT_EQ(seen.size(), 8 * size + 1) << "length " << size;
  }
  std::set<std::uint64_t> zeros;
  for (std::size_t size = 0; size <= 100; ++size) zeros.insert(hashOf(std::vector<unsigned char>(size)));
  EXPECT_EQ(zeros.size(), 101u);
}

TEST(Hash, DependsOnOrderAndOnHowColumnsAreCut) {
  Hash ab, ba, together;
  const std::vector<float> a{1, 2}, b{3}, both{1, 2, 3};
  ab.add(std::span<const float>(a)), ab.add(std::span<const float>(b));
  ba.add(std::span<const float>(b)), ba.add(std::span<const float>(a));
  together.add(std::span<const float>(both));
  EXPECT_NE(ab.value(), ba.value());
  EXPECT_NE(ab.value(), together.value());
}

TEST(Hash, NumbersWithAFractionCountByTheirBits) {
  // Coordinates: negative ones, and those that differ by less than one.
  std::set<std::uint64_t> seen;
  for (int i = -500; i <= 500; ++i) {
    Hash hash;
    hash.add(i * 0.01);
    seen.insert(hash.value());
  }
  EXPECT_EQ(seen.size(), 1001u);
}

TEST(Hash, HalfTheBitsChangeWhenOneDoes) {
  Random random(7);
  double flipped = 0;
  const int kTrials = 2000;
  for (int i = 0; i < kTrials; ++i) {
    const std::vector<std::uint64_t> words{random.bits(), random.bits(), random.bits()};
    auto other = words;
    other[0] ^= std::uint64_t{1} << random.below(64);
    Hash one, two;
    one.add(std::span<const std::uint64_t>(words));
    two.add(std::span<const std::uint64_t>(other));
    flipped += std::popcount(one.value() ^ two.value());
  }
  // Binomial: 32 ± 4 per trial, so the mean of 2000 is within 0.1 of 32 for a perfect hash; we ask for less.
  EXPECT_NEAR(flipped / kTrials, 32, 4);
}

TEST(Hash, HasNoCollisionsAmongAMillionSimilarColumns) {
  std::vector<std::uint64_t> values;
  values.reserve(1'000'000);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    for (std::uint32_t j = 0; j < 1000; ++j) {
      const std::uint32_t column[3] = {i, 17, j};
      Hash hash;
      hash.add(std::span<const std::uint32_t>(column));
      values.push_back(hash.value());
    }
  }
  std::sort(values.begin(), values.end());
  EXPECT_EQ(std::adjacent_find(values.begin(), values.end()), values.end());
}

}  // namespace
}  // namespace throng::base
