// One mistake at a time: it is found, by its pointer, and nothing else is said.
#include <gtest/gtest.h>
#include <limits>

#include "scenes_for_tests.h"

namespace throng::scene {
namespace {

struct Mistake {
  const char* where;    ///< what is replaced
  const char* with;     ///< JSON
  const char* pointer;  ///< what is complained about
  const char* message;
};

std::ostream& operator<<(std::ostream& stream, const Mistake& m) { return stream << m.where << " = " << m.with; }

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreToldByPointerAndReason) {
  expectOnlyError(checkJson(spoilt(GetParam().where, GetParam().with)), GetParam().pointer, GetParam().message);
}

const Mistake kFile[] = {
    {"", "[]", "", "expected an object"},
    {"/version", "2", "/version", "expected 1, the version of the format, found 2"},
    {"/version", "\"1\"", "/version", "found \"1\""},
    {"/name", "3", "/name", "expected a text, found 3"},
    {"/populatons", "[]", "/populatons", "unknown key \"populatons\"; did you mean \"populations\"?"},
    {"/layers", "[]", "/layers", "found no layer"},
    {"/layers", "{}", "/layers", "expected an array, found an object"},
    {"/profiles", "{}", "/profiles", "at least one profile"},
    {"/a~1b", "0", "/a~1b", "unknown key \"a/b\""},
};
INSTANTIATE_TEST_SUITE_P(File, Mistakes, testing::ValuesIn(kFile));

const Mistake kLayers[] = {
    {"/layers/0/name", "\"\"", "/layers/0/name", "may not be empty"},
    {"/layers/1", R"({"name": "hall"})", "/layers/1/name", "another layer named \"hall\""},
    {"/layers/1", R"({})", "/layers/1", "\"name\" is missing"},
    {"/layers/0/elevation", "1e9", "/layers/0/elevation", "found 1e+09; allowed: -100000 to 100000 m"},
    {"/layers/0/elevation", R"({"slope": [1]})", "/layers/0/elevation/slope", "expected a slope [x, y] of two numbers"},
    {"/layers/0/elevation", R"("up")", "/layers/0/elevation", "expected a number or"},
    {"/layers/0/wall_height", "0", "/layers/0/wall_height", "found 0; allowed: more than 0"},
    {"/layers/0/wrap", "[0, 0, 1]", "/layers/0/wrap", "expected a rectangle"},
    {"/layers/0/wrap", "[0, 0, 0, 1]", "/layers/0/wrap", "xmin < xmax"},
    {"/layers/0/wrap", "[3, 0, 20, 10]", "/populations/0/start/area", "outside the layer's \"wrap\" rectangle"},
    {"/layers/0/regions/0/type", "\"\"", "/layers/0/regions/0/type", "may not be empty"},
    {"/layers/0/regions/0", "{\"type\": \"grass\"}", "/layers/0/regions/0", "\"area\" is missing"},
    {"/connections", R"j([{"from": {"layer": "hal", "line": "LINESTRING (0 0, 1 0)"},
                          "to": {"layer": "hall", "line": "LINESTRING (0 0, 1 0)"}}])j",
     "/connections/0/from/layer", "there is no layer \"hal\"; did you mean \"hall\"?"},
    {"/connections", R"j([{"from": {"layer": "hall", "line": "LINESTRING (0 0, 1 0, 2 2)"}, "to" : {
  "layer" : "hall", "line" : "LINESTRING (0 0, 1 0)"
}
}])j",
     "/connections/0/from/line", "found a line of 3 points; allowed: a straight line of two points"},
    {"/connections", R"j([{"to": {"layer": "hall", "line": "LINESTRING (0 0, 1 0)" }
}])j",
     "/connections/0", "\"from\" is missing"},
};
INSTANTIATE_TEST_SUITE_P(Layers, Mistakes, testing::ValuesIn(kLayers));

