// People who choose their way by how crowded it is: several doors, pillars, second thoughts, and where nothing of it
// may be seen. Scenes are drawn at random, turned and mirrored.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <optional>

#include "base/random.h"
#include "simulation/scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

/// The plane, turned and mirrored.
struct Posture {
  double cosine, sine;
  bool mirrored;

  explicit Posture(base::Random& random) : mirrored(random.below(2) == 1) {
    const double angle = random.uniform(0, 2 * M_PI);
    cosine = std::cos(angle), sine = std::sin(angle);
  }
  Point at(Point p) const {
    const double y = mirrored ? -p.y : p.y;
    return {p.x * cosine - y * sine, y * cosine + p.x * sine};
  }
  Point back(Point p) const {
    const double y = p.y * cosine - p.x * sine;
    return {p.x * cosine + p.y * sine, mirrored ? -y : y};
  }
  Polygon polygon(std::vector<Point> corners) const {
    for (Point& corner : corners) corner = at(corner);
    if (mirrored) std::reverse(corners.begin(), corners.end());
    return {corners, {}};
  }
  Polygon box(double x0, double y0, double x1, double y1) const {
    return polygon({{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
  }
};

struct Opening {
  double low, high;
  double width() const { return high - low; }
};

/// A room, and a forecourt behind a wall with openings in it. Everybody goes to one place in the forecourt, just behind
/// one of them.
struct Exits {
  std::vector<Opening> openings;
  Posture turned;
  Scene scene;

  Exits(base::Random& random, std::uint32_t people) : turned(random), scene(emptyScene("throng")) {
    const auto count = 2 + random.below(2);
    const double height = 16;
    for (std::uint64_t i = 0; i < count; ++i) {
      const double part = height / static_cast<double>(count), width = random.uniform(0.9, 1.6);
      const double low = part * static_cast<double>(i) + random.uniform(0.8, part - width - 0.8);
      openings.push_back({low, low + width});
    }
    scene.profiles[0].radius = Distribution::uniform(0.18, 0.22);
    scene.profiles[0].preferred_speed = Distribution::uniform(1.1, 1.5);
    Layer& layer = scene.layers[0];
    layer.walkable = {turned.box(-14, 0, 12, height)};
    double from = 0;
    for (const Opening& opening : openings) {
      layer.obstacles.push_back(turned.box(0, from, 0.3, opening.low));
      from = opening.high;
      layer.doors.push_back({"door " + std::to_string(layer.doors.size()),
                             {turned.at({0.15, opening.low}), turned.at({0.15, opening.high})},
                             true});
    }
    layer.obstacles.push_back(turned.box(0, from, 0.3, height));
    const Opening& nearest = openings[random.below(openings.size())];
    const double middle = std::clamp((nearest.low + nearest.high) / 2, 2.5, height - 2.5);
    scene.populations = {
        inArea(people, turned.box(-13.5, 0.5, -2, height - 0.5), {toArea(turned.box(6, middle - 2, 10, middle + 2))})};
    scene.populations[0].on_arrival = OnArrival::kLeave;
    scene.run.duration = 200;
  }
};

struct Outcome {
  double time = 0;  ///< s until the last has arrived
  double most = 0;  ///< s until 95 % have arrived
  std::size_t left = 0;
  std::vector<int> through;  ///< by opening
  int turns = 0;             ///< most of anybody
  int turned = 0;            ///< people who have turned round
  int changed = 0;           ///< most times that anybody's route came to lead through another opening
};

/// The opening through which somebody's route leads; none for who is past them.
std::optional<std::size_t> openingAhead(const World& world, const Exits& exits, std::uint32_t row) {
  const std::vector<Vec2> route = world.route(world.crowd().id[row]);
  for (std::size_t i = 1; i < route.size(); ++i) {
    const Point a = exits.turned.back({route[i - 1].x, route[i - 1].y});
    const Point b = exits.turned.back({route[i].x, route[i].y});
    if (!(a.x < 0.15 && b.x >= 0.15)) continue;
    const double y = a.y + (b.y - a.y) * (0.15 - a.x) / (b.x - a.x);
    for (std::size_t k = 0; k < exits.openings.size(); ++k)
      if (y > exits.openings[k].low && y < exits.openings[k].high) return k;
  }
  return std::nullopt;
}

Outcome evacuate(Exits exits, bool avoid, std::uint64_t seed) {
  exits.scene.profiles[0].avoid_congestion = avoid;
  World world(exits.scene, seed, 2);
  Outcome outcome;
  outcome.through.resize(exits.openings.size());
  std::map<std::uint32_t, double> before;
  std::map<std::uint32_t, int> turns, changes;
  std::map<std::uint32_t, std::size_t> ahead;
  while (world.crowd().size() > 0 && world.time() < exits.scene.run.duration) {
    world.step(0.1);
    const agents::Crowd& crowd = world.crowd();
    if (20 * crowd.size() > exits.scene.populations[0].count) outcome.most = world.time();
    const auto* column = crowd.find<std::uint8_t>("congestion.turns");
    EXPECT_EQ(column != nullptr, avoid);
    for (std::uint32_t r = 0; r < crowd.size(); ++r) {
      const Point p = exits.turned.back({crowd.x[r], crowd.y[r]});
      const auto [known, fresh] = before.try_emplace(crowd.person[r], p.x);
      if (!fresh && known->second < 0.15 && p.x >= 0.15)
        for (std::size_t k = 0; k < exits.openings.size(); ++k)
          outcome.through[k] += p.y > exits.openings[k].low && p.y < exits.openings[k].high;
      known->second = p.x;
      if (column) turns[crowd.person[r]] = std::max(0, (*column)[r] - 1);
      if (const auto opening = openingAhead(world, exits, r)) {
        const auto [last, first] = ahead.try_emplace(crowd.person[r], *opening);
        if (!first && last->second != *opening) outcome.changed = std::max(outcome.changed, ++changes[crowd.person[r]]);
        last->second = *opening;
      }
    }
  }
  outcome.time = world.time(), outcome.left = world.crowd().size();
  for (const auto& [person, count] : turns) outcome.turns = std::max(outcome.turns, count), outcome.turned += count > 0;
  return outcome;
}

TEST(Congestion, EverybodyTakesTheDoorsThereAre) {
  double sum_with = 0, sum_without = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 77);
    const auto people = static_cast<std::uint32_t>(100 + random.below(101));
    const Exits exits(random, people);
    const Outcome with = evacuate(exits, true, seed), without = evacuate(exits, false, seed);
    EXPECT_EQ(with.left, 0u);
    EXPECT_LE(with.turns, 3);
    EXPECT_LE(with.changed, 3);
    double widths = 0;
    for (const Opening& opening : exits.openings) widths += opening.width();
    std::printf("seed %d: %u people, %.1f s, without %.1f s (%zu left); %d turned, at most %d times, %d routes;",
                int(seed), people, with.time, without.time, without.left, with.turned, with.turns, with.changed);
    for (std::size_t k = 0; k < exits.openings.size(); ++k) {
      const double share = with.through[k] / static_cast<double>(people);
      std::printf(" %.2f m: %d (%.2f of %.2f; without %d)", exits.openings[k].width(), with.through[k], share,
                  exits.openings[k].width() / widths, without.through[k]);
      EXPECT_NEAR(share, exits.openings[k].width() / widths, 0.15);
    }
    std::printf("\n");
    EXPECT_LT(with.time, 0.9 * without.time);
    sum_with += with.time, sum_without += without.time;
  }
  EXPECT_LT(sum_with, 0.75 * sum_without);
}

/// A hall with a pillar in its middle, or nearly, and people who come at a rate from one end, or from both.
struct Hall {
  Posture turned;
  Scene scene;

