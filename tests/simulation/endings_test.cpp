// When runs are over, and why: time that does not drift, things still to come, people who cannot arrive.
#include <cmath>
#include <gtest/gtest.h>

#include "scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

TEST(Clock, DoesNotDrift) {
  for (const double dt : {0.1, 0.05, 0.03, 0.001, 0.3, 1.0 / 3}) {
    step::Clock clock;
    for (int i = 1; i <= 36000; ++i) clock.advance(dt);
    EXPECT_EQ(clock.time(), 36000 * dt);
    EXPECT_EQ(clock.steps(), 36000u);
  }
}

TEST(Clock, StepsMayDiffer) {
  base::Random random(1, 1);
  for (int round = 0; round < 50; ++round) {
    step::Clock clock;
    long double exact = 0;
    double dt = 0.1;
    for (int i = 0; i < 2000; ++i) {
      if (random.below(50) == 0) dt = random.uniform(0.001, 0.5);
      const double before = clock.time();
      clock.advance(dt);
      exact += dt;
      ASSERT_GT(clock.time(), before);
    }
    EXPECT_NEAR(clock.time(), static_cast<double>(exact), 1e-11 * clock.time());
    EXPECT_TRUE(clock.sound());
  }
}

/// So many steps as a whole number of them says, however long the run is.
TEST(Endings, DurationIsAWholeNumberOfSteps) {
  for (const double dt : {0.1, 0.05, 0.02, 0.01, 0.25, 0.2, 0.125, 0.03, 0.07})
    for (const int steps : {1, 3, 7, 10, 100, 333, 3600, 20000}) {
      Scene scene = emptyScene();
      // As somebody writes it: 3600 s, not the sum of 36,000 tenths.
      scene.run.duration = std::round(steps * dt * 1e6) / 1e6;
      World world(scene, 1, 1);
      while (!world.finished()) world.step(dt);
      EXPECT_EQ(world.steps(), static_cast<std::uint64_t>(steps)) << dt;
      EXPECT_EQ(world.ending(), RunEnd::kDuration);
    }
}

TEST(Endings, StepsOutOfRangeAreRefused) {
  World world(emptyScene(), 1, 1);
  for (const double dt : {0.0, -0.1, 1e-300, 9e-4, 0.51, 1e300, std::nan(""), HUGE_VAL})
    EXPECT_THROW(world.step(dt), InputError) << dt;
  world.step(0.001);
  world.step(0.5);
  EXPECT_EQ(world.time(), 0.501);
}

/// A room with a door to another one.
Scene twoRooms(double door_width = 1.2, bool open = true) {
  Scene scene = emptyScene("orca");
  Layer& layer = scene.layers[0];
  layer.walkable = {box(0, 0, 20, 10)};
  const double half = door_width / 2;
  layer.walls = {{{{10, 0}, {10, 5 - half}}}, {{{10, 5 + half}, {10, 10}}}};
  layer.doors = {{"door", {{10, 5 - half}, {10, 5 + half}}, open}};
  scene.run.duration.reset();
  scene.run.until_all_arrived = true;
  scene.run.patience = 20;
  return scene;
}

/// Steps until the end, at most for so long.
RunEnd runToTheEnd(World& world, double most = 400, double dt = 0.1) {
  while (!world.finished() && world.time() < most) world.step(dt);
  return world.ending();
}

TEST(Endings, WaitsForWhatIsStillToCome) {
  Scene scene = twoRooms(1.2, false);
  scene.populations = {atPoints({{2, 5}, {3, 3}}, {toPoint({18, 5})})};
  scene.events = {{60, OpenDoor{"door"}}};
  World world(scene, 1, 1);
  EXPECT_EQ(runToTheEnd(world), RunEnd::kAllArrived);
  EXPECT_GT(world.time(), 60);
  EXPECT_LT(world.time(), 90);
  EXPECT_TRUE(world.notArrived().empty());
}