const Mistake kProfiles[] = {
    {"/profiles/default/radius", "0", "/profiles/default/radius", "found 0; allowed: 0.05 to 10 m"},
    {"/profiles/default/radius", "\"big\"", "/profiles/default/radius", "expected a number, {\"uniform\""},
    {"/profiles/default/radius", R"({"uniform": [0.4, 0.2]})", "/profiles/default/radius", "the smaller number first"},
    {"/profiles/default/radius", R"({"uniform": [0.4]})", "/profiles/default/radius/uniform", "a range [min, max]"},
    {"/profiles/default/radius", R"({"normal": {"mean": 0.3}})", "/profiles/default/radius/normal",
     "\"deviation\" is missing"},
    {"/profiles/default/radius", R"({"normal": {"mean": 0.3, "deviation": 0.1}})", "/profiles/default/radius",
     "would be less than 0.05 or more than 10 m for somebody; allowed: a deviation of at most 0.05"},
    {"/profiles/default/radius", R"({"truncated": {"mean": 9, "deviation": 0.1, "min": 0.1, "max": 1}})",
     "/profiles/default/radius", "hardly any number"},
    {"/profiles/default/radius", R"({"uniform": [1, 2], "normal": {"mean": 1, "deviation": 0}})",
     "/profiles/default/radius", "allowed: one of"},
    {"/profiles/default/radius", "0.04", "/profiles/default/radius", "found 0.04; allowed: 0.05 to 10 m"},
    {"/profiles/default/radius", R"({"uniform": [0.01, 0.2]})", "/profiles/default/radius",
     "found 0.01; allowed: 0.05"},
    {"/profiles/default/radius", R"({"normal": {"mean": 9, "deviation": 0.5}})", "/profiles/default/radius",
     "would be less than 0.05 or more than 10 m for somebody; allowed: a deviation of at most 0.2"},
    {"/profiles/default/preferred_speed", "0.01", "/profiles/default/preferred_speed", "0.05 to 50 m/s"},
    {"/profiles/default/preferred_speed", "-1", "/profiles/default/preferred_speed", "m/s"},
    {"/profiles/default/max_speed_factor", "0.5", "/profiles/default/max_speed_factor", "found 0.5; allowed: 1 to 100"},
    {"/profiles/default/region_weights/grass", "0", "/profiles/default/region_weights/grass",
     "found 0; allowed: 0.001 to 1e+06 per m"},
    {"/profiles/default/region_weights/grass", "-2", "/profiles/default/region_weights/grass", "found -2; allowed"},
    {"/profiles/default/region_weights/grass", "[1, 2]", "/profiles/default/region_weights/grass",
     "expected a number, \"never\", or what differs from person to person"},
    {"/profiles/default/region_weights/grass", "null", "/profiles/default/region_weights/grass",
     "expected a number, \"never\", or what differs from person to person"},
    {"/profiles/default/region_weights/grass", "true", "/profiles/default/region_weights/grass",
     "expected a number, \"never\", or what differs from person to person"},
    {"/profiles/default/region_weights/grass", "\"much\"", "/profiles/default/region_weights/grass",
     "expected a number, \"never\""},
    {"/profiles/default/region_weights/grass", R"({"uniform": [0, 3]})", "/profiles/default/region_weights/grass",
     "found 0; allowed: 0.001"},
    {"/profiles/default/slope_cost", R"({"up": -1})", "/profiles/default/slope_cost/up",
     "found -1; allowed: 0 to 10000"},
    {"/profiles/default/slope_cost", R"({"upp": 1})", "/profiles/default/slope_cost/upp", "did you mean \"up\"?"},
    {"/profiles/default/slope_cost", "3", "/profiles/default/slope_cost", "expected"},
    {"/profiles/default/steering", "\"orka\"", "/profiles/default/steering",
     "there is no steering model \"orka\"; did you mean \"orca\"? Allowed: \"orca\", \"seek\", \"throng\""},
    {"/profiles/default/planner", "\"teleport\"", "/profiles/default/planner",
     "there is no planner \"teleport\"; allowed: \"direct\""},
    {"/profiles/default/steering/time_horizont", "3", "/profiles/default/steering/time_horizont",
     "steering model \"orca\" has no parameter \"time_horizont\"; did you mean \"time_horizon\"?"},
    {"/profiles/default/steering/time_horizon", "100", "/profiles/default/steering/time_horizon",
     "found 100; allowed: 0.1 to 60 s"},
    {"/profiles/default/steering/time_horizon", "\"4\"", "/profiles/default/steering/time_horizon",
     "expected a number"},
    {"/profiles/default/follower", R"({"model": "direct", "speed": 1})", "/profiles/default/follower/speed",
     "it has none"},
    {"/profiles/default/stream", "3", "/profiles/default/stream", "true, false, or {parameter: value"},
    {"/profiles/default/stream", "{\"look_ahed\": 1}", "/profiles/default/stream/look_ahed",
     "Stream has no parameter \"look_ahed\"; did you mean \"look_ahead\"?"},
    {"/profiles/default/stream", "{\"look_ahead\": 21}", "/profiles/default/stream/look_ahead", "found 21"},
    {"/profiles/default/stream", "{\"look_ahead\": true}", "/profiles/default/stream/look_ahead", "a number"},
    {"/profiles/default/steering", "{}", "/profiles/default/steering", "\"model\" is missing"},
    {"/profiles/default/steering", "7", "/profiles/default/steering", "expected the name of a model"},
};
INSTANTIATE_TEST_SUITE_P(Profiles, Mistakes, testing::ValuesIn(kProfiles));