  Hall(base::Random& random, bool both_ends) : turned(random), scene(emptyScene("throng")) {
    const double width = random.uniform(6, 10), size = random.uniform(1.5, 3), aside = random.uniform(-0.3, 0.3);
    scene.profiles[0].radius = Distribution::uniform(0.18, 0.22);
    scene.profiles[0].preferred_speed = Distribution::uniform(1.1, 1.5);
    scene.layers[0].walkable = {turned.box(-15, -width / 2, 15, width / 2)};
    scene.layers[0].obstacles = {turned.box(-size / 2, aside - size / 2, size / 2, aside + size / 2)};
    for (const double side : both_ends ? std::vector<double>{-1, 1} : std::vector<double>{-1}) {
      const auto end = [&](double at) {
        return turned.box(std::min(at * 11, at * 14), -1, std::max(at * 11, at * 14), 1);
      };
      Population people = inArea(0, end(side), {toArea(end(-side))}, side < 0 ? "there" : "back");
      people.rate = random.uniform(1.5, 2.5);
      people.rate_limit = 80;
      people.on_arrival = OnArrival::kLeave;
      scene.populations.push_back(people);
    }
    scene.run.duration = 120;
  }
};

TEST(Congestion, BothSidesOfAPillarAreUsed) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 78);
    const Hall hall(random, seed % 2 == 0);
    for (const bool avoid : {true, false}) {
      Scene scene = hall.scene;
      scene.profiles[0].avoid_congestion = avoid;
      World world(scene, seed, 2);
      std::map<std::uint32_t, Point> before;
      double left = 0, right = 0;
      int turns = 0;
      while (!(world.time() > 20 && world.crowd().size() == 0) && world.time() < scene.run.duration) {
        world.step(0.1);
        const agents::Crowd& crowd = world.crowd();
        const auto* column = crowd.find<std::uint8_t>("congestion.turns");
        for (std::uint32_t r = 0; r < crowd.size(); ++r) {
          const Point p = hall.turned.back({crowd.x[r], crowd.y[r]});
          const auto [known, fresh] = before.try_emplace(crowd.person[r], p);
          if (!fresh && (known->second.x < 0) != (p.x < 0)) (p.y > 0 ? left : right) += 1;
          known->second = p;
          if (column) turns = std::max(turns, (*column)[r] - 1);
        }
      }
      std::printf("seed %d: %.0f on one side, %.0f on the other%s\n", int(seed), left, right, avoid ? "" : " without");
      EXPECT_EQ(world.crowd().size(), 0u);
      EXPECT_LE(turns, 3);
      if (!avoid) continue;
      EXPECT_GT(left, 0.3 * (left + right));
      EXPECT_GT(right, 0.3 * (left + right));
    }
  }
}

