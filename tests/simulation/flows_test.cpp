// People on navigation flows, and levels of simulation, in the world's step.
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

#include "geometry/predicates.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

Ring corners(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

/// A field of 80 m x 40 m with two blocks, so that there are three ways from west to east.
Scene blocks(std::uint32_t people) {
  Scene scene;
  Layer& layer = scene.layers.emplace_back();
  layer.walkable = {{corners(0, 0, 80, 40), {}}};
  layer.obstacles = {{corners(20, 6, 60, 18), {}}, {corners(20, 23, 60, 34), {}}};
  scene.profiles = {withModelsAlone({})};
  scene.profiles.front().steering = {"orca", {}};
  scene.profiles.front().preferred_speed = Distribution::uniform(1.1, 1.5);
  scene.places = {{"west", {8, 20}, {}, {}, 5}, {"east", {72, 20}, {}, {}, 5}};
  Population flow;
  flow.name = "walkers";
  flow.count = people;
  flow.flow = FlowEnds{"west", "east"};
  scene.populations = {flow};
  scene.run.duration = 1000;
  return scene;
}

Camera eastwards(double x, double y) { return {{x, y, 1.7}, {1, 0, 0}, 60}; }

TEST(Flows, PeopleWalkBackAndForthForEver) {
  World world(blocks(60), 1, 1);
  ASSERT_NE(world.flows().traffic(), nullptr);
  const flows::Flow& flow = *world.flows().traffic()->of(0);
  EXPECT_GE(flow.count, 3u);
  std::map<std::uint32_t, int> arrivals;
  for (int i = 0; i < 2500; ++i) {
    world.step(0.1);
    for (const Arrival& arrival : world.arrivals()) ++arrivals[arrival.person];
    ASSERT_EQ(world.crowd().size(), 60u);
  }
  EXPECT_EQ(arrivals.size(), 60u);
  // 64 m at 1.3 m/s: some four or five times in 250 s.
  for (const auto& [person, times] : arrivals) EXPECT_GE(times, 3) << "person " << person;
}

TEST(Flows, NobodyEverStandsInAWall) {
  World world(blocks(300), 2, 1);
  const ground::Floor& floor = world.space().floors()[0];
  for (int i = 0; i < 400; ++i) {
    world.step(0.1);
    const agents::Crowd& crowd = world.crowd();
    for (std::uint32_t r = 0; r < crowd.size(); ++r) {
      const Point at{crowd.x[r], crowd.y[r]};
      ASSERT_TRUE(floor.contains(at)) << at.x << " " << at.y << " at " << world.time();
      ASSERT_GE(floor.clearance(at, 0.25), 0.2) << at.x << " " << at.y << " at " << world.time();
    }
  }
}

TEST(Flows, AtFirstPeopleAreSpreadOverAllPathsAndLanes) {
  World world(blocks(300), 3, 1);
  const agents::Crowd& crowd = world.crowd();
  std::set<std::uint32_t> paths;
  std::size_t back = 0, overlaps = 0;
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    paths.insert(world.flows().columns().path()[r]);
    back += crowd.returning[r];
    ASSERT_GE(crowd.preference[r], 0);
    ASSERT_LE(crowd.preference[r], 1);
    for (std::uint32_t q = 0; q < r; ++q) {
      const float dx = crowd.x[r] - crowd.x[q], dy = crowd.y[r] - crowd.y[q];
      overlaps += dx * dx + dy * dy < 0.25f;
    }
  }
  EXPECT_EQ(paths.size(), 2 * world.flows().traffic()->of(0)->count);
  EXPECT_GT(back, 100u);
  EXPECT_LT(back, 200u);
  EXPECT_EQ(overlaps, 0u);
}

