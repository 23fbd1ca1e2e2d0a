// Geometry in scene files: in which forms it comes, what is repaired with a word, what is refused.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "geometry/predicates.h"
#include "scenes_for_tests.h"

namespace throng::scene {
namespace {

/// The small scene without anything but a floor of this shape.
SceneCheck withWalkable(const std::string& json, const std::string& directory = "") {
  Json scene = Json::parse(R"({"version": 1, "layers": [{}], "run": {"duration": 1}})");
  scene["layers"][0]["walkable"] = Json::parse(json);
  return checkJson(scene, directory);
}

double walkableArea(const SceneCheck& check) { return geometry::area(check.scene->layers[0].walkable); }

TEST(GeometryValues, EveryFormGivesTheSame) {
  for (const char* form : {
           R"j("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))")j",
           R"j(["POLYGON ((0 0, 2 0, 2 4, 0 4, 0 0))", ["POLYGON ((2 0, 4 0, 4 4, 2 4, 2 0))"]])j",
           R"({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]})",
           R"({"type": "Feature", "properties": {"a": 1},
               "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]}})",
           R"j("GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)))")j",
       }) {
    const auto check = withWalkable(form);
    ASSERT_TRUE(check.scene) << form << texts(check.diagnostics);
    EXPECT_TRUE(check.diagnostics.empty()) << texts(check.diagnostics);
    EXPECT_DOUBLE_EQ(walkableArea(check), 16) << form;
  }
}

TEST(GeometryValues, WhatIsRepairedIsSaid) {
  auto check = withWalkable(R"j("POLYGON ((0 0, 4 0, 4 4, 0 4))")j");
  expectOnlyWarning(check, "/layers/0/walkable", "not closed");
  EXPECT_DOUBLE_EQ(walkableArea(check), 16);
  EXPECT_EQ(check.diagnostics[0].at, (Point{0, 4}));

  check = withWalkable(R"({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4]]]})");
  expectOnlyWarning(check, "/layers/0/walkable/coordinates/0", "not closed");

  check = withWalkable(R"j("POLYGON ((0 0, 4 0, 4 0, 4 4, 0 4, 0 4, 0 0, 0 0))")j");
  expectOnlyWarning(check, "/layers/0/walkable", "3 repeated points removed");
  EXPECT_EQ(check.scene->layers[0].walkable[0].outer.size(), 4u);

  check = withWalkable(R"j("POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))")j");
  expectOnlyWarning(check, "/layers/0/walkable",
                    "not valid (Self-intersection); it was repaired to 2 polygons of 2 m²");
  EXPECT_EQ(check.diagnostics[0].at, (Point{1, 1}));
  EXPECT_DOUBLE_EQ(walkableArea(check), 2);

  check = withWalkable(R"j("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (10 10, 11 10, 11 11, 10 10))")j");
  expectOnlyWarning(check, "/layers/0/walkable", "Hole lies outside shell");

  check = withWalkable(R"j("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 2, 1 1))")j");
  expectOnlyWarning(check, "/layers/0/walkable", "a hole without area was left out");

  check = withWalkable(R"j(["POLYGON ((0 0, 4 0, 4 4, 0 0))", "POLYGON ((4 4, 4 0, 0 0, 4 4))"])j");
  expectOnlyWarning(check, "/layers/0/walkable", "the same polygon stands there twice");
  EXPECT_EQ(check.scene->layers[0].walkable.size(), 1u);

  check = withWalkable(R"j("POLYGON Z ((0 0 1, 4 0 1, 4 4 1, 0 0 1))")j");
  expectOnlyWarning(check, "/layers/0/walkable", "heights");
}

TEST(GeometryValues, AnObstacleWithoutWidthBecomesAWall) {
  Json scene = Json::parse(R"({"version": 1, "layers": [{}], "run": {"duration": 1}})");
  scene["layers"][0]["obstacles"] = "POLYGON ((0 0, 4 0, 2 0, 0 0))";
  auto check = checkJson(scene);
  expectOnlyWarning(check, "/layers/0/obstacles", "made a wall line");
  ASSERT_EQ(check.scene->layers[0].walls.size(), 1u);
  EXPECT_EQ(check.scene->layers[0].walls[0].points, (std::vector<Point>{{0, 0}, {4, 0}}));
  EXPECT_TRUE(check.scene->layers[0].obstacles.empty());
  scene["layers"][0]["obstacles"] = "POLYGON ((0 0, 4 0, 4 4, 4 0, 0 0))";  // there and back around a corner
  check = checkJson(scene);
  expectOnlyWarning(check, "/layers/0/obstacles", "made a wall line");
  EXPECT_EQ(check.scene->layers[0].walls[0].points.size(), 5u);
}