const Mistake kPopulations[] = {
    {"/populations/0/profile", "\"defualt\"", "/populations/0/profile",
     "there is no profile \"defualt\"; did you mean \"default\"?"},
    {"/populations/0/layer", "\"wall\"", "/populations/0/layer", "there is no layer \"wall\"; did you mean \"hall\"?"},
    {"/populations/0/count", "-1", "/populations/0/count", "expected a whole number from 0 to 100000000, found -1"},
    {"/populations/0/count", "2.5", "/populations/0/count", "a whole number"},
    {"/populations/0/count", "1000000000", "/populations/0/count", "a whole number from 0 to 100000000"},
    {"/populations/0/rate", "1", "/populations/0", "found \"count\", \"rate\" together; allowed: one of them"},
    {"/populations/0/limit", "1", "/populations/0/limit", "\"limit\" does not go with \"count\""},
    {"/populations/0/start", R"({"points": []})", "/populations/0/start/points", "found no point"},
    {"/populations/0/start", R"({"points": [[1, 1]]})", "/populations/0/count", "found 10 people for 1 start point"},
    {"/populations/0/start", R"({"points": [[1, 1], [1, "a"]]})", "/populations/0/start/points/1", "a point [x, y]"},
    {"/populations/0/start", "{}", "/populations/0/start", "one of these keys is missing: \"points\""},
    {"/populations/0/start/points", "[[1, 1]]", "/populations/0/start", "found \"points\", \"area\" together"},
    {"/populations/0/start/spacing", "1", "/populations/0/start/spacing", "does not go with \"area\""},
    {"/populations/0/start/jitter", "-1", "/populations/0/start/jitter", "found -1; allowed: 0 to 1000 m"},
    {"/populations/0/start", R"({"circle": {"centre": [5, 5], "radius": -2}})", "/populations/0/start/circle/radius",
     "more than 0"},
    {"/populations/0/start", R"({"circle": {"radius": 2}})", "/populations/0/start/circle", "\"centre\" is missing"},
    {"/populations/0/on_arrival", "\"stop\"", "/populations/0/on_arrival", "did you mean \"stay\"?"},
    {"/populations/0/goals", "[]", "/populations/0", "found \"goal\", \"goals\" together"},
    {"/populations/0/goal", R"j({"point": [18, 5], "area": "POINT (1 1)"})j", "/populations/0/goal",
     "found \"point\", \"area\" together"},
    {"/populations/0/goal/tolerance", "0", "/populations/0/goal/tolerance", "more than 0"},
    {"/populations/0/goal", R"({"direction": [0, 0]})", "/populations/0/goal/direction", "no length"},
    {"/populations/0/goal", R"({"direction": [0, 1], "tolerance": 1})", "/populations/0/goal/tolerance",
     "does not go with \"direction\""},
    {"/populations/0/goal/layer", "\"roof\"", "/populations/0/goal/layer", "there is no layer \"roof\""},
    {"/populations/1", R"({"name": "left", "count": 1, "start": {"points": [[1, 1]]}})", "/populations/1/name",
     "another population named \"left\""},
    {"/populations/1", R"({"rate": -1, "start": {"points": [[1, 1]]}})", "/populations/1/rate", "more than 0"},
    {"/populations/1", R"({"schedule": [{"time": -1, "count": 2}], "start": {"points": [[1, 1]]}})",
     "/populations/1/schedule/0/time", "allowed: 0 to"},
    {"/populations/1", R"({"schedule": [{"time": 1}], "start": {"points": [[1, 1]]}})", "/populations/1/schedule/0",
     "\"count\" is missing"},
    {"/populations/1", R"({"count": 100000000, "start": {"circle": {"centre": [3, 3], "radius": 1}}})", "/populations",
     "people altogether"},
};
INSTANTIATE_TEST_SUITE_P(Populations, Mistakes, testing::ValuesIn(kPopulations));