// Way-points are A + p·AB, and 1 - p against the gate's orientation: whoever keeps to the right does so in both
// directions.
TEST(Flows, LanesAreOnTheSameSideInBothDirections) {
  Scene scene = blocks(80);
  scene.layers.front().obstacles = {{corners(20, 0, 60, 14), {}}, {corners(20, 26, 60, 40), {}}};
  scene.populations.front().lane = Distribution::constant(0.9);
  World world(scene, 1, 1);
  for (int i = 0; i < 300; ++i) world.step(0.1);
  const agents::Crowd& crowd = world.crowd();
  int right = 0, all = 0;
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (crowd.x[r] < 28 || crowd.x[r] > 52) continue;
    ++all;
    right += crowd.returning[r] ? crowd.y[r] > 20 : crowd.y[r] < 20;
  }
  ASSERT_GT(all, 15);
  EXPECT_GT(right, 0.9 * all);
}

TEST(Flows, ThePathChosenIsTheQuickestNowAndThenKept) {
  World world(blocks(1000), 4, 1);
  std::map<std::uint32_t, std::uint32_t> path_of;
  std::set<std::uint32_t> chosen;
  for (int i = 0; i < 350; ++i) {
    world.step(0.1);
    std::set<std::uint32_t> turned;
    for (const Arrival& arrival : world.arrivals()) turned.insert(arrival.person);
    const agents::Crowd& crowd = world.crowd();
    const flows::Flow& flow = *world.flows().traffic()->of(0);
    for (std::uint32_t r = 0; r < crowd.size(); ++r) {
      const std::uint32_t path = world.flows().columns().path()[r] - 1;
      if (turned.count(crowd.person[r])) {
        ASSERT_EQ((path - flow.first_path) / 2, flow.quickest);
        chosen.insert(flow.quickest);
      } else if (path_of.count(crowd.person[r]) && !world.flows().traffic()->paths().isField(path)) {
        ASSERT_EQ(path_of[crowd.person[r]], path);
      }
      path_of[crowd.person[r]] = path;
    }
  }
  const auto times = world.flows().traffic()->travelTimes(*world.flows().traffic()->of(0));
  EXPECT_EQ(*std::min_element(times.begin(), times.end()), times[world.flows().traffic()->of(0)->quickest]);
  EXPECT_GT(chosen.size(), 1u) << "density never made another path quicker";
}

/// How many people walk in each of the three streets between the blocks.
std::array<int, 3> inStreets(const agents::Crowd& crowd) {
  std::array<int, 3> people{};
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (crowd.x[r] < 20 || crowd.x[r] > 60) continue;
    ++people[crowd.y[r] < 12 ? 0 : crowd.y[r] < 28 ? 1 : 2];
  }
  return people;
}

// Three ways of nearly the same length: with the quickest of each moment people come in waves.
TEST(Flows, ThoseWhoSpreadUseAllWays) {
  const auto most_in_one_street = [](bool spread) {
    Scene scene = blocks(600);
    scene.populations.front().flow->spread = spread;
    scene.profiles.front().avoid_congestion = spread;
    World world(scene, 4, 1);
    double share = 0;
    int moments = 0;
    for (int i = 0; i < 1500; ++i) {
      world.step(0.1);
      if (i < 900 || i % 50 != 0) continue;
      const auto people = inStreets(world.crowd());
      share += static_cast<double>(*std::max_element(people.begin(), people.end())) /
               std::max(1, people[0] + people[1] + people[2]);
      ++moments;
    }
    return share / moments;
  };
  const double quickest = most_in_one_street(false), spread = most_in_one_street(true);
  EXPECT_LT(spread, 0.55) << quickest;
  EXPECT_LT(spread, quickest);
}

// They come to the one place and then to the other, and every time that is an arrival.
TEST(Flows, ThoseWhoSpreadGoFromPlaceToPlaceForEver) {
  Scene scene = blocks(40);
  scene.populations.front().flow->spread = true;
  World world(scene, 9, 1);
  std::map<std::uint32_t, std::vector<int>> places;
  for (int i = 0; i < 3000; ++i) {
    std::map<std::uint32_t, Vec2> before;
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
      before[world.crowd().person[r]] = {world.crowd().x[r], world.crowd().y[r]};
    world.step(0.1);
    for (const Arrival& arrival : world.arrivals()) {
      const Vec2 at = before[arrival.person];
      const int place = at.x < 40 ? 0 : 1;
      EXPECT_LT(length(at - Vec2{place == 0 ? 8.0f : 72.0f, 20}), 5.5f);
      places[arrival.person].push_back(place);
    }
  }
  EXPECT_EQ(places.size(), 40u);
  for (const auto& [person, list] : places) {
    EXPECT_GE(list.size(), 3u) << person;
    for (std::size_t i = 1; i < list.size(); ++i) EXPECT_NE(list[i], list[i - 1]) << person;
  }
  EXPECT_EQ(world.crowd().size(), 40u);
}