TEST(GeometryValues, WhatCannotBeUsedIsRefused) {
  const auto refused = [](const char* json, const char* message, const char* pointer = "/layers/0/walkable") {
    SCOPED_TRACE(json);
    expectOnlyError(withWalkable(json), pointer, message);
  };
  refused(R"j("POLYGON ((0 0, 4 0, 2 0, 0 0))")j", "a polygon has no area");
  refused(R"j("POLYGON ((0 0, 4 0))")j", "a polygon has no area");
  refused(R"j("POINT (1 2)")j", "found 1 point; allowed: polygons");
  refused(R"j("LINESTRING (1 2, 3 4)")j", "found 1 line; allowed: polygons");
  refused(R"j("POLYGON EMPTY")j", "found nothing (an empty geometry); allowed: polygons");
  refused("[]", "found nothing");
  refused(R"j("CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 2 0, 1 -1, 0 0))")j", "is no geometry that can be used");
  refused(R"j("POLYGON ((0 0, 4 0, x 4, 0 0))")j", "expected a number, found \"x 4, 0 0))\"");
  refused(R"j("POLYGON ((0 0, 2000000 0, 4 4, 0 0))")j", "the coordinate (2e+06, 0) is out of range");
  refused(R"j("POLYGON ((0 0, 1e300 0, 4 4, 0 0))")j", "out of range");
  refused("5", "expected WKT text, a GeoJSON object");
  refused(R"({"type": "Polygon", "coordinates": [[[0, 0], [4, null], [4, 4]]]})", "expected a position",
          "/layers/0/walkable/coordinates/0/1");
  refused("[[[[[[[[[[]]]]]]]]]]", "arrays within one another", "/layers/0/walkable/0/0/0/0/0/0/0/0");
}

class GeometryFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("throng_files_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "scene" / "maps");
    write("secret.wkt", "POLYGON ((0 0, 9 0, 9 9, 0 0))");
    write("scene/walls.wkt", "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))\n");
    write("scene/maps/floor.geojson", R"({"type": "Polygon", "coordinates": [[[0,0],[4,0],[4,4],[0,4],[0,0]]]})");
    write("scene/open.json", R"({"type": "Polygon", "coordinates": [[[0,0],[4,0],[4,4]]]})");
    write("scene/broken.geojson", "{\n \"type\": }");
    write("scene/bad.wkt", "POLYGON ((0 0, 4 0");
    write("scene/walls.txt", "POINT (0 0)");
    std::filesystem::create_symlink(folder_ / "secret.wkt", folder_ / "scene" / "link.wkt");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  SceneCheck with(const std::string& name) {
    return withWalkable("{\"file\": " + Json(name).dump() + "}", (folder_ / "scene").string());
  }

  std::filesystem::path folder_;
};

TEST_F(GeometryFiles, AreReadFromTheScenesFolder) {
  for (const char* name : {"walls.wkt", "maps/floor.geojson", "maps/../walls.wkt", "./walls.wkt"}) {
    const auto check = with(name);
    ASSERT_TRUE(check.scene) << texts(check.diagnostics);
    EXPECT_DOUBLE_EQ(walkableArea(check), 16);
  }
  expectOnlyWarning(with("open.json"), "/layers/0/walkable/file", "\"open.json\": a ring is not closed");
  write("scene/scene.json",
        R"({"version": 1, "layers": [{"walkable": {"file": "walls.wkt"}}], "run": {"duration": 1}})");
  EXPECT_TRUE(scene::check((folder_ / "scene" / "scene.json").string(), modelsForTests()).scene);
}

TEST_F(GeometryFiles, OutsideOfItAreRefused) {
  for (const std::string name : {"../secret.wkt", "maps/../../secret.wkt", "link.wkt"}) {
    expectOnlyError(with(name), "/layers/0/walkable/file", "must lie in the scene's folder");
  }
  expectOnlyError(with((folder_ / "scene" / "walls.wkt").string()), "/layers/0/walkable/file", "must be relative");
  expectOnlyError(with("walls.txt"), "/layers/0/walkable/file", "must end in .wkt, .geojson or .json");
  expectOnlyError(with("nothing.wkt"), "/layers/0/walkable/file", "no such file");
  expectOnlyError(with(std::string("walls\0.wkt", 10)), "/layers/0/walkable/file", "no name of a file");
  expectOnlyError(with("bad.wkt"), "/layers/0/walkable/file", "\"bad.wkt\": WKT, character 19");
  expectOnlyError(with("broken.geojson"), "/layers/0/walkable/file", "\"broken.geojson\": line 2, column 10: not JSON");
  expectOnlyError(withWalkable(R"({"file": "walls.wkt"})", ""), "/layers/0/walkable/file", "may not name files");
  expectOnlyError(withWalkable(R"({"file": "walls.wkt", "layer": 3})", (folder_ / "scene").string()),
                  "/layers/0/walkable/layer", "unknown key \"layer\"");
  expectOnlyError(withWalkable(R"({"file": 3})", folder_.string()), "/layers/0/walkable/file", "expected a text");
}

}  // namespace
}  // namespace throng::scene
