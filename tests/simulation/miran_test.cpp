// People who follow their routes by MIRAN, in whole worlds.
#include <cmath>
#include <gtest/gtest.h>

#include "base/math.h"
#include "base/random.h"
#include "geometry/predicates.h"
#include "simulation/scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

/// A town square of 40 m by 30 m with houses, lawns and a road, turned, and people of three profiles who walk to and
/// fro: by MIRAN as discs and as points, and by IRM.
Scene square(std::uint64_t seed, std::uint32_t people) {
  base::Random random(seed, 5);
  double s, c;
  base::sinCos(random.uniform(0, 6.3), s, c);
  const bool mirrored = random.below(2) == 1;
  const auto turned = [&](Polygon polygon) {
    for (Point& p : polygon.outer) {
      if (mirrored) p.x = -p.x;
      p = {c * p.x - s * p.y, s * p.x + c * p.y};
    }
    return polygon;
  };
  Scene scene = emptyScene();
  Layer& layer = scene.layers[0];
  layer.walkable = {turned(box(0, 0, 40, 30))};
  for (double x = 6; x < 36; x += 9)
    for (double y = 6; y < 24; y += 9)
      layer.obstacles.push_back(turned(box(x, y, x + random.uniform(2, 4), y + random.uniform(2, 4))));
  layer.regions = {{"road", {turned(box(0, 13, 40, 15))}},
                   {"grass", {turned(box(4, 1, 12, 5)), turned(box(20, 17, 30, 29)), turned(box(15, 2, 19, 9))}}};
  scene.profiles.clear();
  for (const char* name : {"disc", "point", "irm"}) {
    Profile profile;
    profile.name = name;
    profile.steering.model = "orca";
    profile.follower.model = std::string(name) == "irm" ? "irm" : "miran";
    if (std::string(name) != "irm")
      profile.follower.parameters = {{"disc", std::string(name) == "disc"},
                                     {"touch", std::string(name) == "disc"},
                                     {"shortcut", 8},
                                     {"sampling", 0.5}};
    profile.region_weights = {{"road", Distribution::constant(4)}, {"grass", Distribution::uniform(1.5, 10)}};
    profile.radius = Distribution::uniform(0.15, 0.3);
    scene.profiles.push_back(profile);
    Population population = inArea(people / 3, turned(box(1, 1, 5, 29)),
                                   {toArea(turned(box(35, 1, 39, 29))), toArea(turned(box(1, 1, 39, 4)))}, name);
    population.profile = name;
    population.on_arrival = OnArrival::kGoBack;
    scene.populations.push_back(population);
  }
  return scene;
}

TEST(MiranWorld, EverybodyArrivesBesideOthersWhoFollowByIrm) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Scene scene = square(seed, 36);
    for (Population& population : scene.populations) population.on_arrival = OnArrival::kLeave;
    World world(scene, seed, 1);
    for (int i = 0; i < 3000 && world.crowd().size() > 0; ++i) world.step(0.1);
    EXPECT_EQ(world.crowd().size(), 0u) << "seed " << seed;
  }
}

TEST(MiranWorld, IsTheSameOnAnyNumberOfThreadsAndAfterARestart) {
  const Scene scene = square(7, 150);
  World one(scene, 3, 1), three(scene, 3, 3), later(scene, 3, 2);
  for (int i = 0; i < 150; ++i) one.step(0.1), three.step(0.1);
  ASSERT_EQ(one.hash(), three.hash());
  const auto bytes = one.save();
  later.load(bytes);
  ASSERT_EQ(later.save(), bytes);
  for (int i = 0; i < 150; ++i) {
    one.step(0.1), later.step(0.1);
    ASSERT_EQ(one.hash(), later.hash()) << "step " << i;
  }
}

TEST(MiranWorld, FindsAnotherWayWhenDoorsCloseAndObstaclesCome) {
  Scene scene = emptyScene();
  scene.profiles[0].follower.model = "miran";
  Layer& layer = scene.layers[0];
  layer.walkable = {box(0, 0, 40, 16)};
  layer.obstacles = {box(19.8, 0, 20.2, 3), box(19.8, 5, 20.2, 11), box(19.8, 13, 20.2, 16)};
  layer.doors = {{"south", {{20, 3}, {20, 5}}, true}, {"north", {{20, 11}, {20, 13}}, true}};
  Population people = atPoints({{2, 2}, {2, 4}, {4, 3}}, {toPoint({38, 3})});
  people.on_arrival = OnArrival::kLeave;
  scene.populations = {people};
  World world(scene, 1, 1);
  for (int i = 0; i < 60; ++i) world.step(0.1);
  ASSERT_TRUE(world.setDoor("south", false));
  for (int i = 0; i < 20; ++i) world.step(0.1);
  const Point block[] = {{24, 6}, {30, 6}, {30, 9}, {24, 9}};
  world.insertObstacle(block, 0);
  float highest = 0;
  for (int i = 0; i < 1000 && world.crowd().size() > 0; ++i) {
    world.step(0.1);
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
      if (std::abs(world.crowd().x[r] - 20) < 1) highest = std::max(highest, world.crowd().y[r]);
  }
  EXPECT_EQ(world.crowd().size(), 0u);
  EXPECT_GT(highest, 11);
}

TEST(MiranWorld, WeightsOfOneAreAsNoRegionsAtAll) {
  Scene with = square(4, 60);
  for (Profile& profile : with.profiles) profile.planner.model = "corridor";  // what follows is of followers
  Scene without = with;
  for (Profile& profile : with.profiles)
    for (auto& [type, weight] : profile.region_weights) weight = Distribution::constant(1);
  without.layers[0].regions.clear();
  for (Profile& profile : without.profiles) profile.region_weights.clear();
  World one(with, 3, 1), other(without, 3, 1);
  for (int i = 0; i < 200; ++i) {
    one.step(0.1), other.step(0.1);
    ASSERT_EQ(one.hash(), other.hash()) << "step " << i;
  }
}

}  // namespace
}  // namespace throng::simulation
