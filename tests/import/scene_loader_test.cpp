// Scenes with all that their files name: made-up places, models, and findings about both that say where.
#include "import/scene_loader.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "places/generate.h"
#include "scene/pages.h"
#include "scene/same_scene.h"
#include "scene/scenes_for_tests.h"

namespace throng::import {
namespace {

using scene::blocks;
using scene::expectOnlyError;
using scene::fileText;
using scene::Json;
using scene::texts;

std::string written(const std::string& name, std::uint64_t seed) {
  Scene place = generatePlace(name, seed);
  place.name.clear();
  place.run.duration = 1;
  return toJson(place);
}

void expectTheSameWhenWrittenAndRead(const Scene& scene) {
  const std::string text = toJson(scene);
  const auto again = checkSceneText(text, THRONG_SOURCE_DIR "/scenes", {});
  ASSERT_TRUE(again.scene) << texts(again.diagnostics) << text;
  EXPECT_TRUE(*again.scene == scene) << text;
  EXPECT_EQ(toJson(*again.scene), text);
}

TEST(SceneLoader, ReadsShippedScenesAndWhatIsWrittenOfThem) {
  for (const auto& path : scene::shippedScenes()) {
    SCOPED_TRACE(path);
    const auto check = checkScene(path.string(), {});
    ASSERT_TRUE(check.scene) << texts(check.diagnostics);
    EXPECT_TRUE(check.diagnostics.empty()) << texts(check.diagnostics);
    // The ground of a town takes seconds to find; a smaller place in three dimensions is written and read below.
    if (!check.scene->mesh) expectTheSameWhenWrittenAndRead(*check.scene);
  }
}

/// What is wrong with districts is said where the file says it.
TEST(SceneLoader, SaysWhatIsWrongWithDistricts) {
  const Json good = Json::parse(fileText(THRONG_SOURCE_DIR "/scenes/market.json"));
  const auto wrong = [&](const char* pointer, const Json& value, const std::string& where, const std::string& what) {
    SCOPED_TRACE(std::string(pointer) + " " + value.dump());
    Json file = good;
    file[Json::json_pointer(pointer)] = value;
    const auto check = checkSceneText(file.dump(2), THRONG_SOURCE_DIR "/scenes", {});
    EXPECT_FALSE(check.scene);
    EXPECT_THAT(texts(check.diagnostics), testing::HasSubstr(where));
    EXPECT_THAT(texts(check.diagnostics), testing::HasSubstr(what));
  };
  const std::string library = "/districts/0/library", map = "/districts/0/map";
  wrong("/districts/0/library", "no.patches", "/districts/0", "allowed: one of them");
  wrong("/districts/0/map", "patches/no.json", map, "no.json");
  wrong("/districts/0/map", "patches/town.ppm", map, "JSON");
  wrong("/districts/0/map", "../throng", map, "folder");
  wrong("/districts/0/map", 3, map, "expected");
  wrong("/districts/0/at", "here", "/districts/0/at", "POINT");
  wrong("/districts/0/layer", "cellar", "/districts/0", "cellar");
  wrong("/districts/0/name", "", "/districts/0/name", "empty");
  wrong("/districts/0/colour", "red", "/districts/0", "colour");
  wrong("/districts", Json::parse(R"([{"name": "nothing"}])"), "/districts/0", "no patches");
  wrong("/districts/1", Json::parse(R"({"name": "other", "map": "patches/market.json", "at": [8, 0]})"), "/districts/1",
        "lies where another one lies");
  wrong("/districts/1", Json::parse(R"({"name": "other", "street": {}})"), "/districts/1", "street alone");
  wrong("/districts/0", Json::parse(R"({"name": "market", "street": {"crossings": 31}})"), "/districts/0/street",
        "allowed: 1 to 30");
  wrong("/populations/0/district", "markt", "/populations/0/district", "did you mean \"market\"?");
  wrong("/populations/0/count", 3, "/populations/0/count", "does not go with");
  wrong("/populations/2", good["populations"][0], "/populations/2", "has a population already");
  wrong("/populations/1/goals/0/district", "markt", "/populations/1/goals/0/district", "did you mean");
  wrong("/populations/1/goals/0/layer", "ground", "/populations/1/goals/0/layer", "does not go with");
  wrong("/populations/1/goals/1", Json::parse(R"({"point": [12, 12]})"), "/populations/1/goals/1/point",
        "in a district of patches");
  wrong("/populations/1/start/area", "POLYGON ((9 1, 15 1, 15 7, 9 7, 9 1))", "/populations/1/start",
        "in a district of patches");
  wrong("/profiles/walker/radius", 0.3, "/populations/1/goals/0/district", "allowed in districts: 0.25 m");
  wrong("/run", Json::parse(R"({"until": "all_arrived"})"), "/populations/0", "for ever");
}

TEST(SceneLoader, ReadsTheExamplesOfThePages) {
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
    const auto check = checkSceneText(example, "", {});
    EXPECT_TRUE(check.scene) << texts(check.diagnostics);
    EXPECT_TRUE(check.diagnostics.empty()) << texts(check.diagnostics);
  }
  EXPECT_GE(scenes, 4);
  EXPECT_GE(examples.size(), 10u);
  std::printf("%zu examples, %d of them whole scenes\n", examples.size(), scenes);
}

TEST(SceneLoader, MakesThePlacesThatFilesAskFor) {
  Json file = Json::parse(R"({"version": 1, "generate": {"scene": "military", "seed": 4}, "run": {"duration": 1}})");
  const auto check = checkSceneText(file.dump(2), "", {});
  ASSERT_TRUE(check.scene) << texts(check.diagnostics);
  EXPECT_EQ(toJson(*check.scene), written("military", 4));
  file["generate"].erase("seed");
  EXPECT_EQ(toJson(*checkSceneText(file.dump(2), "", {}).scene), written("military", 1));
  // Repairs are told, and are no errors.
  file["generate"] = Json::parse(R"({"scene": "hostile", "vertices": 3000})");
  const auto hostile = checkSceneText(file.dump(2), "", {});
  EXPECT_TRUE(hostile.scene);
  EXPECT_THAT(texts(hostile.diagnostics), testing::HasSubstr("/generate at ("));
}

SceneCheck generated(const std::string& generate, const std::string& more = "") {
  return checkSceneText(R"({"version": 1, "run": {"duration": 1}, "generate": )" + generate + more + "}", "", {});
}

TEST(SceneLoader, MistakesAboutPlacesAreToldByPointerAndReason) {
  expectOnlyError(generated("3"), "/generate", "expected an object with \"scene\", \"seed\", \"vertices\"");
  expectOnlyError(generated("{}"), "/generate", "\"scene\" is missing");
  expectOnlyError(generated(R"({"scene": 3})"), "/generate/scene", "expected a text, found 3");
  expectOnlyError(generated(R"({"scene": ""})"), "/generate/scene", "there is no generator \"\"");
  expectOnlyError(generated(R"({"scene": "city"})"), "/generate/scene",
                  "there is no generator \"city\"; allowed: \"city-plan\", \"station\", \"military\", \"hostile\"");
  expectOnlyError(generated(R"({"scene": "military", "seed": -1})"), "/generate/seed", "a whole number");
  expectOnlyError(generated(R"({"scene": "military", "vertices": 200})"), "/generate/vertices",
                  "goes with \"hostile\" only");
  expectOnlyError(generated(R"({"scene": "hostile", "vertices": 99})"), "/generate/vertices",
                  "allowed: 100 to 1000000");
  expectOnlyError(generated(R"({"scene": "hostile", "vertices": "many"})"), "/generate/vertices", "a whole number");
  expectOnlyError(generated(R"({"scene": "military"})", R"(, "layers": [{}])"), "/generate",
                  "\"layers\" may not be there");
  expectOnlyError(generated(R"({"scene": "military"})", R"(, "connections": [])"), "/generate",
                  "\"connections\" may not");
  // Whoever names a layer of a place that could not be made hears about the place only.
  expectOnlyError(generated(R"({"scene": "stations"})", R"(, "populations": [{"count": 1, "layer": "hall",
                  "start": {"points": [[60, 20]]}}])"),
                  "/generate/scene", "did you mean \"station\"?");
}

