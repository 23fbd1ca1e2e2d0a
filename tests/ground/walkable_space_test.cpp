#include "ground/walkable_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "ground/shapes.h"

namespace throng::ground {
namespace {

/// What Walls promises, whatever they were made from.
void expectChained(const Walls& walls) {
  const std::size_t n = walls.size();
  ASSERT_EQ(walls.b.size(), n);
  ASSERT_EQ(walls.direction.size(), n);
  ASSERT_EQ(walls.next.size(), n);
  ASSERT_EQ(walls.previous.size(), n);
  ASSERT_EQ(walls.convex.size(), n);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_LT(walls.next[i], n);
    EXPECT_EQ(walls.a[walls.next[i]], walls.b[i]);
    EXPECT_EQ(walls.previous[walls.next[i]], i);
    EXPECT_NE(walls.a[i], walls.b[i]);
    EXPECT_NEAR(length(walls.direction[i]), 1, 1e-6);
    EXPECT_GT(dot(walls.direction[i], walls.b[i] - walls.a[i]), 0);
    const int corner = geometry::orientation(wide(walls.a[walls.previous[i]]), wide(walls.a[i]), wide(walls.b[i]));
    EXPECT_EQ(walls.convex[i] != 0, corner >= 0);
  }
}

std::size_t loopLength(const Walls& walls, std::uint32_t start) {
  std::size_t n = 1;
  for (std::uint32_t i = walls.next[start]; i != start; i = walls.next[i]) ++n;
  return n;
}

/// The only segment between these points, in this direction.
std::uint32_t segment(const Walls& walls, Vec2 a, Vec2 b) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < walls.size(); ++i)
    if (walls.a[i] == a && walls.b[i] == b) found.push_back(i);
  EXPECT_EQ(found.size(), 1u) << "(" << a.x << ", " << a.y << ") to (" << b.x << ", " << b.y << ")";
  return found.empty() ? 0 : found[0];
}

double totalLength(const Walls& walls) {
  double sum = 0;
  for (std::size_t i = 0; i < walls.size(); ++i) sum += length(walls.b[i] - walls.a[i]);
  return sum;
}

double bruteForceClearance(const Floor& floor, Point p, double limit) {
  for (std::size_t i = 0; i < floor.walls.size(); ++i)
    limit = std::min(limit, geometry::distanceToSegment(p, wide(floor.walls.a[i]), wide(floor.walls.b[i])));
  return limit;
}

TEST(WalkableSpace, OuterBorderIsClockwiseAndConcaveForTheSolidOutside) {
  Layer layer;
  layer.walkable = {box(0, 0, 4, 2)};
  const WalkableSpace space(sceneOf(layer));
  const Floor& floor = space.floors()[0];
  expectChained(floor.walls);
  ASSERT_EQ(floor.walls.size(), 4u);
  const std::uint32_t left = segment(floor.walls, {0, 0}, {0, 2});  // walking up with free space on the right
  EXPECT_EQ(floor.walls.next[left], segment(floor.walls, {0, 2}, {4, 2}));
  EXPECT_THAT(floor.walls.convex, testing::Each(0));
  EXPECT_TRUE(floor.bounded);
  EXPECT_TRUE(floor.contains({1, 1}));
  EXPECT_TRUE(floor.contains({0, 1}));
  EXPECT_FALSE(floor.contains({-0.01, 1}));
}

TEST(WalkableSpace, ObstaclesAreCounterClockwiseAndConvex) {
  Layer layer;
  layer.obstacles = {{{{1, 1}, {1, 2}, {2, 2}, {2, 1}}, {}}};  // given clockwise
  for (const bool bounded : {false, true}) {
    layer.walkable = bounded ? std::vector{box(0, 0, 4, 3)} : std::vector<Polygon>{};
    const WalkableSpace space(sceneOf(layer));
    const Floor& floor = space.floors()[0];
    expectChained(floor.walls);
    EXPECT_EQ(floor.walls.size(), bounded ? 8u : 4u);
    const std::uint32_t bottom = segment(floor.walls, {1, 1}, {2, 1});
    EXPECT_EQ(loopLength(floor.walls, bottom), 4u);
    EXPECT_TRUE(floor.walls.convex[bottom]);
    EXPECT_FALSE(floor.contains({1.5, 1.5}));
    EXPECT_TRUE(floor.contains({0.5, 1.5}));
    EXPECT_EQ(floor.contains({100, 100}), !bounded);
  }
}

