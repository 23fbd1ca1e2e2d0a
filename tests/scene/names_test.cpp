#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene/findings.h"

namespace throng::scene {
namespace {

TEST(Nearest, FindsWhatWasMeant) {
  const std::vector<std::string_view> names = {"orca", "social_force", "seek", "linear"};
  EXPECT_EQ(nearest("orka", names), "orca");
  EXPECT_EQ(nearest("ORCA", names), "orca");
  EXPECT_EQ(nearest("ocra", names), "orca");
  EXPECT_EQ(nearest("socialforce", names), "social_force");
  EXPECT_EQ(nearest("gravitation", names), "");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), names), "");
}

TEST(Messages, QuoteWithoutControlCharactersAndCutBetweenCharacters) {
  EXPECT_EQ(inQuotes("a\x1b[31mb\n"), "\"a?[31mb?\"");
  std::string umlauts;
  for (int i = 0; i < 50; ++i) umlauts += "ü";
  const std::string cut = inQuotes("x" + umlauts);
  EXPECT_THAT(cut, testing::EndsWith("ü…\""));
  EXPECT_LT(cut.size(), 70u);
  EXPECT_EQ(suggestion("colour", {"color"}), "; did you mean \"color\"? Allowed: \"color\"");
  EXPECT_EQ(suggestion("zzz", {"a", "b"}), "; allowed: \"a\", \"b\"");
}

TEST(Findings, KnowsWhatIsBroken) {
  Findings findings("file");
  findings.error("/a/b", "wrong");
  findings.warning("/c", "odd");
  EXPECT_TRUE(findings.broken("/a/b"));
  EXPECT_TRUE(findings.broken("/a"));
  EXPECT_TRUE(findings.broken("/a/b/0"));
  EXPECT_FALSE(findings.broken("/a/bc"));
  EXPECT_FALSE(findings.broken("/c"));
  findings.rename("/goals/0", "/goal");
  findings.error("/goals/0/point", "wrong");
  EXPECT_EQ(findings.list().back().pointer, "/goal/point");
  EXPECT_TRUE(findings.broken("/goals/0"));
  EXPECT_EQ(pointerPart("a/b~c"), "a~1b~0c");
}

TEST(Findings, StopAfterAThousand) {
  Findings findings("file");
  for (int i = 0; i < 5000; ++i) findings.warning("/x", "odd");
  EXPECT_EQ(findings.list().size(), 1001u);
  EXPECT_THAT(findings.list().back().message, testing::HasSubstr("first 1000"));
}

}  // namespace
}  // namespace throng::scene