const Mistake kPlaces[] = {
    {"/populations/0/goal/point", "[30, 5]", "/populations/0/goal/point", "the goal lies outside the walkable area"},
    {"/populations/0/goal/point", "[10, 1]", "/populations/0/goal/point", "the goal lies in an obstacle"},
    {"/populations/0/goal/point", "[1e300, 1]", "/populations/0/goal/point",
     "out of range; allowed: -1e+06 to 1e+06 m"},
    {"/populations/0/start/area", "\"POLYGON ((30 0, 40 0, 40 5, 30 0))\"", "/populations/0/start/area",
     "the start lies outside the walkable area"},
    {"/populations/0/start/area", "\"POLYGON ((9.5 0, 10.5 0, 10 1, 9.5 0))\"", "/populations/0/start/area",
     "lies entirely in obstacles"},
    {"/populations/0/start", R"j({"line": "LINESTRING (30 0, 30 5)"})j", "/populations/0/start/line", "outside"},
    {"/populations/0/start", R"({"circle": {"centre": [50, 50], "radius": 5}})", "/populations/0/start/circle",
     "outside"},
    {"/populations/0/goal", R"j({"area": "POLYGON ((30 0, 40 0, 40 5, 30 0))"})j", "/populations/0/goal/area",
     "outside"},
};
INSTANTIATE_TEST_SUITE_P(Places, Mistakes, testing::ValuesIn(kPlaces));

