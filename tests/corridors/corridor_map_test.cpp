#include "corridors/corridor_map.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <sstream>
#include <tuple>

#include "corridors/map_builder.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "ground/shapes.h"

namespace throng::corridors {
namespace {

using ground::box;
using ground::randomLayer;
using ground::regular;
using ground::sceneOf;

constexpr double kMicrometre = 1e-6;

/// Distance to the nearest wall of a floor, asking all of them.
double bruteClearance(const CorridorMap& map, Point p, std::uint16_t floor) {
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < map.walls().size(); ++i)
    if (map.walls()[i].a != kNone && map.walls()[i].floor == floor) {
      const Segment s = map.wallSegment(i);
      least = std::min(least, geometry::distanceToSegment(p, s.a, s.b));
    }
  return least;
}

std::vector<std::uint32_t> cellsOf(const CorridorMap& map) {
  std::vector<std::uint32_t> cells;
  for (std::uint32_t h = 0; h < map.halfEdges().size(); ++h)
    if (map.edge(h).origin != kNone) cells.push_back(h);
  return cells;
}

double cellArea(const CorridorMap& map, std::uint32_t h) {
  const Point p[4] = {map.origin(h).at, map.target(h).at, map.footEnd(h), map.foot(h)};
  double twice = 0;
  for (int i = 1; i < 3; ++i) twice += det(p[i] - p[0], p[i + 1] - p[0]);
  return twice / 2;
}

/// Places on every arc are as far from both of its obstacles as from anything.
void expectExact(const CorridorMap& map, std::uint16_t floor) {
  for (const std::uint32_t h : cellsOf(map)) {
    const Point a = map.foot(h), b = map.footEnd(h);
    for (int i = 0; i <= 4; ++i) {
      // Seen from a corner, places on the chord; from a wall, places along it.
      const double t = i / 4.0;
      const Point seen = map.onWall(h) ? a + (b - a) * t : map.origin(h).at + (map.target(h).at - map.origin(h).at) * t;
      const Point on_arc = map.onArc(h, seen);
      const double left = map.distanceTo(map.edge(h).site, on_arc);
      const double right = map.distanceTo(map.edge(h ^ 1).site, on_arc);
      ASSERT_NEAR(left, right, kMicrometre) << "half-edge " << h << " at " << on_arc.x << ", " << on_arc.y;
      ASSERT_NEAR(left, bruteClearance(map, on_arc, floor), kMicrometre) << on_arc.x << ", " << on_arc.y;
      ASSERT_GE(left + kMicrometre, map.edge(h).least_clearance);
    }
    ASSERT_NEAR(map.distanceTo(map.edge(h).site, map.narrowest(h)), map.edge(h).least_clearance, kMicrometre * 10);
  }
}

/// Looking in a cell first changes nothing: the right one, its neighbours, any other.
void expectSameWhateverIsGuessed(const CorridorMap& map, Point p, std::uint16_t floor, base::Random& random) {
  const Located at = map.locate(p, floor);
  const auto cells = static_cast<std::uint32_t>(map.halfEdges().size());
  std::vector<std::uint32_t> guesses{kNone, cells};
  for (int i = 0; i < 2; ++i) guesses.push_back(static_cast<std::uint32_t>(random.below(cells)));
  if (at)
    for (const std::uint32_t h :
         {at.cell, CorridorMap::twin(at.cell), map.edge(at.cell).next, map.edge(at.cell).previous})
      guesses.push_back(h);
  for (const std::uint32_t guess : guesses)
    ASSERT_EQ(map.locate(p, floor, guess).cell, at.cell) << p.x << ", " << p.y << ", guessed " << guess;
}

void expectTiles(const CorridorMap& map, const ground::Floor& floor, base::Random& random) {
  double area = 0;
  for (const std::uint32_t h : cellsOf(map)) {
    const double cell = cellArea(map, h);
    ASSERT_GT(cell, -1e-6);
    area += cell;
  }
  if (floor.bounded) {
    ASSERT_NEAR(area, geometry::area(floor.free), 1e-4);
  }
  for (int i = 0; i < 300; ++i) {
    const Point p{random.uniform(-5, 45), random.uniform(-5, 35)};
    const double distance = bruteClearance(map, p, 0);
    if (distance < 1e-4) continue;  // walls of the floor are rounded to 32 bits
    const Located at = map.locate(p, 0);
    ASSERT_EQ(static_cast<bool>(at), floor.contains(p)) << p.x << ", " << p.y;
    expectSameWhateverIsGuessed(map, p, 0, random);
    if (!at) continue;
    ASSERT_NEAR(map.nearest(at, p).distance, distance, kMicrometre) << p.x << ", " << p.y;
    const Retraction r = map.retract(at, p);
    ASSERT_NEAR(r.clearance, bruteClearance(map, r.at, 0), kMicrometre);
    ASSERT_NEAR(length(r.at - p) + distance, r.clearance, 10 * kMicrometre);  // straight away from the obstacle
  }
}

TEST(CorridorMap, IsExactOnRandomScenes) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    const ground::WalkableSpace space(sceneOf(randomLayer(random, seed % 3 != 0)));
    const CorridorMap map(space, {}, std::vector<Point>{{-5, -5}, {45, 35}});
    ASSERT_EQ(map.check(), "");
    expectExact(map, 0);
    expectTiles(map, space.floors()[0], random);
  }
}

