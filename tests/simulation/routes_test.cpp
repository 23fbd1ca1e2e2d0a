// People who find their way: routes, indicative routes, doors and obstacles that come and go.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "corridors/corridor_map.h"
#include "geometry/predicates.h"
#include "simulation/scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

void findTheirWay(Scene& scene) {
  for (Profile& profile : scene.profiles) {
    profile.planner.model = "corridor";
    profile.follower.model = "irm";
  }
}

/// Two rooms with two doors between them.
Scene rooms() {
  Scene scene = emptyScene();
  findTheirWay(scene);
  Layer& layer = scene.layers[0];
  layer.walkable = {box(0, 0, 40, 16)};
  layer.obstacles = {box(19.8, 0, 20.2, 3), box(19.8, 5, 20.2, 11), box(19.8, 13, 20.2, 16)};
  layer.doors = {{"south", {{20, 3}, {20, 5}}, true}, {"north", {{20, 11}, {20, 13}}, true}};
  return scene;
}

struct Track {
  float low_x = 1e9f, high_x = -1e9f;
  std::vector<Vec2> places;
};

/// Walks until everybody has arrived, and remembers where.
std::map<std::uint32_t, Track> walk(World& world, int steps) {
  std::map<std::uint32_t, Track> tracks;
  for (int i = 0; i < steps && world.crowd().size() > 0; ++i) {
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
      tracks[world.crowd().person[r]].places.push_back({world.crowd().x[r], world.crowd().y[r]});
    world.step(0.1);
  }
  return tracks;
}

/// Where a track crosses x = 20.
float crossing(const Track& track) {
  for (std::size_t i = 1; i < track.places.size(); ++i)
    if ((track.places[i - 1].x < 20) != (track.places[i].x < 20)) return track.places[i].y;
  return -1;
}

TEST(Routes, PeopleWalkRoundCornersAndArrive) {
  Scene scene = rooms();
  scene.populations.push_back(atPoints({{2, 15}, {3, 1}, {10, 8}}, {toPoint({38, 1})}));
  World world(scene, 1, 1);
  const auto tracks = walk(world, 600);
  EXPECT_EQ(world.crowd().size(), 0u);
  for (const auto& [person, track] : tracks) {
    const float y = crossing(track);
    EXPECT_TRUE((y > 3 && y < 5) || (y > 11 && y < 13)) << y;
  }
}

TEST(Routes, NobodyStallsOrJittersOnTheWay) {
  Scene scene = rooms();
  scene.populations.push_back(atPoints({{2, 15}}, {toPoint({38, 15})}));
  World world(scene, 1, 1);
  const Track track = walk(world, 600).begin()->second;
  // Alone, at 1.3 m/s: every step as long as the speed says, and never a sharp turn.
  for (std::size_t i = 2; i < track.places.size(); ++i) {
    const Vec2 before = track.places[i - 1] - track.places[i - 2], now = track.places[i] - track.places[i - 1];
    EXPECT_GT(length(now), 0.12f) << i;
    EXPECT_GT(dot(before, now) / (length(before) * length(now)), std::cos(0.5f)) << i;
  }
}

TEST(Routes, ACrowdSpreadsOverTheWidthOfACorner) {
  Scene scene = emptyScene();
  findTheirWay(scene);
  scene.layers[0].walkable = {box(0, 0, 30, 8), box(22, 0, 30, 30)};
  scene.populations.push_back(atPoints({}, {toPoint({26, 28})}));
  scene.populations[0].start.shape = StartPoints{{{1, 4}}};
  scene.populations[0].count = 1;
  // One after the other, so that only their preferences set them apart.
  float least = 1e9f, most = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    World world(scene, seed, 1);
    const Track track = walk(world, 600).begin()->second;
    float nearest = 1e9f;
    for (const Vec2 p : track.places) nearest = std::min(nearest, length(p - Vec2{22, 8}));
    least = std::min(least, nearest), most = std::max(most, nearest);
    EXPECT_GT(nearest, 0.24f);
  }
  EXPECT_LT(least, 0.7f);
  EXPECT_GT(most, 1.1f);
}