const Mistake kMeasurementsAndRun[] = {
    {"/measurements/lines/1", R"j({"name": "door", "line": "LINESTRING (10 4, 10 6)"})j", "/measurements/lines/1/name",
     "another measurement line named \"door\""},
    {"/measurements/lines/0/line", "\"LINESTRING (10 4, 10 5, 10 6)\"", "/measurements/lines/0/line", "two points"},
    {"/measurements/lines/0/line", "\"LINESTRING (10 4, 10 4)\"", "/measurements/lines/0/line", "no length"},
    {"/measurements/lines/0/layer", "\"halls\"", "/measurements/lines/0/layer", "did you mean \"hall\""},
    {"/measurements/areas", R"j([{"area": "POLYGON ((0 0, 1 0, 1 1, 0 0))"}])j", "/measurements/areas/0",
     "\"name\" is missing"},
    {"/run/dt", "0", "/run/dt", "found 0; allowed: 0.001 to 0.5 s"},
    {"/run/dt", "1e-300", "/run/dt", "found 1e-300; allowed: 0.001 to 0.5 s"},
    {"/run/dt", "0.6", "/run/dt", "found 0.6"},
    {"/run/duration", "-5", "/run/duration", "found -5; allowed: 0.001 to 1e+07 s"},
    {"/run/duration", "1e-300", "/run/duration", "0.001 to"},
    {"/run/patience", "0", "/run/patience", "found 0; allowed: 1 to 1e+07 s"},
    {"/run/duration", "1e300", "/run/duration", "found 1e+300; allowed: 0.001 to 1e+07 s"},
    {"/run/until", "\"tomorrow\"", "/run/until", "expected \"all_arrived\", found \"tomorrow\""},
    {"/run/seed", "-1", "/run/seed", "a whole number"},
    {"/run", "{}", "/run", "when does the run end?"},
    {"/run/recording_rate", "7", "/run/recording_rate",
     "found 7 frames per s, which is one every 1.42857 steps of 0.1 s; allowed: a whole number of steps. The nearest: "
     "5 and 10"},
    {"/run/recording_rate", "20", "/run/recording_rate", "The nearest: 10"},
    {"/run/recording_rate", "0", "/run/recording_rate", "found 0; allowed: 1e-07 to 1000"},
    {"/run/recording_rate", "1e-300", "/run/recording_rate", "found 1e-300; allowed: 1e-07 to 1000"},
};
INSTANTIATE_TEST_SUITE_P(MeasurementsAndRun, Mistakes, testing::ValuesIn(kMeasurementsAndRun));

TEST(Rules, WhatIsMissing) {
  expectOnlyError(checkJson(without("", "version")), "", "\"version\" is missing");
  expectOnlyError(checkJson(without("", "run")), "", "\"run\" is missing");
  expectOnlyError(checkJson(without("/populations/0", "count")), "/populations/0",
                  "one of these keys is missing: \"count\"");
  expectOnlyError(checkJson(without("/populations/0", "start")), "/populations/0", "\"start\" is missing");
  Json json = smallScene();
  json["profiles"] = Json::parse(R"({"adult": {}, "child": {}})");
  expectOnlyError(checkJson(json), "/populations/0/profile", "there is no profile \"default\"");
}

TEST(Rules, CoordinatesAreTold) {
  auto check = checkJson(spoilt("/populations/0/goal/point", "[10, 1]"));
  ASSERT_TRUE(check.diagnostics.at(0).at);
  EXPECT_EQ(*check.diagnostics[0].at, (Point{10, 1}));
  // In the doorway, and on the obstacle's border, one may stand.
  EXPECT_TRUE(checkJson(spoilt("/populations/0/goal/point", "[10, 5]")).scene);
  EXPECT_TRUE(checkJson(spoilt("/populations/0/goal/point", "[11, 1]")).scene);
}

TEST(Rules, ARunThatWouldNeverEndIsRefused) {
  Json json = smallScene();
  json["run"] = Json::parse(R"({"until": "all_arrived"})");
  EXPECT_TRUE(checkJson(json).scene);
  json["populations"][0]["on_arrival"] = "go_back";
  expectOnlyError(checkJson(json), "/populations/0/on_arrival", "always on the way; give the run a \"duration\"");
  json["run"]["duration"] = 60;
  expectOnlyWarning(checkJson(json), "/populations/0/on_arrival", "the run lasts until its duration of 60 s");
  json["run"].erase("duration");
  json["populations"][0].erase("count");
  json["populations"][0]["rate"] = 1;
  expectOnlyError(checkJson(json), "/populations/0/rate", "keep appearing");
  json["populations"][0]["limit"] = 10;
  json["populations"][0]["goal"] = Json::parse(R"({"direction": [1, 0]})");
  expectOnlyError(checkJson(json), "/populations/0/goals", "never arrive");
}