TEST(CorridorMap, IsExactOnAxisAlignedScenes) {
  // Everything degenerate at once: equal distances, parallel walls, corners in line.
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    Layer layer;
    layer.walkable = {box(0, 0, 40, 30)};
    for (int i = 0; i < 14; ++i) {
      const double x = static_cast<double>(random.below(38)), y = static_cast<double>(random.below(28));
      const double w = static_cast<double>(random.below(5)), h = static_cast<double>(random.below(5));
      if (w > 0 && h > 0)
        layer.obstacles.push_back(box(x, y, x + w, y + h));
      else
        layer.walls.push_back({{{x, y}, {x + w, y + h + (w == 0 && h == 0 ? 1 : 0)}}});
    }
    const ground::WalkableSpace space(sceneOf(layer));
    const CorridorMap map(space, {});
    ASSERT_EQ(map.check(), "");
    expectExact(map, 0);
    expectTiles(map, space.floors()[0], random);
  }
}

TEST(CorridorMap, ARoomHasTheKnownMap) {
  const ground::WalkableSpace space(sceneOf({.walkable = {box(0, 0, 10, 4)}}));
  const CorridorMap map(space, {});
  // Two junctions, two metres from the ends, and four arms into the corners.
  const MapStatistics s = map.statistics();
  EXPECT_EQ(s.vertices, 6u);
  EXPECT_EQ(s.edges, 5u);
  EXPECT_EQ(s.cells, 10u);
  EXPECT_DOUBLE_EQ(map.clearance({5, 2}, 0), 2);
  EXPECT_DOUBLE_EQ(map.clearance({1, 2}, 0), 1);
  EXPECT_FALSE(map.locate({-1, 2}, 0));
  int chains = 0;
  for (const MapChain& chain : map.chains())
    if (!chain.arm && chain.first != kNone) {
      ++chains;
      EXPECT_FLOAT_EQ(chain.length, 6);
      EXPECT_FLOAT_EQ(chain.least_clearance, 2);
    }
  EXPECT_EQ(chains, 1);
}

// --- changes -------------------------------------------------------------------------------------------------------

using Key = std::tuple<double, double, double, double, int>;

Key keyOf(const CorridorMap& map, Site site) {
  if (site.isCorner()) {
    const Point p = map.corners()[site.index()].at;
    return {p.x, p.y, p.x, p.y, map.corners()[site.index()].floor};
  }
  const Segment s = map.wallSegment(site.index());
  const bool swap = std::pair(s.b.x, s.b.y) < std::pair(s.a.x, s.a.y);
  const Segment t = swap ? Segment{s.b, s.a} : s;
  return {t.a.x, t.a.y, t.b.x, t.b.y, map.walls()[site.index()].floor};
}

