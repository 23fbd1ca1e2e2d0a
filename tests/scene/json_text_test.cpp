#include "scene/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene/scene_file.h"

namespace throng::scene {
namespace {

using testing::HasSubstr;

JsonProblem problemOf(const std::string& text) {
  JsonProblem problem;
  EXPECT_FALSE(parseJson(text, problem)) << text;
  return problem;
}

TEST(JsonText, ReadsWhatTheLibraryReads) {
  const std::string text =
      R"({"a": [1, -2, 3.5, true, null, "x\"\u00fc", {}, []], "b": {"c": {"d": 18446744073709551615}}, "": 0})";
  JsonProblem problem;
  const auto value = parseJson(text, problem);
  ASSERT_TRUE(value) << problem.message;
  EXPECT_EQ(*value, nlohmann::ordered_json::parse(text));
}

TEST(JsonText, TellsMistakesByLineAndColumn) {
  const auto comma = problemOf("{\n  \"a\": 1,\n  \"b\" 2\n}");
  EXPECT_EQ(comma.line, 3);
  EXPECT_EQ(comma.column, 7);
  EXPECT_THAT(comma.message, HasSubstr("expected ':'"));
  EXPECT_THAT(problemOf("[1 2]").message, HasSubstr("expected ',' or ']'"));
  const auto end = problemOf("{\"a\": 1");
  EXPECT_EQ(end.line, 1);
  EXPECT_THAT(end.message, HasSubstr("unexpected end of input"));
  EXPECT_EQ(problemOf("").line, 1);
  EXPECT_THAT(problemOf("{\"a\": 1e999}").message, HasSubstr("number overflow"));
  EXPECT_THAT(problemOf("{} x").message, HasSubstr("not JSON"));
  EXPECT_THAT(problemOf("\"\xff\"").message, HasSubstr("UTF-8"));
}

TEST(JsonText, RefusesKeysThatStandTwice) {
  const auto twice = problemOf("{\"a\": 1,\n \"b\": {\"c\": 1},\n \"a\": 2}");
  EXPECT_EQ(twice.line, 3);
  EXPECT_THAT(twice.message, HasSubstr("the key \"a\" stands twice"));
  JsonProblem problem;
  EXPECT_TRUE(parseJson(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})", problem));
}

TEST(JsonText, RefusesAbsurdNestingAndWidth) {
  EXPECT_THAT(problemOf(std::string(100000, '[')).message, HasSubstr("at most 64 levels"));
  std::string wide = "{";
  for (int i = 0; i < 10000; ++i) wide += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
  EXPECT_THAT(problemOf(wide + "}").message, HasSubstr("too many keys"));
}

TEST(Locate, FindsKeysElementsAndNothingElse) {
  const std::string text =
      "{\n"
      "  \"a\": [10,\n"
      "        {\"k\\\"ey\": true}, \"te\\\"xt\"],\n"
      "  \"b/c\": 5\n"
      "}";
  const auto placed = [&](const std::string& pointer) {
    std::vector<Diagnostic> list(1);
    list[0].pointer = pointer;
    locate(text, list);
    return std::pair(list[0].line, list[0].column);
  };
  EXPECT_EQ(placed(""), std::pair(1, 1));
  EXPECT_EQ(placed("/a"), std::pair(2, 3));
  EXPECT_EQ(placed("/a/0"), std::pair(2, 9));
  EXPECT_EQ(placed("/a/1"), std::pair(3, 9));
  EXPECT_EQ(placed("/a/1/k\"ey"), std::pair(3, 10));
  EXPECT_EQ(placed("/a/2"), std::pair(3, 26));
  EXPECT_EQ(placed("/b~1c"), std::pair(4, 3));
  EXPECT_EQ(placed("/nowhere"), std::pair(0, 0));
}

}  // namespace
}  // namespace throng::scene