TEST(Rules, GoalsOnOtherLayersNeedAWay) {
  Json json = smallScene();
  json["layers"].push_back(Json::parse(R"({"name": "roof"})"));
  json["populations"][0]["goal"]["layer"] = "roof";
  expectOnlyError(checkJson(json), "/populations/0/goal/layer",
                  "no connection leads from layer \"hall\" to layer \"roof\"");
  json["connections"] = Json::parse(R"j([{"from": {"layer": "roof", "line": "LINESTRING (0 0, 1 0)"
}
, "to" : { "layer" : "hall", "line" : "LINESTRING (0 0, 1 0)" }
}])j");
  EXPECT_TRUE(checkJson(json).scene) << texts(checkJson(json).diagnostics);
}

TEST(Rules, OddButPossibleThingsAreWarnings) {
  expectOnlyWarning(checkJson(spoilt("/profiles/default/region_weights/gras", "2")),
                    "/profiles/default/region_weights/gras",
                    "no region in this scene is of type \"gras\"; did you mean \"grass\"?");
  expectOnlyWarning(checkJson(spoilt("/populations/0/count", "0")), "/populations/0", "nobody");
  expectOnlyWarning(checkJson(spoilt("/layers/0/obstacles/1", "\"POLYGON ((30 0, 40 0, 40 5, 30 0))\"")),
                    "/layers/0/obstacles", "an obstacle lies outside the walkable area");
  expectOnlyWarning(checkJson(spoilt("/layers/0/obstacles/1", "\"LINESTRING (30 0, 40 0)\"")), "/layers/0/obstacles",
                    "a wall lies outside the walkable area");
  expectOnlyWarning(checkJson(spoilt("/layers/0/regions/0/area", "\"POLYGON ((30 0, 40 0, 40 5, 30 0))\"")),
                    "/layers/0/regions/0/area", "the region lies outside the walkable area");
  expectOnlyWarning(checkJson(spoilt("/layers/0/openings", "[\"POLYGON ((1 1, 2 1, 2 2, 1 1))\"]")),
                    "/layers/0/openings", "opens nothing");
  expectOnlyWarning(checkJson(spoilt("/measurements/lines/0/line", "\"LINESTRING (30 0, 40 0)\"")),
                    "/measurements/lines/0/line", "the measurement line lies outside");
  expectOnlyWarning(
      checkJson(spoilt("/measurements/areas", R"j([{"name": "a", "area": "POLYGON ((30 0, 40 0, 40 5, 30 0))"
}])j")),
      "/measurements/areas/0/area", "the measurement area lies outside");
}

TEST(Rules, NobodyIsSentWhereTheyNeverWalk) {
  Json json = smallScene();
  EXPECT_TRUE(checkJson(spoilt("/profiles/default/region_weights/grass", "\"never\"")).diagnostics.empty());
  json["profiles"]["default"]["region_weights"]["grass"] = "never";
  json["populations"][0]["goal"]["point"] = {18, 2};
  expectOnlyError(checkJson(json), "/populations/0/goal/point",
                  "the goal lies in a region of type \"grass\", where people of profile \"default\" never walk");
  json["populations"][0]["goal"]["point"] = {18, 3};  // on its border, which is everybody's
  EXPECT_TRUE(checkJson(json).diagnostics.empty());
  json["populations"][0]["goal"]["point"] = {18, 2};
  json["layers"][0]["regions"].push_back(
      Json::parse(R"j({"type": "path", "area": "POLYGON ((17 0, 19 0, 19 3, 17 3, 17 0))"})j"));  // over the grass
  EXPECT_TRUE(checkJson(json).diagnostics.empty());
  json["populations"][0]["goal"] = Json::parse(R"j({"area": "POLYGON ((13 1, 16 1, 16 2, 13 2, 13 1))"})j");
  expectOnlyError(checkJson(json), "/populations/0/goal/area", "lies entirely in regions where people of profile");
  json["populations"][0]["goal"] = Json::parse(R"j({"area": "POLYGON ((13 1, 16 1, 16 5, 13 5, 13 1))"})j");
  expectOnlyWarning(checkJson(json), "/populations/0/goal/area", "lies partly in regions");
  json = smallScene();
  json["profiles"]["default"]["region_weights"]["grass"] = "never";
  json["populations"][0]["start"] = Json::parse(R"j({"points": [[13, 1]]})j");
  json["populations"][0]["count"] = 1;
  expectOnlyWarning(checkJson(json), "/populations/0/start/points/0", "the start point lies in a region of type");
}

