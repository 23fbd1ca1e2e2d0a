// The examples of docs/scene-format.md and docs/scene-generators.md are scenes that work, and the messages there are
// what users get.
#include <gtest/gtest.h>
#include <sstream>

#include "scene/generate.h"
#include "scene/keys.h"
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

/// The text of a page from a heading to the next one that is not below it.
std::string section(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n" + heading + "\n");
  if (begin == std::string::npos) return {};
  const std::size_t level = heading.find(' ');
  std::size_t end = begin + 1 + heading.size();
  do {
    end = page.find("\n#", end + 1);
  } while (end != std::string::npos && page.find_first_not_of('#', end + 1) - end - 1 > level);
  return page.substr(begin, end - begin);
}

TEST(SceneFormatPage, ListsEveryKeyOfTheFile) {
  const std::string file = section(fileText(THRONG_SOURCE_DIR "/docs/scene-format.md"), "## The file");
  for (const auto key : objectKeys().front().keys)
    EXPECT_NE(file.find("`" + std::string(key) + "`"), std::string::npos) << key;
}

TEST(SceneFormatPage, KeysOfEveryObjectAreOnSomePage) {
  std::string pages;
  for (const char* page : {"scene-format", "flows", "levels", "navigation-graph"})
    pages += fileText(std::string(THRONG_SOURCE_DIR "/docs/") + page + ".md");
  for (const auto& [object, keys] : objectKeys()) {
    for (const auto key : keys) {
      const std::string name(key);
      EXPECT_TRUE(pages.find("`" + name + "`") != std::string::npos ||
                  pages.find("\"" + name + "\":") != std::string::npos)
          << object << " has the key " << name;
    }
  }
}

TEST(SceneFormatPage, ListsEveryGenerator) {
  const std::string generate = section(fileText(THRONG_SOURCE_DIR "/docs/scene-format.md"), "## Generate");
  const std::string page = fileText(THRONG_SOURCE_DIR "/docs/scene-generators.md");
  for (const auto name : placeNames()) {
    EXPECT_NE(generate.find("`" + std::string(name) + "`"), std::string::npos) << name;
    EXPECT_NE(page.find("\n## " + std::string(name) + "\n"), std::string::npos) << name;
  }
}

TEST(SceneFormatPage, StatesTheLimitsOfPeople) {
  const std::string profiles = section(fileText(THRONG_SOURCE_DIR "/docs/scene-format.md"), "## Profiles");
  const auto row = [](const char* key, const char* unit, double usual, Limits limits) {
    std::ostringstream text;
    text << "| `" << key << "` | " << unit << " | " << usual << " | " << limits.least << " to " << limits.most << ";";
    return text.str();
  };
  const Profile usual;
  EXPECT_NE(profiles.find(row("radius", "m", usual.radius.mean, kRadiusLimits)), std::string::npos);
  EXPECT_NE(profiles.find(row("preferred_speed", "m/s", usual.preferred_speed.mean, kPreferredSpeedLimits)),
            std::string::npos);
}

}  // namespace
}  // namespace throng::scene