// Streets with a road in the middle on which they never walk: nobody is put there, nor their body.
TEST(Flows, ThoseWhoSpreadDoNotStartWhereTheyNeverWalk) {
  for (const std::uint64_t seed : {3u, 4u, 5u}) {
    Scene scene = blocks(200);
    scene.populations.front().flow->spread = true;
    const Polygon roads[] = {
        {corners(20, 1.5, 60, 4), {}}, {corners(24, 18, 56, 21), {}}, {corners(4, 10, 12, 16), {}}};
    for (const Polygon& road : roads) scene.layers[0].regions.push_back({"road", {road}});
    scene.profiles.front().region_weights["road"] = Distribution::constant(std::numeric_limits<double>::infinity());
    const auto onRoad = [&](const World& world) {
      int count = 0;
      for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
        for (const Polygon& road : roads) {
          const Point at{world.crowd().x[r], world.crowd().y[r]};
          count += at.x > road.outer[0].x - 0.2 && at.x < road.outer[2].x + 0.2 && at.y > road.outer[0].y - 0.2 &&
                   at.y < road.outer[2].y + 0.2;
        }
      return count;
    };
    EXPECT_EQ(onRoad(World(scene, seed, 1)), 0);
    scene.profiles.front().region_weights["road"] = Distribution::constant(1.01);  // others do
    EXPECT_GT(onRoad(World(scene, seed, 1)), 10);
  }
}

TEST(Flows, CanBeInsertedWhileOthersWalk) {
  World world(blocks(50), 1, 1);
  for (int i = 0; i < 50; ++i) world.step(0.1);
  Population more;
  more.name = "more";
  more.count = 40;
  more.flow = FlowEnds{"east", "west"};
  more.profile = "default";
  EXPECT_EQ(world.addFlow(more), 1);
  EXPECT_EQ(world.crowd().size(), 90u);
  more.flow->to = "nowhere";
  EXPECT_THROW(world.addFlow(more), InputError);
  EXPECT_EQ(world.scene().populations.size(), 2u);
  for (int i = 0; i < 100; ++i) world.step(0.1);
  EXPECT_EQ(world.crowd().size(), 90u);

  Scene later = blocks(50);
  later.populations.push_back(later.populations.front());
  later.populations.back().name = "later";
  later.populations.back().flow->time = 2;
  World timed(later, 1, 1);
  EXPECT_EQ(timed.crowd().size(), 50u);
  for (int i = 0; i < 25; ++i) timed.step(0.1);
  EXPECT_EQ(timed.crowd().size(), 100u);
}

TEST(Flows, GoOnFromASnapshotBitForBit) {
  Scene scene = blocks(120);
  scene.populations.push_back(scene.populations.front());
  scene.populations.back().name = "later";
  scene.populations.back().flow->time = 3;
  scene.populations.back().flow->spread = true;
  scene.levels.cameras = {eastwards(10, 20)};
  World world(scene, 5, 1);
  for (int i = 0; i < 83; ++i) world.step(0.1);
  const auto saved = world.save();
  for (int i = 0; i < 60; ++i) world.step(0.1);
  World again(scene, 5, 1);
  again.load(saved);
  for (int i = 0; i < 60; ++i) again.step(0.1);
  EXPECT_EQ(world.hash(), again.hash());
}