TEST(Routes, AClosedDoorTurnsThoseAwayWhoWouldHaveUsedIt) {
  Scene scene = rooms();
  scene.populations.push_back(atPoints({{2, 12}, {2, 4}}, {toPoint({38, 8})}));
  World world(scene, 1, 1);
  for (int i = 0; i < 20; ++i) world.step(0.1);
  const auto start_of = [&](std::uint32_t person) {
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
      if (world.crowd().person[r] == person) return world.route(world.crowd().id[r]);
    return std::vector<Vec2>{};
  };
  const auto other_before = start_of(2);
  EXPECT_TRUE(world.setDoor("north", false));
  EXPECT_FALSE(world.setDoor("north", false));
  EXPECT_THROW(world.setDoor("west", false), InputError);
  const auto other_after = start_of(2);
  EXPECT_EQ(other_before, other_after);  // it does not concern them
  const auto tracks = walk(world, 600);
  EXPECT_EQ(world.crowd().size(), 0u);
  for (const auto& [person, track] : tracks) EXPECT_LT(crossing(track), 5) << person;
}

TEST(Routes, AnEventThatCannotHappenSaysWhichAndWhere) {
  Scene scene;
  scene.profiles = {Profile{}};
  Layer hall, stair;
  hall.name = "hall", hall.walkable = {box(0, 0, 10, 10)};
  stair.name = "stair", stair.walkable = {box(10, 3, 20, 7)};
  scene.layers = {hall, stair};
  const Segment line{{10, 3}, {10, 7}};
  scene.connections = {{"k", "hall", line, "stair", line}};
  scene.events = {{3, InsertObstacle{"later", "hall", box(1, 1, 2, 2)}},
                  {1, InsertObstacle{"crate", "hall", box(9, 4, 11, 5)}}};
  World world(scene, 1, 1);
  try {
    for (int i = 0; i < 20; ++i) world.step(0.1);
    FAIL() << "it lies across a connection";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1u);
    EXPECT_EQ(error.diagnostics()[0].pointer, "/events/1");
    EXPECT_EQ(error.diagnostics()[0].at, (Point{10, 5}));
  }
}

TEST(Routes, EventsCloseAndOpenDoorsAndPutObstacles) {
  Scene scene = rooms();
  scene.populations.push_back(atPoints({{2, 12}}, {toPoint({38, 12})}));
  scene.events = {{60, OpenDoor{"south"}},
                  {1, CloseDoor{"south"}},
                  {2, InsertObstacle{"crate", "", box(10, 11, 12, 13)}},
                  {3, CloseDoor{"north"}},
                  {50, RemoveObstacle{"crate"}}};
  World world(scene, 1, 1);
  for (int i = 0; i < 590; ++i) world.step(0.1);
  ASSERT_EQ(world.crowd().size(), 1u);  // no way, until the door opens
  EXPECT_LT(world.crowd().x[0], 20);
  EXPECT_EQ(world.unreachable(), 1u);
  for (int i = 0; i < 500 && world.crowd().size() > 0; ++i) {
    world.step(0.1);
    EXPECT_TRUE(i < 20 || world.unreachable() == 0);
  }
  EXPECT_EQ(world.crowd().size(), 0u);
}

TEST(Routes, WhoStandsWhereAnObstacleComesIsPutBesideIt) {
  Scene scene = rooms();
  scene.populations.push_back(atPoints({{5, 5}, {5.8, 5.2}}, {toPoint({38, 12})}));
  World world(scene, 1, 1);
  world.step(0.1);
  const auto id = world.insertObstacle(box(4, 4, 8, 8).outer, 0);
  for (std::uint32_t r = 0; r < 2; ++r)
    EXPECT_FALSE(geometry::contains(box(4, 4, 8, 8), Point{world.crowd().x[r], world.crowd().y[r]}));
  walk(world, 600);
  EXPECT_EQ(world.crowd().size(), 0u);
  world.removeObstacle(id);
  EXPECT_THROW(world.removeObstacle(id), InputError);
}