TEST(SceneLoader, FindsTheLayersOfPlacesInThreeDimensions) {
  const auto check = generated(R"({"scene": "planet-eight", "seed": 3})",
                               R"(, "places": [{"name": "mine", "at": [87.5, 3]}], "mesh": {"walkability": {}})");
  // The middle of the south side is no road: the file's own place is found wrong where the file has it.
  expectOnlyError(check, "/places/0/at", "lies where nobody can walk");
  const auto fine = generated(R"({"scene": "planet-eight", "seed": 3})");
  ASSERT_TRUE(fine.scene) << texts(fine.diagnostics);
  const Scene& scene = *fine.scene;
  EXPECT_FALSE(scene.layers.empty());
  EXPECT_FALSE(scene.layers[0].ground.empty());
  ASSERT_EQ(scene.places.size(), 2u);
  EXPECT_EQ(scene.mesh->generator, "planet-eight");
  EXPECT_EQ(scene.mesh->seed, 3u);
  // What the generator makes is not written, and made anew.
  const std::string text = toJson(scene);
  EXPECT_EQ(text.find("\"places\""), std::string::npos);
  EXPECT_EQ(text.find("\"layers\""), std::string::npos);
  expectTheSameWhenWrittenAndRead(scene);
}

TEST(SceneLoader, OwnPlacesBesideThoseOfAGeneratorKeepTheirPointers) {
  // Two places are made, so that the file's third is the fifth of all.
  const auto check = generated(R"({"scene": "planet-eight"})", R"(, "places": [{"name": "a", "at": [8, 45]},
                               {"name": "b", "at": [8, 45]}, {"name": 7, "at": [8, 45]}])");
  SCOPED_TRACE(texts(check.diagnostics));
  EXPECT_FALSE(check.scene);
  bool told = false;
  for (const Diagnostic& d : check.diagnostics) {
    EXPECT_NE(d.pointer, "/places/0/name");
    told |= d.pointer == "/places/2/name";
  }
  EXPECT_TRUE(told);
}

