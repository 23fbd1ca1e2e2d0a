// The interface for programs, through include/throng alone.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>

#include "throng/throng.h"

#include "base/temporary_folder.h"

namespace throng {
namespace {

Scene field(std::vector<Point> points) {
  Scene scene;
  scene.layers.emplace_back();
  scene.layers[0].walkable = {{{{0, 0}, {40, 0}, {40, 40}, {0, 40}}, {}}};
  scene.profiles = {withModelsAlone({})};
  scene.profiles[0].steering = {"orca", {}};  // who is alone walks straight on
  scene.run.duration = 30;
  Population people;
  people.name = "people";
  people.count = static_cast<std::uint32_t>(points.size());
  people.start.shape = StartPoints{std::move(points)};
  people.goals = {{GoalPoint{{35, 20}}}};
  scene.populations.push_back(people);
  return scene;
}

TEST(WorldInterface, AddRemoveGoalsAndIds) {
  World world(field({{5, 5}, {5, 10}}));
  EXPECT_EQ(world.frame().size(), 2u);
  Person visitor;
  visitor.position = {20, 20};
  visitor.radius = 0.3;
  visitor.preferred_speed = 1.0;
  const AgentId id = world.add(visitor);
  EXPECT_EQ(world.frame().size(), 3u);
  EXPECT_EQ(world.frame().radius[world.row(id)], 0.3f);
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_NEAR(world.frame().x[world.row(id)], 20, 1e-3) << "no goal: stays";

  const Goal goal{GoalPoint{{20, 35}}};
  world.setGoals(id, {goal});
  for (int i = 0; i < 50; ++i) world.step();
  EXPECT_NEAR(world.frame().y[world.row(id)], 25, 0.1);
  world.setPreferredSpeed(id, 2.0);
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_NEAR(world.frame().y[world.row(id)], 29, 0.2);

  world.remove(id);
  EXPECT_FALSE(world.contains(id));
  EXPECT_THROW(world.row(id), InputError);
  EXPECT_THROW(world.remove(id), InputError);
  EXPECT_THROW(world.setGoals(id, {goal}), InputError);
  EXPECT_EQ(world.frame().size(), 2u);
}

TEST(WorldInterface, OneIdentityBothWays) {
  World world(field({{5, 5}, {5, 10}, {5, 15}}));
  const std::vector<AgentId> ids(world.ids().begin(), world.ids().end());
  for (const AgentId id : ids) EXPECT_EQ(world.find(world.number(id)), id);
  for (int i = 0; i < 100; ++i) world.step();  // rows may change, numbers do not
  for (std::size_t r = 0; r < world.frame().size(); ++r) {
    EXPECT_EQ(world.number(world.ids()[r]), world.frame().person[r]);
    EXPECT_EQ(world.find(world.frame().person[r]), world.ids()[r]);
  }
  const std::uint32_t gone = world.number(ids[1]);
  world.remove(ids[1]);
  EXPECT_FALSE(world.find(gone));
  EXPECT_FALSE(world.find(12345));
  EXPECT_THROW(world.number(ids[1]), InputError);
  Person visitor;
  visitor.position = {30, 30};
  const AgentId added = world.add(visitor);
  EXPECT_EQ(world.find(world.number(added)), added);
}

TEST(WorldInterface, PutElsewhereAndGivenAVelocity) {
  Scene scene = field({{5, 5}, {5, 10}});
  scene.layers[0].obstacles = {{{{18, 10}, {22, 10}, {22, 30}, {18, 30}}, {}}};
  World world(scene);
  const AgentId id = world.ids()[0];
  for (int i = 0; i < 20; ++i) world.step();
  world.setPosition(id, {10, 35});
  EXPECT_EQ(world.frame().x[world.row(id)], 10);
  EXPECT_EQ(world.frame().y[world.row(id)], 35);
  EXPECT_EQ(world.frame().velocity_x[world.row(id)], 0);
  for (const Point wrong : {Point{20, 20}, Point{-1, 5}, Point{17.9, 20}, Point{NAN, 0}})
    EXPECT_THROW(world.setPosition(id, wrong), InputError) << wrong.x;
  EXPECT_EQ(world.frame().x[world.row(id)], 10) << "nothing has changed";
  for (int i = 0; i < 300 && world.contains(id); ++i) world.step();
  EXPECT_FALSE(world.contains(id)) << "arrives from there, round the block";

  World another(scene);
  const AgentId fast = another.ids()[0];
  another.setVelocity(fast, {0, 100});
  EXPECT_FLOAT_EQ(another.frame().velocity_y[another.row(fast)], 1.3f * 1.5f) << "no faster than they can walk";
  EXPECT_THROW(another.setVelocity(fast, {NAN, 0}), InputError);
  EXPECT_THROW(another.setVelocity(fast, {0, 1e9}), InputError);
}

TEST(WorldInterface, LayersDoorsAndObstaclesAreHandles) {
  Scene scene = field({{5, 5}, {5, 10}});
  scene.layers[0].doors = {{"gate", {{20, 0}, {20, 10}}, true}, {"hatch", {{30, 0}, {30, 10}}, false}};
  scene.layers.push_back({});
  scene.layers[1].name = "upper";
  scene.layers[1].walkable = {{{{0, 0}, {9, 0}, {9, 9}, {0, 9}}, {}}};
  World world(scene);
  const DoorId gate = world.door("gate"), hatch = world.door("hatch");
  EXPECT_EQ(gate.index(), 0u);
  EXPECT_TRUE(world.isOpen(gate));
  EXPECT_FALSE(world.isOpen(hatch));
  world.setDoor(gate, false), world.setDoor(hatch, true);
  EXPECT_FALSE(world.isOpen(gate));
  EXPECT_TRUE(world.isOpen(hatch));
  EXPECT_THROW(world.door("hatc"), InputError);
  EXPECT_THROW(world.setDoor(DoorId{}, true), InputError);
  EXPECT_THROW(world.setDoor(DoorId(2), true), InputError);

  const LayerId upper = world.layer("upper");
  EXPECT_EQ(upper.index(), 1u);
  EXPECT_THROW(world.layer("attic"), InputError);
  Person visitor;
  visitor.position = {2, 2};
  visitor.layer = upper;
  const AgentId id = world.add(visitor);
  EXPECT_EQ(world.frame().layer[world.row(id)], upper.index());
  EXPECT_EQ(world.neighbours({2, 2}, 1, 5, upper).front().id, id);
  visitor.layer = LayerId(2);
  EXPECT_THROW(world.add(visitor), InputError);
  EXPECT_THROW(world.setPosition(id, {3, 3}, LayerId(7)), InputError);

  const ObstacleId crate = world.insertObstacle({{4, 4}, {6, 4}, {6, 6}, {4, 6}}, upper);
  EXPECT_THROW(world.setPosition(id, {5, 5}), InputError);
  world.removeObstacle(crate);
  world.setPosition(id, {5, 5});
  EXPECT_THROW(world.removeObstacle(crate), InputError);
  EXPECT_THROW(world.removeObstacle(ObstacleId{}), InputError);
  for (std::size_t i = 0; i < 10; ++i)  // a closed door is no obstacle, whatever its number inside
    EXPECT_THROW(world.removeObstacle(ObstacleId(i)), InputError);
  EXPECT_FALSE(world.isOpen(gate));
  EXPECT_THROW(world.obstacle("gate"), InputError);
}

TEST(WorldInterface, FramesSayWhoBelongsTogether) {
  World world(field({{5, 5}, {5, 10}, {5, 15}}));
  EXPECT_TRUE(world.frame().group.empty());
  const std::vector<AgentId> ids(world.ids().begin(), world.ids().end());
  world.setGroup(ids[0], 7), world.setGroup(ids[2], 7);
  Person visitor;
  visitor.position = {30, 30};
  visitor.group = 9;
  const AgentId added = world.add(visitor);
  World again(field({{5, 5}, {5, 10}, {5, 15}}));
  again.restore(world.snapshot());
  world.remove(ids[1]), again.remove(ids[1]);
  for (int i = 0; i < 30; ++i) world.step(), again.step();
  for (const World* w : {&world, &again}) {
    ASSERT_EQ(w->frame().group.size(), w->frame().size());
    EXPECT_EQ(w->frame().group[w->row(ids[0])], 7u);
    EXPECT_EQ(w->frame().group[w->row(ids[2])], 7u);
    EXPECT_EQ(w->frame().group[w->row(added)], 9u);
  }
  world.setGroup(added, 0);
  EXPECT_EQ(world.frame().group[world.row(added)], 0u);
}

/// A world that has forgotten everything that is not its state, as after every snapshot, walks the same.
TEST(World, WhatPeopleRememberOfTheGroundChangesNothing) {
  for (const char* steering : {"linear", "orca"})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Scene scene = field({});
      std::mt19937 random(static_cast<unsigned>(seed));
      const auto uniform = [&](double a, double b) { return a + (b - a) * (random() / 4294967296.0); };
      scene.layers[0].doors = {{"gate", {{20, 0}, {20, 6}}, true}};
      scene.layers[0].walls = {{{{20, 6}, {20, 22}}}, {{{20, 23}, {20, 40}}}, {{{8, 30}, {30, 27}}}};
      for (int i = 0; i < 12; ++i) {
        const Point p{uniform(2, 37), uniform(2, 37)};
        scene.layers[0].obstacles.push_back({{{p.x, p.y}, {p.x + 1.5, p.y}, {p.x, p.y + 1}}, {}});
      }
      scene.profiles[0].steering.model = steering;
      scene.populations[0].start.shape = StartArea{{{{{1, 1}, {18, 1}, {18, 39}, {1, 39}}, {}}}};
      scene.populations[0].goals = {{GoalArea{{{{{25, 2}, {38, 2}, {38, 38}, {25, 38}}, {}}}}}};
      scene.populations[0].count = 40;
      scene.run.seed = seed;
      World world(scene);
      ObstacleId rock;
      for (int i = 0; i < 160; ++i) {
        World forgetful(scene);
        forgetful.restore(world.snapshot());
        for (World* w : {&world, &forgetful}) {
          if (i == 60) w->setDoor(w->door("gate"), false);
          if (i == 100) rock = w->insertObstacle({{20.5, 20}, {23, 20}, {23, 24}, {20.5, 24}});
          if (i == 130) w->removeObstacle(rock);
          if (i % 25 == 24) w->setPosition(w->ids()[3], {0.5, 0.5 + 0.1 * i});
        }
        world.step(), forgetful.step();
        ASSERT_EQ(world.hash(), forgetful.hash()) << steering << ", seed " << seed << ", step " << i;
      }
      EXPECT_GT(world.time(), 0);
    }
}

/// The map of a scene without walls is made when the first obstacle comes, and is not there in snapshots from before.
TEST(World, GoesBackToBeforeItsFirstObstacle) {
  for (const char* follower : {"direct", "irm"}) {
    Scene scene = field({{5, 5}, {5, 10}, {5, 15}, {6, 20}});
    scene.layers[0].walkable.clear();
    if (std::string(follower) == "direct") scene.profiles[0].planner = {"direct", {}};
    scene.profiles[0].follower = {follower, {}};
    World world(scene), other(scene);
    for (int i = 0; i < 10; ++i) world.step(), other.step();
    const std::vector<std::byte> before = world.snapshot();
    for (int round = 0; round < 3; ++round) {
      world.insertObstacle({{20, 10}, {21, 10}, {21, 25}, {20, 25}});
      for (int i = 0; i < 40; ++i) world.step();
      world.restore(before);
      EXPECT_EQ(world.hash(), other.hash()) << follower;
    }
    for (int i = 0; i < 60; ++i) {
      world.step(), other.step();
      ASSERT_EQ(world.hash(), other.hash()) << follower << ", step " << i;
    }
  }
}

TEST(WorldInterface, APreferredVelocityFromOutside) {
  Scene scene = field({{5, 20}, {30, 30}});
  scene.profiles[0].steering.model = "linear";
  World world(scene);
  const AgentId id = world.ids()[0], other = world.ids()[1];
  world.setPreferredVelocity(id, Point{0, -0.5});
  for (int i = 0; i < 100; ++i) world.step(0.1);
  EXPECT_NEAR(world.frame().x[world.row(id)], 5, 1e-3);
  EXPECT_NEAR(world.frame().y[world.row(id)], 15, 1e-3);
  EXPECT_FALSE(world.contains(other) && world.frame().x[world.row(other)] < 30.5) << "others walk as ever";
  // It is in snapshots, and the same after them.
  World again(scene);
  again.restore(world.snapshot());
  for (int i = 0; i < 20; ++i) world.step(0.1), again.step(0.1);
  EXPECT_EQ(world.hash(), again.hash());
  EXPECT_NEAR(again.frame().y[again.row(id)], 14, 1e-3);
  // Into the wall, which stops them, and then taken back.
  world.setPreferredVelocity(id, Point{-1, 0});
  for (int i = 0; i < 100; ++i) world.step(0.1);
  EXPECT_NEAR(world.frame().x[world.row(id)], 0.25, 0.01);
  world.setPreferredVelocity(id, std::nullopt);
  for (int i = 0; i < 400 && world.contains(id); ++i) world.step(0.1);
  EXPECT_FALSE(world.contains(id)) << "goes to the goal after all";
  EXPECT_THROW(again.setPreferredVelocity(id, Point{INFINITY, 0}), InputError);
}

TEST(WorldInterface, PeopleWithAPreferredVelocityFromOutsideAvoidOthers) {
  Scene scene = field({{10, 20}, {30, 20.05}});
  scene.profiles[0].steering.model = "orca";
  World world(scene);
  world.setPreferredVelocity(world.ids()[0], Point{1, 0});
  world.setPreferredVelocity(world.ids()[1], Point{-1, 0});
  float nearest = 1e9f;
  for (int i = 0; i < 200; ++i) {
    world.step(0.1);
    if (world.frame().size() < 2) break;
    nearest =
        std::min(nearest, std::hypot(world.frame().x[0] - world.frame().x[1], world.frame().y[0] - world.frame().y[1]));
  }
  EXPECT_GT(nearest, 0.49f);
  EXPECT_LT(nearest, 2);
}

TEST(WorldInterface, DataOfOnesOwnGoesWhereThePersonGoes) {
  std::vector<Point> places;
  for (int i = 0; i < 60; ++i) places.push_back({2 + 0.6 * (i % 10), 5 + 2.0 * (i / 10)});
  World world(field(places));
  const std::size_t before = world.memory();
  const std::uint64_t hash = world.hash();
  for (const AgentId id : world.ids()) EXPECT_EQ(world.userData(id), 0u);
  world.setUserData(world.ids()[0], 0);
  EXPECT_EQ(world.memory(), before) << "who does not use it does not pay for it";
  for (const AgentId id : world.ids()) world.setUserData(id, 1000000007ull * world.number(id));
  EXPECT_NE(world.hash(), hash);
  for (int i = 0; i < 200; ++i) {
    world.step();
    if (i % 40 == 10) world.remove(world.ids()[world.frame().size() / 2]);
  }
  ASSERT_GT(world.frame().size(), 20u);
  World again(field(places));
  again.restore(world.snapshot());
  for (const World* w : {&world, &again})
    for (const AgentId id : w->ids()) ASSERT_EQ(w->userData(id), 1000000007ull * w->number(id));
  EXPECT_EQ(world.hash(), again.hash());
}

TEST(WorldInterface, FramesSayHowPeopleMoveAndWhatTheyDo) {
  Scene scene = field({{5, 20}, {20, 20}});
  scene.populations[0].on_arrival = OnArrival::kStay;
  World world(scene);
  for (int i = 0; i < 100; ++i) world.step(0.1);
  const Frame frame = world.frame();
  ASSERT_EQ(frame.velocity_x.size(), frame.size());
  ASSERT_EQ(frame.activity.size(), frame.size());
  for (std::size_t r = 0; r < frame.size(); ++r) {
    EXPECT_EQ(frame.activity[r], Activity::kWalking);
    EXPECT_NEAR(frame.velocity_x[r], 1.3, 0.2);
  }
  for (int i = 0; i < 300; ++i) world.step(0.1);
  for (std::size_t r = 0; r < world.frame().size(); ++r) EXPECT_EQ(world.frame().activity[r], Activity::kStaying);
}

TEST(WorldInterface, NobodyIsPutIntoAWallOrAnotherPerson) {
  World world(field({{5, 5}}));
  Person person;
  person.position = {-1, 5};
  EXPECT_THROW(world.add(person), InputError);
  person.position = {0.1, 5};
  EXPECT_THROW(world.add(person), InputError);
  person.position = {5.3, 5};
  EXPECT_THROW(world.add(person), InputError);
  person.position = {std::numeric_limits<double>::quiet_NaN(), 5};
  EXPECT_THROW(world.add(person), InputError);
  person.position = {6, 5};
  person.profile = "nobody";
  EXPECT_THROW(world.add(person), InputError);
  EXPECT_EQ(world.frame().size(), 1u);
}

TEST(WorldInterface, LimitsOfPeopleAreThoseOfFiles) {
  const auto accepted = [](auto&& work) {
    try {
      work();
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  for (const double value : {-1.0, 0.0, 0.049, 0.05, 0.3, 5.0, 9.99, 10.0, 10.01, 49.0, 50.0, 50.1,
                             std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    SCOPED_TRACE(value);
    const auto file = [&](const char* key) {
      return std::isfinite(value) && checkSceneText(R"({"version": 1, "profiles": {"p": {")" + std::string(key) +
                                                    "\": " + std::to_string(value) + R"(}}, "run": {"duration": 1}})")
                                         .scene.has_value();
    };
    World world(field({{5, 5}}));
    Person person;
    person.position = {20, 20};
    person.radius = value;
    EXPECT_EQ(accepted([&] { world.add(person); }), file("radius"));
    EXPECT_EQ(accepted([&] {
                Scene scene = field({{20, 20}});
                scene.profiles[0].radius = Distribution::constant(value);
                World built(scene);
                EXPECT_EQ(built.frame().radius[0], static_cast<float>(value)) << "what is allowed is not changed";
              }),
              file("radius"));
    person.radius = 0.3;
    person.position = {30, 30};
    person.preferred_speed = value;
    EXPECT_EQ(accepted([&] { world.add(person); }), file("preferred_speed"));
    EXPECT_EQ(accepted([&] { world.setPreferredSpeed(world.ids()[0], value); }), file("preferred_speed"));
  }
}

TEST(WorldInterface, NeighboursAreExactAndNearestFirst) {
  std::vector<Point> points;
  for (int i = 0; i < 60; ++i) points.push_back({2 + 4.0 * (i % 9) + 0.1 * (i % 4), 2 + 5.0 * (i / 9)});
  World world(field(points));
  for (int i = 0; i < 15; ++i) world.step();
  const Frame frame = world.frame();
  for (std::size_t r = 0; r < frame.size(); ++r) {
    std::vector<std::pair<float, std::size_t>> brute;
    for (std::size_t q = 0; q < frame.size(); ++q)
      if (q != r) {
        const float d = std::hypot(frame.x[q] - frame.x[r], frame.y[q] - frame.y[r]);
        if (d <= 7) brute.emplace_back(d, q);
      }
    std::sort(brute.begin(), brute.end());
    const auto found = world.neighbours(world.ids()[r], 5, 7);
    ASSERT_EQ(found.size(), std::min<std::size_t>(5, brute.size()));
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k].distance, brute[k].first, 1e-4);
  }
  EXPECT_EQ(world.neighbours(Point{frame.x[0], frame.y[0]}, 1, 1).at(0).id, world.ids()[0]);
  EXPECT_THROW(world.neighbours(Point{0, 0}, 1, -1), InputError);
}

TEST(WorldInterface, SnapshotsGoOnBitForBit) {
  const Scene scene = field({{5, 5}, {5, 10}, {5, 15}, {5, 20}});
  World one(scene);
  for (int i = 0; i < 20; ++i) one.step();
  World two(scene);
  two.restore(one.snapshot());
  for (int i = 0; i < 50; ++i) one.step(), two.step();
  EXPECT_EQ(one.hash(), two.hash());
  EXPECT_EQ(one.time(), two.time());
  std::vector<std::byte> nonsense(100);
  EXPECT_THROW(two.restore(nonsense), InputError);
  EXPECT_EQ(one.hash(), two.hash());
}

TEST(WorldInterface, SnapshotFilesAreNamedInErrors) {
  const base::TemporaryFolder folder;
  const std::string path = folder / "world.snapshot";
  const Scene scene = field({{5, 5}, {5, 10}});
  World one(scene);
  for (int i = 0; i < 20; ++i) one.step();
  one.saveSnapshot(path);
  EXPECT_THROW(one.saveSnapshot(path), FileError);
  one.saveSnapshot(path, true);
  World two(scene);
  two.loadSnapshot(path);
  EXPECT_EQ(one.hash(), two.hash());
  const auto refusal = [&](World world) -> std::string {
    try {
      world.loadSnapshot(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(World(field({{5, 5}}))).find(path + ": error: this snapshot was made from another scene"),
            std::string::npos);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_NE(refusal(World(scene)).find(path + ": error: this snapshot is damaged"), std::string::npos);
  std::filesystem::remove(path);
  EXPECT_NE(refusal(World(scene)).find(path + " cannot be read: there is no such file"), std::string::npos);
}

TEST(WorldInterface, ABadSceneIsRefusedWithEveryReason) {
  Scene scene = field({{5, 5}});
  scene.profiles[0].steering.model = "orka";
  scene.populations[0].profile = "defualt";
  try {
    World world(scene);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_GE(e.diagnostics().size(), 2u) << e.what();
    EXPECT_NE(std::string(e.what()).find("orca"), std::string::npos) << e.what();
  }
}

TEST(WorldInterface, StepsOfBadLengthAreRefused) {
  World world(field({{5, 5}}));
  EXPECT_THROW(world.step(0), InputError);
  EXPECT_THROW(world.step(0.6), InputError);
  EXPECT_THROW(world.step(std::nan("")), InputError);
  world.step(0.5);
  EXPECT_EQ(world.steps(), 1u);
}

TEST(WorldInterface, SystemsAreNamedAndTimed) {
  World world(field({{5, 5}}));
  world.step();
  double total = 0;
  for (const SystemTime& system : world.systemTimes()) {
    EXPECT_FALSE(system.name.empty());
    total += system.total;
  }
  EXPECT_GT(total, 0);
  EXPECT_GT(world.memory(), 0u);
}

TEST(WorldInterface, ModelsAreListedWithTheirParameters) {
  EXPECT_FALSE(planners().empty());
  EXPECT_FALSE(followers().empty());
  EXPECT_GE(steeringModels().size(), 4u);
  for (const ModelInfo& model : steeringModels())
    for (const ModelParameter& p : model.parameters) {
      EXPECT_LE(p.min, p.value) << model.name << " " << p.name;
      EXPECT_LE(p.value, p.max) << model.name << " " << p.name;
    }
}

}  // namespace
}  // namespace throng