TEST(Levels, ThreadsDoNotChangeABit) {
  std::uint64_t hashes[2];
  for (const int threads : {1, 4}) {
    Scene scene = blocks(1500);
    scene.levels.cameras = {eastwards(10, 20)};
    World world(scene, 7, threads);
    for (int i = 0; i < 80; ++i) world.step(0.1);
    hashes[threads > 1] = world.hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

// Nobody jumps: positions follow from velocities, and after a change of level velocities change gently.
TEST(Levels, ChangeWithoutAJumpInPositionOrSpeed) {
  Scene scene = blocks(500);
  scene.levels.cameras = {eastwards(10, 20)};
  scene.levels.near_distance = 12;
  scene.levels.far_distance = 25;
  World world(scene, 1, 1);
  struct Last {
    float x, y, z, vx, vy;
    std::uint8_t level;
    int since;  ///< steps since the last change of level
  };
  std::map<std::uint32_t, Last> last;
  std::size_t changes = 0;
  std::set<int> levels;
  constexpr float dt = 0.1f;
  for (int i = 0; i < 600; ++i) {
    // The camera wanders about, so that levels change under everybody's feet.
    if (i % 40 == 20) world.setCameras({eastwards(10 + (i / 40) * 5 % 60, 20)});
    world.step(dt);
    const agents::Crowd& crowd = world.crowd();
    for (std::uint32_t r = 0; r < crowd.size(); ++r) {
      levels.insert(world.levels().levels(crowd)[r]);
      const auto found = last.find(crowd.person[r]);
      int since = 1000;
      if (found != last.end()) {
        const Last& before = found->second;
        const float moved = std::hypot(crowd.x[r] - before.x, crowd.y[r] - before.y);
        ASSERT_LE(moved, crowd.max_speed[r] * dt * 1.001f + 1e-4f) << "step " << i << ", person " << crowd.person[r];
        const bool changed = world.levels().levels(crowd)[r] != before.level;
        changes += changed;
        since = changed ? 0 : before.since + 1;
        // 3 m/s² while settling; walls may stop somebody at once.
        const float faster = std::hypot(crowd.vx[r], crowd.vy[r]) - std::hypot(before.vx, before.vy);
        ASSERT_LE(since < 8 ? faster : 0, 3 * dt + 1e-3f) << "step " << i << ", person " << crowd.person[r];
        ASSERT_LE(std::abs(crowd.z[r] - before.z), 0.2f + 1e-3f);
      }
      last[crowd.person[r]] = {
          crowd.x[r], crowd.y[r], crowd.z[r], crowd.vx[r], crowd.vy[r], world.levels().levels(crowd)[r], since};
    }
  }
  EXPECT_GT(changes, 1000u);
  EXPECT_GE(levels.size(), 4u);
}

TEST(Levels, WhoIsNotSeenStaysOutOfWallsToo) {
  Scene scene = blocks(400);
  scene.levels.cameras = {{{-500, -500, 1.7}, {-1, 0, 0}, 30}};  // sees nobody
  World world(scene, 1, 1);
  const ground::Floor& floor = world.space().floors()[0];
  std::size_t gliding = 0;
  for (int i = 0; i < 600; ++i) {
    world.step(0.1);
    gliding += world.crowd().size() - world.crowd().full();
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r) {
      const Point at{world.crowd().x[r], world.crowd().y[r]};
      ASSERT_TRUE(floor.contains(at)) << at.x << " " << at.y << " at " << world.time();
    }
  }
  EXPECT_GT(gliding, 400u * 500u);
}

/// What comes while people walk stops them at every level: in full care, seldom deciding, gliding. When it goes, they
/// walk on.
TEST(Levels, InsertedObstaclesStopEverybody) {
  std::size_t gliding = 0, careful = 0, stopped = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 3);
    Scene scene = blocks(150);
    if (seed % 3 == 0) scene.levels.cameras = {{{-500, -500, 1.7}, {-1, 0, 0}, 30}};  // sees nobody
    if (seed % 3 == 1) scene.levels.cameras = {eastwards(10, 20)};
    World world(scene, seed, 1);
    std::vector<std::pair<std::uint32_t, std::vector<Point>>> rocks;
    const auto free = [&](const std::vector<Point>& shape) {
      for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
        if (geometry::contains(Polygon{shape, {}}, Point{world.crowd().x[r], world.crowd().y[r]})) return false;
      return true;
    };
    for (int i = 0; i < 400; ++i) {
      if (i % 50 == 25) {
        // Across a whole way now and then, and elsewhere of any size.
        const double x = random.uniform(15, 62), y = random.uniform(1, 39), w = random.uniform(0.3, 4);
        const double h = random.below(2) == 0 ? 12 : random.uniform(0.3, 4);
        const std::vector<Point> shape{{x, y}, {x + w, y}, {x + w, std::min(y + h, 39.0)}, {x, std::min(y + h, 39.0)}};
        try {
          rocks.emplace_back(world.insertObstacle(shape, 0), shape);
        } catch (const InputError&) {
          // Too close to a wall to make a map of.
        }
      }
      if (i % 100 == 99 && !rocks.empty()) world.removeObstacle(rocks.front().first), rocks.erase(rocks.begin());
      world.step(0.1);
      gliding += world.crowd().size() - world.crowd().full(), careful += world.crowd().full();
      for (const auto& [id, shape] : rocks) ASSERT_TRUE(free(shape)) << "at " << world.time();
    }
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
      stopped += std::hypot(world.crowd().vx[r], world.crowd().vy[r]) < 0.1;
    // Everybody who stood before something walks again when it has gone.
    for (const auto& [id, shape] : rocks) world.removeObstacle(id);
    std::map<std::uint32_t, Vec2> at;
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
      at[world.crowd().person[r]] = {world.crowd().x[r], world.crowd().y[r]};
    for (int i = 0; i < 150; ++i) world.step(0.1);
    std::size_t still = 0;
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
      still += length(Vec2{world.crowd().x[r], world.crowd().y[r]} - at[world.crowd().person[r]]) < 1;
    EXPECT_LE(still, 7u);  // of 150: those who have just turned round
  }
  EXPECT_GT(gliding, 100000u);
  EXPECT_GT(careful, 100000u);
  EXPECT_GT(stopped, 50u);
}

