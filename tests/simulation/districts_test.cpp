// Patches and simulated people in one world: nobody is lost or doubled at a gate, nobody jumps, everybody is seen.
#include "districts/districts.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "throng/patch_district.h"
#include "throng/patch_street.h"

#include "base/random.h"
#include "simulation/district_scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

using districts::Stage;
using testing::HasSubstr;

struct Seen {
  Point x, v;
  Stage stage = Stage::kNone;
  AgentId id;
  float radius = 0;
  std::uint16_t population = 0;
};

std::map<std::uint32_t, Seen> everybody(const World& world) {
  std::map<std::uint32_t, Seen> people;
  const agents::Crowd& c = world.crowd();
  const auto* stage = c.find<std::uint8_t>("district.stage");
  for (std::uint32_t r = 0; r < c.size(); ++r) {
    const auto [it, is_new] = people.emplace(c.person[r], Seen{{c.x[r], c.y[r]},
                                                               {c.vx[r], c.vy[r]},
                                                               static_cast<Stage>((*stage)[r]),
                                                               c.id[r],
                                                               c.radius[r],
                                                               c.population[r]});
    EXPECT_TRUE(is_new) << c.person[r] << " is there twice";
  }
  return people;
}

bool isPlayed(Stage stage) { return stage == Stage::kPlayed || stage == Stage::kEntering || stage == Stage::kLeaving; }

struct Travel {
  int entered = 0, came_out = 0;
  double jump = 0;                        ///< m beyond what the velocity says, the largest
  double change = 0;                      ///< m/s² of those between the world and a walk, the largest
  double fastest = 0;                     ///< m/s
  double deepest = 0;                     ///< m that somebody simulated and somebody played overlap
  std::uint64_t touching = 0, steps = 0;  ///< person-steps of those who overlap one of the other kind
};

/// Runs a world in which nobody comes from nowhere and nobody leaves.
Travel travel(World& world, int steps, double dt) {
  Travel seen;
  auto before = everybody(world);
  for (int i = 0; i < steps; ++i) {
    world.step(dt);
    const auto now = everybody(world);
    EXPECT_EQ(now.size(), before.size()) << "at " << world.time();
    for (const auto& [person, p] : now) {
      const auto found = before.find(person);
      if (found == before.end()) {
        ADD_FAILURE() << person << " came from nowhere at " << world.time();
        continue;
      }
      const Seen& was = found->second;
      EXPECT_TRUE(p.id == was.id && p.radius == was.radius && p.population == was.population) << person;
      seen.entered += was.stage == Stage::kEntering && p.stage == Stage::kPlayed;
      seen.came_out += was.stage == Stage::kLeaving && p.stage == Stage::kReleased;
      seen.jump = std::max(seen.jump, length(p.x - was.x - p.v * dt));
      seen.fastest = std::max(seen.fastest, length(p.v));
      const bool between = p.stage == Stage::kEntering || p.stage == Stage::kLeaving || was.stage == Stage::kEntering ||
                           was.stage == Stage::kLeaving || p.stage == Stage::kReleased;
      if (between && length(p.v - was.v) / dt > seen.change) seen.change = length(p.v - was.v) / dt;
    }
    seen.steps += now.size();
    for (auto a = now.begin(); a != now.end(); ++a)
      for (auto b = std::next(a); b != now.end(); ++b) {
        if (isPlayed(a->second.stage) == isPlayed(b->second.stage)) continue;
        const double depth = a->second.radius + b->second.radius - length(a->second.x - b->second.x);
        if (depth > 0.01) seen.touching += 2;
        seen.deepest = std::max(seen.deepest, depth);
      }
    before = now;
  }
  return seen;
}

