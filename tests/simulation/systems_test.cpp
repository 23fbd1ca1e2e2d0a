// The step as a table of systems: who may move people, and what a system of a program's own can do.
#include <bit>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "base/hash.h"
#include "simulation/district_scenes.h"
#include "simulation/scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

/// Hashes of the crowd's core columns by person, so that the order of rows does not count.
struct Core {
  std::map<std::uint32_t, std::uint64_t> motion, identity;
  std::vector<std::uint32_t> rows;

  explicit Core(const agents::Crowd& c) {
    for (std::uint32_t r = 0; r < c.size(); ++r) {
      base::Hash moves, is;
      for (const float value : {c.x[r], c.y[r], c.z[r], c.vx[r], c.vy[r], c.heading_x[r], c.heading_y[r]})
        moves.add(std::bit_cast<std::uint32_t>(value));
      moves.add(c.layer[r]);
      for (const float value : {c.radius[r], c.preferred_speed[r], c.max_speed[r]})
        is.add(std::bit_cast<std::uint32_t>(value));
      is.add(c.id[r].value), is.add(c.profile[r]), is.add(c.population[r]);
      motion[c.person[r]] = moves.value(), identity[c.person[r]] = is.value();
      rows.push_back(c.person[r]);
    }
  }
};

/// Writes down which systems do what they may not.
class Guard final : public Systems::Watcher {
 public:
  explicit Guard(const World& world) : world_(world), core_(world.crowd()) {}

  void before(const step::System&) override { core_ = Core(world_.crowd()); }
  void after(const step::System& system) override {
    const Core now(world_.crowd());
    const step::System::May may = system.may();
    const std::string name(system.name());
    std::size_t moved = 0, changed = 0, gone = 0;
    for (const auto& [person, hash] : core_.motion) {
      const auto found = now.motion.find(person);
      if (found == now.motion.end()) {
        ++gone;
        continue;
      }
      moved += found->second != hash;
      changed += now.identity.at(person) != core_.identity.at(person);
    }
    const std::size_t come = now.motion.size() + gone - core_.motion.size();
    const auto require = [&](bool holds, const char* what) {
      if (!holds) wrong_.push_back(name + " " + what);
    };
    require(may.move || moved == 0, "moves people");
    require(changed == 0, "changes who people are");
    require(may.remove || gone == 0, "removes people");
    require(may.add || come == 0, "adds people");
    require(may.add || may.remove || now.rows == core_.rows, "changes the order of rows");
    movers_ += moved > 0, comers_ += come > 0, goers_ += gone > 0;
  }
  /// How often anybody moved, came or went: a test in which nothing happens shows nothing.
  int movers_ = 0, comers_ = 0, goers_ = 0;
  std::vector<std::string> wrong_;

 private:
  const World& world_;
  Core core_;
};

/// A flow, people who come and go, cameras, a door, an obstacle that comes where people are.
Scene everything() {
  Scene scene;
  Layer& layer = scene.layers.emplace_back();
  layer.walkable = {box(0, 0, 80, 40)};
  layer.obstacles = {box(20, 6, 60, 18), box(20, 23, 60, 34)};
  layer.doors = {{"gate", {{20, 18}, {20, 23}}, true}};
  scene.profiles.emplace_back();
  scene.profiles.front().preferred_speed = Distribution::uniform(1.1, 1.5);
  scene.profiles.push_back(scene.profiles.front());
  scene.profiles.back().name = "streaming";
  scene.profiles.back().stream.emplace();
  scene.profiles.back().avoid_congestion = true;
  scene.profiles.back().steering.model = "short-term-2";
  scene.places = {{"west", {8, 20}, {}, {}, 5}, {"east", {72, 20}, {}, {}, 5}};
  Population flow;
  flow.name = "walkers", flow.count = 200, flow.flow = FlowEnds{"west", "east"};
  Population comers;
  comers.name = "comers", comers.profile = "streaming", comers.count = 20, comers.rate = 2;
  comers.start.shape = StartArea{{box(2, 2, 15, 12)}};
  comers.goals = {{GoalPoint{{18, 30}}}};
  scene.populations = {flow, comers};
  scene.events = {{4, CloseDoor{"gate"}},
                  {8, InsertObstacle{"box", "", box(6, 15, 14, 25)}},
                  {8, OpenDoor{"gate"}},
                  {12, RemoveObstacle{"box"}}};
  scene.levels.cameras = {{{10, 20, 1.7}, {1, 0, 0}, 60}};
  scene.levels.near_distance = 12, scene.levels.far_distance = 25;
  scene.run.duration = 1000;
  return scene;
}

TEST(Systems, NobodyMovesComesOrGoesButByThoseWhoMay) {
  for (const std::uint64_t seed : {1u, 2u}) {
    World world(everything(), seed, 2);
    Guard guard(world);
    world.systems().watch(&guard);
    for (int i = 0; i < 320; ++i) world.step(0.1);
    EXPECT_GT(guard.movers_, 100);
    EXPECT_GT(guard.comers_, 10);
    EXPECT_GT(guard.goers_, 3);
    EXPECT_TRUE(guard.wrong_.empty()) << guard.wrong_.front();
  }
}

