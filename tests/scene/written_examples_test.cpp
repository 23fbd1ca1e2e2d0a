// docs/scene-format.md describes the whole format, and the messages there are what users get.
#include <gtest/gtest.h>
#include <sstream>

#include "pages.h"
#include "scene/keys.h"
#include "scenes_for_tests.h"

namespace throng::scene {
namespace {

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