struct Arc {
  Key left, right;
  Point from, to, foot;
  double clearance;
};

/// All half-edges in an order that does not depend on numbers.
std::vector<Arc> arcsOf(const CorridorMap& map) {
  std::vector<Arc> arcs;
  for (const std::uint32_t h : cellsOf(map))
    if (length(map.target(h).at - map.origin(h).at) > 1e-6)  // those without length depend on the order of walls
      arcs.push_back({keyOf(map, map.edge(h).site), keyOf(map, map.edge(h ^ 1).site), map.origin(h).at,
                      map.target(h).at, map.foot(h), map.origin(h).clearance});
  const auto coarse = [](double v) { return std::llround(v * 1e5); };
  std::sort(arcs.begin(), arcs.end(), [&](const Arc& s, const Arc& t) {
    return std::tuple(s.left, s.right, coarse(s.from.x), coarse(s.from.y), coarse(s.to.x), coarse(s.to.y)) <
           std::tuple(t.left, t.right, coarse(t.from.x), coarse(t.from.y), coarse(t.to.x), coarse(t.to.y));
  });
  return arcs;
}

void expectSameMap(const CorridorMap& map, const CorridorMap& anew) {
  const auto a = arcsOf(map), b = arcsOf(anew);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].left, b[i].left) << a[i].from.x << ", " << a[i].from.y;
    ASSERT_EQ(a[i].right, b[i].right) << a[i].from.x << ", " << a[i].from.y;
    ASSERT_NEAR(a[i].from.x, b[i].from.x, 1e-7);
    ASSERT_NEAR(a[i].from.y, b[i].from.y, 1e-7);
    ASSERT_NEAR(a[i].to.x, b[i].to.x, 1e-7);
    ASSERT_NEAR(a[i].foot.x, b[i].foot.x, 1e-7);
    ASSERT_NEAR(a[i].clearance, b[i].clearance, 1e-7);
  }
  // The same chains: by length, clearance and where they end.
  const auto chainsOf = [](const CorridorMap& m) {
    std::vector<std::tuple<bool, float, float>> chains;
    for (const MapChain& c : m.chains())
      if (c.first != kNone)
        chains.emplace_back(c.arm, std::round(c.length * 1e3f), std::round(c.least_clearance * 1e3f));
    std::sort(chains.begin(), chains.end());
    return chains;
  };
  const auto c = chainsOf(map), d = chainsOf(anew);
  ASSERT_EQ(c.size(), d.size());
  for (std::size_t i = 0; i < c.size(); ++i) {
    ASSERT_NEAR(std::get<1>(c[i]), std::get<1>(d[i]), 1.5);
    ASSERT_NEAR(std::get<2>(c[i]), std::get<2>(d[i]), 1.5);
  }
}

struct Inserted {
  std::uint32_t id;
  std::vector<Point> shape;
};

std::vector<Point> randomObstacle(base::Random& random, bool aligned) {
  if (aligned) {
    const double x = static_cast<double>(random.below(39)), y = static_cast<double>(random.below(29));
    const double w = static_cast<double>(random.below(4)), h = static_cast<double>(random.below(4));
    if (w == 0 || h == 0) return {{x, y}, {x + w, y + h + (w == 0 && h == 0 ? 2 : 0)}};
    return box(x, y, x + w, y + h).outer;
  }
  const Point centre{random.uniform(1.5, 38.5), random.uniform(1.5, 28.5)};
  const auto corners = static_cast<int>(2 + random.below(6));
  return regular(centre, random.uniform(0.2, 2), corners, random.uniform(0, 6)).outer;
}

/// Distance from the inside of any obstacle, given as shapes: an answer that knows nothing of the map.
bool insideAny(const std::vector<Inserted>& obstacles, Point p) {
  for (const auto& o : obstacles) {
    bool inside = o.shape.size() > 2;
    for (std::size_t i = 0; i < o.shape.size() && inside; ++i)
      inside = geometry::orientation(o.shape[i], o.shape[(i + 1) % o.shape.size()], p) > 0;
    if (inside) return true;
  }
  return false;
}

