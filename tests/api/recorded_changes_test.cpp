// What changes while a world runs, by its events and by the program, reaches the recording.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "throng/throng.h"

namespace throng {
namespace {

Scene doorScene() {
  Scene scene;
  scene.name = "doors";
  Layer& layer = scene.layers.emplace_back();
  layer.walkable = {{{{0, 0}, {20, 0}, {20, 10}, {0, 10}}, {}}};
  layer.walls = {{{{10, 0}, {10, 4}}}, {{{10, 6}, {10, 10}}}};
  layer.doors = {{"gate", {{10, 4}, {10, 6}}, true}, {"shut", {{15, 0}, {15, 1}}, false}};
  scene.profiles.emplace_back();
  Population& population = scene.populations.emplace_back();
  population.name = "people";
  population.count = 1;
  population.start.shape = StartPoints{{{2, 5}}};
  population.goals = {{GoalPoint{{18, 5}}}};
  population.on_arrival = OnArrival::kStay;
  scene.events = {{1, CloseDoor{"gate"}},
                  {2, InsertObstacle{"crate", "", {{{3, 1}, {4, 1}, {4, 2}, {3, 2}}, {}}}},
                  {3, OpenDoor{"gate"}},
                  {3, RemoveObstacle{"crate"}}};
  scene.run.duration = 5;
  return scene;
}

struct TemporaryFile {
  std::string path =
      (std::filesystem::temp_directory_path() / ("throng-changes-" + std::to_string(getpid()) + ".sqlite")).string();
  ~TemporaryFile() { std::filesystem::remove(path); }
};

using Kind = Change::Kind;

TEST(RecordedChanges, EventsAndTheProgramsOwnChangesAreInTheRecording) {
  const TemporaryFile file;
  World world(doorScene());
  {
    Recorder recorder(file.path, world.scene(), {.frames_per_second = 2});
    recorder.record(world.frame());
    ObstacleId block, wall;
    while (world.time() < 4.95) {
      if (world.steps() == 15) block = world.insertObstacle({{6, 7}, {7, 7}, {7, 8}, {6, 8}});
      if (world.steps() == 16) wall = world.insertObstacle({{5, 8}, {5, 9}});
      if (world.steps() == 17) world.setDoor(world.door("shut"), true), world.setDoor(world.door("shut"), true);
      if (world.steps() == 25) world.removeObstacle(block);
      if (world.steps() == 26) world.removeObstacle(wall);
      world.step();
      if (world.steps() % 5 == 0) recorder.record(world.frame());
    }
    recorder.close();
  }
  const Recording recording(file.path);
  ASSERT_TRUE(recording.changes().has_value());
  std::vector<std::pair<double, Kind>> found;
  for (const Change& change : *recording.changes()) found.push_back({std::round(change.time * 10) / 10, change.kind});
  EXPECT_EQ(found, (std::vector<std::pair<double, Kind>>{{1.0, Kind::kCloseDoor},
                                                         {1.5, Kind::kInsertObstacle},
                                                         {1.6, Kind::kInsertObstacle},
                                                         {1.7, Kind::kOpenDoor},
                                                         {2.0, Kind::kInsertObstacle},
                                                         {2.5, Kind::kRemoveObstacle},
                                                         {2.6, Kind::kRemoveObstacle},
                                                         {3.0, Kind::kOpenDoor},
                                                         {3.0, Kind::kRemoveObstacle}}));
  const auto& changes = *recording.changes();
  EXPECT_EQ(changes[0].name, "gate");
  EXPECT_EQ(changes[0].shape, (std::vector<Point>{{10, 4}, {10, 6}}));
  EXPECT_EQ(changes[1].name, changes[5].name) << "what goes is what came";
  EXPECT_EQ(changes[2].name, changes[6].name);
  EXPECT_NE(changes[1].name, changes[2].name);
  EXPECT_EQ(changes[2].shape.size(), 2u);
  EXPECT_EQ(changes[4].name, "crate");
}

TEST(RecordedChanges, ARunThatGoesOnFromASnapshotKnowsWhatStands) {
  World first(doorScene());
  while (first.time() < 2.45) first.step();
  first.insertObstacle({{6, 7}, {7, 7}, {7, 8}, {6, 8}});
  const auto snapshot = first.snapshot();
  World second(doorScene());
  second.restore(snapshot);
  const auto changes = second.frame().changes;
  std::vector<std::string> names;
  for (const Change& change : changes) {
    names.push_back(change.name);
    EXPECT_TRUE(change.kind == Kind::kCloseDoor || change.kind == Kind::kInsertObstacle);
    EXPECT_NEAR(change.time, 2.5, 1e-6);
  }
  ASSERT_EQ(names.size(), 3u);
  EXPECT_NE(std::find(names.begin(), names.end(), "gate"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "crate"), names.end());
  first.restore(snapshot);
  EXPECT_EQ(first.frame().changes.size(), 3u) << "nothing is otherwise than it was";
}

}  // namespace
}  // namespace throng
