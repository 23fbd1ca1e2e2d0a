// What a row must reach, and how that is said.
#include <gtest/gtest.h>

#include "papers/paper.h"

namespace throng::papers {
namespace {

TEST(Targets, AreMetAtTheirLimits) {
  using Comparison = Target::Comparison;
  EXPECT_TRUE(meets(1, {Comparison::kAtMost, 1, ""}));
  EXPECT_FALSE(meets(1.1, {Comparison::kAtMost, 1, ""}));
  EXPECT_TRUE(meets(1, {Comparison::kAtLeast, 1, ""}));
  EXPECT_FALSE(meets(0.9, {Comparison::kAtLeast, 1, ""}));
  const Target within{Comparison::kWithin, 0.5, "", 0.75};
  EXPECT_TRUE(meets(0.5, within));
  EXPECT_TRUE(meets(0.75, within));
  EXPECT_FALSE(meets(0.49, within));
  EXPECT_FALSE(meets(0.76, within));
  EXPECT_EQ(within.text(), "0.50 to 0.75");
  EXPECT_FALSE(meets(1, {Comparison::kNothing, 0, ""}));
}

}  // namespace
}  // namespace throng::papers
