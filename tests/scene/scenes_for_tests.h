// A small scene that is right, ways to spoil it, and a table of models to judge it by.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scene/scene_file.h"

namespace throng::scene {

using Json = nlohmann::ordered_json;

inline KnownModels modelsForTests() {
  static constexpr std::array kOrcaParameters = {
      ModelParameter{"time_horizon", "s", 4, 0.1, 60, "how far ahead others are avoided"},
      ModelParameter{"neighbours", "1", 10, 1, 64, "how many others are looked at"}};
  static const std::array kPlanners = {ModelInfo{"direct", "straight ahead", "", {}},
                                       ModelInfo{"corridor", "through the corridor map", "", {}}};
  static const std::array kFollowers = {ModelInfo{"direct", "straight ahead", "", {}},
                                        ModelInfo{"irm", "indicative route method", "", {}}};
  static const std::array kSteering = {ModelInfo{"orca", "reciprocal avoidance", "", kOrcaParameters},
                                       ModelInfo{"seek", "no avoidance", "", {}},
                                       ModelInfo{"throng", "the default", "", {}}};
  static constexpr std::array kStreamParameters = {
      ModelParameter{"look_ahead", "m", 1.5, 0.1, 20, "how far others are seen"}};
  static const ModelInfo kStream{"stream", "following streams", "", kStreamParameters};
  return {kPlanners, kFollowers, kSteering, &kStream};
}

/// A scene that names neither a made-up place nor a model: nothing is to be done between reading and checking.
inline SceneCheck check(const std::string& path, const KnownModels& models) {
  return checkDraft(readScene(path), models);
}

inline SceneCheck checkText(const std::string& text, const std::string& directory, const KnownModels& models) {
  return checkDraft(readSceneText(text, directory), models);
}

inline Json smallScene() {
  return Json::parse(R"json({
    "version": 1,
    "layers": [{"name": "hall", "walkable": "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))",
                "obstacles": ["POLYGON ((9 0, 11 0, 11 10, 9 10, 9 0))"],
                "openings": "POLYGON ((8 4, 12 4, 12 6, 8 6, 8 4))",
                "regions": [{"type": "grass", "area": "POLYGON ((12 0, 20 0, 20 3, 12 3, 12 0))"}]}],
    "profiles": {"default": {"region_weights": {"grass": 2}, "steering": {"model": "orca", "time_horizon": 3}}},
    "populations": [{"name": "left", "count": 10, "start": {"area": "POLYGON ((1 1, 5 1, 5 9, 1 9, 1 1))"},
                     "goal": {"point": [18, 5]}}],
    "measurements": {"lines": [{"name": "door", "line": "LINESTRING (10 4, 10 6)"}]},
    "run": {"dt": 0.1, "duration": 60}
  })json");
}

/// The small scene with the value at `pointer` replaced (or added); `json` is text.
inline Json spoilt(const std::string& pointer, const std::string& json) {
  Json scene = smallScene();
  scene[Json::json_pointer(pointer)] = Json::parse(json);
  return scene;
}

inline Json without(const std::string& pointer, const std::string& key) {
  Json scene = smallScene();
  scene[Json::json_pointer(pointer)].erase(key);
  return scene;
}

inline SceneCheck checkJson(const Json& scene, const std::string& directory = "") {
  return checkText(scene.dump(2), directory, modelsForTests());
}

inline std::string texts(const std::vector<Diagnostic>& diagnostics) {
  std::string all;
  for (const auto& d : diagnostics) all += d.text() + "\n";
  return all;
}

/// One error with this pointer and this in its message, and no other error.
inline void expectOnlyError(const SceneCheck& check, const std::string& pointer, const std::string& message) {
  SCOPED_TRACE("findings:\n" + texts(check.diagnostics));
  EXPECT_FALSE(check.scene);
  int errors = 0;
  for (const auto& d : check.diagnostics) {
    if (d.severity != Diagnostic::Severity::kError) continue;
    ++errors;
    EXPECT_EQ(d.pointer, pointer);
    EXPECT_THAT(d.message, testing::HasSubstr(message));
  }
  EXPECT_EQ(errors, 1);
}

/// The scene is there, and the only finding is a warning with this pointer and this in its message.
inline void expectOnlyWarning(const SceneCheck& check, const std::string& pointer, const std::string& message) {
  SCOPED_TRACE("findings:\n" + texts(check.diagnostics));
  ASSERT_TRUE(check.scene);
  ASSERT_EQ(check.diagnostics.size(), 1u);
  EXPECT_EQ(check.diagnostics[0].severity, Diagnostic::Severity::kWarning);
  EXPECT_EQ(check.diagnostics[0].pointer, pointer);
  EXPECT_THAT(check.diagnostics[0].message, testing::HasSubstr(message));
}

inline std::string fileText(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The scenes that users start from.
inline std::vector<std::filesystem::path> shippedScenes() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() == ".json" && entry.path().filename() != "scene.schema.json")
      paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace throng::scene
