// A world that goes on from another one, in a changed scene.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "throng/world.h"

namespace throng {
namespace {

Polygon box(double x0, double y0, double x1, double y1) { return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}; }

Scene hall() {
  Scene scene;
  Layer layer;
  layer.walkable = {box(0, 0, 40, 20)};
  layer.doors = {{"gate", {{20, 8}, {20, 12}}, true}};
  scene.layers = {layer};
  scene.profiles = {Profile{}};
  scene.profiles[0].preferred_speed = Distribution::uniform(1.0, 1.5);
  scene.places = {{.name = "west", .at = {3, 10}}, {.name = "east", .at = {37, 10}}};
  Population walkers;
  walkers.name = "walkers";
  walkers.count = 20;
  walkers.start = {StartArea{{box(1, 1, 10, 19)}}};
  walkers.goals = {{GoalPoint{{20, 10}, 2}}, {GoalArea{{box(32, 1, 39, 19)}}}};
  walkers.on_arrival = OnArrival::kStay;
  Population flow;
  flow.name = "flow";
  flow.count = 15;
  flow.flow = FlowEnds{"west", "east"};
  scene.populations = {walkers, flow};
  scene.run.duration = 600;
  return scene;
}

struct Seen {
  float x, y, speed;
};
std::map<std::uint32_t, Seen> everybody(const World& world) {
  std::map<std::uint32_t, Seen> seen;
  const Frame frame = world.frame();
  for (std::size_t r = 0; r < frame.size(); ++r)
    seen[frame.person[r]] = {frame.x[r], frame.y[r], std::hypot(world.velocityX()[r], world.velocityY()[r])};
  return seen;
}

World goesOn(const Scene& scene, const World& before) {
  World world(scene, {.threads = 1, .nobody = true});
  EXPECT_EQ(world.frame().size(), 0U);
  world.continueFrom(before);
  return world;
}

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step();
}

TEST(Continue, EverybodyIsWhereTheyWere) {
  const Scene scene = hall();
  World before(scene, {.threads = 1});
  run(before, 60);
  before.setGroup(before.ids()[2], 7);
  before.setUserData(before.ids()[3], 99);
  World after = goesOn(scene, before);
  EXPECT_DOUBLE_EQ(after.time(), before.time());
  const auto was = everybody(before), is = everybody(after);
  ASSERT_EQ(is.size(), 35U);
  for (const auto& [number, seen] : was) {
    ASSERT_TRUE(is.count(number)) << number;
    EXPECT_EQ(is.at(number).x, seen.x);
    EXPECT_EQ(is.at(number).y, seen.y);
    EXPECT_EQ(is.at(number).speed, seen.speed);
  }
  EXPECT_EQ(after.userData(after.find(before.number(before.ids()[3]))), 99U);
  // They go on, and nobody jumps: in one step no farther than anybody can walk.
  run(after, 1);
  for (const auto& [number, seen] : everybody(after))
    EXPECT_LT(std::hypot(seen.x - was.at(number).x, seen.y - was.at(number).y), 0.25) << number;
  run(after, 600);
  EXPECT_EQ(after.frame().size(), 35U);
  int arrived = 0;
  const Frame frame = after.frame();
  for (std::size_t r = 0; r < frame.size(); ++r) arrived += frame.population[r] == 0 && frame.x[r] > 31;
  EXPECT_EQ(arrived, 20);  // over their first goal to the second
}

TEST(Continue, SameSeedSameBytes) {
  const auto once = [] {
    World before(hall(), {.threads = 1});
    run(before, 50);
    Scene changed = hall();
    changed.layers[0].obstacles = {box(15, 4, 17, 16)};
    World after = goesOn(changed, before);
    run(after, 50);
    return after.hash();
  };
  EXPECT_EQ(once(), once());
}

TEST(Continue, NobodyStandsInWhatIsNew) {
  World before(hall(), {.threads = 1});
  run(before, 70);
  Scene changed = hall();
  changed.layers[0].obstacles = {box(6, 2, 16, 18)};
  World after = goesOn(changed, before);
  EXPECT_EQ(after.frame().size(), 35U);
  for (int i = 0; i < 200; ++i) {
    after.step();
    for (const auto& [number, seen] : everybody(after))
      EXPECT_FALSE(seen.x > 6.01 && seen.x < 15.99 && seen.y > 2.01 && seen.y < 17.99) << number;
  }
}

TEST(Continue, PopulationsGrowShrinkComeAndGo) {
  World before(hall(), {.threads = 1});
  run(before, 30);
  Scene changed = hall();
  changed.populations[0].count = 30;
  changed.populations[1].count = 5;
  Population fresh;
  fresh.name = "fresh";
  fresh.count = 4;
  fresh.start = {StartPoints{{{30, 2}, {31, 2}, {32, 2}, {33, 2}}}};
  changed.populations.insert(changed.populations.begin(), fresh);
  const auto count = [](const World& world) {
    std::map<std::string, int> people;
    const Frame frame = world.frame();
    for (std::size_t r = 0; r < frame.size(); ++r) ++people[world.scene().populations[frame.population[r]].name];
    return people;
  };
  World after = goesOn(changed, before);
  EXPECT_EQ(count(after), (std::map<std::string, int>{{"walkers", 30}, {"flow", 5}, {"fresh", 4}}));
  run(after, 20);
  changed.populations.erase(changed.populations.begin() + 1);
  World last = goesOn(changed, after);
  EXPECT_EQ(count(last), (std::map<std::string, int>{{"flow", 5}, {"fresh", 4}}));
  run(last, 20);
}

TEST(Continue, RatesGoOnAndNobodyComesTwice) {
  Scene scene = hall();
  scene.populations.resize(1);
  scene.populations[0].count = 0;
  scene.populations[0].rate = 2;
  World before(scene, {.threads = 1});
  run(before, 100);
  const auto people = everybody(before).size();
  World after = goesOn(scene, before);
  run(after, 50);
  EXPECT_NEAR(static_cast<double>(everybody(after).size()), static_cast<double>(people) + 10, 1.01);
  EXPECT_EQ(everybody(after).rbegin()->first, everybody(after).size());  // numbers go on
}

TEST(Continue, ProfilesReachThoseWhoAreThere) {
  World before(hall(), {.threads = 1});
  run(before, 30);
  Scene changed = hall();
  changed.profiles[0].preferred_speed = Distribution::constant(0.4);
  World after = goesOn(changed, before);
  run(after, 60);
  for (const auto& [number, seen] : everybody(after))
    EXPECT_LE(seen.speed, 0.61) << number;  // 0.4 m/s, half as much more at most
}

TEST(Continue, DoorsStayAsTheyAre) {
  World before(hall(), {.threads = 1});
  before.setDoor(before.door("gate"), false);
  const ObstacleId crate = before.insertObstacle({{30, 9}, {31, 9}, {31, 10}, {30, 10}});
  run(before, 10);
  World after = goesOn(hall(), before);
  EXPECT_FALSE(after.isOpen(after.door("gate")));
  EXPECT_THROW(after.add({.position = {30.5, 9.5}}), InputError);
  before.removeObstacle(crate);
}

TEST(Continue, OnlyANewWorldDoes) {
  World before(hall(), {.threads = 1});
  World used(hall(), {.threads = 1});
  EXPECT_THROW(used.continueFrom(before), InputError);
}

}  // namespace
}  // namespace throng