TEST(WalkableSpace, OverlappingObstaclesAreMergedAndReflexCornersKnown) {
  Layer layer;
  layer.obstacles = {box(0, 0, 4, 1), box(0, 0, 1, 4)};  // an L
  const WalkableSpace space(sceneOf(layer));
  const Walls& walls = space.floors()[0].walls;
  expectChained(walls);
  EXPECT_NEAR(totalLength(walls), 16, 1e-5);
  std::vector<Vec2> reflex;
  for (std::size_t i = 0; i < walls.size(); ++i)
    if (!walls.convex[i]) reflex.push_back(walls.a[i]);
  EXPECT_THAT(reflex, testing::ElementsAre(Vec2{1, 1}));
}

TEST(WalkableSpace, OpeningsCutObstaclesAndThinWalls) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  layer.obstacles = {box(4, -1, 5, 11)};
  layer.walls = {{{{0, 8}, {4, 8}}}};
  layer.openings = {box(3.9, 3, 5.1, 4), box(1, 7.5, 2, 8.5)};
  const WalkableSpace space(sceneOf(layer));
  const Floor& floor = space.floors()[0];
  expectChained(floor.walls);
  EXPECT_TRUE(floor.contains({4.5, 3.5}));
  EXPECT_FALSE(floor.contains({4.5, 5}));
  EXPECT_NEAR(floor.clearance({4.5, 3.5}, 10), 0.5, 1e-6);
  EXPECT_NEAR(floor.clearance({1.5, 8}, 10), 0.5, 1e-6);  // between the two ends of the wall
  EXPECT_NEAR(floor.clearance({3, 8.25}, 10), 0.25, 1e-6);
}

TEST(WalkableSpace, ThinWallGoesThereAndBack) {
  Layer layer;
  layer.walls = {{{{0, 0}, {2, 0}, {2, 2}, {5, 3}}}};
  const WalkableSpace space(sceneOf(layer));
  const Walls& walls = space.floors()[0].walls;
  expectChained(walls);
  ASSERT_EQ(walls.size(), 6u);
  EXPECT_EQ(loopLength(walls, 0), 6u);
  EXPECT_TRUE(walls.convex[segment(walls, {0, 0}, {2, 0})]);   // an end
  EXPECT_TRUE(walls.convex[segment(walls, {5, 3}, {2, 2})]);   // the other
  EXPECT_TRUE(walls.convex[segment(walls, {2, 0}, {2, 2})]);   // a bend to the left, seen from outside it
  EXPECT_FALSE(walls.convex[segment(walls, {2, 0}, {0, 0})]);  // and from inside
}

TEST(WalkableSpace, ClosedThinWallHasAnInnerAndAnOuterLoop) {
  Layer layer;
  layer.walls = {{{{0, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 0}}}};
  const WalkableSpace space(sceneOf(layer));
  const Walls& walls = space.floors()[0].walls;
  expectChained(walls);
  ASSERT_EQ(walls.size(), 8u);
  const std::uint32_t outer = segment(walls, {0, 0}, {2, 0}), inner = segment(walls, {2, 0}, {0, 0});
  EXPECT_EQ(loopLength(walls, outer), 4u);
  EXPECT_EQ(loopLength(walls, inner), 4u);
  EXPECT_TRUE(walls.convex[outer]);
  EXPECT_FALSE(walls.convex[inner]);
}

TEST(WalkableSpace, ThinWallsThatShareAnEndAreWalkedAround) {
  Layer layer;
  layer.walls = {
      {{{0, 0}, {2, 0}}}, {{{2, 0}, {4, 0}}}, {{{2, 3}, {2, 0}}}, {{{4, 0}, {2, 0}}}};  // a T, one part twice
  const WalkableSpace space(sceneOf(layer));
  const Walls& walls = space.floors()[0].walls;
  expectChained(walls);
  ASSERT_EQ(walls.size(), 6u);
  EXPECT_EQ(loopLength(walls, 0), 6u);
  // Free space on the right: coming from the west below the bar one goes straight on, coming from the east above it one
  // turns into the stem.
  EXPECT_EQ(walls.next[segment(walls, {0, 0}, {2, 0})], segment(walls, {2, 0}, {4, 0}));
  EXPECT_EQ(walls.next[segment(walls, {4, 0}, {2, 0})], segment(walls, {2, 0}, {2, 3}));
  EXPECT_EQ(walls.next[segment(walls, {2, 3}, {2, 0})], segment(walls, {2, 0}, {0, 0}));
}