// One person alone, wherever they go, walks as if nobody had ever thought of congestion.
TEST(Congestion, NothingChangesForWhoIsAlone) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 79);
    Scene scene = seed % 2 ? Exits(random, 1).scene : Hall(random, false).scene;
    if (seed % 2 == 0) scene.populations[0].rate_limit = 1;
    scene.events = {};
    std::vector<std::vector<Vec2>> places(2);
    for (const bool avoid : {true, false}) {
      scene.profiles[0].avoid_congestion = avoid;
      World world(scene, seed, 1);
      for (int i = 0; i < 300; ++i) {
        world.step(0.1);
        if (world.crowd().size() > 0) places[avoid].push_back({world.crowd().x[0], world.crowd().y[0]});
      }
    }
    EXPECT_EQ(places[0], places[1]);
    EXPECT_GT(places[0].size(), 50u);
  }
}

/// Doors close and open while people are on their way.
Scene withEvents(Exits exits, base::Random& random) {
  for (std::size_t k = 0; k + 1 < exits.openings.size(); ++k) {
    const std::string door = "door " + std::to_string(k);
    const double time = random.uniform(2, 8);
    exits.scene.events.push_back({time, CloseDoor{door}});
    exits.scene.events.push_back({time + random.uniform(3, 10), OpenDoor{door}});
  }
  exits.scene.events.push_back({12, InsertObstacle{"crate", "", exits.turned.box(-5, 7, -4, 8)}});
  return exits.scene;
}

