// Snapshots: whatever a world has been through, one made from the same scene goes on from its snapshot with the same
// bytes; damaged snapshots and those of other scenes are refused and change nothing.
#include <cstdlib>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "simulation/scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

using testing::HasSubstr;

/// More rounds of everything: THRONG_THOROUGH=20.
int rounds(int usual) {
  const char* factor = std::getenv("THRONG_THOROUGH");
  return usual * (factor ? std::max(1, std::atoi(factor)) : 1);
}

/// Two rooms and a corridor with doors, pillars, events, people of all kinds of coming, flows and sometimes a camera.
Scene randomScene(base::Random& random) {
  Scene scene = emptyScene("orca");
  scene.profiles[0].preferred_speed = Distribution::uniform(1, 1.6);
  Profile& second = scene.profiles.emplace_back(scene.profiles[0]);
  second.name = "second";
  second.steering.model = random.below(2) ? "social-force" : "short-term-1";
  if (random.below(2)) second.stream.emplace();
  second.avoid_congestion = random.below(2) == 0;
  Layer& layer = scene.layers[0];
  layer.walkable = {box(0, 0, 40, 16)};
  layer.obstacles = {box(19.8, 0, 20.2, 3), box(19.8, 5, 20.2, 11), box(19.8, 13, 20.2, 16)};
  for (int i = 0; i < 3; ++i) {
    const double x = random.uniform(24, 35), y = random.uniform(2, 13);
    layer.obstacles.push_back(box(x, y, x + random.uniform(0.3, 1.5), y + random.uniform(0.3, 1.5)));
  }
  layer.doors = {{"south", {{20, 3}, {20, 5}}, random.below(3) > 0}, {"north", {{20, 11}, {20, 13}}, true}};
  scene.places = {{"west", {5, 8}, {}, {}, 2}, {"east", {37.5, 8}, {}, {}, 1.5}, {"corner", {3, 14}, {}, {}, 1.5}};
  scene.populations.push_back(inArea(20, box(1, 1, 15, 15), {toPoint({38, 2}), toArea(box(34, 13, 39, 15))}, "many"));
  Population late = inArea(0, box(1, 1, 10, 15), {toPoint({38, 8})}, "late");
  if (random.below(2)) {
    late.rate = 2;
  } else {
    late.schedule = {{1, 3}, {4, 5}};
  }
  late.profile = "second";
  late.on_arrival = OnArrival::kGoBack;
  scene.populations.push_back(late);
  if (random.below(2)) {
    Population flow;
    flow.name = "to and fro";
    flow.count = 15;
    flow.flow = FlowEnds{"west", "east", random.below(2) ? 2.0 : 0.0};
    scene.populations.push_back(flow);
  }
  if (random.below(3) == 0) scene.levels.cameras = {{{5, 8, 1.7}, {1, 0, 0}, 60}};
  scene.levels.near_distance = 8, scene.levels.far_distance = 20;
  scene.events = {{random.uniform(0, 6), CloseDoor{"north"}},
                  {random.uniform(6, 9), OpenDoor{"north"}},
                  {random.uniform(0, 6), InsertObstacle{"crate", "", box(16, 7, 17, 8)}},
                  {random.uniform(6, 9), RemoveObstacle{"crate"}}};
  return scene;
}