TEST(Systems, NobodyMovesAtGatesButByThoseWhoMay) {
  Scene scene = plaza(3, {0.5, true, 1});
  scene.populations[1].goals.push_back(toPoint(Turned{0.5, true, 1}({16, 4})));  // and leave there
  World world(scene, 3, 2);
  Guard guard(world);
  world.systems().watch(&guard);
  for (int i = 0; i < 900; ++i) world.step(0.1);
  EXPECT_GT(guard.goers_, 0);
  EXPECT_TRUE(guard.wrong_.empty()) << guard.wrong_.front();
}

/// Moves somebody, which it may not.
class Thief final : public step::System {
 public:
  std::string_view name() const override { return "thief"; }
  void run(step::StepContext& context) override { context.crowd.x[0] += 0.01f; }
};

TEST(Systems, OneThatMovesPeopleAndMayNotIsFound) {
  World world(everything(), 1, 1);
  world.systems().insert(std::make_unique<Thief>(), "steer");
  Guard guard(world);
  world.systems().watch(&guard);
  world.step(0.1);
  EXPECT_EQ(guard.wrong_, std::vector<std::string>{"thief moves people"});
}

TEST(Systems, WhoIsOnAFlowIsLedByIt) {
  World world(everything(), 3, 1);
  for (int i = 0; i < 150; ++i) {
    world.step(0.1);
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
      ASSERT_EQ(world.crowd().guide[r] == agents::Guide::kFlow, world.flows().columns().path()[r] > 0);
  }
}

TEST(Systems, AreTimedByTheTable) {
  World world(everything(), 1, 1);
  for (int i = 0; i < 5; ++i) world.step(0.1);
  std::set<std::string_view> names;
  double total = 0;
  for (const Systems::Entry& entry : world.systems().table()) {
    EXPECT_TRUE(names.insert(entry.system->name()).second) << entry.system->name();
    EXPECT_GE(entry.total, entry.last);
    total += entry.total;
  }
  EXPECT_GT(total, 0);
}

TEST(Systems, WhatASceneDoesNotNeedHasNoColumns) {
  Scene plain = emptyScene("orca");
  plain.populations.push_back(inArea(10, box(-6, -3, -1, 3), {toPoint({20, 0})}, "east"));
  World world(plain, 1, 1);
  world.step(0.1);
  for (const char* name : {"flows.path", "flows.vertex", "flows.leg"})
    EXPECT_EQ(world.crowd().find<std::uint32_t>(name), nullptr) << name;
  for (const char* name : {"levels.level", "levels.wait", "levels.settling", "buried"})
    EXPECT_EQ(world.crowd().find<std::uint8_t>(name), nullptr) << name;
  for (const char* name : {"stream.walking_time", "steering.memory_x"})
    EXPECT_EQ(world.crowd().find<float>(name), nullptr) << name;
}

/// Counts steps of everybody in a column of its own.
class Pedometer final : public step::System {
 public:
  std::string_view name() const override { return "pedometer"; }
  void attach(step::StepContext& context) override { walked_ = &context.crowd.attach<float>("pedometer.walked"); }
  void run(step::StepContext& context) override {
    for (std::uint32_t r = 0; r < context.crowd.size(); ++r)
      (*walked_)[r] += length(Vec2{context.crowd.vx[r], context.crowd.vy[r]}) * context.stepLength();
    ++runs_;
  }
  void save(const step::StepContext&, base::ArchiveWriter& writer) const override {
    std::uint32_t runs = runs_;
    writer(runs);
  }
  void load(base::ArchiveReader& reader, const step::Loading&) override { reader(loaded_); }
  void accept(step::StepContext&) override { runs_ = loaded_; }
  std::uint32_t runs_ = 0;

 private:
  base::Column<float>* walked_ = nullptr;
  std::uint32_t loaded_ = 0;
};

TEST(Systems, OneOfAProgramsOwnIsSavedWithTheOthers) {
  const auto made = [] {
    auto world = std::make_unique<World>(everything(), 5, 1);
    world->systems().insert(std::make_unique<Pedometer>(), "arrive");
    return world;
  };
  auto one = made(), two = made();
  for (int i = 0; i < 60; ++i) one->step(0.1);
  two->load(one->save());
  for (int i = 0; i < 60; ++i) one->step(0.1), two->step(0.1);
  EXPECT_EQ(one->hash(), two->hash());
  const auto pedometer = [](World& world) -> const Pedometer& {
    for (const Systems::Entry& entry : world.systems().table())
      if (const auto* found = dynamic_cast<const Pedometer*>(entry.system.get())) return *found;
    throw std::logic_error("none");
  };
  EXPECT_EQ(pedometer(*one).runs_, 120u);
  EXPECT_EQ(pedometer(*two).runs_, 120u);

  World without(everything(), 5, 1);
  EXPECT_THROW(without.load(one->save()), InputError);
  EXPECT_THROW(one->load(without.save()), InputError);
  EXPECT_THROW(one->systems().insert(std::make_unique<Pedometer>(), "arrive"), InputError);
  EXPECT_THROW(without.systems().insert(std::make_unique<Pedometer>(), "dance"), InputError);
}

}  // namespace
}  // namespace throng::simulation