TEST(Endings, AnObstacleThatGoesAway) {
  Scene scene = twoRooms();
  scene.populations = {atPoints({{2, 5}}, {toPoint({18, 5})})};
  scene.events = {{0, InsertObstacle{"block", "", box(9.5, 3, 10.5, 7)}}, {45, RemoveObstacle{"block"}}};
  World world(scene, 1, 1);
  EXPECT_EQ(runToTheEnd(world), RunEnd::kAllArrived);
  EXPECT_GT(world.time(), 45);
}

TEST(Endings, WhenEverybodyHasArrivedDoorsDoNotMatter) {
  Scene scene = twoRooms();
  scene.populations = {atPoints({{12, 5}}, {toPoint({18, 5})})};
  scene.events = {{300, CloseDoor{"door"}}};
  World world(scene, 1, 1);
  EXPECT_EQ(runToTheEnd(world), RunEnd::kAllArrived);
  EXPECT_LT(world.time(), 20);
}

TEST(Endings, PeopleToComeAreWaitedFor) {
  Scene scene = twoRooms();
  Population late = inArea(0, box(1, 1, 5, 9), {toPoint({18, 5})});
  late.schedule = {{5, 2}, {70, 3}};
  scene.populations = {late};
  World world(scene, 1, 1);
  std::size_t arrived = 0;
  while (!world.finished() && world.time() < 400) world.step(0.1), arrived += world.arrivals().size();
  EXPECT_EQ(world.ending(), RunEnd::kAllArrived);
  EXPECT_EQ(arrived, 5u);
  EXPECT_GT(world.time(), 70);
}

TEST(Endings, AClosedDoorEndsTheRun) {
  Scene scene = twoRooms(1.2, false);
  scene.populations = {atPoints({{2, 5}, {3, 3}}, {toPoint({18, 5})}), atPoints({{12, 2}}, {toPoint({18, 8})})};
  World world(scene, 1, 1);
  EXPECT_EQ(runToTheEnd(world), RunEnd::kNoProgress);
  const auto missing = world.notArrived();
  ASSERT_EQ(missing.size(), 2u);
  for (const NotArrived& person : missing) {
    EXPECT_EQ(person.population, 0u);
    EXPECT_TRUE(person.unreachable);
    EXPECT_LT(person.at.x, 10);
  }
}

/// A passage in which two people cannot pass one another, and people at both ends.
Scene narrowPassage() {
  Scene scene = twoRooms();
  scene.layers[0].walls.clear();
  scene.layers[0].doors.clear();
  scene.layers[0].obstacles = {box(6, 0, 14, 4.7), box(6, 5.3, 14, 10)};
  scene.populations = {atPoints({{5, 5}, {3, 4}}, {toPoint({18, 5})}, "east"),
                       atPoints({{15, 5}, {17, 6}}, {toPoint({2, 5})}, "west")};
  return scene;
}

TEST(Endings, PeopleWhoHoldOneAnotherUp) {
  World world(narrowPassage(), 1, 1);
  EXPECT_TRUE(world.unreachableGoals().empty());
  EXPECT_EQ(runToTheEnd(world), RunEnd::kNoProgress);
  EXPECT_EQ(world.notArrived().size(), 4u);
  for (const NotArrived& person : world.notArrived()) EXPECT_FALSE(person.unreachable);
  EXPECT_GT(world.time(), 20);
  EXPECT_LT(world.time(), 120);
}

TEST(Endings, SlowIsNotStuck) {
  Scene scene = twoRooms();
  scene.profiles[0].preferred_speed = Distribution::constant(0.06);
  scene.populations = {atPoints({{2, 5}}, {toPoint({14, 5})})};
  World world(scene, 1, 1);
  EXPECT_EQ(runToTheEnd(world, 600, 0.25), RunEnd::kAllArrived);
  EXPECT_GT(world.time(), 150);
}