/// A folder with a floor of 10 m × 10 m.
class ModelFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("throng_models_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "floor.obj") << "v 0 0 0\nv 10 0 0\nv 10 0 -10\nv 0 0 -10\nf 1 2 3 4\n";
    std::ofstream(folder_ / "wall.obj") << "v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nf 1 2 3 4\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  SceneCheck with(const std::string& mesh, const std::string& more = "") const {
    return checkSceneText(R"({"version": 1, "run": {"duration": 1}, "mesh": )" + mesh + more + "}", folder_.string(),
                          {});
  }

  std::filesystem::path folder_;
};

TEST_F(ModelFiles, AreReadAndSearchedForGround) {
  const auto check = with(R"({"file": "floor.obj"})");
  ASSERT_TRUE(check.scene) << texts(check.diagnostics);
  ASSERT_EQ(check.scene->layers.size(), 1u);
  EXPECT_FALSE(check.scene->layers[0].ground.empty());
  EXPECT_EQ(check.scene->mesh->file, "floor.obj");
  ASSERT_TRUE(check.scene->mesh->mesh);
  EXPECT_EQ(check.scene->mesh->mesh->triangles.size(), 2u);
}

TEST_F(ModelFiles, MistakesAreToldByPointerAndReason) {
  expectOnlyError(with("3"), "/mesh", "expected an object");
  expectOnlyError(with("{}"), "/mesh", "found no \"file\"");
  expectOnlyError(with(R"({"file": 3})"), "/mesh/file", "expected a text");
  expectOnlyError(with(R"({"file": "none.obj"})"), "/mesh/file", "none.obj");
  expectOnlyError(with(R"({"file": "../floor.obj"})"), "/mesh/file", "must lie in the scene's folder");
  expectOnlyError(with(R"({"file": "wall.obj"})"), "/mesh", "walk");
  expectOnlyError(with(R"({"file": "floor.obj", "walkability": {"max_slope": 95}})"), "/mesh/walkability/max_slope",
                  "allowed: 0 to 89");
  expectOnlyError(with(R"({"file": "floor.obj"})", R"(, "layers": [{"name": "hall"}])"), "/layers",
                  "are found in the mesh");
  expectOnlyError(with(R"({"file": "floor.obj"})", R"(, "generate": {"scene": "planet-eight"})"), "/mesh",
                  "\"generate\" makes a mesh already");
  expectOnlyError(with(R"({"file": "floor.obj", "regions": 3})"), "/mesh/regions", "an object of materials");
  expectOnlyError(with(R"({"file": "floor.obj", "regions": {"a": ""}})"), "/mesh/regions/a", "may not be empty");
  const SceneCheck unknown = with(R"({"file": "floor.obj", "regions": {"a/b": "grass"}})");
  ASSERT_EQ(unknown.diagnostics.size(), 1u) << texts(unknown.diagnostics);
  EXPECT_EQ(unknown.diagnostics[0].severity, Diagnostic::Severity::kWarning);
  EXPECT_EQ(unknown.diagnostics[0].pointer, "/mesh/regions/a~1b");
  ASSERT_TRUE(unknown.scene);
  EXPECT_EQ(unknown.scene->mesh->regions.at("a/b"), "grass");
  expectOnlyError(checkSceneText(R"({"version": 1, "run": {"duration": 1}, "mesh": {"file": "floor.obj"}})", "", {}),
                  "/mesh/file", "this scene may not name files");
}