double distanceToAny(const std::vector<Inserted>& obstacles, Point p) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& o : obstacles)
    for (std::size_t i = 0; i < o.shape.size(); ++i)
      least = std::min(least, geometry::distanceToSegment(p, o.shape[i], o.shape[(i + 1) % o.shape.size()]));
  return least;
}

void changeAtRandom(std::uint64_t seed, bool aligned, int changes) {
  SCOPED_TRACE(seed);
  base::Random random(seed);
  Layer layer = randomLayer(random, true);
  layer.openings.clear();
  if (aligned) layer = {.walkable = {box(0, 0, 40, 30)}, .obstacles = {box(5, 5, 10, 10), box(20, 3, 22, 20)}};
  const ground::WalkableSpace space(sceneOf(layer));
  const ground::Floor& floor = space.floors()[0];
  CorridorMap map(space, {});
  const double base_area = geometry::area(floor.free);
  std::vector<Inserted> there;
  for (int change = 0; change < changes; ++change) {
    SCOPED_TRACE(change);
    const auto before = std::vector<MapHalfEdge>(map.halfEdges().begin(), map.halfEdges().end());
    if (there.size() < 3 || random.below(5) < 3) {
      const auto shape = randomObstacle(random, aligned);
      there.push_back({map.insert(shape, 0), shape});
    } else {
      const auto which = static_cast<std::ptrdiff_t>(random.below(there.size()));
      map.remove(there[static_cast<std::size_t>(which)].id);
      there.erase(there.begin() + which);
    }
    ASSERT_EQ(map.check(), "");
    expectSameMap(map, map.rebuilt());
    if (testing::Test::HasFatalFailure()) return;
    // What it says it did not change it did not.
    const std::set<std::uint32_t> changed(map.changed().begin(), map.changed().end());
    for (std::uint32_t h = 0; h < std::min(before.size(), map.halfEdges().size()); ++h)
      if (map.edge(h).origin != kNone && !changed.count(h)) {
        ASSERT_EQ(before[h].origin, map.edge(h).origin);
        ASSERT_EQ(before[h].site, map.edge(h).site);
      }
    for (int i = 0; i < 20; ++i) {
      const Point p{random.uniform(0, 40), random.uniform(0, 30)};
      const double to_base = floor.clearance(p, 100), to_added = distanceToAny(there, p);
      if (std::min(to_base, to_added) < 1e-4) continue;
      const bool free = floor.contains(p) && !insideAny(there, p);
      ASSERT_EQ(static_cast<bool>(map.locate(p, 0)), free) << p.x << ", " << p.y;
      if (free) {
        ASSERT_NEAR(map.clearance(p, 0), std::min(to_base, to_added), 1e-4);
      }
    }
  }
  EXPECT_LE(map.rebuilds(), 4u);  // the rest in place
  while (!there.empty()) map.remove(there.back().id), there.pop_back();
  double area = 0;
  for (const std::uint32_t h : cellsOf(map)) area += cellArea(map, h);
  EXPECT_NEAR(area, base_area, 1e-4);
  expectSameMap(map, CorridorMap(space, {}));
}

TEST(CorridorMap, ChangesEqualARebuild) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) changeAtRandom(seed, false, 60);
}

TEST(CorridorMap, AlignedChangesEqualARebuild) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) changeAtRandom(seed, true, 60);
}

TEST(CorridorMap, AChangeIsLocal) {
  Layer layer{.walkable = {box(0, 0, 200, 200)}};
  for (int x = 0; x < 12; ++x)
    for (int y = 0; y < 12; ++y) layer.obstacles.push_back(regular({8.0 + 16 * x, 8.0 + 16 * y}, 4.5, 7, 0.1 * x + y));
  const ground::WalkableSpace space(sceneOf(layer));
  CorridorMap map(space, {});
  const std::size_t cells = cellsOf(map).size();
  base::Random random(5);
  int inserted = 0;
  for (int i = 0; i < 60; ++i) {
    const Point p{random.uniform(2, 198), random.uniform(2, 198)};
    if (map.clearance(p, 0) < 1.6) continue;
    map.insert(box(p.x - 1, p.y - 1, p.x + 1, p.y + 1).outer, 0);
    ++inserted;
    EXPECT_LT(map.changed().size(), cells / 10);
  }
  EXPECT_GT(inserted, 20);
  expectSameMap(map, map.rebuilt());
}