/// Random rooms, doors and events: the run ends, for the reason that is true, and the same after a restart.
TEST(Endings, RandomRunsEndForTheRightReason) {
  int by_reason[4] = {};
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 77);
    Scene scene = twoRooms(random.uniform(0.3, 1.5), random.below(2) == 0);
    scene.run.patience = 60;  // some squeeze past one another by a centimetre a second
    const double dt = std::vector<double>{0.1, 0.05, 0.2, 0.25, 0.07}[random.below(5)];
    if (random.below(2) == 0) {
      const double time = std::floor(random.uniform(0, 80));
      scene.events.push_back(random.below(3) > 0 ? Event{time, OpenDoor{"door"}} : Event{time, CloseDoor{"door"}});
    }
    if (random.below(3) == 0) scene.run.duration = random.uniform(1, 100);
    const OnArrival after = random.below(2) == 0 ? OnArrival::kLeave : OnArrival::kStay;
    for (int p = 0; p < 2; ++p) {
      const double x = p == 0 ? 1 : 11, goal = random.below(3) == 0 ? 20 - x - 8 : x;
      Population people = inArea(1 + static_cast<std::uint32_t>(random.below(5)), box(x, 1, x + 8, 9),
                                 {toArea(box(goal, 1, goal + 8, 9)), toArea(box(x, 1, x + 8, 9))});
      if (random.below(2) == 0) people.goals.pop_back();
      if (random.below(3) == 0) {
        people.schedule = {{std::floor(random.uniform(1, 50)), people.count}};
        people.count = 0;
      }
      people.on_arrival = after;
      scene.populations.push_back(people);
    }
    World world(scene, seed, 1);
    std::vector<std::byte> snapshot;
    const auto save_at = random.below(300);
    while (!world.finished() && world.time() < 1000) {
      world.step(dt);
      if (world.steps() == save_at) snapshot = world.save();
    }
    const RunEnd end = world.ending();
    ++by_reason[static_cast<int>(end)];
    ASSERT_NE(end, RunEnd::kNotYet);
    if (end == RunEnd::kAllArrived) {
      EXPECT_TRUE(world.notArrived().empty());
    }
    if (end == RunEnd::kNoProgress) {
      EXPECT_FALSE(world.notArrived().empty());
      for (const Event& event : scene.events) EXPECT_LE(event.time, world.time());
      for (const Population& people : scene.populations)
        for (const Wave& wave : people.schedule) EXPECT_LE(wave.time, world.time());
      // And indeed: nobody arrives for a while after it.
      std::size_t arrived = 0;
      for (double until = world.time() + 100; world.time() < until;) world.step(dt), arrived += world.arrivals().size();
      EXPECT_EQ(arrived, 0u);
    }
    if (end == RunEnd::kDuration) {
      EXPECT_GE(world.time(), *scene.run.duration - 1e-6);
      EXPECT_LT(world.time(), *scene.run.duration + dt);
    }
    if (snapshot.empty() || end == RunEnd::kNoProgress) continue;
    World again(scene, seed, 2);
    again.load(snapshot);
    while (!again.finished()) again.step(dt);
    EXPECT_EQ(again.hash(), world.hash());
    EXPECT_EQ(again.time(), world.time());
    EXPECT_EQ(again.ending(), end);
  }
  EXPECT_GT(by_reason[static_cast<int>(RunEnd::kDuration)], 3);
  EXPECT_GT(by_reason[static_cast<int>(RunEnd::kAllArrived)], 3);
  EXPECT_GT(by_reason[static_cast<int>(RunEnd::kNoProgress)], 3);
}

/// The end for want of progress comes at the same time after a restart.
TEST(Endings, PatienceIsSaved) {
  const Scene scene = narrowPassage();
  World world(scene, 1, 1), other(scene, 1, 1);
  for (int i = 0; i < 250; ++i) world.step(0.1);
  other.load(world.save());
  EXPECT_EQ(runToTheEnd(world), RunEnd::kNoProgress);
  EXPECT_EQ(runToTheEnd(other), RunEnd::kNoProgress);
  EXPECT_EQ(world.steps(), other.steps());
  EXPECT_EQ(world.hash(), other.hash());
}

}  // namespace
}  // namespace throng::simulation