/// What a program does to a world between two steps; the same for every world in the same state.
void interfere(World& world, std::uint64_t seed, int step) {
  base::Random random(seed, static_cast<std::uint64_t>(step));
  if (random.below(4) > 0) return;
  const auto somebody = [&] { return world.crowd().id[random.below(world.crowd().size())]; };
  switch (random.below(8)) {
    case 0: {
      Population flow;
      flow.name = "more " + std::to_string(step);
      flow.profile = random.below(2) ? "default" : "second";
      flow.count = 4;
      flow.flow = FlowEnds{"corner", random.below(2) ? "west" : "east", 0, 3};
      flow.lane = Distribution::uniform(0.3, 0.9);
      try {
        world.addFlow(flow);
      } catch (const InputError&) {  // a closed door may be in the way
      }
      break;
    }
    case 1:
      world.setDoor(random.below(2) ? "south" : "north", random.below(2) == 0);
      break;
    case 2: {
      const double x = random.uniform(8, 34), y = random.uniform(1, 14);
      world.insertObstacle(box(x, y, x + 0.7, y + 0.7).outer, 0);
      break;
    }
    case 3:
      if (random.below(3) == 0) {
        world.setCameras({});
      } else {
        world.setCameras({{{random.uniform(0, 40), 8, 1.7}, {random.below(2) ? 1.0 : -1.0, 0, 0}, 70}});
      }
      break;
    case 4: {
      const Point place{random.uniform(1, 39), random.uniform(1, 15)};
      try {
        world.add({place, 1, 1, 0, 0.2, {}}, {toPoint({2, 2}), toArea(box(30, 2, 38, 6))}, OnArrival::kStay);
      } catch (const InputError&) {  // somebody or something is there
      }
      break;
    }
    case 5:
      if (world.crowd().size() > 5) world.remove(somebody());
      break;
    case 6:
      if (world.crowd().size() > 0) world.setPreferredSpeed(somebody(), random.uniform(0.8, 1.8));
      break;
    default:
      break;
  }
}

TEST(Snapshots, GoOnWithTheSameBytesWhateverHasHappened) {
  constexpr int kSteps = 100;
  int with_flows = 0, with_cameras = 0;
  for (int round = 0; round < rounds(12); ++round) {
    SCOPED_TRACE(round);
    base::Random random(77, static_cast<std::uint64_t>(round));
    const Scene scene = randomScene(random);
    const std::uint64_t seed = random.below(1000);
    World whole(scene, seed, 1);
    const int at = static_cast<int>(random.below(kSteps));
    for (int i = 0; i < at; ++i) interfere(whole, seed, i), whole.step(0.1);
    if (random.below(2)) interfere(whole, seed + 1, at);  // and saved before the step that takes notice of it
    const auto bytes = whole.save();
    with_flows += whole.scene().populations.size() > scene.populations.size();
    with_cameras += !whole.scene().levels.cameras.empty();

    World again(scene, seed, 2);
    // One that has lived on its own before, too.
    if (random.below(2))
      for (int i = 0; i < 30; ++i) interfere(again, seed + 2, i), again.step(0.1);
    again.load(bytes);
    ASSERT_EQ(again.save(), bytes);
    for (int i = at; i < kSteps; ++i) {
      interfere(whole, seed, i), interfere(again, seed, i);
      whole.step(0.1), again.step(0.1);
      ASSERT_EQ(whole.hash(), again.hash()) << "step " << i << ", saved at " << at;
    }
    ASSERT_EQ(whole.save(), again.save());
  }
  EXPECT_GT(with_flows, 0);
  EXPECT_GT(with_cameras, 0);
}

TEST(Snapshots, EveryFlippedBitAndEveryCutIsRefusedAndChangesNothing) {
  base::Random random(5);
  const Scene scene = randomScene(random);
  World world(scene, 3, 1), victim(scene, 3, 1);
  for (int i = 0; i < 40; ++i) interfere(world, 9, i), world.step(0.1);
  const auto good = world.save();
  const auto before = victim.save();
  for (int i = 0; i < rounds(1500); ++i) {
    auto bad = good;
    // The head and the end as often as all the rest.
    const std::size_t near = random.below(100);
    const std::size_t at = i % 3 == 0 ? near : i % 3 == 1 ? good.size() - 1 - near : random.below(good.size());
    bad[at] ^= static_cast<std::byte>(1 << random.below(8));
    ASSERT_THROW(victim.load(bad), InputError) << "byte " << at << " of " << good.size();
  }
  for (int i = 0; i < rounds(300); ++i) {
    const std::size_t cut = i < 100 ? static_cast<std::size_t>(i) : random.below(good.size());
    ASSERT_THROW(victim.load(std::span(good).first(cut)), InputError) << cut;
  }
  auto longer = good;
  longer.push_back({});
  EXPECT_THROW(victim.load(longer), InputError);
  EXPECT_EQ(victim.save(), before);
  victim.load(good);
  EXPECT_EQ(victim.save(), good);
}