TEST(Rules, SliversAndTooManyTypesAreFound) {
  expectOnlyWarning(
      checkJson(spoilt("/layers/0/regions/0/area", "\"POLYGON ((12 1, 20 1, 20 1.004, 12 1.004, 12 1))\"")),
      "/layers/0/regions/0/area", "only 0.004 m wide");
  Json json = smallScene();
  for (int i = 0; i < 255; ++i) {
    Json region = json["layers"][0]["regions"][0];
    region["type"] = "type " + std::to_string(i);
    json["layers"][0]["regions"].push_back(region);
  }
  expectOnlyError(checkJson(json), "/layers/0/regions/255/type", "found more than 255 types of regions; allowed: 255");
}

Scene sceneInCode() {
  Scene scene = *checkJson(smallScene()).scene;
  EXPECT_TRUE(validate(scene, modelsForTests()).empty());
  return scene;
}

void expectInvalid(const Scene& scene, const std::string& pointer, const std::string& message) {
  expectOnlyError({std::nullopt, validate(scene, modelsForTests())}, pointer, message);
}

TEST(BuiltScenes, HaveAsManyLayersAsCanBeCounted) {
  Scene scene;
  scene.profiles.emplace_back();
  scene.run.duration = 1;
  for (int i = 0; i < 10'001; ++i) {
    scene.layers.emplace_back();
    scene.layers.back().name = std::to_string(i);
  }
  expectInvalid(scene, "/layers", "found 10001 layers; allowed: at most 10000");
}

TEST(Validate, KeepsTheSameRulesForScenesBuiltInCode) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Scene scene = sceneInCode();
  for (const double weight : {nan, 0.0, -1.0, -std::numeric_limits<double>::infinity(), 1e7}) {
    scene.profiles[0].region_weights["grass"] = Distribution::constant(weight);
    expectInvalid(scene, "/profiles/default/region_weights/grass", "allowed: 0.001 to 1e+06 per m");
  }
  scene = sceneInCode();
  scene.run.dt = nan;
  expectInvalid(scene, "/run/dt", "found nan");
  scene = sceneInCode();
  scene.profiles[0].radius = Distribution::constant(nan);
  expectInvalid(scene, "/profiles/default/radius", "found nan");
  scene = sceneInCode();
  scene.profiles[0].steering.model = "magic";
  expectInvalid(scene, "/profiles/default/steering", "there is no steering model");
  scene = sceneInCode();
  std::get<GoalPoint>(scene.populations[0].goals[0].target).point.x = nan;
  expectInvalid(scene, "/populations/0/goals/0/point", "out of range");
  scene = sceneInCode();
  scene.layers[0].walkable[0].outer = {{0, 0}, {20, 10}, {20, 0}, {0, 10}};
  expectInvalid(scene, "/layers/0/walkable", "Self-intersection");
  scene = sceneInCode();
  scene.layers[0].walls.push_back({{{1, 1}}});
  expectInvalid(scene, "/layers/0/obstacles", "no length");
  scene = sceneInCode();
  std::get<StartArea>(scene.populations[0].start.shape).area.clear();
  expectInvalid(scene, "/populations/0/start/area", "found no polygon");
  scene = sceneInCode();
  scene.populations[0].rate = 3;
  expectInvalid(scene, "/populations/0", "several of");
  scene = sceneInCode();
  scene.profiles.push_back(scene.profiles[0]);
  expectInvalid(scene, "/profiles/default", "another profile named");
  expectInvalid(
      [] {
        Scene empty;
        empty.run.duration = 1;
        empty.profiles.emplace_back();
        return empty;
      }(),
      "/layers", "at least one layer");
}

}  // namespace
}  // namespace throng::scene
