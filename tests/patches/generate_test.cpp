// Thousands of random patches: what a generator calls solved holds at every instant, by samples that share nothing with
// the check that it has passed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "patches/contact.h"
#include "patches/example_patches.h"

namespace throng::patches {
namespace {

constexpr PatchGenerator kAll[] = {PatchGenerator::kStraight, PatchGenerator::kParticle, PatchGenerator::kOrca,
                                   PatchGenerator::kOptimised};

PatchResult generated(const PatchDefinition& patch, PatchGenerator generator, std::uint64_t seed, int attempts = 3) {
  PatchSettings settings;
  settings.generator = generator, settings.seed = seed, settings.attempts = attempts;
  return generateWalks(patch, settings);
}

TEST(GenerateWalks, OneWalkIsStraight) {
  for (const PatchGenerator generator : kAll) {
    const PatchResult result = generated(oneWalk(), generator, 1);
    ASSERT_TRUE(result.patch) << result.reasons.front();
    EXPECT_EQ(result.attempts, 1);
    for (double t = 1; t < 7.2; t += 0.1) EXPECT_NEAR(stateAt(result.patch->walks[0], t).position.y, 4, 0.12);
    expectSound(*result.patch);
  }
}

TEST(GenerateWalks, TwoHeadOnPassEachOther) {
  PatchDefinition patch = oneWalk();
  patch.sides[1].inputs.push_back({4, 1, 1.3, 0});
  patch.sides[3].outputs.push_back({4, 7.2, 1.3, 0});
  patch.residents.push_back({"guard", {{4, 6}}});
  EXPECT_FALSE(generated(patch, PatchGenerator::kStraight, 1).patch);
  EXPECT_THAT(generated(patch, PatchGenerator::kStraight, 1).reasons.front(), testing::HasSubstr("comes within"));
  const PatchResult result = generated(patch, PatchGenerator::kOptimised, 1);
  ASSERT_TRUE(result.patch);
  expectSound(*result.patch);
}

TEST(GenerateWalks, ObjectsAndResidentsAreAvoided) {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    PatchDefinition patch = randomPatch(0.1, seed);
    base::Random random(seed, 5);
    patch.objects.push_back(box("bench", random.uniform(2, 3), random.uniform(2, 3), random.uniform(0.3, 0.9)));
    patch.residents.push_back({"pair", {{5, 5}, {6, 5}, {6, 6}, {5, 6}}});
    patch.residents.push_back({"guard", {{3, 6}}});
    ASSERT_TRUE(check(patch).empty());
    const PatchResult result = generated(patch, PatchGenerator::kOptimised, seed);
    if (!result.patch) continue;
    ++solved;
    expectSound(*result.patch);
  }
  EXPECT_GE(solved, 58);
}

TEST(GenerateWalks, WhatIsSolvedIsSound) {
  std::map<PatchGenerator, int> solved;
  for (std::uint64_t seed = 1; seed <= 1200; ++seed) {
    base::Random random(seed, 3);
    const PatchDefinition patch = randomPatch(random.uniform(0.01, 0.12), seed, random.uniform(6, 9));
    for (const PatchGenerator generator : kAll) {
      if (generator == PatchGenerator::kOptimised && seed > 700) continue;
      const PatchResult result = generated(patch, generator, seed, 2);
      EXPECT_EQ(result.patch.has_value(), result.reasons.size() < static_cast<std::size_t>(result.attempts));
      if (!result.patch) continue;
      ++solved[generator];
      if (seed % 3 == 0 || generator != PatchGenerator::kOptimised) expectSound(*result.patch);
      if (HasFailure()) FAIL() << nameOf(generator) << " " << seed;
    }
  }
  EXPECT_GE(solved[PatchGenerator::kOptimised], 693);
  EXPECT_GT(solved[PatchGenerator::kParticle], solved[PatchGenerator::kStraight]);
  EXPECT_GT(solved[PatchGenerator::kOrca], solved[PatchGenerator::kStraight]);
}

TEST(GenerateWalks, OtherShapesThanSquares) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    PatchDefinition patch;
    patch.period = 12;
    patch.corners = {{0, 0}, {9, 0}, {11, 6}, {5, 10}, {-1, 6}};
    for (std::size_t s = 0; s < 5; ++s)
      patch.sides.push_back(
          makePattern({}, length(patch.corners[(s + 1) % 5] - patch.corners[s]), 12, 2, 2, seed * 5 + s));
    ASSERT_TRUE(check(patch).empty()) << check(patch).front().text();
    const PatchResult result = generated(patch, PatchGenerator::kOptimised, seed, 8);
    ASSERT_TRUE(result.patch) << seed << result.reasons.front();
    expectSound(*result.patch);
  }
}