TEST(Congestion, DoorsMayCloseAndOpen) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 80);
    const Exits exits(random, 100);
    World world(withEvents(exits, random), seed, 2);
    while (world.crowd().size() > 0 && world.time() < 200) {
      world.step(0.1);
      const auto& turns = *world.crowd().find<std::uint8_t>("congestion.turns");
      for (const std::uint8_t count : turns) EXPECT_LE(count, 5);
    }
    EXPECT_EQ(world.crowd().size(), 0u);
  }
}

// A door that opens is taken by those who wait before another; who of them turned round last arrives whenever they do.
TEST(Congestion, ADoorThatOpensIsTaken) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 81);
    Exits exits(random, 150);
    for (std::size_t k = 1; k < exits.openings.size(); ++k) exits.scene.layers[0].doors[k].open = false;
    const Outcome closed = evacuate(exits, true, seed);
    EXPECT_EQ(closed.through[0], 150);
    for (std::size_t k = 1; k < exits.openings.size(); ++k)
      exits.scene.events.push_back({15, OpenDoor{"door " + std::to_string(k)}});
    const Outcome opened = evacuate(exits, true, seed);
    EXPECT_LT(opened.through[0], 120);
    EXPECT_LT(opened.most, 0.85 * closed.most);
    EXPECT_EQ(opened.left, 0u);
  }
}

TEST(Congestion, ThreadsAndSnapshotsDoNotChangeABit) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed, 82);
    const Exits exits(random, 120);
    Scene scene = withEvents(exits, random);
    World one(scene, seed, 1), many(scene, seed, 5);
    for (int i = 0; i < 250; ++i) {
      one.step(0.1), many.step(0.1);
      ASSERT_EQ(one.hash(), many.hash()) << i;
      if (i % 23 != 7) continue;
      // Also of a world whose walls have changed since its last step.
      const bool change = i % 2 == 0;
      const Point wall[] = {exits.turned.at({-7, 3.0 + 0.03 * i}), exits.turned.at({-6, 3.0 + 0.03 * i})};
      if (change) one.insertObstacle(wall, 0, {}), many.insertObstacle(wall, 0, {});
      World again(scene, seed, 2);
      again.load(one.save());
      for (int k = 0; k < 12; ++k, ++i) {
        one.step(0.1), many.step(0.1), again.step(0.1);
        ASSERT_EQ(one.hash(), again.hash()) << i;
        ASSERT_EQ(one.hash(), many.hash()) << i;
      }
    }
  }
}

// Two stairs of the same width lead down; all who are upstairs start beside the first.
TEST(Congestion, BothStairsAreTaken) {
  Scene scene = emptyScene("throng");
  scene.layers.resize(2);
  scene.layers[0].name = "upstairs", scene.layers[1].name = "downstairs";
  scene.layers[0].walkable = {box(0, 0, 20, 10), box(3, -4, 4.2, 0), box(15, -4, 16.2, 0)};
  scene.layers[1].walkable = {box(0, -16, 20, -8), box(3, -8, 4.2, -4), box(15, -8, 16.2, -4)};
  for (const double x : {3.0, 15.0})
    scene.connections.push_back({"", "upstairs", {{x, -4}, {x + 1.2, -4}}, "downstairs", {{x, -4}, {x + 1.2, -4}}});
  scene.profiles[0].radius = Distribution::constant(0.2);
  scene.populations = {inArea(90, box(0.5, 2, 10, 9.5), {toArea(box(1, -15, 6, -12))})};
  scene.populations[0].layer = "upstairs", scene.populations[0].goals[0].layer = "downstairs";
  scene.populations[0].on_arrival = OnArrival::kLeave;
  double times[2];
  for (const bool avoid : {true, false}) {
    scene.profiles[0].avoid_congestion = avoid;
    World world(scene, 1, 2);
    std::map<std::uint32_t, float> at;
    while (world.crowd().size() > 0 && world.time() < 200) {
      world.step(0.1);
      for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
        if (world.crowd().y[r] < -2 && world.crowd().y[r] > -6) at[world.crowd().person[r]] = world.crowd().x[r];
    }
    times[avoid] = world.time();
    const auto second = std::count_if(at.begin(), at.end(), [](const auto& entry) { return entry.second > 10; });
    std::printf("%ld of 90 on the second stair, %.1f s\n", long(second), world.time());
    EXPECT_EQ(world.crowd().size(), 0u);
    EXPECT_GE(second, avoid ? 15 : 0);
  }
  EXPECT_LT(times[true], 0.85 * times[false]);
}

