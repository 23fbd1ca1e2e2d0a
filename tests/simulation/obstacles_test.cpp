// Nobody is ever inside an obstacle or a wall: not across the border of a wrapped layer, not when something is inserted
// over them, not at any level of simulation.
#include <cstdlib>
#include <gtest/gtest.h>

#include "base/math.h"
#include "base/random.h"
#include "buildings.h"
#include "geometry/predicates.h"
#include "scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

/// THRONG_OBSTACLES=500 tries so many places instead of a few.
std::uint64_t placesToTry(std::uint64_t usual) {
  const char* asked = std::getenv("THRONG_OBSTACLES");
  return asked != nullptr ? std::strtoull(asked, nullptr, 10) : usual;
}

/// A convex obstacle around a place, turned.
std::vector<Point> rock(base::Random& random, Point at, double size) {
  const int corners = 3 + static_cast<int>(random.uniform() * 4);
  const double turn = random.uniform() * 2 * base::kPi, stretch = 0.4 + 0.6 * random.uniform();
  std::vector<Point> shape;
  for (int i = 0; i < corners; ++i) {
    double sine = 0, cosine = 0, s = 0, c = 0;
    base::sinCos(2 * base::kPi * i / corners, sine, cosine);
    base::sinCos(turn, s, c);
    const Point p{size * cosine, size * stretch * sine};
    shape.push_back(at + Point{p.x * c - p.y * s, p.x * s + p.y * c});
  }
  return shape;
}

/// Is a place, or its image beyond the border of a wrapped layer, inside one of the shapes? More than `depth` m.
bool isInside(const std::vector<std::vector<Point>>& shapes, Point p, const std::optional<Rectangle>& wrap,
              double depth) {
  const Point size = wrap ? wrap->max - wrap->min : Point{};
  for (int i = wrap ? -2 : 0; i <= (wrap ? 2 : 0); ++i)
    for (int k = wrap ? -2 : 0; k <= (wrap ? 2 : 0); ++k)
      for (const auto& shape : shapes) {
        const Point q = p + Point{i * size.x, k * size.y};
        if (!geometry::contains(Polygon{shape, {}}, q)) continue;
        double off = 1e9;
        for (std::size_t c = 0; c < shape.size(); ++c)
          off = std::min(off, geometry::distanceToSegment(q, shape[c], shape[(c + 1) % shape.size()]));
        if (off > depth) return true;
      }
  return false;
}

constexpr double kRounding = 1e-4;  // m

TEST(WrappedLayers, NobodyCrossesTheBorderIntoAnObstacle) {
  for (std::uint64_t seed = 1; seed <= placesToTry(30); ++seed) {
    base::Random random(seed, 5);
    Scene scene = emptyScene(seed % 3 == 0 ? "orca" : "linear");
    const Rectangle wrap{{-5 - 10 * random.uniform(), -3 - 10 * random.uniform()},
                         {5 + 15 * random.uniform(), 4 + 8 * random.uniform()}};
    scene.layers[0].wrap = wrap;
    const Point size = wrap.max - wrap.min;
    std::vector<std::vector<Point>> rocks;
    for (int i = 0; i < 6; ++i) {
      // On the border, across it, and over its corners.
      Point at{wrap.min.x + size.x * random.uniform(), wrap.min.y + size.y * random.uniform()};
      if (i % 3 != 2) at.x = wrap.min.x + (random.uniform() - 0.5) * 2;
      if (i % 3 != 1) at.y = wrap.max.y + (random.uniform() - 0.5) * 2;
      rocks.push_back(rock(random, at, 0.3 + 1.2 * random.uniform()));
      scene.layers[0].obstacles.push_back({rocks.back(), {}});
    }
    Population people = inArea(10, box(wrap.min.x, wrap.min.y, wrap.max.x, wrap.max.y), {});
    double sine = 0, cosine = 0;
    base::sinCos(random.uniform() * 2 * base::kPi, sine, cosine);
    people.goals = {{GoalDirection{{cosine, sine}}}};
    scene.populations = {people};
    World world(scene, seed, 1);
    const double dt = seed % 2 ? 0.1 : 0.5;
    double walked = 0;
    for (int step = 0; step < 150; ++step) {
      world.step(dt);
      const auto& crowd = world.crowd();
      for (std::uint32_t r = 0; r < crowd.size(); ++r) {
        const Point p{crowd.x[r], crowd.y[r]};
        walked += length(Vec2{crowd.vx[r], crowd.vy[r]}) * dt;
        ASSERT_FALSE(isInside(rocks, p, wrap, kRounding)) << "place " << seed << ", step " << step << ", person "
                                                          << crowd.person[r] << " at (" << p.x << ", " << p.y << ")";
        ASSERT_TRUE(p.x >= wrap.min.x - kRounding && p.x <= wrap.max.x + kRounding && p.y >= wrap.min.y - kRounding &&
                    p.y <= wrap.max.y + kRounding);
        // And the body keeps its distance, on both sides of the border.
        for (int i = -1; i <= 1; ++i)
          for (int k = -1; k <= 1; ++k)
            for (const auto& shape : rocks)
              for (std::size_t c = 0; c < shape.size(); ++c)
                ASSERT_GT(geometry::distanceToSegment(p + Point{i * size.x, k * size.y}, shape[c],
                                                      shape[(c + 1) % shape.size()]),
                          crowd.radius[r] - 0.002)
                    << "place " << seed << ", step " << step;
      }
    }
    EXPECT_GT(walked, 1) << "place " << seed << ": everybody stands";
  }
}