TEST(CorridorMap, WallsMicrometresApartMakeAMapOrAreRefusedWithThePlace) {
  int inserted = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    CorridorMap map(ground::WalkableSpace(sceneOf({.walkable = {box(0, 0, 12, 12)}})), {});
    const auto coordinate = [&] {
      return 2.0 * static_cast<double>(random.below(7)) + (static_cast<double>(random.below(7)) - 3) * 1e-6;
    };
    for (int i = 0; i < 14; ++i) {
      const double ax = coordinate(), ay = coordinate(), bx = coordinate(), by = coordinate();
      try {
        map.insert(std::vector<Point>{{ax, ay}, {bx, by}}, 0);
        ++inserted;
      } catch (const InputError& error) {
        ASSERT_FALSE(error.diagnostics().empty());
        EXPECT_TRUE(error.diagnostics()[0].at.has_value()) << error.what();
        ++refused;
      }
      ASSERT_EQ(map.check(), "");
    }
  }
  EXPECT_GT(inserted, 50);
  EXPECT_GT(refused, 20);
}

// --- floors --------------------------------------------------------------------------------------------------------

Layer layerOf(std::string name, std::vector<Polygon> walkable, std::vector<Polygon> obstacles = {}) {
  Layer layer;
  layer.name = std::move(name), layer.walkable = std::move(walkable), layer.obstacles = std::move(obstacles);
  return layer;
}

TEST(CorridorMapFloors, AConnectionIsAsIfThereWereOneFloor) {
  // A room, a passage of another floor, and an obstacle on either side.
  Scene two;
  two.profiles = {Profile{}};
  two.layers = {layerOf("a", {box(0, 0, 10, 10)}, {box(6, 4, 7, 5)}),
                layerOf("b", {box(10, 3, 20, 7)}, {box(12, 5, 13, 6)})};
  two.connections = {{"k", "a", {{10, 3}, {10, 7}}, "b", {{10, 7}, {10, 3}}}};
  const ground::WalkableSpace two_space(two);
  const CorridorMap map(two_space, two.connections);
  ASSERT_EQ(map.check(), "");
  ASSERT_TRUE(map.connections()[0].open);
  const ground::WalkableSpace one_space(
      sceneOf(layerOf("a", {box(0, 0, 10, 10), box(10, 3, 20, 7)}, {box(6, 4, 7, 5), box(12, 5, 13, 6)})));
  const CorridorMap one(one_space, {});
  EXPECT_EQ(cellsOf(map).size(), cellsOf(one).size());
  base::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Point p{random.uniform(0, 20), random.uniform(0, 10)};
    const Located there = one.locate(p, 0);
    const std::uint16_t floor = p.x < 10 ? 0 : 1;
    const Located here = map.locate(p, floor);
    ASSERT_EQ(static_cast<bool>(here), static_cast<bool>(there)) << p.x << ", " << p.y;
    EXPECT_FALSE(map.locate(p, 1 - floor));
    if (!here) continue;
    EXPECT_NEAR(map.nearest(here, p).distance, one.nearest(there, p).distance, kMicrometre) << p.x << ", " << p.y;
    EXPECT_NEAR(map.retract(here, p).clearance, one.retract(there, p).clearance, kMicrometre);
    EXPECT_EQ(map.floorAt(here.cell, p), floor);
  }
}