TEST(WalkableSpace, ThinWallsEndAtSolidsAndAtTheBorder) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  layer.obstacles = {box(4, 4, 6, 6)};
  layer.walls = {{{{-5, 5}, {15, 5}}}, {{{20, 20}, {30, 20}}}};
  const WalkableSpace space(sceneOf(layer));
  const Walls& walls = space.floors()[0].walls;
  expectChained(walls);
  EXPECT_NEAR(totalLength(walls), 40 + 8 + 2 * 4 + 2 * 4, 1e-4);
  EXPECT_EQ(space.floors()[0].clearance({20, 20}, 5), 5);
}

TEST(WalkableSpace, SolidsThatTouchInACornerStayLoopsOfTheirOwn) {
  Layer layer;
  layer.obstacles = {box(0, 0, 1, 1), box(1, 1, 2, 2)};
  for (const bool bounded : {false, true}) {
    layer.walkable = bounded ? std::vector{box(-5, -5, 5, 5)} : std::vector<Polygon>{};
    const WalkableSpace space(sceneOf(layer));
    const Walls& walls = space.floors()[0].walls;
    expectChained(walls);
    EXPECT_EQ(walls.size(), bounded ? 12u : 8u);
    EXPECT_EQ(loopLength(walls, segment(walls, {0, 0}, {1, 0})), 4u);
    EXPECT_EQ(loopLength(walls, segment(walls, {1, 1}, {2, 1})), 4u);
  }
}

TEST(WalkableSpace, CornersThatFallTogetherInFloatsAreDropped) {
  Layer layer;
  const double far = 5000;  // a float's step there is 0.0005
  layer.obstacles = {
      {{{far, 0}, {far + 1, 0}, {far + 1.00001, 0.00000001}, {far + 1, 1}, {far + 0.99999, 1}, {far, 1}}, {}}};
  layer.walls = {{{{far, 5}, {far + 1e-5, 5}, {far + 1, 5}}}, {{{far, 8}, {far + 1e-5, 8}}}};
  const WalkableSpace space(sceneOf(layer));
  const Walls& walls = space.floors()[0].walls;
  expectChained(walls);
  EXPECT_GE(walls.size(), 6u);
  EXPECT_LE(walls.size(), 7u);
  EXPECT_EQ(loopLength(walls, segment(walls, {5000, 5}, {5001, 5})), 2u);
}

TEST(WalkableSpace, ConnectionsArePassagesOnBothLayers) {
  Scene scene;
  scene.profiles = {Profile{}};
  scene.layers.resize(2);
  scene.layers[0].name = "ground";
  scene.layers[0].walkable = {box(0, 0, 10, 6)};
  scene.layers[1].name = "first floor";
  scene.layers[1].walkable = {box(10, 0, 20, 6)};
  scene.layers[1].obstacles = {box(14, 2, 15, 3)};
  scene.connections = {{"stair", "ground", {{10, 2}, {10, 4}}, "first floor", {{10, 2}, {10, 4}}}};
  const WalkableSpace space(scene);
  for (const Floor& floor : space.floors()) {
    expectChained(floor.walls);
    EXPECT_NEAR(floor.clearance({10, 3}, 10), 1, 1e-6) << floor.name;  // the ends of the wall on either side
    EXPECT_NEAR(floor.clearance({10, 5}, 10), 0, 1e-6) << floor.name;
    EXPECT_TRUE(floor.walls.convex[segment(floor.walls, {10, 2}, {10, 0})]);
    EXPECT_TRUE(floor.walls.convex[segment(floor.walls, {10, 4}, {10, 6})]);
  }
  EXPECT_EQ(loopLength(space.floors()[1].walls, segment(space.floors()[1].walls, {14, 2}, {15, 2})), 4u);
}