/// Everybody is out of what was inserted, or counted as unreachable and standing still.
void checkEverybody(const World& world, const std::vector<std::vector<Point>>& rocks, std::uint16_t layer,
                    const std::optional<Rectangle>& wrap, std::uint64_t seed) {
  const auto& crowd = world.crowd();
  std::size_t inside = 0;
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (crowd.layer[r] != layer || !isInside(rocks, {crowd.x[r], crowd.y[r]}, wrap, kRounding)) continue;
    ++inside;
    EXPECT_EQ(length(Vec2{crowd.vx[r], crowd.vy[r]}), 0) << "place " << seed << " walks inside an obstacle";
  }
  EXPECT_LE(inside, world.unreachable()) << "place " << seed;
}

TEST(InsertedObstacles, PutPeopleAsideWhereverTheyFall) {
  std::size_t moved = 0;
  for (std::uint64_t seed = 1; seed <= placesToTry(40); ++seed) {
    base::Random random(seed, 6);
    Scene scene = emptyScene(seed % 2 ? "linear" : "orca");
    const bool wraps = seed % 4 == 0;
    const Rectangle area{{0, 0}, {14, 10}};
    if (wraps)
      scene.layers[0].wrap = area;
    else
      scene.layers[0].walkable = {box(0, 0, 14, 10)};
    scene.layers[0].obstacles = {box(6, 2, 6.3, 7)};
    scene.populations = {inArea(25, box(0.3, 0.3, 13.7, 9.7), {toArea(box(12, 1, 13, 9)), toArea(box(1, 1, 2, 9))})};
    scene.populations[0].on_arrival = OnArrival::kGoBack;
    World world(scene, seed, 1);
    std::vector<std::vector<Point>> rocks;
    std::vector<std::uint32_t> ids;
    for (int i = 0; i < 6; ++i) {
      for (int step = 0; step < 8; ++step) {
        world.step(0.1);
        checkEverybody(world, rocks, 0, scene.layers[0].wrap, seed);
      }
      const Point at{-1 + 16 * random.uniform(), -1 + 12 * random.uniform()};
      const auto shape = rock(random, at, 0.3 + 3 * random.uniform());
      std::vector<Vec2> before;
      for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
        before.push_back({world.crowd().x[r], world.crowd().y[r]});
      try {
        ids.push_back(world.insertObstacle(shape, 0));
        rocks.push_back(shape);
      } catch (const InputError& refused) {
        // It may come too close to a wall to make a map of it; then nothing has changed.
        for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
          EXPECT_EQ(before[r], (Vec2{world.crowd().x[r], world.crowd().y[r]}));
        continue;
      }
      for (std::uint32_t r = 0; r < world.crowd().size(); ++r)
        moved += before[r] != Vec2{world.crowd().x[r], world.crowd().y[r]};
      checkEverybody(world, rocks, 0, scene.layers[0].wrap, seed);
    }
    // Gone again: everybody walks on.
    for (const std::uint32_t id : ids) world.removeObstacle(id);
    const std::size_t stuck = world.unreachable();
    world.step(0.1);
    EXPECT_LE(world.unreachable(), stuck);
    EXPECT_EQ(world.unreachable(), 0u) << "place " << seed;
  }
  EXPECT_GT(moved, 50u);
}

