// Goals that nothing leads to, against planning everybody's route; and the causes that are named.
#include "simulation/unreachable.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

using testing::HasSubstr;

/// Rooms of 6 m with doorways of many widths, some of them doors, some walled up; turned by an angle.
Scene rooms(std::uint64_t seed, int columns, int rows) {
  base::Random random(seed, 5);
  const double angle = random.uniform(0, 6.28), c = std::cos(angle), s = std::sin(angle);
  const auto turned = [&](Point p) { return Point{c * p.x - s * p.y, s * p.x + c * p.y}; };
  Scene scene = emptyScene();
  Layer& layer = scene.layers[0];
  const double w = 6 * columns, h = 6 * rows;
  layer.walkable = {{{turned({0, 0}), turned({w, 0}), turned({w, h}), turned({0, h})}, {}}};
  const auto wall = [&](Point a, Point b) {
    const Point along = (b - a) / 6;
    const double width = random.uniform(0.2, 1.4), at = random.uniform(0.5, 5.5 - width);
    const Point d0 = turned(a + along * at), d1 = turned(a + along * (at + width));
    if (random.below(5) == 0) {
      layer.walls.push_back({{turned(a), turned(b)}});
      return;
    }
    layer.walls.push_back({{turned(a), d0}});
    layer.walls.push_back({{d1, turned(b)}});
    if (random.below(3) > 0) return;
    const std::string name = "door " + std::to_string(layer.doors.size());
    layer.doors.push_back({name, {d0, d1}, random.below(2) == 0});
    if (random.below(3) == 0) scene.events.push_back({30, OpenDoor{name}});
  };
  for (int x = 0; x < columns; ++x)
    for (int y = 0; y < rows; ++y) {
      const Point p{6.0 * x, 6.0 * y};
      if (x > 0) wall(p, p + Point{0, 6});
      if (y > 0) wall(p, p + Point{6, 0});
    }
  scene.profiles[0].radius = Distribution::uniform(0.1, 0.5);
  for (int p = 0; p < 6; ++p) {
    const auto room = [&] {
      const double x = 6.0 * static_cast<double>(random.below(static_cast<std::uint64_t>(columns)));
      const double y = 6.0 * static_cast<double>(random.below(static_cast<std::uint64_t>(rows)));
      return Polygon{{turned({x + 1, y + 1}), turned({x + 5, y + 1}), turned({x + 5, y + 5}), turned({x + 1, y + 5})},
                     {}};
    };
    std::vector<Goal> goals{random.below(2) == 0 ? toArea(room()) : toPoint(room().outer[0], 0.3)};
    if (random.below(2) == 0) goals.push_back(toPoint(room().outer[2]));
    scene.populations.push_back(inArea(6, room(), goals, std::to_string(p)));
  }
  return scene;
}

/// Everybody's routes planned, with all doors open that will be opened.
TEST(UnreachableGoals, AreThoseThatPlanningDoesNotReach) {
  std::uint64_t unreachable = 0, reachable = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = rooms(seed, 3, 3);
    const World world(scene, seed, 1);
    std::vector<std::uint64_t> expected(scene.populations.size()), found(scene.populations.size());
    World later(scene, seed, 1);
    for (const Event& event : scene.events) later.setDoor(std::get<OpenDoor>(event.change).door, true);
    later.step(0.001);  // plans
    const agents::Crowd& crowd = later.crowd();
    for (std::uint32_t r = 0; r < crowd.size(); ++r) {
      if (crowd.route_state[r] != agents::RouteState::kNearest) {
        ++reachable;
        continue;
      }
      // Who ends up near enough has arrived all the same.
      const Vec2 end = later.route(crowd.id[r]).back();
      const auto* to = std::get_if<GoalPoint>(&scene.populations[crowd.population[r]].goals[0].target);
      if (to && length(Point{end.x, end.y} - to->point) <= to->tolerance) continue;
      ++expected[crowd.population[r]];
      ++unreachable;
    }
    for (const UnreachableGoal& goal : world.unreachableGoals()) {
      EXPECT_FALSE(goal.reason.empty());
      EXPECT_TRUE(std::isfinite(goal.at.x) && std::isfinite(goal.at.y));
      if (goal.goal == 0) found[goal.population] = goal.people;
    }
    EXPECT_EQ(found, expected);
  }
  EXPECT_GT(unreachable, 200u);
  EXPECT_GT(reachable, 200u);
}

TEST(UnreachableGoals, LookingChangesNothing) {
  const Scene scene = rooms(3, 3, 3);
  World world(scene, 1, 1), other(scene, 1, 1);
  EXPECT_FALSE(world.unreachableGoals().empty());
  for (int i = 0; i < 50; ++i) world.step(0.1), other.step(0.1);
  EXPECT_EQ(world.hash(), other.hash());
}

Scene halls() {
  Scene scene = emptyScene();
  scene.layers[0].walkable = {box(0, 0, 20, 10)};
  scene.layers[0].walls = {{{{10, 0}, {10, 4.6}}}, {{{10, 5.4}, {10, 10}}}};
  scene.populations = {atPoints({{2, 5}, {3, 8}}, {toPoint({18, 5})})};
  return scene;
}