TEST(CorridorMapFloors, FloorsThatOverlapInPlanStayApart) {
  // A stair leads from the hall up to a floor that lies over the hall.
  Scene scene;
  scene.profiles = {Profile{}};
  scene.layers = {layerOf("hall", {box(0, 0, 30, 20)}, {box(10, 8, 20, 12)}), layerOf("stair", {box(10, 8, 20, 12)}),
                  layerOf("upper", {box(20, 4, 40, 16)})};
  scene.connections = {{"foot", "hall", {{10, 8}, {10, 12}}, "stair", {{10, 8}, {10, 12}}},
                       {"head", "stair", {{20, 8}, {20, 12}}, "upper", {{20, 8}, {20, 12}}}};
  const ground::WalkableSpace space(scene);
  const CorridorMap map(space, scene.connections);
  ASSERT_EQ(map.check(), "");
  ASSERT_TRUE(map.connections()[0].open);
  ASSERT_TRUE(map.connections()[1].open);
  // In the middle of the stair's foot the sides of the stair are nearest, on both floors.
  EXPECT_NEAR(map.clearance({10.5, 10}, 1), 2, 1e-6);
  EXPECT_NEAR(map.clearance({9.9, 10}, 0), std::hypot(0.1, 2.0), 1e-6);
  EXPECT_NEAR(map.clearance({20.1, 10}, 2), std::hypot(0.1, 2.0), 1e-6);
  // Under the upper floor the hall knows nothing of it.
  EXPECT_NEAR(map.clearance({25, 10}, 0), 5, 1e-6);
  EXPECT_NEAR(map.clearance({25, 10}, 2), std::hypot(5.0, 2.0), 1e-6);
  EXPECT_FALSE(map.locate({15, 10}, 0));
  EXPECT_FALSE(map.locate({35, 10}, 0));
  base::Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const Point p{random.uniform(0, 40), random.uniform(0, 20)};
    for (std::uint16_t f = 0; f < 3; ++f) {
      const Located at = map.locate(p, f);
      if (bruteClearance(map, p, f) > 1e-4) {
        ASSERT_EQ(static_cast<bool>(at), space.floors()[f].contains(p));
      }
      if (at) {
        EXPECT_EQ(map.floorAt(at.cell, p), f);
      }
    }
  }
  EXPECT_EQ(cellsOf(map.rebuilt()).size(), cellsOf(map).size());
}

TEST(CorridorMapFloors, RandomFloorsCutInTwoAreAsOne) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    std::vector<Polygon> obstacles;
    for (int i = 0; i < 14; ++i) {
      Point centre{random.uniform(1, 39), random.uniform(1, 29)};
      const double radius = random.uniform(0.3, 2.5);
      if (std::abs(centre.x - 20) < radius + 0.05) centre.x = centre.x < 20 ? 19.9 - radius : 20.1 + radius;
      obstacles.push_back(regular(centre, radius, 3 + static_cast<int>(random.below(6)), random.uniform(0, 3)));
    }
    Scene two;
    two.profiles = {Profile{}};
    two.layers = {layerOf("a", {box(0, 0, 20, 30)}, obstacles), layerOf("b", {box(20, 0, 40, 30)}, obstacles)};
    // Two doors in the dividing wall, or all of it.
    std::vector<Segment> doors{{{20, 0}, {20, 30}}};
    if (seed % 2 == 0) doors = {{{20, 4}, {20, 9}}, {{20, 21}, {20, 23}}};
    for (const Segment& door : doors) two.connections.push_back({"", "a", door, "b", door});
    Layer layer = layerOf("one", {box(0, 0, 40, 30)}, obstacles);
    if (seed % 2 == 0) layer.walls = {{{{20, 0}, {20, 4}}}, {{{20, 9}, {20, 21}}}, {{{20, 23}, {20, 30}}}};
    const ground::WalkableSpace space(two), one_space(sceneOf(layer));
    const CorridorMap map(space, two.connections), one(one_space, {});
    ASSERT_EQ(map.check(), "");
    for (const MapConnection& k : map.connections()) ASSERT_TRUE(k.open);
    for (int i = 0; i < 400; ++i) {
      const Point p{random.uniform(0, 40), random.uniform(0, 30)};
      const Located there = one.locate(p, 0), here = map.locate(p, p.x < 20 ? 0 : 1);
      expectSameWhateverIsGuessed(map, p, p.x < 20 ? 0 : 1, random);
      if (bruteClearance(one, p, 0) < 1e-4) continue;
      ASSERT_EQ(static_cast<bool>(here), static_cast<bool>(there)) << p.x << ", " << p.y;
      if (!here) continue;
      ASSERT_NEAR(map.nearest(here, p).distance, one.nearest(there, p).distance, 2 * kMicrometre) << p.x << ", " << p.y;
      ASSERT_NEAR(map.retract(here, p).clearance, one.retract(there, p).clearance, 4 * kMicrometre);
    }
  }
}