TEST(InsertedObstacles, OverTheWholeFloorEverybodyStandsUntilItGoes) {
  for (const bool wraps : {false, true})
    for (const bool heading : {false, true}) {
      Scene scene = emptyScene("orca");
      if (wraps)
        scene.layers[0].wrap = Rectangle{{0, 0}, {10, 8}};
      else
        scene.layers[0].walkable = {box(0, 0, 10, 8)};
      const Goal goal = heading ? Goal{GoalDirection{}} : toPoint({9, 4});
      scene.populations = {inArea(8, box(0.5, 0.5, 4, 7.5), {goal})};
      World world(scene, 3, 1);
      for (int i = 0; i < 5; ++i) world.step(0.1);
      const std::vector<Point> all{{-1, -1}, {11, -1}, {11, 9}, {-1, 9}};
      const std::uint32_t id = world.insertObstacle(all, 0);
      const std::vector<float> x(world.crowd().x.begin(), world.crowd().x.end());
      std::vector<std::byte> saved;
      for (int i = 0; i < 20; ++i) {
        world.step(0.1);
        if (i == 10) saved = world.save();
      }
      EXPECT_TRUE(std::equal(x.begin(), x.end(), world.crowd().x.begin(), world.crowd().x.end()));
      EXPECT_EQ(world.unreachable(), 8u);
      // A world that goes on from a snapshot knows it too.
      World again(scene, 3, 1);
      again.load(saved);
      for (int i = 11; i < 20; ++i) again.step(0.1);
      EXPECT_EQ(again.hash(), world.hash());
      EXPECT_EQ(again.unreachable(), 8u);
      world.removeObstacle(id);
      world.step(0.1);
      EXPECT_EQ(world.unreachable(), 0u);
      world.step(0.1);
      EXPECT_FALSE(std::equal(x.begin(), x.end(), world.crowd().x.begin(), world.crowd().x.end()));
    }
}

/// A door that closes on somebody puts them to one of its sides; one that is elsewhere moves nobody.
TEST(InsertedObstacles, ADoorThatClosesOnSomebodyLeavesThemBesideIt) {
  for (double x = 4.5; x <= 5.5; x += 0.05) {
    Scene scene = emptyScene("linear");
    scene.layers[0].walkable = {box(0, 0, 10, 4)};
    scene.layers[0].walls = {Polyline{{{5, 0}, {5, 1}}}, Polyline{{{5, 3}, {5, 4}}}};
    scene.layers[0].doors = {Door{"door", {{5, 1}, {5, 3}}, true}};
    scene.populations = {atPoints({{x, 2}}, {toPoint({9, 2})})};
    World world(scene, 1, 1);
    world.setDoor("door", false);
    const auto& crowd = world.crowd();
    EXPECT_GE(std::abs(crowd.x[0] - 5), crowd.radius[0]);
    if (std::abs(x - 5) > 1e-3) {
      EXPECT_EQ(crowd.x[0] < 5, x < 5) << x;
    }
    if (std::abs(x - 5) > 0.3) {
      EXPECT_EQ(crowd.x[0], static_cast<float>(x));
    }
  }
}

/// What is inserted on one layer is nothing to those above and below it.
TEST(InsertedObstacles, OfOneLayerMoveAndTurnNobodyOnAnother) {
  for (std::uint64_t seed = 1; seed <= placesToTry(10); ++seed) {
    Building building = randomBuilding(seed, {2, 3, 8, true});
    World world(building.scene, 1, 1), untouched(building.scene, 1, 1);
    for (int i = 0; i < 50; ++i) world.step(0.1), untouched.step(0.1);
    // A storey where nobody is and nobody goes through: the top one, for those who stay below it.
    base::Random random(seed, 9);
    const auto& crowd = world.crowd();
    for (std::uint16_t layer = 0; layer < world.space().floors().size(); ++layer) {
      if (world.space().floors()[layer].name.rfind("storey", 0) != 0) continue;
      const std::uint32_t r = static_cast<std::uint32_t>(random.uniform() * static_cast<double>(crowd.size()));
      if (crowd.layer[r] == layer) continue;
      const Vec2 before{crowd.x[r], crowd.y[r]};
      try {
        const auto id = world.insertObstacle(rock(random, {before.x, before.y}, 1.0), layer);
        EXPECT_EQ(before, (Vec2{crowd.x[r], crowd.y[r]})) << "building " << seed;
        world.removeObstacle(id);
      } catch (const InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace throng::simulation