TEST(Districts, ApproachesMeetBothEndsAndKeepWithinTheirAcceleration) {
  base::Random random(7);
  const auto point = [&](double size) { return Point{random.uniform(-size, size), random.uniform(-size, size)}; };
  for (int i = 0; i < 500; ++i) {
    districts::Approach way{{point(3), point(2)}, {point(3), point(2)}, random.uniform(0, 100), 0};
    way.end = way.begin + random.uniform(0.3, 2);
    for (const auto& [state, time] : {std::pair(way.from, way.begin), std::pair(way.to, way.end)}) {
      EXPECT_LT(length(way.at(time).position - state.position), 1e-9);
      EXPECT_LT(length(way.at(time).velocity - state.velocity), 1e-9);
    }
    constexpr double kMoment = 1e-5;
    for (double t = way.begin; t < way.end; t += (way.end - way.begin) / 7) {
      const PatchState now = way.at(t), then = way.at(t + kMoment);
      EXPECT_LT(length((then.position - now.position) / kMoment - now.velocity), 1e-2);
      EXPECT_LT(length(then.velocity - now.velocity) / kMoment, way.acceleration() * 1.001 + 1e-6);
    }
  }
}

TEST(Districts, NobodyIsLostAndNobodyJumpsAtGates) {
  const Turned turns[] = {{}, {0.7, false, 1}, {2.1, true, 1}, {-1.3, true, 1.5}};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Turned& turn = turns[seed - 1];
    World world(plaza(seed, turn), seed, 2);
    ASSERT_EQ(world.systems().districts.all()[0].gates().size(), 4u);
    constexpr double kDt = 0.05;
    const Travel seen = travel(world, 1600, kDt);
    EXPECT_GT(seen.entered, 10) << seed;
    EXPECT_GT(seen.came_out, 10) << seed;
    EXPECT_LT(seen.jump, 5 * kDt * kDt) << seed;  // what an acceleration does in one step
    EXPECT_LT(seen.change, districts::kGentle * 1.02 + 0.05) << seed;
    EXPECT_LT(seen.fastest, kPatchFastest + 0.3) << seed;
    // Simulated people and played ones do not touch but by an exception, as it is among simulated ones.
    EXPECT_LT(static_cast<double>(seen.touching) / static_cast<double>(seen.steps), 0.001) << seed;
    EXPECT_LT(seen.deepest, 0.1) << seed;
  }
}

/// With another steering model each, a few seconds: everybody sees those who are played, and lines up as the model lets
/// them.
TEST(Districts, WorkWithEverySteeringModelThatAvoids) {
  for (const char* model : {"throng", "social-force", "moussaid", "short-term-1"}) {
    SCOPED_TRACE(model);
    World world(plaza(2, {0.4, false, 1}, model), 2, 2);
    const Travel seen = travel(world, 400, 0.1);
    EXPECT_GT(seen.entered, 3);
    EXPECT_GT(seen.came_out, 3);
    EXPECT_LT(seen.change, districts::kGentle * 1.02 + 0.05);
  }
}

TEST(Districts, AClosedOneIsPlayedAsAWorldOfPatches) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const PatchLibrary library = onePatch(seed, {0.3 * static_cast<double>(seed), seed == 2, 1}, 0.2);
    Scene scene;
    scene.profiles.emplace_back();
    scene.run.duration = 100;
    placeDistrict(scene, {"patch", {}, {}, {}, {3, -5}, {}}, library);
    Population natives;
    natives.district = "patch";
    scene.populations.push_back(natives);
    World world(scene, seed, 1);
    const PatchWorld alone(library.patches, library.placed, {.versions = library.versions, .seed = seed});
    FrameCopy frame;
    std::map<std::uint32_t, std::uint32_t> same;  // person of one, person of the other
    for (int i = 0; i <= 400; ++i) {
      if (i > 0) world.step(0.1);
      alone.frameAt(world.time(), frame);
      const agents::Crowd& crowd = world.crowd();
      // At the instant when somebody crosses the border, the two may differ by rounding.
      ASSERT_NEAR(static_cast<double>(crowd.size()), static_cast<double>(frame.x.size()), 1) << i;
      std::size_t matched = 0;
      for (std::uint32_t r = 0; r < crowd.size(); ++r)
        for (std::size_t k = 0; k < frame.x.size(); ++k)
          if (std::hypot(crowd.x[r] - 3 - frame.x[k], crowd.y[r] + 5 - frame.y[k]) < 2e-3) {
            ++matched;
            const auto [it, is_new] = same.emplace(crowd.person[r], frame.person[k]);
            EXPECT_EQ(it->second, frame.person[k]) << "at " << world.time();
            EXPECT_NEAR(crowd.heading_x[r], frame.heading_x[k], 1e-2);
          }
      EXPECT_GE(matched + 1, frame.x.size()) << i;
    }
  }
}

