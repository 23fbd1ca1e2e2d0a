// Doors, and what happens while a scene runs: read as they stand, and one mistake at a time.
#include <gtest/gtest.h>
#include <limits>

#include "scenes_for_tests.h"

namespace throng::scene {
namespace {

/// The small scene with two doors and an obstacle that comes and goes.
Json eventfulScene() {
  Json scene = smallScene();
  scene["layers"][0]["doors"] = Json::parse(R"json([
      {"name": "east", "line": [[10, 4], [10, 6]]},
      {"name": "west", "line": "LINESTRING (5 0, 5 10)", "open": false}])json");
  scene["events"] = Json::parse(R"json([
      {"time": 40, "open": "west"}, {"time": 20, "close": "east"},
      {"time": 10, "insert": {"name": "crate", "layer": "hall", "obstacle": "POLYGON ((2 2, 3 2, 4 2, 4 3, 2 2))"}},
      {"time": 10.5, "remove": "crate"}])json");
  return scene;
}

SceneCheck spoiltEvents(const std::string& pointer, const std::string& json) {
  Json scene = eventfulScene();
  scene[Json::json_pointer(pointer)] = Json::parse(json);
  return checkJson(scene);
}

TEST(Events, AreReadInTheOrderOfTheFile) {
  const auto check = checkJson(eventfulScene());
  ASSERT_TRUE(check.scene) << texts(check.diagnostics);
  EXPECT_EQ(texts(check.diagnostics), "");
  const auto& doors = check.scene->layers[0].doors;
  ASSERT_EQ(doors.size(), 2u);
  EXPECT_EQ(doors[0].name, "east");
  EXPECT_EQ(doors[0].line.b, (Point{10, 6}));
  EXPECT_TRUE(doors[0].open);
  EXPECT_EQ(doors[1].line.b, (Point{5, 10}));
  EXPECT_FALSE(doors[1].open);
  const auto& events = check.scene->events;
  ASSERT_EQ(events.size(), 4u);
  EXPECT_TRUE(std::holds_alternative<OpenDoor>(events[0].change));
  EXPECT_EQ(events[0].time, 40);
  EXPECT_EQ(std::get<CloseDoor>(events[1].change).door, "east");
  EXPECT_EQ(std::get<InsertObstacle>(events[2].change).layer, "hall");
  // A corner on a straight side is no harm.
  EXPECT_EQ(std::get<InsertObstacle>(events[2].change).obstacle.outer.size(), 4u);
  EXPECT_EQ(std::get<RemoveObstacle>(events[3].change).name, "crate");
}

struct EventMistake {
  const char* where;
  const char* with;
  const char* pointer;
  const char* message;
};