TEST(Routes, SomebodyPushedOffTheirRouteFindsANewOne) {
  Scene scene = rooms();
  scene.populations.push_back(atPoints({{15, 12}}, {toPoint({38, 12})}));
  World world(scene, 1, 1);
  world.step(0.1);
  // Carried away to the other side of a wall that has come between.
  world.insertObstacle(std::vector<Point>{{17, 6}, {17, 16}}, 0);
  world.insertObstacle(std::vector<Point>{{14, 6}, {17, 6}}, 0);
  walk(world, 900);
  EXPECT_EQ(world.crowd().size(), 0u);
}

TEST(Routes, AnUnreachableGoalIsApproached) {
  Scene scene = rooms();
  scene.layers[0].obstacles.push_back(box(30, 5, 36, 11));
  scene.populations.push_back(atPoints({{2, 8}}, {toPoint({31, 8})}));  // inside the obstacle
  scene.run.until_all_arrived = true;
  World world(scene, 1, 1);
  for (int i = 0; i < 600 && !world.finished(); ++i) world.step(0.1);
  EXPECT_TRUE(world.finished());
  EXPECT_EQ(world.unreachable(), 1u);
  EXPECT_NEAR(world.crowd().x[0], 29.75, 0.5);
  EXPECT_NEAR(world.crowd().y[0], 8, 0.3);
}

TEST(Routes, RestartWithChangedWallsGoesOnBitForBit) {
  Scene scene = rooms();
  scene.populations.push_back(atPoints({{2, 12}, {2, 4}, {3, 8}, {5, 9}}, {toPoint({38, 8})}));
  scene.events = {{1, CloseDoor{"north"}}, {12, OpenDoor{"north"}}};
  World world(scene, 1, 1), other(scene, 1, 2);
  for (int i = 0; i < 60; ++i) world.step(0.1);
  world.insertObstacle(box(15, 3, 16, 5).outer, 0);
  other.load(world.save());
  for (int i = 0; i < 100; ++i) world.step(0.1), other.step(0.1);
  EXPECT_EQ(world.hash(), other.hash());
  // And back to a world nothing has come to.
  World fresh(scene, 1, 1);
  const auto start = fresh.save();
  other.load(start);
  for (int i = 0; i < 100; ++i) fresh.step(0.1), other.step(0.1);
  EXPECT_EQ(fresh.hash(), other.hash());
}

TEST(Routes, StairsLeadToOtherFloors) {
  Scene scene = emptyScene();
  findTheirWay(scene);
  scene.layers = {Layer{}, Layer{}, Layer{}};
  scene.layers[0].name = "hall", scene.layers[0].walkable = {box(0, 0, 30, 20)};
  scene.layers[0].obstacles = {box(10, 8, 20, 12)};
  scene.layers[1].name = "stair", scene.layers[1].walkable = {box(10, 8, 20, 12)};
  scene.layers[1].elevation = -5, scene.layers[1].slope = {0.5, 0};
  scene.layers[2].name = "upper", scene.layers[2].walkable = {box(20, 4, 40, 16)};
  scene.layers[2].elevation = 5;
  scene.connections = {{"foot", "hall", {{10, 8}, {10, 12}}, "stair", {{10, 8}, {10, 12}}},
                       {"head", "stair", {{20, 8}, {20, 12}}, "upper", {{20, 8}, {20, 12}}}};
  Goal up = toPoint({25, 10}), down = toPoint({25, 10});
  up.layer = "upper", down.layer = "hall";
  scene.populations.push_back(atPoints({{25, 3}, {28, 18}, {2, 10}}, {up, down}));
  World world(scene, 1, 1);
  bool was_up = false;
  for (int i = 0; i < 1200 && world.crowd().size() > 0; ++i) {
    world.step(0.1);
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r) {
      was_up |= world.crowd().layer[r] == 2;
      const Point here{world.crowd().x[r], world.crowd().y[r]};
      EXPECT_TRUE(world.space().floors()[world.crowd().layer[r]].contains(here)) << here.x << ", " << here.y;
    }
  }
  EXPECT_TRUE(was_up);
  EXPECT_EQ(world.crowd().size(), 0u);
}

}  // namespace
}  // namespace throng::simulation
