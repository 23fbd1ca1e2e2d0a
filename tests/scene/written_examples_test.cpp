// The examples of docs/scene-format.md and docs/scene-generators.md are scenes that work, and the messages there are
// what users get.
#include <gtest/gtest.h>
#include <sstream>

#include "scenes_for_tests.h"

namespace throng::scene {
namespace {

/// The blocks between ```language and ```, each line with its end.
std::vector<std::string> blocks(const std::string& text, const std::string& language) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!inside && line == "```" + language) {
      inside = true;
      found.emplace_back();
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      found.back() += line + "\n";
    }
  }
  return found;
}

TEST(SceneFormatPage, EveryExampleIsJsonAndEveryWholeSceneIsFine) {
  auto examples = blocks(fileText(THRONG_SOURCE_DIR "/docs/scene-format.md"), "json");
  for (auto& example : blocks(fileText(THRONG_SOURCE_DIR "/docs/scene-generators.md"), "json")) {
    if (example.find("\"hostile\"") == std::string::npos) examples.push_back(std::move(example));
  }
  int scenes = 0;
  for (const auto& example : examples) {
    SCOPED_TRACE(example);
    Json json;
    ASSERT_NO_THROW(json = Json::parse(example));
    if (!json.is_object() || !json.contains("version")) continue;
    ++scenes;
    const auto check = checkText(example, "", {});
    EXPECT_TRUE(check.scene) << texts(check.diagnostics);
    EXPECT_TRUE(check.diagnostics.empty()) << texts(check.diagnostics);
  }
  EXPECT_GE(scenes, 4);
  EXPECT_GE(examples.size(), 10u);
  std::printf("%zu examples, %d of them whole scenes\n", examples.size(), scenes);
}

TEST(SceneFormatPage, MessagesAreThoseThatUsersGet) {
  const std::string page = fileText(THRONG_SOURCE_DIR "/docs/scene-format.md");
  const auto wrong = blocks(page, "json wrong"), answers = blocks(page, "text");
  ASSERT_EQ(wrong.size(), answers.size());
  ASSERT_GE(wrong.size(), 2u);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    auto check = checkText(wrong[i], "", modelsForTests());
    for (auto& finding : check.diagnostics) finding.file = "scene.json";
    EXPECT_EQ(texts(check.diagnostics), answers[i]);
  }
}

}  // namespace
}  // namespace throng::scene