TEST(Districts, SnapshotsAndThreadsGiveTheSameBytes) {
  for (std::uint64_t seed = 5; seed <= 6; ++seed) {
    const Scene scene = plaza(seed, {1.1, seed == 6, 1});
    World one(scene, seed, 1), four(scene, seed, 4);
    for (int i = 0; i < 257; ++i) one.step(0.1), four.step(0.1);
    EXPECT_EQ(one.hash(), four.hash());
    World later(scene, seed, 2);
    later.load(one.save());
    EXPECT_EQ(one.hash(), later.hash());
    for (int i = 0; i < 150; ++i) one.step(0.1), later.step(0.1);
    EXPECT_EQ(one.hash(), later.hash());
    EXPECT_EQ(one.save(), later.save());
  }
}

TEST(Districts, SnapshotsOfOtherPatchesAreRefused) {
  World one(plaza(5), 5, 1), other(plaza(6), 5, 1);
  const std::uint64_t before = other.hash();
  try {
    other.load(one.save());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("districts"));
  }
  EXPECT_EQ(other.hash(), before);
}

TEST(Districts, PeopleComeFromNowhereAndLeaveOnlyWhereNoGroundIs) {
  // Ground on one side alone: people who come in over the others come from nowhere, as many as go.
  Scene scene = plaza(3);
  scene.populations.pop_back();
  scene.layers[0].walkable = {box(-12, 0, 0, 8)};
  scene.layers[0].played.clear(), scene.layers[0].played_objects.clear();
  scene.districts.clear();
  placeDistrict(scene, {"patch", {}, {}, {}, {}, {}}, onePatch(3, {}));
  World world(scene, 3, 2);
  ASSERT_EQ(world.systems().districts.all()[0].gates().size(), 1u);
  std::map<std::uint32_t, Seen> before = everybody(world);
  int came = 0, left = 0;
  const auto atOuterSide = [](Point p) { return p.y < 0.3 || p.y > 7.7 || p.x > 7.7; };
  for (int i = 0; i < 600; ++i) {
    world.step(0.1);
    const auto now = everybody(world);
    for (const auto& [person, p] : now)
      if (!before.count(person)) {
        ++came;
        EXPECT_TRUE(atOuterSide(p.x)) << p.x.x << " " << p.x.y;
      }
    for (const auto& [person, p] : before)
      if (!now.count(person)) {
        ++left;
        EXPECT_TRUE(atOuterSide(p.x)) << p.x.x << " " << p.x.y;
      }
    before = now;
  }
  EXPECT_GT(came, 10);
  EXPECT_GT(left, 10);
}

TEST(Districts, GoalsGoOnWherePeopleComeOut) {
  Scene scene = plaza(1);
  scene.populations[1].goals = {{GoalDistrict{"patch"}}, toPoint({-10, 4}, 1)};
  scene.populations[0].goals = {toPoint({18, 4}, 1), {GoalDistrict{"patch"}}};
  World world(scene, 1, 2);
  std::set<std::uint32_t> visitors, arrived;
  for (const auto& [person, p] : everybody(world))
    if (p.population == 1) visitors.insert(person);
  for (int i = 0; i < 2400; ++i) {
    world.step(0.1);
    for (const Arrival& arrival : world.arrivals()) arrived.insert(arrival.person);
  }
  int gone = 0;
  const auto now = everybody(world);
  for (const std::uint32_t person : visitors) {
    gone += !now.count(person);
    EXPECT_TRUE(now.count(person) || arrived.count(person)) << person << " left without having arrived";
  }
  EXPECT_GT(gone, static_cast<int>(visitors.size()) / 2);
  // Natives stay: they walk to their goal and back in.
  int natives = 0;
  for (const auto& [person, p] : now) natives += p.population == 0;
  World fresh(scene, 1, 2);
  int at_first = 0;
  for (const auto& [person, p] : everybody(fresh)) at_first += p.population == 0;
  EXPECT_EQ(natives, at_first);
}