TEST(UnreachableGoals, ATooNarrowDoor) {
  Scene scene = halls();
  EXPECT_TRUE(World(scene, 1, 1).unreachableGoals().empty());
  scene.profiles[0].radius = Distribution::constant(0.45);
  const auto found = World(scene, 1, 1).unreachableGoals();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].people, 2u);
  EXPECT_THAT(found[0].reason, HasSubstr("only 0.8 m wide, at (10, 5); a radius of 0.45 m needs 0.9 m"));
  EXPECT_NEAR(found[0].at.x, 10, 1e-3);
  EXPECT_NEAR(found[0].at.y, 5, 1e-3);
}

TEST(UnreachableGoals, AClosedDoor) {
  Scene scene = halls();
  scene.layers[0].doors = {{"exit", {{10, 4.6}, {10, 5.4}}, false}};
  const auto found = World(scene, 1, 1).unreachableGoals();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].reason, HasSubstr("the door \"exit\" is closed, and nothing opens it"));
  EXPECT_NEAR(found[0].at.x, 10, 1e-3);
  scene.events = {{10, OpenDoor{"exit"}}};
  EXPECT_TRUE(World(scene, 1, 1).unreachableGoals().empty());
}

TEST(UnreachableGoals, WalledUpAndLaterGoals) {
  Scene scene = halls();
  scene.layers[0].walls.push_back({{{10, 4}, {10, 6}}});
  scene.populations[0].goals = {toPoint({5, 2}), toPoint({18, 5}), toPoint({5, 8})};
  auto found = World(scene, 1, 1).unreachableGoals();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].goal, 1u);
  EXPECT_THAT(found[0].reason, HasSubstr("walls or obstacles all around"));
  // And for people who are not there yet.
  Population late = inArea(0, box(12, 1, 18, 9), {toPoint({2, 2})}, "late");
  late.rate = 1;
  scene.populations = {late};
  found = World(scene, 1, 1).unreachableGoals();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].people, found[0].looked_at);
}

TEST(UnreachableGoals, AFlowThatIsToCome) {
  Scene scene = halls();
  throng::Place west, east;
  west.name = "west", west.at = {3, 5}, west.radius = 1;
  east.name = "east", east.at = {17, 5}, east.radius = 1;
  scene.places = {west, east};
  Population flow;
  flow.count = 5;
  flow.flow = FlowEnds{"west", "east", 30, 1};
  scene.populations = {flow};
  EXPECT_TRUE(World(scene, 1, 1).unreachableGoals().empty());
  scene.layers[0].walls.push_back({{{10, 4}, {10, 6}}});
  const auto found = World(scene, 1, 1).unreachableGoals();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].goal, UnreachableGoal::kFlow);
  EXPECT_EQ(found[0].people, 5u);
}

TEST(UnreachableGoals, AConnectionThatIsNotOnABorder) {
  Scene scene = emptyScene();
  scene.layers = {Layer{}, Layer{}};
  scene.layers[0].name = "low", scene.layers[0].walkable = {box(0, 0, 10, 10)};
  scene.layers[1].name = "high", scene.layers[1].walkable = {box(10, 0, 20, 10)};
  scene.connections = {{"stair", "low", {{9, 4}, {9, 6}}, "high", {{10, 4}, {10, 6}}}};
  Goal up = toPoint({15, 5});
  up.layer = "high";
  scene.populations = {atPoints({{2, 5}}, {up})};
  const auto found = World(scene, 1, 1).unreachableGoals();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].reason, HasSubstr("the connection \"stair\" at (9, 5) is not used"));
}

TEST(UnreachableGoals, StoreysThatNothingConnects) {
  Scene scene = emptyScene();
  scene.layers = {Layer{}, Layer{}};
  scene.layers[0].name = "low", scene.layers[0].walkable = {box(0, 0, 20, 10)};
  scene.layers[1].name = "high", scene.layers[1].walkable = {box(0, 0, 20, 10)};
  scene.layers[1].elevation = 3;
  Goal up = toPoint({15, 5}), down = toPoint({15, 5});
  up.layer = "high", down.layer = "low";
  scene.populations = {atPoints({{2, 5}}, {up}), atPoints({{2, 5}}, {down})};
  scene.populations[0].layer = "low", scene.populations[1].layer = "high";
  const auto found = World(scene, 1, 1).unreachableGoals();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0].reason, HasSubstr("no way leads from layer \"low\" to that part of layer \"high\""));
  EXPECT_THAT(found[1].reason, HasSubstr("no way leads from layer \"high\" to that part of layer \"low\""));
}

TEST(UnreachableGoals, InAnObstacle) {
  World world(halls(), 1, 1);
  const std::vector<Point> square{{17, 4}, {19, 4}, {19, 6}, {17, 6}};
  const std::uint32_t id = world.insertObstacle(square, 0);
  const auto found = world.unreachableGoals();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].people, 2u);
  EXPECT_THAT(found[0].reason, HasSubstr("(18, 5) lies in an obstacle or outside the walkable area"));
  EXPECT_EQ(found[0].at.x, 18);
  world.removeObstacle(id);
  EXPECT_TRUE(world.unreachableGoals().empty());
}

}  // namespace
}  // namespace throng::simulation