std::string refusal(const Scene& scene, std::uint64_t seed, std::span<const std::byte> bytes) {
  World world(scene, seed, 1);
  const auto before = world.save();
  try {
    world.load(bytes);
  } catch (const InputError& error) {
    EXPECT_EQ(world.save(), before);
    return error.what();
  }
  return "";
}

TEST(Snapshots, OfAnotherSceneAreRefusedWithTheNameOfWhatDiffers) {
  base::Random random(8);
  Scene scene = randomScene(random);
  scene.connections.clear();
  World world(scene, 3, 1);
  for (int i = 0; i < 15; ++i) interfere(world, 4, i), world.step(0.1);
  const auto bytes = world.save();
  EXPECT_EQ(refusal(scene, 3, bytes), "");

  const std::vector<std::pair<std::string, std::function<void(Scene&)>>> changes{
      {"layers", [](Scene& s) { s.layers[0].obstacles[3].outer[0].x -= 1e-9; }},
      {"layers", [](Scene& s) { s.layers[0].doors[0].line.a.y += 0.1; }},
      {"layers", [](Scene& s) { s.layers[0].elevation = 2; }},
      {"places", [](Scene& s) { s.places[0].radius = 2.5; }},
      {"profiles",
       [](Scene& s) {
         s.profiles[1].steering = {"linear", {}};
       }},
      {"profiles", [](Scene& s) { s.profiles[0].radius = Distribution::constant(0.26); }},
      {"populations", [](Scene& s) { s.populations[0].count = 5; }},
      {"populations", [](Scene& s) { std::get<StartArea>(s.populations[1].start.shape).area[0].outer[0].x += 0.5; }},
      {"populations", [](Scene& s) { s.populations[0].name = "somebody else"; }},
      {"flows",
       [](Scene& s) {
         Population& more = s.populations.emplace_back();
         more.name = "more", more.count = 3, more.flow = FlowEnds{"west", "east"};
       }},
      {"events", [](Scene& s) { s.events[0].time += 0.1; }},
      {"levels", [](Scene& s) { s.levels.near_distance += 1; }},
      {"levels",
       [](Scene& s) {
         s.levels.cameras.push_back({{1, 1, 2}, {1, 0, 0}, 50});
       }},
      {"navigation_graph", [](Scene& s) { s.navigation.precision = 0.4; }},
      {"run.dt", [](Scene& s) { s.run.dt = 0.05; }},
  };
  for (const auto& [part, change] : changes) {
    Scene other = scene;
    change(other);
    EXPECT_THAT(refusal(other, 3, bytes), HasSubstr("other " + part + ";"));
  }
  EXPECT_THAT(refusal(scene, 4, bytes), HasSubstr("run.seed (3 there, 4 here)"));

  Scene longer = scene;
  longer.name = "longer", longer.description = "and with more looked at";
  longer.run.duration = 500, longer.run.until_all_arrived = true, longer.run.recording_rate = 2;
  longer.lines.push_back({"door", {{20, 3}, {20, 5}}, ""});
  EXPECT_EQ(refusal(longer, 3, bytes), "");
}

TEST(Snapshots, OfAnotherKindAreNamed) {
  const Scene scene = emptyScene();
  World world(scene, 1, 1);
  const auto load = [&](const std::string& bytes) {
    try {
      world.load(std::as_bytes(std::span(bytes)));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(load(""), HasSubstr("empty"));
  EXPECT_THAT(load("{\"version\": 1}"), HasSubstr("no snapshot"));
  EXPECT_THAT(load(corridors::CorridorMap().save()), HasSubstr("corridor map"));
}

}  // namespace
}  // namespace throng::simulation