TEST(CorridorMapFloors, ChangesNextToConnectionsEqualARebuild) {
  unsigned rebuilds = 0, changes = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    Scene scene;
    scene.profiles = {Profile{}};
    // A hall, a stair, and a floor that lies over the hall; the stairs have two flights by turns.
    scene.layers = {layerOf("hall", {box(0, 0, 30, 20)}, {box(10, 6, 20, 14)}),
                    layerOf("stair", {box(10, 6, 20, 9.5), box(10, 10, 20, 14)}),
                    layerOf("upper", {box(20, 4, 40, 16)})};
    if (seed % 2) scene.layers[1].walkable = {box(10, 6, 20, 14)};
    const std::vector<std::pair<double, double>> flights =
        seed % 2 ? std::vector<std::pair<double, double>>{{6, 14}}
                 : std::vector<std::pair<double, double>>{{6, 9.5}, {10, 14}};
    for (const auto& [from, to] : flights) {
      const Segment foot{{10, from}, {10, to}}, head{{20, from}, {20, to}};
      scene.connections.push_back({"", "hall", foot, "stair", foot});
      scene.connections.push_back({"", "stair", head, "upper", head});
    }
    const ground::WalkableSpace space(scene);
    CorridorMap map(space, scene.connections);
    for (const MapConnection& k : map.connections()) ASSERT_TRUE(k.open);
    std::vector<std::uint32_t> there;
    for (int change = 0; change < 40; ++change) {
      SCOPED_TRACE(change);
      if (there.size() < 2 || random.below(5) < 3) {
        const auto floor = static_cast<std::uint16_t>(random.below(3));
        const double radius = random.uniform(0.1, 0.8);
        const Point middle{floor == 0   ? random.uniform(4, 9.9 - radius)
                           : floor == 1 ? random.uniform(10.1 + radius, 19.9 - radius)
                                        : random.uniform(20.1 + radius, 25),
                           random.uniform(5, 15)};
        there.push_back(map.insert(
            regular(middle, radius, static_cast<int>(2 + random.below(4)), random.uniform(0, 6)).outer, floor));
      } else {
        const auto which = static_cast<std::ptrdiff_t>(random.below(there.size()));
        map.remove(there[static_cast<std::size_t>(which)]);
        there.erase(there.begin() + which);
      }
      ++changes;
      ASSERT_EQ(map.check(), "");
      for (const MapConnection& k : map.connections()) ASSERT_TRUE(k.open);
      expectSameMap(map, map.rebuilt());
      if (HasFatalFailure()) return;
    }
    rebuilds += static_cast<unsigned>(map.rebuilds());
  }
  EXPECT_LT(rebuilds, changes / 50);  // the rest in place
}

TEST(CorridorMapFloors, AnObstacleAcrossAConnectionIsRefused) {
  Scene scene;
  scene.profiles = {Profile{}};
  scene.layers = {layerOf("a", {box(0, 0, 10, 10)}), layerOf("b", {box(10, 0, 20, 10)})};
  const Segment line{{10, 3}, {10, 7}};
  scene.connections = {{"k", "a", line, "b", line}};
  CorridorMap map(ground::WalkableSpace(scene), scene.connections);
  EXPECT_THROW(map.insert(box(9, 4, 11, 5).outer, 0), InputError);
  EXPECT_THROW(map.insert(std::vector<Point>{{9, 4}, {11, 5}}, 1), InputError);
  EXPECT_EQ(map.check(), "");
  map.insert(box(8.5, 4, 9.5, 5).outer, 0);
  EXPECT_EQ(map.rebuilds(), 0u);
  EXPECT_EQ(map.check(), "");
}

}  // namespace
}  // namespace throng::corridors
