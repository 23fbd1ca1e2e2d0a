// Every key of the format, read into the right member.
#include <cmath>
#include <gtest/gtest.h>

#include "scenes_for_tests.h"

namespace throng::scene {
namespace {

TEST(Reading, TheSmallSceneIsFine) {
  const auto check = checkJson(smallScene());
  ASSERT_TRUE(check.scene) << texts(check.diagnostics);
  EXPECT_TRUE(check.diagnostics.empty()) << texts(check.diagnostics);
}

TEST(Reading, DefaultsAreThoseOfTheHeader) {
  const auto check = checkText(R"({"version": 1, "run": {"duration": 1}})", "", modelsForTests());
  ASSERT_TRUE(check.scene) << texts(check.diagnostics);
  ASSERT_EQ(check.scene->layers.size(), 1u);
  EXPECT_EQ(check.scene->layers[0].name, "ground");
  EXPECT_TRUE(check.scene->layers[0].walkable.empty());
  ASSERT_EQ(check.scene->profiles.size(), 1u);
  EXPECT_EQ(check.scene->profiles[0].name, "default");
  EXPECT_EQ(check.scene->run.dt, 0.1);
  EXPECT_EQ(check.scene->run.seed, 1u);
  EXPECT_EQ(check.scene->run.recording_rate, 10);
}

TEST(Reading, EveryKeyOfALayer) {
  const auto check = checkJson(Json::parse(R"json({"version": 1, "name": "n", "description": "d", "$schema": "s",
    "layers": [{"name": "a", "walkable": ["POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))"],
      "obstacles": ["POLYGON ((1 1, 2 1, 2 2, 1 1))", "LINESTRING (3 3, 4 4, 5 3)",
                    {"type": "Polygon", "coordinates": [[[6, 6], [7, 6], [7, 7], [6, 6]]]}],
      "openings": "POLYGON ((3.5 3, 4.5 3, 4.5 5, 3.5 3))",
      "regions": [{"type": "mud", "area": "POLYGON ((0 0, 1 0, 1 1, 0 0))"}],
      "elevation": {"height": 2, "slope": [0.1, 0.2]}, "wall_height": 4, "wrap": [0, 0, 9, 8]},
      {"name": "b", "elevation": 5, "obstacles": []}],
    "connections": [{"name": "stair", "from": {"layer": "a", "line": "LINESTRING (0 0, 1 0)"},
                     "to": {"layer": "b", "line": "LINESTRING (2 0, 3 0)"}}],
    "run": {"duration": 1}})json"));
  ASSERT_TRUE(check.scene) << texts(check.diagnostics);
  const Scene& scene = *check.scene;
  EXPECT_EQ(scene.name, "n");
  EXPECT_EQ(scene.description, "d");
  ASSERT_EQ(scene.layers.size(), 2u);
  const Layer& a = scene.layers[0];
  EXPECT_EQ(a.walkable[0].outer.size(), 4u);
  EXPECT_EQ(a.obstacles.size(), 2u);
  ASSERT_EQ(a.walls.size(), 1u);
  EXPECT_EQ(a.walls[0].points.size(), 3u);
  EXPECT_EQ(a.openings.size(), 1u);
  EXPECT_EQ(a.regions[0].type, "mud");
  EXPECT_EQ(a.elevation, 2);
  EXPECT_EQ(a.slope, (Point{0.1, 0.2}));
  EXPECT_EQ(a.wall_height, 4);
  EXPECT_EQ(a.wrap->max, (Point{9, 8}));
  EXPECT_EQ(scene.layers[1].elevation, 5);
  EXPECT_EQ(scene.connections[0].name, "stair");
  EXPECT_EQ(scene.connections[0].to_layer, "b");
  EXPECT_EQ(scene.connections[0].to.b, (Point{3, 0}));
}

TEST(Reading, EveryKeyOfAProfile) {
  Json json = smallScene();
  json["profiles"] = Json::parse(R"({
    "z": {"radius": {"uniform": [0.2, 0.3]}, "preferred_speed": {"normal": {"mean": 1.3, "deviation": 0.2}},
          "max_speed_factor": 2, "steering": {"model": "orca", "neighbours": 5}, "planner": "direct", "follower": "direct",
          "stream": {"look_ahead": 2}},
    "default": {"radius": 0.3, "preferred_speed": {"truncated": {"mean": 1, "deviation": 0.5, "min": 0.5, "max": 2}},
                "region_weights": {"grass": 2.5, "mud": "never", "sand": {"uniform": [1.5, 4]}},
                "slope_cost": {"up": 3, "down": 0.5}, "steering": "seek", "stream": true}})");
  const auto check = checkJson(json);
  ASSERT_TRUE(check.scene) << texts(check.diagnostics);
  ASSERT_EQ(check.scene->profiles.size(), 2u);
  const Profile& z = check.scene->profiles[0];  // in the order of the file
  EXPECT_EQ(z.name, "z");
  EXPECT_EQ(z.radius.kind, Distribution::Kind::kUniform);
  EXPECT_EQ(z.radius.max, 0.3);
  EXPECT_EQ(z.preferred_speed.kind, Distribution::Kind::kNormal);
  EXPECT_EQ(z.preferred_speed.deviation, 0.2);
  EXPECT_EQ(z.max_speed_factor, 2);
  EXPECT_EQ(z.steering.parameters.at("neighbours"), 5);
  ASSERT_TRUE(z.stream);
  EXPECT_EQ(z.stream->at("look_ahead"), 2);
  const Profile& d = check.scene->profiles[1];
  EXPECT_EQ(d.radius.mean, 0.3);
  EXPECT_EQ(d.preferred_speed.kind, Distribution::Kind::kTruncatedNormal);
  EXPECT_EQ(d.preferred_speed.min, 0.5);
  EXPECT_EQ(d.region_weights.at("grass").mean, 2.5);
  EXPECT_TRUE(std::isinf(d.region_weights.at("mud").mean));
  EXPECT_EQ(d.region_weights.at("sand").kind, Distribution::Kind::kUniform);
  EXPECT_EQ(d.region_weights.at("sand").max, 4);
  EXPECT_EQ(d.slope_cost.up, 3);
  EXPECT_EQ(d.slope_cost.down, 0.5);
  EXPECT_EQ(d.steering.model, "seek");
  ASSERT_TRUE(d.stream);
  EXPECT_TRUE(d.stream->empty());
  EXPECT_EQ(d.max_speed_factor, 1.5);
}

TEST(Reading, WhatPeopleDoWhateverTheModelIsOnUnlessAProfileSaysFalse) {
  Json json = smallScene();
  json["profiles"] =
      Json::parse(R"({"default": {"avoid_congestion": false, "share_goals": true, "steering": "throng"}})");
  const auto check = checkJson(json);
  ASSERT_TRUE(check.scene) << texts(check.diagnostics);
  const Profile& profile = check.scene->profiles[0];
  EXPECT_EQ(profile.steering.model, "throng");
  EXPECT_TRUE(profile.unstuck && profile.give_way && profile.share_goals);
  EXPECT_FALSE(profile.avoid_congestion || profile.go_round || profile.take_turns || profile.harmonise_speed);
  for (const char* key :
       {"unstuck", "give_way", "go_round", "avoid_congestion", "take_turns", "harmonise_speed", "share_goals"}) {
    json["profiles"]["default"] = {{key, "yes"}};
    const std::string wrong = texts(checkJson(json).diagnostics);
    EXPECT_NE(wrong.find(std::string("/profiles/default/") + key), std::string::npos) << wrong;
    EXPECT_NE(wrong.find("true or false"), std::string::npos) << wrong;
  }
}

TEST(Reading, ALineIsTextOrAListOfPoints) {
  const auto start = [](const std::string& line) {
    Json json = smallScene();
    json["populations"] = Json::array({{{"count", 3}, {"start", {{"line", Json::parse(line)}}}}});
    return checkJson(json);
  };
  const auto text = start(R"json("LINESTRING (1 1, 5 1, 5 5)")json");
  const auto list = start("[[1, 1], [5, 1], [5, 5]]");
  ASSERT_TRUE(text.scene) << texts(text.diagnostics);
  ASSERT_TRUE(list.scene) << texts(list.diagnostics);
  const auto points = [](const SceneCheck& check) {
    return std::get<StartLine>(check.scene->populations[0].start.shape).line.points;
  };
  EXPECT_EQ(points(text), points(list));
  EXPECT_EQ(points(list).size(), 3u);
  expectOnlyError(start("[[1, 1], [1e9, 1]]"), "/populations/0/start/line", "");
  EXPECT_FALSE(start("[[1, 1]]").scene);
  EXPECT_FALSE(start("[]").scene);
}

TEST(Reading, EveryKindOfPopulation) {
  const auto check = checkText(R"json({"version": 1, "populations": [
    {"start": {"points": [[1, 2], "POINT (3 4)"], "jitter": 0.1}, "goals": [{"point": [5, 6], "tolerance": 1}, {"opposite": [0, 0]}]},
    {"name": "c", "count": 5, "start": {"circle": {"centre": [1, 1], "radius": 5, "phase": 90}}, "goal": {"direction": [0, 1]}},
    {"rate": 2.5, "limit": 100, "start": {"line": "LINESTRING (0 0, 5 0)"}, "goal": {"area": "POLYGON ((0 9, 1 9, 1 10, 0 9))"},
     "on_arrival": "go_back"},
    {"schedule": [{"time": 0, "count": 3}, {"time": 10.5, "count": 4}], "start": {"grid": "POLYGON ((0 0, 9 0, 9 9, 0 0))", "spacing": 1},
     "on_arrival": "stay"},
    {"count": 1, "start": {"poisson_disc": "POLYGON ((0 0, 9 0, 9 9, 0 0))"}}],
    "measurements": {"lines": [{"name": "l", "line": "LINESTRING (0 0, 1 1)", "layer": "ground"}],
                     "areas": [{"name": "a", "area": "POLYGON ((0 0, 9 0, 9 9, 0 0))"}]},
    "run": {"dt": 0.25, "seed": 18446744073709551615, "duration": 20, "until": "all_arrived"}})json",
                               "", modelsForTests());
  ASSERT_TRUE(check.scene) << texts(check.diagnostics);
  const auto& p = check.scene->populations;
  ASSERT_EQ(p.size(), 5u);
  EXPECT_EQ(p[0].count, 2u);  // as many as points
  EXPECT_EQ(std::get<StartPoints>(p[0].start.shape).points[1], (Point{3, 4}));
  EXPECT_EQ(p[0].start.jitter, 0.1);
  EXPECT_EQ(std::get<GoalPoint>(p[0].goals[0].target).tolerance, 1);
  EXPECT_TRUE(std::holds_alternative<GoalOpposite>(p[0].goals[1].target));
  EXPECT_EQ(p[1].name, "c");
  EXPECT_NEAR(std::get<StartCircle>(p[1].start.shape).phase, M_PI / 2, 1e-15);
  EXPECT_EQ(std::get<GoalDirection>(p[1].goals[0].target).direction, (Point{0, 1}));
  EXPECT_EQ(p[2].rate, 2.5);
  EXPECT_EQ(p[2].rate_limit, 100u);
  EXPECT_EQ(p[2].on_arrival, OnArrival::kGoBack);
  EXPECT_EQ(p[3].schedule[1].time, 10.5);
  EXPECT_EQ(std::get<StartGrid>(p[3].start.shape).spacing, 1);
  EXPECT_EQ(p[3].on_arrival, OnArrival::kStay);
  EXPECT_TRUE(std::holds_alternative<StartPoissonDisc>(p[4].start.shape));
  EXPECT_EQ(check.scene->lines[0].line.b, (Point{1, 1}));
  EXPECT_EQ(check.scene->areas[0].area.size(), 1u);
  EXPECT_EQ(check.scene->run.seed, 18446744073709551615u);
  EXPECT_EQ(check.scene->run.recording_rate, 4);  // 10 is not possible with steps of 0.25 s
  EXPECT_TRUE(check.scene->run.until_all_arrived);
}

TEST(Reading, AllMistakesAreToldAtOnceWithTheirPlaces) {
  Json json = smallScene();
  json["layers"][0]["walkabel"] = 1;
  json["profiles"]["default"]["radius"] = -1;
  json["populations"][0]["profile"] = "defualt";
  json["populations"][0]["goal"]["point"] = Json::array({1, 2, 3});
  json["run"]["dt"] = 2;
  const auto check = checkJson(json);
  EXPECT_FALSE(check.scene);
  ASSERT_EQ(check.diagnostics.size(), 5u) << texts(check.diagnostics);
  for (const auto& d : check.diagnostics) EXPECT_GT(d.line, 1) << d.text();
}

TEST(Reading, AFileThatIsNotThereIsAFinding) {
  const auto check = scene::check("/nowhere/scene.json", modelsForTests());
  expectOnlyError(check, "", "no such file");
  EXPECT_EQ(check.diagnostics[0].file, "/nowhere/scene.json");
  expectOnlyError(scene::check(THRONG_SOURCE_DIR, modelsForTests()), "", "not a file");
}

}  // namespace
}  // namespace throng::scene