TEST(WalkableSpace, AWrappedLayerHasNoWallAtItsBorder) {
  Layer layer;
  layer.wrap = Rectangle{{0, 0}, {20, 10}};
  layer.obstacles = {box(5, 5, 6, 6)};
  const WalkableSpace open(sceneOf(layer));
  // The obstacle's own walls, and its images beyond the border, where people who come near the border meet them.
  const Walls& walls = open.floors()[0].walls;
  expectChained(walls);
  ASSERT_GT(walls.size(), 4u);
  EXPECT_EQ(walls.size() % 4, 0u);
  for (std::size_t i = 4; i < walls.size(); ++i) {
    const Vec2 middle = (walls.a[i] + walls.b[i]) * 0.5f;
    EXPECT_TRUE(middle.x < 0 || middle.x > 20 || middle.y < 0 || middle.y > 10);
  }
  EXPECT_NEAR(open.floors()[0].clearance({5.5, 0}, 10), 4, 1e-6);  // to the image below
  EXPECT_TRUE(open.floors()[0].contains({0, 3}));
  EXPECT_FALSE(open.floors()[0].contains({-1, 3}));
  EXPECT_FALSE(open.floors()[0].contains({5.5, 5.5}));

  layer.obstacles.clear();
  layer.walkable = {box(0, 2, 20, 8)};  // an endless corridor
  const WalkableSpace corridor(sceneOf(layer));
  const Floor& floor = corridor.floors()[0];
  expectChained(floor.walls);
  EXPECT_NEAR(floor.clearance({0, 5}, 10), 3, 1e-6);
  EXPECT_NEAR(floor.clearance({20, 3}, 10), 1, 1e-6);
  EXPECT_FALSE(floor.contains({10, 1}));
}

TEST(WalkableSpace, FindsLayersByName) {
  Scene scene;
  scene.profiles = {Profile{}};
  scene.layers.resize(2);
  scene.layers[1].name = "roof";
  scene.layers[1].elevation = 3;
  scene.layers[1].slope = {0.5, 0};
  const WalkableSpace space(scene);
  EXPECT_EQ(space.floor(""), 0);
  EXPECT_EQ(space.floor("roof"), 1);
  EXPECT_FLOAT_EQ(space.floors()[1].height({2, 9}), 4);
  try {
    space.floor("cellar");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("cellar"));
    EXPECT_THAT(error.what(), testing::HasSubstr("\"ground\", \"roof\""));
  }
  scene.layers.clear();
  EXPECT_THROW(WalkableSpace{scene}, InputError);
}

// Random layers: chained right; free space to the right of solid walls and solid to the left; `contains` as the
// polygons say; `clearance` as every segment says.
TEST(WalkableSpace, RandomLayers) {
  int sides = 0, asked = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    base::Random random(seed, 7);
    Layer layer = randomLayer(random, seed % 2 == 0);
    for (int more = seed % 3 == 0 ? 4 : 0; more > 0; --more) {  // many obstacles are merged in another way than few
      const Layer other = randomLayer(random, false);
      layer.obstacles.insert(layer.obstacles.end(), other.obstacles.begin(), other.obstacles.end());
      layer.walls.insert(layer.walls.end(), other.walls.begin(), other.walls.end());
    }
    const WalkableSpace space(sceneOf(layer));
    const Floor& floor = space.floors()[0];
    expectChained(floor.walls);
    for (std::size_t i = 0; i < floor.walls.size(); ++i) {
      const Point a = wide(floor.walls.a[i]), b = wide(floor.walls.b[i]);
      if (length(b - a) < 0.05) continue;
      const Point middle = (a + b) / 2, left = middle + perpendicular(normalized(b - a)) * 1e-3;
      const Point right = middle - perpendicular(normalized(b - a)) * 1e-3;
      bool on_thin = false;
      for (const Polyline& wall : layer.walls)
        for (std::size_t k = 1; k < wall.points.size(); ++k)
          on_thin |= geometry::distanceToSegment(middle, wall.points[k - 1], wall.points[k]) < 1e-4;
      EXPECT_TRUE(floor.contains(right)) << "seed " << seed << " at " << middle.x << ", " << middle.y;
      EXPECT_EQ(floor.contains(left), on_thin) << "seed " << seed << " at " << middle.x << ", " << middle.y;
      ++sides;
    }
    for (int k = 0; k < 200; ++k) {
      const Point p{random.uniform(-5, 45), random.uniform(-5, 35)};
      const bool free = (layer.walkable.empty() || geometry::contains(layer.walkable, p)) &&
                        (!geometry::contains(layer.obstacles, p) || geometry::contains(layer.openings, p));
      EXPECT_EQ(floor.contains(p), free) << "seed " << seed << " at " << p.x << ", " << p.y;
      const double limit = k % 4 == 0 ? 1e9 : random.uniform(0, 12);
      EXPECT_EQ(floor.clearance(p, limit), bruteForceClearance(floor, p, limit));
      ++asked;
    }
  }
  std::printf("%d sides of segments, %d places\n", sides, asked);
}

}  // namespace
}  // namespace throng::ground