// However long the queue: nobody looks for a way that they do not fit through.
TEST(Congestion, NobodyTriesAGapThatIsTooNarrow) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    for (const double gap : {-0.02, 0.04}) {
      base::Random random(seed, 83);
      Exits exits(random, 60);
      exits.scene.profiles[0].radius = Distribution::constant(0.25);
      Layer& layer = exits.scene.layers[0];
      layer.obstacles.clear(), layer.doors.clear();
      // A door for all in the middle, and gaps on both sides that are about as wide as a body.
      exits.openings = {{2, 2.5 + gap}, {7, 8}, {13, 13.5 + gap}};
      double from = 0;
      for (const Opening& opening : exits.openings)
        layer.obstacles.push_back(exits.turned.box(0, from, 0.3, opening.low)), from = opening.high;
      layer.obstacles.push_back(exits.turned.box(0, from, 0.3, 16));
      exits.scene.run.duration = 120;
      const Outcome outcome = evacuate(exits, true, seed);
      EXPECT_EQ(outcome.left, 0u);
      if (gap < 0) {
        EXPECT_EQ(outcome.through[1], 60);
      } else {
        EXPECT_LT(outcome.through[1], 60);
      }
    }
  }
}

// The map knows nothing of the way on over the border of a wrapped layer.
TEST(Congestion, WrappedLayersAreLeftAlone) {
  Scene scene = emptyScene("throng");
  scene.layers[0].walkable = {box(-5, 0, 17, 3)};
  scene.layers[0].wrap = Rectangle{{0, -1}, {12, 4}};
  scene.populations = {inArea(30, box(0, 0.3, 12, 2.7), {{GoalDirection{{1, 0}}}})};
  World world(scene, 1, 1);
  for (int i = 0; i < 50; ++i) world.step(0.1);
  EXPECT_EQ(world.crowd().find<std::uint8_t>("congestion.turns"), nullptr);
}

// With any model, unless the profile says that they do not.
TEST(Congestion, CanBeSwitchedOff) {
  EXPECT_TRUE(Profile{}.avoid_congestion);
  for (const auto& [model, is] : std::vector<std::pair<std::string, bool>>{
           {"throng", true}, {"throng", false}, {"orca", false}, {"orca", true}}) {
    base::Random random(1, 84);
    Exits exits(random, 20);
    exits.scene.profiles[0].steering.model = model, exits.scene.profiles[0].avoid_congestion = is;
    World world(exits.scene, 1, 1);
    world.step(0.1);
    EXPECT_EQ(world.crowd().find<std::uint8_t>("congestion.turns") != nullptr, is) << model;
  }
}

// At low levels of simulation nobody looks round, but everybody counts.
TEST(Congestion, LevelsOfSimulationMayBeLow) {
  base::Random random(3, 85);
  Exits exits(random, 80);
  exits.scene.levels.cameras = {{{0, 0, 1.7}, {1, 0, 0}, 60}};
  exits.scene.levels.near_distance = 3, exits.scene.levels.far_distance = 6;
  World world(exits.scene, 1, 2);
  while (world.crowd().size() > 0 && world.time() < 200) world.step(0.1);
  EXPECT_EQ(world.crowd().size(), 0u);
  EXPECT_GT(world.time(), 10);
}

}  // namespace
}  // namespace throng::simulation
