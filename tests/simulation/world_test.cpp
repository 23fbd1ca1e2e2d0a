#include "simulation/world.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "geometry/predicates.h"
#include "simulation/scenes.h"

namespace throng::simulation {
namespace {

void runSteps(World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step(0.1);
}

TEST(World, APersonWalksToTheGoalAtTheirSpeedAndLeaves) {
  Scene scene = emptyScene();
  scene.populations.push_back(atPoints({{0, 0}}, {toPoint({13.25, 0})}));
  World world(scene, 1, 1);
  runSteps(world, 50);
  ASSERT_EQ(world.crowd().size(), 1u);
  EXPECT_NEAR(world.crowd().x[0], 6.5, 1e-3);
  EXPECT_NEAR(world.crowd().heading_x[0], 1, 1e-6);
  runSteps(world, 48);  // 12.75 m away is within the tolerance, after 9.81 s
  EXPECT_EQ(world.crowd().size(), 1u);
  world.step(0.1);
  EXPECT_EQ(world.crowd().size(), 0u);
  ASSERT_EQ(world.arrivals().size(), 1u);
  EXPECT_EQ(world.arrivals()[0].person, 1u);
  EXPECT_NEAR(world.arrivals()[0].time, 9.9, 1e-9);
}

TEST(World, GoalsAreWalkedToInOrderThenOnArrivalDecides) {
  for (const OnArrival on_arrival : {OnArrival::kLeave, OnArrival::kStay, OnArrival::kGoBack}) {
    Scene scene = emptyScene();
    scene.populations.push_back(atPoints({{0, 0}}, {toPoint({5, 0}), toPoint({5, 5}), toPoint({0, 5})}));
    scene.populations[0].on_arrival = on_arrival;
    World world(scene, 1, 1);
    int arrivals = 0;
    float east = 0, north = 0;
    std::vector<Vec2> path;
    for (int i = 0; i < 400 && world.crowd().size() > 0; ++i) {
      world.step(0.1);
      arrivals += static_cast<int>(world.arrivals().size());
      if (world.crowd().size() == 0) break;
      east = std::max(east, world.crowd().x[0]), north = std::max(north, world.crowd().y[0]);
      path.push_back({world.crowd().x[0], world.crowd().y[0]});
    }
    EXPECT_GT(east, 4.4f);
    EXPECT_GT(north, 4.4f);
    if (on_arrival == OnArrival::kLeave) {
      EXPECT_EQ(world.crowd().size(), 0u);
    } else if (on_arrival == OnArrival::kStay) {
      ASSERT_EQ(world.crowd().size(), 1u);
      EXPECT_EQ(world.crowd().activity[0], agents::Activity::kStaying);
      EXPECT_EQ(arrivals, 1);
    } else {
      // Home by the same corners, and out again: three ways in 40 s at 1.3 m/s.
      EXPECT_EQ(arrivals, 2);
      const auto home = std::find_if(path.begin() + 150, path.end(), [](Vec2 p) { return length(p) < 0.6f; });
      EXPECT_NE(home, path.end());
    }
  }
}

TEST(World, PeopleAppearByRateAndSchedule) {
  Scene scene = emptyScene();
  Population rate = inArea(0, box(0, 0, 20, 20), {toPoint({500, 10})}, "rate");
  rate.rate = 2.5;
  rate.rate_limit = 20;
  Population waves = inArea(0, box(0, 100, 20, 120), {toPoint({500, 110})}, "waves");
  waves.schedule = {{1.0, 3}, {2.0, 4}};
  scene.populations = {rate, waves};
  scene.run.duration.reset();
  scene.run.until_all_arrived = true;
  World world(scene, 1, 1);
  EXPECT_EQ(world.crowd().size(), 0u);
  runSteps(world, 11);  // time 1.1 s; the step that began at 1.0 s saw two by rate and three by schedule
  EXPECT_EQ(world.crowd().size(), 2u + 3u);
  runSteps(world, 100);
  EXPECT_EQ(world.crowd().size(), 20u + 7u);
  EXPECT_EQ(world.waiting(), 0u);
  EXPECT_FALSE(world.finished());
  std::set<std::uint32_t> numbers(world.crowd().person.begin(), world.crowd().person.end());
  EXPECT_EQ(numbers.size(), 27u);
}

TEST(World, WhoFindsNoPlaceWaitsOutside) {
  Scene scene = emptyScene();
  scene.layers[0].walkable = {box(0, 0, 1, 1)};
  Population crowd = inArea(0, box(0, 0, 1, 1), {}, "crowd");
  crowd.schedule = {{0, 100}};
  scene.populations = {crowd};
  World world(scene, 1, 1);
  world.step(0.1);
  EXPECT_GE(world.crowd().size(), 1u);
  EXPECT_LE(world.crowd().size(), 4u);
  EXPECT_EQ(world.waiting() + world.crowd().size(), 100u);
}

TEST(World, TooManyPeopleIsAnErrorThatSaysHowManyFit) {
  Scene scene = emptyScene();
  scene.layers[0].walkable = {box(0, 0, 2, 2)};
  scene.populations = {inArea(50, box(0, 0, 2, 2), {})};
  try {
    World world(scene, 1, 1);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.diagnostics()[0].pointer, "/populations/0/start");
    EXPECT_NE(e.diagnostics()[0].message.find("of 50"), std::string::npos) << e.what();
  }
}

TEST(World, AWrappedFieldIsEndless) {
  Scene scene = emptyScene();
  scene.layers[0].wrap = Rectangle{{0, 0}, {10, 10}};
  scene.populations = {atPoints({{5, 5}}, {{GoalDirection{{1, 0}}}})};
  World world(scene, 1, 1);
  runSteps(world, 100);  // 13 m
  EXPECT_NEAR(world.crowd().x[0], 8, 1e-3);
  EXPECT_NEAR(world.crowd().vx[0], 1.3, 1e-3);
}

// People in the open take a shorter way through the code. A wall that nobody ever meets sends them the long way.
TEST(World, TheShortWayInTheOpenIsTheSame) {
  for (const char* model : {"orca", "social-force"}) {
    Scene open = emptyScene(model);
    open.layers[0].wrap = Rectangle{{0, 0}, {400, 400}};
    open.layers[0].slope = {0.1, 0};
    for (const double x : {1.0, -1.0}) {  // they cross the border at x = 400, and some at y = 0
      const Goal ahead{GoalDirection{{x, -0.5}}};
      open.populations.push_back(inArea(200, box(380, 2, 399, 40), {ahead}, x > 0 ? "there" : "back"));
    }
    Scene walled = open;
    walled.layers[0].walls.push_back({{{200, 300}, {201, 300}}});
    World a(open, 3, 1), b(walled, 3, 1);
    ASSERT_EQ(a.space().floors()[0].walls.size(), 0u);
    ASSERT_GT(b.space().floors()[0].walls.size(), 0u);
    runSteps(a, 100), runSteps(b, 100);
    EXPECT_EQ(a.hash(), b.hash()) << model;
  }
}

TEST(World, AConnectionLeadsToTheOtherFloor) {
  Scene scene = emptyScene();
  scene.layers.resize(2);
  scene.layers[0].name = "ground", scene.layers[1].name = "upper";
  scene.layers[0].walkable = {box(0, 0, 10, 4)};
  scene.layers[1].walkable = {box(10, 0, 20, 4)};
  scene.layers[1].elevation = 3;
  scene.connections.push_back({"stair", "ground", {{10, 0}, {10, 4}}, "upper", {{10, 0}, {10, 4}}});
  Goal goal = toPoint({18, 2});
  goal.layer = "upper";
  scene.populations = {atPoints({{2, 2}}, {goal})};
  scene.populations[0].layer = "ground";
  World world(scene, 1, 1);
  runSteps(world, 55);
  ASSERT_EQ(world.crowd().size(), 1u);
  EXPECT_EQ(world.crowd().layer[0], 0);
  runSteps(world, 20);
  ASSERT_EQ(world.crowd().size(), 1u);
  EXPECT_EQ(world.crowd().layer[0], 1);
  EXPECT_EQ(world.crowd().z[0], 3.0f);
  runSteps(world, 60);
  EXPECT_EQ(world.crowd().size(), 0u);
}

TEST(World, EveryKernelRunsOverItsOwnPeopleAndSeesEverybody) {
  // One person per model walks east through a standing person of another model.
  Scene scene = emptyScene();
  scene.profiles.clear();
  for (const auto& model : steering::models().entries()) {
    Profile profile;
    profile.name = std::string(model.info.name);
    profile.steering.model = profile.name;
    scene.profiles.push_back(profile);
  }
  const std::size_t kinds = scene.profiles.size();
  for (std::size_t k = 0; k < kinds; ++k) {
    const double y = 10.0 * static_cast<double>(k);
    scene.populations.push_back(atPoints({{0, y}}, {toPoint({20, y})}, "walker" + std::to_string(k)));
    scene.populations.back().profile = scene.profiles[k].name;
    scene.populations.push_back(atPoints({{10, y + 0.01}}, {}, "stander" + std::to_string(k)));
    scene.populations.back().profile = "linear";
  }
  World world(scene, 1, 2);
  std::vector<float> nearest(kinds, INFINITY);
  for (int i = 0; i < 250; ++i) {
    world.step(0.1);
    const auto& crowd = world.crowd();
    for (std::size_t a = 0; a < crowd.size(); ++a)
      for (std::size_t b = 0; b < crowd.size(); ++b)
        if (crowd.population[a] % 2 == 0 && crowd.population[b] == crowd.population[a] + 1)
          nearest[crowd.population[a] / 2] = std::min(nearest[crowd.population[a] / 2],
                                                      length(Vec2{crowd.x[a] - crowd.x[b], crowd.y[a] - crowd.y[b]}));
  }
  for (std::size_t k = 0; k < kinds; ++k) {
    const bool blind = scene.profiles[k].name == "linear" || scene.profiles[k].name == "seek";
    if (blind) {
      EXPECT_LT(nearest[k], 0.2f) << scene.profiles[k].name;
    } else {
      EXPECT_GT(nearest[k], 0.45f) << scene.profiles[k].name;
    }
  }
  EXPECT_EQ(world.crowd().size(), kinds) << "every walker arrived; the standers are still there";
}

}  // namespace
}  // namespace throng::simulation