TEST(Events, MistakesAreToldByPointerAndReason) {
  const EventMistake mistakes[] = {
      {"/layers/0/doors", "{}", "/layers/0/doors", "expected an array"},
      {"/layers/0/doors/0/name", "\"\"", "/layers/0/doors/0/name", "the name of a door may not be empty"},
      {"/layers/0/doors/0/name", "\"west\"", "/layers/0/doors/1/name", "another door named \"west\""},
      {"/layers/0/doors/0/line", "[[1, 1], [1, 1]]", "/layers/0/doors/0/line", "a line has no length"},
      {"/layers/0/doors/0/line", "[[1, 1], [1e7, 1]]", "/layers/0/doors/0/line", "out of range"},
      {"/layers/0/doors/0/line", "[[1, 1], [1, 2], [1, 3]]", "/layers/0/doors/0/line", "found a line of 3 points"},
      {"/layers/0/doors/0/line", R"json("LINESTRING (0 0, 1 0, 2 2)")json", "/layers/0/doors/0/line",
       "found a line of 3 points"},
      {"/layers/0/doors/0/open", "1", "/layers/0/doors/0/open", "expected true or false, found 1"},
      {"/layers/0/doors/0/opened", "true", "/layers/0/doors/0/opened", "did you mean \"open\"?"},
      {"/events/0/time", "-1", "/events/0/time", "found -1; allowed: 0 to 1e+07 s"},
      {"/events/0/time", "\"soon\"", "/events/0/time", "expected a number"},
      {"/events/0", R"({"open": "west"})", "/events/0", "\"time\" is missing"},
      {"/events/0", R"({"time": 1})", "/events/0", "one of these keys is missing: \"open\", \"close\""},
      {"/events/0/close", "\"west\"", "/events/0", "found \"open\", \"close\" together"},
      {"/events/0/open", "\"wets\"", "/events/0/open", "there is no door \"wets\"; did you mean \"west\"?"},
      {"/events/1/close", "\"crate\"", "/events/1/close", "there is no door \"crate\""},
      {"/events/1/close", "7", "/events/1/close", "expected a text, found 7"},
      {"/events/2/insert/name", "\"\"", "/events/2/insert/name", "may not be empty"},
      {"/events/2/insert/layer", "\"hal\"", "/events/2/insert/layer", "there is no layer \"hal\"; did you mean"},
      {"/events/2/insert/obstacle", R"json("POLYGON ((1 1, 4 1, 4 2, 2 2, 2 4, 1 4, 1 1))")json",
       "/events/2/insert/obstacle", "not convex: it has a reflex corner there"},
      {"/events/2/insert/obstacle", R"json("POLYGON ((1 1, 4 1, 4 4, 1 4, 1 1), (2 2, 3 2, 3 3, 2 2))")json",
       "/events/2/insert/obstacle", "a polygon with a hole"},
      {"/events/2/insert/obstacle", R"json(["POLYGON ((1 1, 2 1, 2 2, 1 1))", "POLYGON ((3 1, 4 1, 4 2, 3 1))"])json",
       "/events/2/insert/obstacle", "found 2 polygons; allowed: one"},
      {"/events/2/insert/obstacle", R"json("LINESTRING (1 1, 2 2)")json", "/events/2/insert/obstacle",
       "allowed: polygons"},
      {"/events/3/remove", "\"crat\"", "/events/3/remove", "no event inserts an obstacle \"crat\""},
      {"/events/3/remove", "\"east\"", "/events/3/remove", "only what was inserted can be removed"},
      {"/events/3/time", "10", "/events/3/remove", "\"crate\" is not yet there at 10 s"},
      {"/events/4", R"({"time": 11, "remove": "crate"})", "/events/4/remove", "\"crate\" is removed twice"},
      {"/events/4",
       R"json({"time": 11, "insert": {"name": "crate", "obstacle": "POLYGON ((1 1, 2 1, 2 2, 1 1))"}})json",
       "/events/4/insert/name", "another inserted obstacle named \"crate\""},
  };
  for (const auto& m : mistakes) {
    SCOPED_TRACE(std::string(m.where) + " = " + m.with);
    auto check = spoiltEvents(m.where, m.with);
    if (std::string(m.where) == "/events/2/insert/name") {
      // Then there is nothing of that name to be removed either.
      std::erase_if(check.diagnostics, [](const Diagnostic& d) { return d.pointer == "/events/3/remove"; });
    }
    if (std::string(m.where) == "/layers/0/doors") continue;
    expectOnlyError(check, m.pointer, m.message);
  }
  // Without readable doors, nothing is said about the events that name them.
  expectOnlyError(spoiltEvents("/layers/0/doors", "{}"), "/layers/0/doors", "expected an array");
}

TEST(Events, TheReflexCornerIsNamedWhicheverWayTheRingRuns) {
  for (const char* ring :
       {"\"POLYGON ((1 1, 4 1, 4 2, 2 2, 2 4, 1 4, 1 1))\"", "\"POLYGON ((1 1, 1 4, 2 4, 2 2, 4 2, 4 1, 1 1))\""}) {
    const auto check = spoiltEvents("/events/2/insert/obstacle", ring);
    ASSERT_EQ(check.diagnostics.size(), 1u);
    ASSERT_TRUE(check.diagnostics[0].at);
    EXPECT_EQ(*check.diagnostics[0].at, (Point{2, 2}));
  }
}

TEST(Events, WarnWhenTheyMakeNoDifference) {
  expectOnlyWarning(spoiltEvents("/events/0/time", "61"), "/events/0/time", "the run is over at 60 s");
  expectOnlyWarning(spoiltEvents("/layers/0/doors/0/line", "[[50, 4], [50, 6]]"), "/layers/0/doors/0/line",
                    "the door lies outside the walkable area");
  expectOnlyWarning(spoiltEvents("/events/2/insert/obstacle", R"json("POLYGON ((50 1, 51 1, 51 2, 50 1))")json"),
                    "/events/2/insert/obstacle", "the obstacle lies outside the walkable area");
}

TEST(Events, OfScenesBuiltInCodeKeepTheSameRules) {
  const Scene fine = *checkJson(eventfulScene()).scene;
  const auto errors = [](const Scene& scene) {
    std::string pointers;
    for (const auto& d : validate(scene, {})) pointers += d.pointer + " ";
    return pointers;
  };
  EXPECT_EQ(errors(fine), "");
  Scene scene = fine;
  scene.events[0].time = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(errors(scene), "/events/0/time ");
  scene = fine;
  scene.layers[0].doors[1].line.a.x = std::numeric_limits<double>::infinity();
  EXPECT_EQ(errors(scene), "/layers/0/doors/1/line ");
  scene = fine;
  std::get<InsertObstacle>(scene.events[2].change).obstacle.outer = {{1, 1}, {3, 3}, {3, 1}, {1, 3}};
  EXPECT_EQ(errors(scene), "/events/2/insert/obstacle ");
  scene = fine;
  std::get<InsertObstacle>(scene.events[2].change).obstacle = {};
  EXPECT_EQ(errors(scene), "/events/2/insert/obstacle ");
}

}  // namespace
}  // namespace throng::scene
