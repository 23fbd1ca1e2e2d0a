// scenes/scene.schema.json, which editors complete from, describes what the reader reads.
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

#include "scene/keys.h"
#include "scenes_for_tests.h"

namespace throng::scene {
namespace {

Json schema() { return Json::parse(fileText(THRONG_SOURCE_DIR "/scenes/scene.schema.json")); }

TEST(Schema, HasTheSameKeysAsTheReader) {
  const Json file = schema();
  std::set<std::string> described;
  for (const auto& [object, keys] : objectKeys()) {
    SCOPED_TRACE(object);
    const Json& definition = object == "scene" ? file : file.at("$defs").at(std::string(object));
    std::set<std::string> ours, theirs;
    for (const auto key : keys) ours.insert(std::string(key));
    for (const auto& [key, value] : definition.at("properties").items()) {
      theirs.insert(key);
      EXPECT_TRUE(value.contains("description") || value.contains("$ref")) << key << " is not described";
    }
    EXPECT_EQ(ours, theirs);
    EXPECT_EQ(definition.at("additionalProperties"), false);
    described.insert(std::string(object));
  }
  // And no object with keys of its own that the reader does not know.
  for (const auto& [name, definition] : file.at("$defs").items()) {
    if (definition.contains("properties") && definition.value("additionalProperties", Json(true)) == false) {
      EXPECT_TRUE(described.count(name)) << name;
    }
  }
}

/// What Python's jsonschema has to say about files: a line "path: pointer: why" for everything that does not conform.
std::string complaints(const std::vector<std::string>& files) {
  std::string command = "/usr/bin/python3 -W ignore " THRONG_SOURCE_DIR "/tests/scene/conforms.py " THRONG_SOURCE_DIR
                        "/scenes/scene.schema.json";
  for (const auto& file : files) command += " '" + file + "'";
  command += " 2>&1";
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return "python3 does not start";
  char buffer[4096];
  while (fgets(buffer, sizeof buffer, pipe)) output += buffer;
  pclose(pipe);
  return output;
}

class SchemaWithPython : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/python3 -c 'import jsonschema' > /dev/null 2>&1") != 0) {
      GTEST_SKIP()
          << "Python's jsonschema is not installed (Debian: python3-jsonschema), so nothing can judge by the schema";
    }
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("throng_schema_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  std::string file(const std::string& name, const Json& scene) {
    const auto path = (folder_ / name).string();
    std::ofstream(path) << scene.dump();
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(SchemaWithPython, AcceptsWhatTheReaderAccepts) {
  std::vector<std::string> files;
  for (const auto& path : shippedScenes()) files.push_back(path.string());
  const Scene scene = *checkJson(smallScene()).scene;
  files.push_back(file("small.json", smallScene()));
  files.push_back(file("written.json", Json::parse(toJson(scene))));
  files.push_back(file("points.json", Json::parse(R"({"version": 1, "run": {"until": "all_arrived"},
                       "populations": [{"start": {"points": [[1, 2]]}, "goal": {"opposite": [0, 0]}}]})")));
  files.push_back(file("events.json", Json::parse(R"json({"version": 1, "run": {"duration": 9},
                       "layers": [{"doors": [{"name": "a", "line": [[0, 0], [1, 0]]},
                                             {"name": "b", "line": "LINESTRING (0 0, 1 0)", "open": false}]}],
                       "events": [{"time": 1, "close": "a"}, {"time": 2, "open": "b"}, {"time": 4, "remove": "c"},
                                  {"time": 3, "insert": {"name": "c", "obstacle": "POLYGON ((0 0, 1 0, 1 1, 0 0))"}}]
                       })json")));
  files.push_back(file("generate.json", Json::parse(R"({"version": 1, "run": {"duration": 9},
                       "generate": {"scene": "hostile", "seed": 2, "vertices": 200}})")));
  EXPECT_EQ(complaints(files), "");
}

TEST_F(SchemaWithPython, RefusesMistakes) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"/version", "2"},
      {"/populatons", "[]"},
      {"/layers/0/walkable", "5"},
      {"/profiles/default/radius", "-1"},
      {"/populations/0/rate", "1"},
      {"/populations/0/start", "{}"},
      {"/populations/0/goal", R"({"point": [1, 2], "direction": [1, 0]})"},
      {"/populations/0/goals", "[]"},
      {"/populations/0/limit", "3"},
      {"/populations/0/on_arrival", "\"stop\""},
      {"/run/dt", "0.7"},
      {"/generate", R"({"scene": "military"})"},
      {"/layers/0/doors", R"([{"name": "a"}])"},
      {"/layers/0/doors", R"([{"name": "a", "line": [[0, 0], [1, 0]], "open": 1}])"},
      {"/events", R"([{"time": 1, "open": "a", "close": "a"}])"},
      {"/events", R"([{"time": -1, "open": "a"}])"},
      {"/events", R"([{"time": 1, "insert": {"name": "a"}}])"},
      {"/run", "{}"}};
  std::vector<std::string> files;
  for (const auto& [pointer, value] : mistakes) {
    files.push_back(file("mistake" + std::to_string(files.size()) + ".json", spoilt(pointer, value)));
  }
  const std::string said = complaints(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_THAT(said, testing::HasSubstr(files[i] + ": /")) << mistakes[i].first << " passes";
  }
}

}  // namespace
}  // namespace throng::scene