TEST(GenerateWalks, AnyNumberOfSides) {
  // Three to eight sides, of all sizes, with things and people in the way.
  int solved = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 900; ++seed) {
    base::Random random(seed, 8);
    const double across = random.uniform(7, 14);
    const Ring ring = randomConvexRing(3 + seed % 6, across, seed);
    std::vector<PatchObject> objects;
    std::vector<PatchResident> residents;
    if (random.below(3) == 0) objects.push_back(box("bench", random.uniform(-1, 0.5), random.uniform(0.3, 0.6), 0.5));
    if (random.below(3) == 0) residents.push_back({"guard", {{random.uniform(-1, 1), -0.6}}});
    if (random.below(5) == 0) residents.push_back({"child", {{-0.5, -1.3}, {0.5, -1.3}, {0, -1.8}}});
    const PatchDefinition patch =
        randomPatch(ring, random.uniform(0.02, 0.12), seed, 10, {}, std::move(objects), std::move(residents));
    const auto found = check(patch);
    if (!found.empty()) {
      // Two sides of a corner do not know of each other, and residents may stand at the narrow end of a triangle.
      EXPECT_THAT(found.front().message,
                  testing::AnyOf(testing::HasSubstr("come within"), testing::HasSubstr("resident"),
                                 testing::HasSubstr("sticks out")));
      continue;
    }
    ++all;
    const PatchResult result = generated(patch, PatchGenerator::kOptimised, seed, 6);
    if (!result.patch) continue;
    ++solved;
    EXPECT_TRUE(check(*result.patch).empty());
    if (seed % 3 == 0) expectSound(*result.patch);
    if (HasFailure()) FAIL() << seed;
  }
  EXPECT_GE(all, 800);
  EXPECT_GE(solved, all * 95 / 100) << all;
}

TEST(GenerateWalks, DenseOnes) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const PatchDefinition patch = randomPatch(0.35, seed);
    const PatchResult result = generated(patch, PatchGenerator::kOptimised, seed, 8);
    ASSERT_TRUE(result.patch) << seed;
    EXPECT_NEAR(density(*result.patch), 0.35, 0.05);
    expectSound(*result.patch);
  }
}

TEST(GenerateWalks, TheSameSeedGivesTheSameWalks) {
  const PatchDefinition patch = randomPatch(0.15, 4);
  for (const PatchGenerator generator : kAll) {
    const PatchResult a = generated(patch, generator, 6), b = generated(patch, generator, 6);
    EXPECT_EQ(a.reasons, b.reasons);
    ASSERT_EQ(a.patch.has_value(), b.patch.has_value());
    EXPECT_TRUE(a.patch == b.patch);
  }
  EXPECT_NE(generated(patch, PatchGenerator::kOptimised, 6).patch->walks,
            generated(patch, PatchGenerator::kOptimised, 7).patch->walks);
}

TEST(GenerateWalks, WhatCannotBeWalkedIsSaid) {
  // Out through a door that somebody stands in.
  PatchDefinition patch = oneWalk();
  patch.residents.push_back({"guard", {{7.6, 4.05}}});
  const PatchResult result = generated(patch, PatchGenerator::kOptimised, 1, 2);
  EXPECT_FALSE(result.patch);
  ASSERT_EQ(result.reasons.size(), 2u);
  EXPECT_THAT(result.reasons.front(), testing::HasSubstr("of resident \"guard\""));
  EXPECT_THROW(generateWalks(patch, {.attempts = 0}), InputError);
  patch.sides[0].period = 3;
  EXPECT_THROW(generateWalks(patch), InputError);
  EXPECT_THROW(patchGenerator("magic"), InputError);
}

TEST(CheckPatch, FindsWhatIsWrong) {
  const Patch good = *generated(randomPatch(0.1, 3), PatchGenerator::kOptimised, 1).patch;
  EXPECT_TRUE(check(good).empty());
  const auto said = [](const Patch& patch) {
    const auto found = check(patch);
    return found.empty() ? std::string() : found.front().text();
  };
  Patch bad = good;
  bad.walks[0].control[1].x += 0.01;
  EXPECT_THAT(said(bad), testing::HasSubstr("/walks/0"));
  bad = good;
  bad.walks.pop_back();
  EXPECT_THAT(said(bad), testing::HasSubstr("walks for"));
  bad = good;
  bad.walks[1] = bad.walks[0];
  EXPECT_FALSE(check(bad).empty());
  bad = good;
  bad.walks[0].input.side = 9;
  EXPECT_THAT(said(bad), testing::HasSubstr("an input that there is not"));
  bad = good;
  bad.walks[0].control[4] += {2, 2};
  EXPECT_FALSE(check(bad).empty());
}

}  // namespace
}  // namespace throng::patches
