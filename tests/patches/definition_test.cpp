// What patterns have to keep to make a patch, and the words in which it is said when they do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "patches/example_patches.h"

namespace throng::patches {
namespace {

using testing::HasSubstr;

std::string firstFinding(const PatchDefinition& patch) {
  const auto found = check(patch);
  return found.empty() ? "" : found.front().text();
}

TEST(PatchDefinition, AGoodOneHasNoFindings) { EXPECT_EQ(firstFinding(oneWalk()), ""); }

TEST(PatchDefinition, PeriodsMustBeTheSame) {
  PatchDefinition patch = oneWalk();
  patch.sides[2].period = 12;
  EXPECT_THAT(firstFinding(patch), HasSubstr("pattern \"north\" repeats after 12 s, the patch after 10 s"));
}

TEST(PatchDefinition, LengthsMustBeThoseOfTheSides) {
  PatchDefinition patch = oneWalk();
  patch.sides[0].length = 7;
  EXPECT_THAT(firstFinding(patch), HasSubstr("pattern \"south\" is 7 m long, its side 8 m"));
}

TEST(PatchDefinition, AsManyInputsAsOutputs) {
  PatchDefinition patch = oneWalk();
  patch.sides[0].inputs.push_back({2, 5});
  EXPECT_THAT(firstFinding(patch), HasSubstr("2 inputs and 1 outputs"));
}

TEST(PatchDefinition, NoPointOnAnObstacle) {
  PatchDefinition patch = oneWalk();
  patch.objects.push_back(box("bench", 7, 3.6, 0.9));
  EXPECT_THAT(firstFinding(patch), HasSubstr("output 0 of pattern \"east\" is on object \"bench\""));
}

TEST(PatchDefinition, PointsAreNamed) {
  PatchDefinition patch = oneWalk();
  patch.sides[3].inputs[0].time = 11;
  EXPECT_THAT(firstFinding(patch), HasSubstr("/sides/3/inputs/0/time"));
  EXPECT_THAT(firstFinding(patch), HasSubstr("input 0 of pattern \"west\" is at 11 s; allowed: 0 to 10"));
  patch = oneWalk();
  patch.sides[1].outputs[0].position = 0.2;
  EXPECT_THAT(firstFinding(patch), HasSubstr("output 0 of pattern \"east\" is at 0.2 m; allowed: 0.5 to 7.5"));
  patch = oneWalk();
  patch.sides[1].outputs[0].speed = 3;
  EXPECT_THAT(firstFinding(patch), HasSubstr("crosses at 3 m/s"));
}

TEST(PatchDefinition, PointsLeaveRoomForTwoBodies) {
  PatchDefinition patch = oneWalk();
  patch.sides[3].inputs.push_back({4.3, 1.1});
  patch.sides[1].outputs.push_back({2, 3});
  EXPECT_THAT(firstFinding(patch),
              HasSubstr("input 0 of pattern \"west\" and input 1 of pattern \"west\" come within"));
}

TEST(PatchDefinition, ShapesMustBeConvex) {
  PatchDefinition patch = oneWalk();
  patch.corners[2] = {1, 1};
  EXPECT_THAT(firstFinding(patch), HasSubstr("not convex"));
  // A pentagram turns left at every corner.
  patch.corners = {{0, 3}, {2, -3}, {-3, 1}, {3, 1}, {-2, -3}};
  std::reverse(patch.corners.begin(), patch.corners.end());
  EXPECT_THAT(firstFinding(patch), HasSubstr("more than once"));
  patch.corners.resize(2);
  EXPECT_THAT(firstFinding(patch), HasSubstr("2 corners"));
}

TEST(PatchDefinition, ResidentsKeepApartFromObjectsAndBorders) {
  PatchDefinition patch = oneWalk();
  patch.residents.push_back({"guard", {{0.1, 2}}});
  EXPECT_THAT(firstFinding(patch), HasSubstr("resident \"guard\" comes within 0.25 m of pattern \"west\""));
  patch.residents[0].control = {{2, 2}};
  patch.objects.push_back(box("tree", 2.1, 1.8, 0.4));
  EXPECT_THAT(firstFinding(patch), HasSubstr("resident \"guard\" touches object \"tree\""));
  patch.objects[0] = box("tree", 7.8, 1, 0.4);
  EXPECT_THAT(firstFinding(patch), HasSubstr("object \"tree\" sticks out over pattern \"east\""));
}

TEST(PatchDefinition, ResidentsDoNotRun) {
  PatchDefinition patch = oneWalk();
  patch.residents.push_back({"jogger", {{1, 1}, {7, 1}, {7, 7}, {1, 7}}});
  EXPECT_THAT(firstFinding(patch), HasSubstr("resident \"jogger\" goes round at 2.40 m/s; allowed: up to 2"));
  patch.period = 12;
  for (PatchPattern& side : patch.sides) side.period = 12;
  EXPECT_EQ(firstFinding(patch), "");
}

TEST(PatchDefinition, MirroringTwiceGivesTheSame) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const PatchPattern pattern = makePattern({}, 8, 10, 6, 4, seed), twice = mirrored(mirrored(pattern));
    ASSERT_EQ(twice.inputs.size(), pattern.inputs.size());
    for (std::size_t i = 0; i < pattern.inputs.size(); ++i) {
      EXPECT_NEAR(twice.inputs[i].position, pattern.inputs[i].position, 1e-14);
      EXPECT_EQ(twice.inputs[i].along, pattern.inputs[i].along);
    }
    EXPECT_EQ(mirrored(pattern).outputs.size(), pattern.inputs.size());
  }
}

TEST(PatternTypes, HaveWhatTheyAllow) {
  using Kind = PatternType::Kind;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    EXPECT_TRUE(makePattern({Kind::kEmpty}, 8, 10, 5, 5, seed).inputs.empty());
    EXPECT_TRUE(makePattern({Kind::kOneWay}, 8, 10, 5, 5, seed).outputs.empty());
    EXPECT_TRUE(makePattern({Kind::kOneWay, true}, 8, 10, 5, 5, seed).inputs.empty());
    for (const PatchPoint& p : makePattern({Kind::kSpace, false, false, 0.4, 0.6}, 8, 10, 3, 0, seed).inputs) {
      EXPECT_GE(p.position, 3.2);
      EXPECT_LE(p.position, 4.8);
    }
    for (const PatchPoint& p : makePattern({Kind::kTime, false, false, 0.5, 0.7}, 8, 10, 5, 0, seed).inputs) {
      EXPECT_GE(p.time, 5);
      EXPECT_LE(p.time, 7);
    }
    const PatchPattern lanes = makePattern({Kind::kSpace, false, true}, 8, 10, 6, 6, seed);
    for (const PatchPoint& in : lanes.inputs)
      for (const PatchPoint& out : lanes.outputs) EXPECT_LT(in.position, out.position);
    EXPECT_EQ(makePattern({}, 8, 10, 8, 8, seed).inputs.size(), 8u);
  }
}

}  // namespace
}  // namespace throng::patches
