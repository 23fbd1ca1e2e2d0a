// A scene written and read again is the same scene, bit by bit.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "base/math.h"
#include "base/random.h"
#include "same_scene.h"
#include "scenes_for_tests.h"

namespace throng::scene {
namespace {

using base::Random;

void expectRoundTrip(const Scene& scene) {
  const std::string text = toJson(scene);
  const auto again = checkText(text, "", {});
  ASSERT_TRUE(again.scene) << texts(again.diagnostics) << text;
  EXPECT_TRUE(*again.scene == scene) << text;
  EXPECT_EQ(toJson(*again.scene), text);
}

/// An awkward number: all 53 bits used.
double number(Random& random, double low, double high) { return random.uniform(low, high); }

/// Convex and without repeated points, around a place well inside the walkable area of the random scenes.
Polygon blob(Random& random) {
  const Point centre{number(random, 20, 80), number(random, 20, 80)};
  const double radius = number(random, 1, 10);
  Polygon polygon;
  const int corners = 3 + static_cast<int>(random.below(6));
  for (int i = 0; i < corners; ++i) {
    double s, c;
    base::sinCos(2 * base::kPi * (i + 0.5 * random.uniform()) / corners, s, c);
    polygon.outer.push_back(centre + Point{c, s} * radius);
  }
  return polygon;
}

Distribution distribution(Random& random) {
  switch (random.below(4)) {
    case 0:
      return Distribution::constant(number(random, 0.1, 2));
    case 1:
      return Distribution::uniform(number(random, 0.1, 1), number(random, 1, 2));
    case 2:
      return Distribution::normal(number(random, 1, 2), number(random, 0.01, 0.1));
    default:
      return Distribution::truncatedNormal(number(random, 0.5, 1), number(random, 0.1, 0.5), 0.1, number(random, 1, 2));
  }
}

Start start(Random& random) {
  Start start;
  switch (random.below(6)) {
    case 0: {
      StartPoints at;
      for (int i = 0; i < 3; ++i) at.points.push_back({number(random, 1, 99), number(random, 1, 99)});
      start.shape = at;
      break;
    }
    case 1:
      start.shape = StartArea{{blob(random)}};
      break;
    case 2:
      start.shape = StartLine{{{{number(random, 1, 40), 5}, {60, number(random, 1, 99)}}}};
      break;
    case 3:
      start.shape = StartCircle{{number(random, 40, 60), 50}, number(random, 1, 30), number(random, -10, 10)};
      break;
    case 4:
      start.shape = StartGrid{{blob(random)}, number(random, 0, 2)};
      break;
    default:
      start.shape = StartPoissonDisc{{blob(random)}, number(random, 0, 2)};
  }
  if (random.below(2)) start.jitter = number(random, 0, 1);
  return start;
}

Goal goal(Random& random, bool last) {
  switch (random.below(last ? 4 : 3)) {
    case 0:
      return {GoalPoint{{number(random, 1, 99), number(random, 1, 99)}, number(random, 0.1, 2)}};
    case 1:
      return {GoalArea{{blob(random)}}};
    case 2:
      return {GoalOpposite{{number(random, -99, 99), number(random, 1, 99)}, number(random, 0.1, 2)}};
    default:
      return {GoalDirection{{number(random, -1, 1), number(random, -1, 1)}}};
  }
}

Population population(Random& random, const Scene& scene) {
  Population p;
  p.profile = scene.profiles[random.below(scene.profiles.size())].name;
  p.start = start(random);
  switch (random.below(3)) {
    case 0:
      p.count =
          std::holds_alternative<StartPoints>(p.start.shape) ? 2 : static_cast<std::uint32_t>(1 + random.below(1000));
      break;
    case 1:
      p.rate = number(random, 0.1, 9);
      if (random.below(2)) p.rate_limit = static_cast<std::uint32_t>(random.below(1000));
      break;
    default:
      for (int i = 0; i < 3; ++i)
        p.schedule.push_back({number(random, 0, 99), static_cast<std::uint32_t>(random.below(50))});
  }
  const auto goals = random.below(4);
  for (std::uint64_t i = 0; i < goals; ++i) p.goals.push_back(goal(random, i + 1 == goals));
  p.on_arrival = static_cast<OnArrival>(random.below(3));
  return p;
}

Layer ground(Random& random) {
  Layer ground;
  ground.name = "ground \"\\ ~/ü\n";
  if (random.below(2)) ground.walkable = {{{{0, 0}, {100, 0}, {100, 100}, {0, 100}}, {}}};
  if (random.below(2))
    ground.obstacles = {{{{-5, -5}, {0.1, -5}, {0.1, 0.1}}, {}}, {{{99.5, 1}, {101, 1}, {101, 2}}, {}}};
  if (random.below(2)) ground.walls = {{{{0, 0}, {number(random, 1, 2), 5}, {0, 0}}}};
  if (random.below(2)) ground.openings = {blob(random)};
  if (random.below(2)) ground.regions = {{"grass", {blob(random), blob(random)}}, {"sand", {blob(random)}}};
  if (random.below(2)) {
    ground.doors = {{"d\"1", {{number(random, 1, 9), 5}, {number(random, 20, 99), 5}}, random.below(2) == 0},
                    {"d2", {{5, number(random, 1, 9)}, {5, 20}}, true}};
  }
  ground.elevation = number(random, -9, 9);
  if (random.below(2)) ground.slope = {number(random, -1, 1), 0};
  ground.wall_height = number(random, 1, 5);
  if (random.below(4) == 0) ground.wrap = Rectangle{{-500, -500}, {500, number(random, 400, 500)}};
  return ground;
}

/// What happens to the doors, and an obstacle that comes and goes; in the order of the file, which is not that of time.
std::vector<Event> events(Random& random, const Scene& scene) {
  std::vector<Event> events;
  for (const auto& door : scene.layers[0].doors) {
    const bool open = random.below(2) != 0;
    const double when = number(random, 0, 1000);
    events.push_back(open ? Event{when, OpenDoor{door.name}} : Event{when, CloseDoor{door.name}});
  }
  const double time = number(random, 0, 100);
  if (random.below(2)) events.push_back({time + 1, RemoveObstacle{"crate"}});
  events.push_back({time, InsertObstacle{"crate", random.below(2) ? "" : "roof", blob(random)}});
  return events;
}

Scene randomScene(Random& random) {
  Scene scene;
  scene.name = random.below(2) ? "n" : "";
  scene.description = "line\nline \x01 \xc3\xbc";
  scene.layers.push_back(ground(random));
  scene.layers.emplace_back().name = "roof";
  scene.connections.push_back(
      {"", "roof", {{0, 0}, {1, number(random, 0, 1)}}, scene.layers[0].name, {{50, 50}, {51, 50}}});
  for (const char* name : {"z", "a/b", "default"}) {
    Profile profile;
    profile.name = name;
    profile.radius = distribution(random);
    profile.preferred_speed = distribution(random);
    profile.max_speed_factor = number(random, 1, 3);
    if (random.below(2)) profile.region_weights["grass"] = distribution(random);
    if (random.below(3) == 0)
      profile.region_weights["mud"] = Distribution::constant(std::numeric_limits<double>::infinity());
    if (random.below(2)) profile.slope_cost = {number(random, 0, 5), number(random, 0, 5)};
    if (random.below(2)) profile.stream.emplace();
    if (random.below(4) == 0) profile.stream = {{"p", number(random, -1, 1)}};
    for (bool* said : {&profile.unstuck, &profile.give_way, &profile.go_round, &profile.avoid_congestion,
                       &profile.take_turns, &profile.harmonise_speed, &profile.share_goals})
      *said = random.below(2) == 1;
    if (random.below(2)) profile.steering = {"some model", {{"p", number(random, -1, 1)}, {"q", 1e-300}}};
    scene.profiles.push_back(profile);
  }
  for (int i = 0; i < 4; ++i) scene.populations.push_back(population(random, scene));
  scene.lines.push_back({"l", {{50, 50}, {50, number(random, 51, 60)}}, ""});
  scene.areas.push_back({"a", {blob(random), blob(random)}, scene.layers[0].name});
  scene.events = events(random, scene);
  scene.run.dt = number(random, 0.01, 0.5);
  scene.run.recording_rate = 1 / (scene.run.dt * static_cast<double>(1 + random.below(9)));
  scene.run.seed = random.bits();
  scene.run.duration = number(random, 1, 1000);
  scene.run.until_all_arrived = random.below(2) == 0;
  return scene;
}

TEST(RoundTrip, RandomScenes) {
  Random random(31);
  for (int i = 0; i < 200; ++i) {
    expectRoundTrip(randomScene(random));
    if (HasFailure()) return;
  }
}

TEST(RoundTrip, AnglesToTheLastBit) {
  Random random(32);
  int in_degrees = 0;
  for (int i = 0; i < 1500; ++i) {
    Scene scene;
    scene.layers.emplace_back();
    scene.profiles.emplace_back();
    Population p;
    p.count = 1;
    const double phase = number(random, -7, 7);
    p.start.shape = StartCircle{{0, 0}, 1, phase};
    scene.populations.push_back(p);
    scene.run.duration = 1;
    const std::string text = toJson(scene);
    const auto again = checkText(text, "", {});
    ASSERT_TRUE(again.scene) << texts(again.diagnostics);
    ASSERT_EQ(std::get<StartCircle>(again.scene->populations[0].start.shape).phase, phase);
    in_degrees += text.find("\"phase\"") != std::string::npos;
  }
  EXPECT_GT(in_degrees, 500);
}

TEST(RoundTrip, NamesThatAreNotUtf8DoNotThrow) {
  Scene scene;
  scene.name = "\xff\xfe";
  EXPECT_FALSE(toJson(scene).empty());
}

}  // namespace
}  // namespace throng::scene