/// Who checks a file again and again gets what is worked out anew elsewhere, to the last bit, whatever has changed.
TEST_F(ModelFiles, AreRememberedWhileTheyStayTheSame) {
  // Two floors of which only one is wanted where there are places: which one follows from them.
  std::ofstream(folder_ / "floors.obj") << "v 0 0 0\nv 10 0 0\nv 10 0 -10\nv 0 0 -10\nf 1 2 3 4\n"
                                           "v 20 0 0\nv 30 0 0\nv 30 0 -10\nv 20 0 -10\nf 5 6 7 8\n";
  SceneMemory memory;
  const auto searches = [&](const std::string& rest) {
    const std::string text = R"({"version": 1, "run": {"duration": 1}, )" + rest + "}";
    const std::size_t before = memory.ground.searches();
    const SceneCheck check = checkSceneText(text, folder_.string(), {}, memory);
    const SceneCheck anew = checkSceneText(text, folder_.string(), {});
    EXPECT_EQ(texts(check.diagnostics), texts(anew.diagnostics)) << text;
    EXPECT_EQ(check.scene.has_value(), anew.scene.has_value());
    if (check.scene && anew.scene) {
      EXPECT_TRUE(check.scene->layers == anew.scene->layers) << text;
      EXPECT_EQ(toJson(*check.scene), toJson(*anew.scene));
    }
    return memory.ground.searches() - before;
  };
  const std::string floors = R"("mesh": {"file": "floors.obj"})";
  EXPECT_EQ(searches(floors), 1u);
  EXPECT_EQ(searches(floors + R"(, "name": "other")"), 0u);
  EXPECT_EQ(searches(floors + R"(, "places": [{"name": "a", "at": [5, 5]}])"), 1u);
  EXPECT_EQ(searches(floors + R"(, "places": [{"name": "a", "at": [2, 5]}, {"name": "b", "at": [8, 5]}])"), 0u);
  EXPECT_EQ(searches(floors + R"(, "places": [{"name": "a", "at": [25, 5]}])"), 1u);
  EXPECT_EQ(searches(R"("mesh": {"file": "floors.obj", "walkability": {"body_height": 1.7}})"), 1u);
  EXPECT_EQ(searches(R"("mesh": {"file": "floor.obj"})"), 1u);
  // Another file of the same name, and none.
  std::ofstream(folder_ / "floor.obj") << "v 0 0 0\nv 12 0 0\nv 12 0 -10\nv 0 0 -10\nf 1 2 3 4\n";
  EXPECT_EQ(searches(R"("mesh": {"file": "floor.obj"})"), 1u);
  std::filesystem::remove(folder_ / "floor.obj");
  EXPECT_EQ(searches(R"("mesh": {"file": "floor.obj"})"), 0u);
  // Places that are made.
  const std::string made = R"("generate": {"scene": "planet-eight", "seed": )";
  EXPECT_EQ(searches(made + "3}"), 1u);
  EXPECT_EQ(searches(made + R"(3}, "places": [{"name": "mine", "at": [87.5, 3]}])"), 0u);
  EXPECT_EQ(searches(made + "4}"), 1u);
  searches(R"("generate": {"scene": "hostile", "vertices": 200})");
  searches(R"("generate": {"scene": "hostile", "vertices": 200}, "name": "again")");
}

}  // namespace
}  // namespace throng::import
