// The endless street: the same from wherever one comes, seamless, within its memory.
#include "throng/patch_street.h"

#include <gtest/gtest.h>

namespace throng::patches {
namespace {

TEST(EndlessStreet, DependsOnSeedAndPlaceAlone) {
  // One walks there with little memory, forgetting most on the way; another looks back and forth; a third goes at once.
  EndlessStreet walked({.seed = 4, .memory = 100000}), restless({.seed = 4}), direct({.seed = 4});
  FrameCopy a, b, c;
  for (double x = 0; x <= 400; x += 20) walked.frameAt(x / 2, x - 30, x + 30, a);
  for (const double x : {-100.0, 300.0, 0.0, -200.0}) restless.frameAt(3, x, x + 50, b);
  walked.frameAt(777.7, 380, 420, a), restless.frameAt(777.7, 380, 420, b), direct.frameAt(777.7, 380, 420, c);
  EXPECT_GT(a.x.size(), 10u);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.x, c.x);
  EXPECT_EQ(a.person, b.person);
  EXPECT_EQ(a.person, c.person);
  EXPECT_GT(walked.patchesMade(), direct.patchesMade()) << "has forgotten something and made it again";
  EndlessStreet other({.seed = 5});
  other.frameAt(777.7, 380, 420, b);
  EXPECT_NE(a.x, b.x);
}

TEST(EndlessStreet, PeopleKeepTheirNumberAcrossPatches) {
  EndlessStreet street({.seed = 2});
  FrameCopy frame;
  std::map<std::uint32_t, Point> before;
  std::map<std::uint32_t, double> travelled;
  for (int i = 0; i <= 2000; ++i) {
    street.frameAt(i * 0.05, -60, 60, frame);
    std::map<std::uint32_t, Point> now;
    for (std::size_t k = 0; k < frame.x.size(); ++k) {
      ASSERT_TRUE(now.try_emplace(frame.person[k], Point{frame.x[k], frame.y[k]}).second);
      const auto last = before.find(frame.person[k]);
      if (last != before.end()) {
        EXPECT_LE(length(now[frame.person[k]] - last->second), 2 * 0.05 + 1e-4);
        travelled[frame.person[k]] += now[frame.person[k]].x - last->second.x;
      } else if (i > 0) {
        EXPECT_GT(std::abs(frame.x[k]), 59.8) << "people come into view at its ends only";
      }
    }
    if (i % 20 == 0) {
      for (auto a = now.begin(); a != now.end(); ++a)
        for (auto b = now.begin(); b != a; ++b) EXPECT_GT(length(a->second - b->second), 2 * kPatchRadius - 1e-4);
    }
    before = now;
  }
  int through = 0;
  for (const auto& [person, way] : travelled) through += std::abs(way) > 80;
  EXPECT_GT(through, 3);
}

TEST(EndlessStreet, IsASourceWithACamera) {
  EndlessStreet street({.seed = 3, .camera_speed = 5, .view = 20, .frames_per_second = 4, .duration = 100});
  FrameCopy frame, again;
  ASSERT_TRUE(street.at(60, frame));
  for (const float x : frame.x) EXPECT_LE(std::abs(x - 300), 20);
  while (street.next(again)) {
  }
  ASSERT_TRUE(street.at(60, again));
  EXPECT_EQ(frame.x, again.x);
  EXPECT_EQ(street.scene(-10, 50).layers.at(0).walkable.size(), 1u);
}

TEST(EndlessStreet, StaysWithinItsMemory) {
  EndlessStreet street({.seed = 6, .view = 20, .memory = 150000});
  FrameCopy frame;
  for (double x = 0; x < 800; x += 15) {
    street.frameAt(x, x - 20, x + 20, frame);
    EXPECT_LE(street.patchBytes(), 150000u);
  }
  EXPECT_LT(street.borderBytes(), 50000u);
}

TEST(EndlessStreet, ForgetsWhoIsFarAwayAndFindsThemAgain) {
  EndlessStreet street({.seed = 3, .crossings = 2, .patterns = 2});
  FrameCopy first, frame;
  street.frameAt(50, 0, 40, first);
  std::size_t most = 0;
  for (double x = 0; x <= 24000; x += 80) {
    street.frameAt(x, x - 20, x + 20, frame);
    most = std::max(most, street.borderBytes());
    if (x == 12000) {
      EXPECT_GT(street.borderBytes(), 50000u);
    }
  }
  EXPECT_LT(most, 150000u);
  street.frameAt(50, 0, 40, frame);
  EXPECT_EQ(first.person, frame.person);
  EXPECT_EQ(first.x, frame.x);
}

TEST(EndlessStreet, SettingsOutOfRange) {
  EXPECT_THROW(EndlessStreet({.crossings = 0}), InputError);
  EXPECT_THROW(EndlessStreet({.period = 1}), InputError);
  EndlessStreet street;
  FrameCopy frame;
  EXPECT_THROW(street.frameAt(0, 1e9, 2e9, frame), InputError);
}

}  // namespace
}  // namespace throng::patches