TEST(Levels, WithoutCamerasEverybodyHasAllCare) {
  Scene scene = blocks(100);
  World with(scene, 1, 1);
  scene.levels.cameras = {eastwards(10, 20)};
  World without(scene, 1, 1);
  for (int i = 0; i < 30; ++i) with.step(0.1), without.step(0.1);
  EXPECT_EQ(with.crowd().full(), 100u);
  EXPECT_LT(without.crowd().full(), 100u);
  without.setCameras({});
  EXPECT_EQ(without.crowd().full(), 100u);
  without.step(0.1);
}

// People who walk to goals of their own, among those on flows.
TEST(Levels, OthersAreAlwaysLookedAfter) {
  Scene scene = blocks(100);
  Population visitors;
  visitors.name = "visitors";
  visitors.count = 20;
  visitors.start.shape = StartArea{{Polygon{corners(1, 1, 15, 39), {}}}};
  visitors.goals = {{GoalPoint{{70, 5}}}};
  scene.populations.push_back(visitors);
  scene.levels.cameras = {{{-500, -500, 1.7}, {-1, 0, 0}, 30}};
  World world(scene, 1, 1);
  std::size_t arrived = 0;
  for (int i = 0; i < 1200; ++i) {
    world.step(0.1);
    EXPECT_GE(world.crowd().full(), world.crowd().size() - 100);
    for (const Arrival& arrival : world.arrivals()) arrived += arrival.person > 100;
  }
  EXPECT_EQ(arrived, 20u);
  EXPECT_EQ(world.crowd().size(), 100u);
}

// A ramp made of two triangles, and stairs.
TEST(Heights, FollowTheGround) {
  Scene scene = blocks(80);
  Layer& layer = scene.layers.front();
  const auto z = [](double x) { return 0.1 * x; };
  const Point3 a{0, 0, z(0)}, b{80, 0, z(80)}, c{80, 40, z(80)}, d{0, 40, z(0)};
  layer.ground = {{a, b, c}, {a, c, d}};
  World world(scene, 1, 1);
  for (int i = 0; i < 100; ++i) world.step(0.1);
  const agents::Crowd& crowd = world.crowd();
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    EXPECT_NEAR(crowd.z[r], 0.1 * crowd.x[r], 1e-3);
    EXPECT_NEAR((*crowd.find<float>(agents::kSlope))[r], 0.1 * crowd.facing_x[r], 1e-4);
  }
}

}  // namespace
}  // namespace throng::simulation