TEST(Districts, WhatProgramsDoToPlayedPeople) {
  World world(plaza(2), 2, 1);
  for (int i = 0; i < 20; ++i) world.step(0.1);
  const auto people = everybody(world);
  const auto played = std::find_if(people.begin(), people.end(),
                                   [](const auto& entry) { return entry.second.stage == Stage::kPlayed; });
  ASSERT_NE(played, people.end());
  const AgentId id = played->second.id;
  world.setGoals(id, {toPoint({18, 18})});
  world.step(0.1);
  EXPECT_TRUE(isPlayed(everybody(world).at(played->first).stage)) << "nobody leaves a walk in the middle";
  world.setPosition(id, {15, -5}, 0);
  EXPECT_EQ(everybody(world).at(played->first).stage, Stage::kNone);
  for (int i = 0; i < 20; ++i) world.step(0.1);
  const Seen after = everybody(world).at(played->first);
  EXPECT_LT(length(after.x - Point{15, -5}), 4);
  EXPECT_GT(after.x.y, -4.5);
  world.remove(id);
  world.step(0.1);
  EXPECT_FALSE(everybody(world).count(played->first));
}

TEST(Districts, GatesWithoutRoomAreRefused) {
  Scene scene = plaza(1);
  scene.layers[0].obstacles = {box(8.5, -1, 9.5, 4.5)};
  try {
    World world(scene, 1, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("free ground"));
    EXPECT_EQ(error.diagnostics().front().pointer, "/districts/0");
    EXPECT_TRUE(error.diagnostics().front().at.has_value());
  }
  scene = plaza(1);
  scene.layers[0].walkable = {box(-30, -30, -20, -20)};
  scene.populations[1] = atPoints({{-25, -25}}, {{GoalDistrict{"patch"}}});
  try {
    World world(scene, 1, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no gate"));
  }
}

TEST(Districts, AnEndlessStreetIsSeenAsItIs) {
  Scene scene;
  scene.profiles.emplace_back();
  scene.run.duration = 30;
  PatchStreet about;
  about.view = 20, about.camera = 4;
  placeStreet(scene, {"street", {}, {}, about, {10, 20}, {}});
  Population people;
  people.district = "street";
  scene.populations.push_back(people);
  World world(scene, 1, 2);
  EndlessStreet street({.camera = 4, .view = 20});
  FrameCopy frame;
  std::vector<std::byte> snapshot;
  std::uint64_t later = 0;
  for (int i = 0; i <= 200; ++i) {
    if (i > 0) world.step(0.1);
    const double camera = 4 + 1.3 * world.time();
    street.frameAt(world.time(), camera - 20, camera + 20, frame);
    ASSERT_EQ(world.crowd().size(), frame.x.size()) << i;
    std::map<std::uint32_t, Point> expected;
    for (std::size_t k = 0; k < frame.x.size(); ++k) expected[frame.person[k]] = {frame.x[k] + 10, frame.y[k] + 20};
    for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
      EXPECT_LT(length(Point{world.crowd().x[r], world.crowd().y[r]} - expected.at(world.crowd().person[r])), 1e-4);
    if (i == 100) snapshot = world.save();
    later = world.hash();
  }
  World again(scene, 1, 1);
  again.load(snapshot);
  for (int i = 0; i < 100; ++i) again.step(0.1);
  EXPECT_EQ(again.hash(), later);
}

}  // namespace
}  // namespace throng::simulation
