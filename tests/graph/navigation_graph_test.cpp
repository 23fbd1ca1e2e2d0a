// The navigation graph against walls, one by one, and against the corridor map's exact answers.
#include "graph/navigation_graph.h"

#include <gtest/gtest.h>
#include <set>

#include "base/archive.h"
#include "corridors/map_scenes.h"
#include "corridors/visibility.h"
#include "graph/navigation_grid.h"

namespace throng::graph {
namespace {

using namespace corridors;  // places to try, and what lies around a place
using corridors::Place;

constexpr double kStep = 0.5, kBody = 0.25;  // m
constexpr double kClose = 1e-6;              // m; nearer to a threshold than this, either answer is right

std::string bytesOf(const NavigationGraph& graph) { return graph.save(); }

NavigationGraph loaded(const std::string& bytes) { return NavigationGraph::load(bytes); }

NavigationGraph graphOf(const TestMap& test, int threads = 2, double step = kStep) {
  return NavigationGraph(test.space, test.map, Walkability{}, step, base::Threads(threads));
}

bool touchesAny(const std::vector<Segment>& walls, Point a, Point b) {
  const Point low{std::min(a.x, b.x), std::min(a.y, b.y)}, high{std::max(a.x, b.x), std::max(a.y, b.y)};
  return std::any_of(walls.begin(), walls.end(), [&](const Segment& w) {
    return std::min(w.a.x, w.b.x) <= high.x && std::max(w.a.x, w.b.x) >= low.x && std::min(w.a.y, w.b.y) <= high.y &&
           std::max(w.a.y, w.b.y) >= low.y && geometry::segmentsIntersect(a, b, w.a, w.b);
  });
}

double distanceTo(const std::vector<Segment>& walls, Point place) {
  double least = std::numeric_limits<double>::infinity();
  for (const Segment& wall : walls) least = std::min(least, geometry::distanceToSegment(place, wall.a, wall.b));
  return least;
}

/// Two storeys of 20 m by 10 m above one another, a landing beside them, and stairs from each to it.
Scene storeys(base::Random& random, double climb = 0.5) {
  Scene scene = sceneOf({});
  scene.layers.resize(5);
  const auto layer = [&](std::size_t i, const char* name, Polygon area, double elevation, double slope) {
    scene.layers[i].name = name;
    scene.layers[i].walkable = {std::move(area)};
    scene.layers[i].elevation = elevation - slope * 20;
    scene.layers[i].slope = {slope, 0};
  };
  layer(0, "ground", box(0, 0, 20, 10), 0, 0);
  layer(1, "first stair", box(20, 2, 26, 5), 0, 0.5);
  layer(2, "landing", box(26, 0, 30, 10), 3, 0);
  layer(3, "second stair", box(20, 6, 26, 9), 3 + 6 * climb, -climb);
  layer(4, "upstairs", box(0, 0, 20, 10), 3 + 6 * climb, 0);
  const auto connect = [&](const char* from, const char* to, double x, double y) {
    const Segment line{{x, y}, {x, y + 3}};
    scene.connections.push_back({from, from, line, to, line});
  };
  connect("ground", "first stair", 20, 2);
  connect("first stair", "landing", 26, 2);
  connect("landing", "second stair", 26, 6);
  connect("second stair", "upstairs", 20, 6);
  for (const std::size_t floor : {std::size_t{0}, std::size_t{4}})
    for (int i = 0; i < 4; ++i) {
      const Point at{random.uniform(1, 17), random.uniform(1, 9)};
      scene.layers[floor].obstacles.push_back(regular(at, random.uniform(0.3, 1.2), 5, random.uniform(0, 3)));
      scene.layers[floor].walls.push_back(
          {{{random.uniform(0, 17), random.uniform(0, 10)}, {random.uniform(0, 17), random.uniform(0, 10)}}});
    }
  return scene;
}

TEST(NavigationGraph, LinksAndClearanceAgreeWithAllWalls) {
  base::Random random(1);
  int linked = 0, cut = 0, border = 0;
  for (const Place place : kPlaces) {
    const TestMap test(placeLayer(place, random));
    const base::Threads threads(2);
    NavigationGrid grid(test.space, test.map, Walkability{}, kStep, threads);
    grid.measure(test.map, threads);
    grid.link(test.map, threads);
    const auto walls = wallsOn(test.map, 0);
    std::size_t links = 0;
    for (std::uint32_t i = 0; i < grid.size(); ++i) {
      const Point at = grid.place(i);
      const double exact = distanceTo(walls, at);
      ASSERT_NEAR(grid.clearance(i), exact, 1e-5);
      ASSERT_TRUE(exact <= kClose || test.space.floors()[0].contains(at));
      for (unsigned d = 0; d < 2; ++d) {
        const Point next = at + (d == 0 ? Point{kStep, 0} : Point{0, kStep});
        const auto other = grid.at(0, std::llround(next.x / kStep), std::llround(next.y / kStep));
        const bool free = other != corridors::kNone && !touchesAny(walls, at, next);
        ASSERT_EQ(grid.linked(i, d), free) << at.x << ", " << at.y << " " << d << " place " << int(place);
        (free ? linked : cut)++;
        links += free;
        ASSERT_TRUE(!free || grid.free(other)[d + 2] == i);
      }
      border += !(grid.linked(i, 0) && grid.linked(i, 1) && grid.linked(i, 2) && grid.linked(i, 3));
    }
    EXPECT_EQ(links, grid.links());
    // Every node on free ground has a sample.
    for (int x = 0; x <= 80; ++x)
      for (int y = 0; y <= 60; ++y) {
        const Point node{x * kStep, y * kStep};
        const bool on_ground = test.space.floors()[0].contains(node);
        ASSERT_TRUE(!on_ground || grid.at(0, x, y) != corridors::kNone || distanceTo(walls, node) <= kClose);
      }
  }
  EXPECT_GT(linked, 20000);
  EXPECT_GT(cut, 2000);
  std::printf("%d links, %d pairs cut, %d border samples\n", linked, cut, border);
}

TEST(NavigationGraph, SheetsThinnerThanTheStepCut) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 6)};
  layer.walls = {{{{5.1, 0}, {5.1, 6}}}};
  const TestMap test(layer);
  const NavigationGraph graph = graphOf(test, 1, 2);
  std::set<std::uint32_t> components;
  for (std::uint32_t v = 0; v < graph.vertices().size(); ++v) {
    components.insert(graph.component(v));
    EXPECT_GE(std::abs(graph.vertices()[v].centre.x - 5.1), graph.vertices()[v].radius);
  }
  EXPECT_EQ(components.size(), 2u);
}

/// What gates must be, whatever the place.
void expectGoodGates(const NavigationGraph& graph, const CorridorMap& map, int& points) {
  for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
    const GraphEdge& edge = graph.edges()[e];
    ASSERT_LT(edge.low, edge.high);
    const GraphVertex &a = graph.vertices()[edge.low], &b = graph.vertices()[edge.high];
    const double apart = length(b.centre - a.centre);
    EXPECT_GT(apart, std::abs(a.radius - b.radius)) << "one cylinder in another";
    const double slack = 1e-7 * (1 + a.radius + b.radius);
    for (const Point end : {edge.gate.a, edge.gate.b}) {
      EXPECT_NEAR(length(end - a.centre), a.radius, slack);
      EXPECT_NEAR(length(end - b.centre), b.radius, slack);
    }
    EXPECT_GT(det(b.centre - a.centre, edge.gate.a - edge.gate.b), 0);
    EXPECT_NEAR(edge.width, length(edge.gate.b - edge.gate.a), 1e-4);
    const Point middle = (edge.passage.a + edge.passage.b) * 0.5;
    EXPECT_NEAR(edge.length, length(middle - a.centre) + length(middle - b.centre), 1e-4);
    if (edge.passage.a == edge.passage.b) {
      ++points;
      EXPECT_LE(length(middle - a.centre), a.radius + kClose);
      EXPECT_LE(length(middle - b.centre), b.radius + kClose);
      EXPECT_GE(map.clearance(middle, graph.floorIn(edge.low, middle)), kBody - 1e-5);
    } else {
      EXPECT_GT(det(b.centre - a.centre, edge.passage.a - edge.passage.b), 0);
      for (const Point end : {edge.passage.a, edge.passage.b}) {
        EXPECT_LE(length(end - a.centre) + kBody, a.radius + kClose);
        EXPECT_LE(length(end - b.centre) + kBody, b.radius + kClose);
      }
    }
    for (const std::uint32_t v : {edge.low, edge.high}) {
      const auto incident = graph.incident(v);
      EXPECT_TRUE(std::binary_search(incident.begin(), incident.end(), e));
    }
    EXPECT_EQ(graph.component(edge.low), graph.component(edge.high));
  }
}

/// What hangs together on the corridor map for a body: numbers of parts of its medial axis that are wide enough.
class AxisParts {
 public:
  explicit AxisParts(const CorridorMap& map) : map_(map), parent_(map.vertices().size()) {
    for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
    for (std::uint32_t h = 0; h < map.halfEdges().size(); h += 2)
      if (map.edge(h).origin != corridors::kNone && map.edge(h).least_clearance >= kBody)
        parent_[root(map.edge(h).origin)] = root(map.edge(h + 1).origin);
  }
  std::uint32_t root(std::uint32_t v) const { return parent_[v] == v ? v : root(parent_[v]); }
  /// kNone when no vertex of the axis can be reached from a place on it.
  std::uint32_t of(Point place, std::uint16_t floor) const {
    const corridors::Retraction on = map_.retract(map_.locate(place, floor), place);
    const Point least = map_.narrowest(on.edge);
    const bool passable = map_.edge(on.edge).least_clearance >= kBody;
    for (const std::uint32_t h : {on.edge, CorridorMap::twin(on.edge)}) {
      if (map_.origin(h).clearance < kBody) continue;
      const Point way = map_.origin(h).at - on.at;
      if (passable || dot(way, least - on.at) <= 0 || length(least - on.at) > length(way))
        return root(map_.edge(h).origin);
    }
    return corridors::kNone;
  }

 private:
  const CorridorMap& map_;
  std::vector<std::uint32_t> parent_;
};

struct Counts {
  std::size_t vertices = 0, edges = 0, joined = 0, apart = 0, covered = 0, seen = 0, unseen = 0;
};

void expectSameParts(const NavigationGraph& graph, const CorridorMap& map, Counts& counts) {
  const AxisParts parts(map);
  std::vector<std::uint32_t> part;
  for (const GraphVertex& v : graph.vertices()) part.push_back(parts.of(v.centre, v.floor));
  for (std::uint32_t a = 0; a < part.size(); ++a)
    for (std::uint32_t b = a + 1; b < part.size(); ++b) {
      if (part[a] == corridors::kNone || part[b] == corridors::kNone) continue;
      const bool together = graph.component(a) == graph.component(b);
      ASSERT_EQ(together, part[a] == part[b]) << a << " " << b;
      (together ? counts.joined : counts.apart)++;
    }
}

void expectSight(const NavigationGraph& graph, const std::vector<Segment>& walls, Counts& counts) {
  std::vector<std::set<std::uint32_t>> seen(4);
  for (std::uint32_t a = 0; a < graph.vertices().size(); ++a) {
    for (std::size_t d = 0; d < 4; ++d) {
      const auto list = graph.visible(a, static_cast<Cardinal>(d));
      ASSERT_TRUE(std::is_sorted(list.begin(), list.end()));
      seen[d] = {list.begin(), list.end()};
    }
    for (std::uint32_t b = 0; b < graph.vertices().size(); ++b) {
      const Point from = graph.vertices()[a].centre, to = graph.vertices()[b].centre, way = to - from;
      // Each quarter begins at its clockwise end.
      const double degrees = std::atan2(way.y, way.x) * 180 / base::kPi;
      const auto quarter = static_cast<std::size_t>(std::floor((degrees + 45) / 90) + 4) % 4;
      const bool between = std::abs(std::abs(way.x) - std::abs(way.y)) < 1e-9;
      const bool free = a != b && !touchesAny(walls, from, to);
      (free ? counts.seen : counts.unseen)++;
      std::size_t times = 0;
      for (std::size_t d = 0; d < 4; ++d) {
        times += seen[d].count(b);
        ASSERT_TRUE(between || d == quarter || seen[d].count(b) == 0) << a << " sees " << b;
      }
      ASSERT_TRUE(times == (free ? 1u : 0u) || distanceToWalls(walls, {from, to}) < kClose) << a << " sees " << b;
    }
  }
}

TEST(NavigationGraph, OfRandomPlaces) {
  base::Random random(2);
  Counts counts;
  int points = 0;
  for (const Place place : kPlaces)
    for (int round = 0; round < 2; ++round) {
      SCOPED_TRACE(::testing::Message() << "place " << int(place) << " round " << round);
      const TestMap test(placeLayer(place, random));
      const NavigationGraph graph = graphOf(test);
      const auto walls = wallsOn(test.map, 0);
      counts.vertices += graph.vertices().size(), counts.edges += graph.edges().size();
      for (const GraphVertex& v : graph.vertices()) {
        ASSERT_GE(distanceTo(walls, v.centre), v.radius);
        ASSERT_GE(v.radius, kBody - kClose);
      }
      ASSERT_NO_FATAL_FAILURE(expectGoodGates(graph, test.map, points));
      ASSERT_NO_FATAL_FAILURE(expectSameParts(graph, test.map, counts));
      ASSERT_NO_FATAL_FAILURE(expectSight(graph, walls, counts));
      const auto nearestRim = [&](Point p) {
        double least = 1e9;
        for (const GraphVertex& v : graph.vertices()) least = std::min(least, length(p - v.centre) - v.radius);
        return least;
      };
      for (int x = -4; x <= 84; ++x)
        for (int y = -4; y <= 64; ++y) {
          const Point p{x * kStep, y * kStep};
          if (test.map.clearance(p, 0) < kBody + kClose) continue;
          ASSERT_LE(nearestRim(p), 0) << p.x << ", " << p.y;
          ++counts.covered;
        }
      for (int i = 0; i < 1000; ++i) {
        const Point p{random.uniform(0, kWidth), random.uniform(0, kHeight)};
        ASSERT_TRUE(test.map.clearance(p, 0) < kBody || nearestRim(p) <= kStep * std::sqrt(2.0));
      }
    }
  EXPECT_GT(counts.apart, 100u);
  EXPECT_GT(counts.joined, 10000u);
  EXPECT_GT(counts.seen, 10000u);
  EXPECT_GT(counts.unseen, 10000u);
  std::printf(
      "%zu cylinders, %zu gates (%d for one body); %zu samples covered; %zu pairs joined, %zu not; %zu see one "
      "another, %zu do not\n",
      counts.vertices, counts.edges, points, counts.covered, counts.joined, counts.apart, counts.seen, counts.unseen);
}

TEST(NavigationGraph, OfStoreysAboveOneAnother) {
  base::Random random(3);
  Counts counts;
  int points = 0, over = 0, located = 0, outside = 0, walls_near = 0;
  for (int round = 0; round < 4; ++round) {
    const TestMap test(storeys(random));
    for (const corridors::MapConnection& connection : test.map.connections()) ASSERT_TRUE(connection.open);
    const NavigationGraph graph = graphOf(test);
    ASSERT_NO_FATAL_FAILURE(expectGoodGates(graph, test.map, points));
    ASSERT_NO_FATAL_FAILURE(expectSameParts(graph, test.map, counts));
    std::vector<std::vector<Segment>> walls;
    for (std::uint16_t f = 0; f < 5; ++f) walls.push_back(wallsOn(test.map, f));
    for (std::uint32_t i = 0; i < graph.vertices().size(); ++i) {
      const GraphVertex& v = graph.vertices()[i];
      const Layer& layer = test.scene.layers[v.floor];
      EXPECT_NEAR(v.z, layer.elevation + layer.slope.x * v.centre.x, 1e-4);
      // No wall inside, on the floor that the straight way to it leads to.
      for (std::uint16_t f = 0; f < 5; ++f)
        for (const Segment& wall : walls[f]) {
          const Point near = geometry::nearestOnSegment(v.centre, wall.a, wall.b);
          if (length(near - v.centre) >= v.radius) continue;
          const Point before = near + (v.centre - near) * 1e-3;
          EXPECT_NE(graph.floorIn(i, before), f);
          ++walls_near;
        }
      // Floors behind connections.
      for (int k = 0; k < 80; ++k) {
        double s, c;
        base::sinCos(random.uniform(0, 6.28), s, c);
        const Point p = v.centre + Point{c, s} * (v.radius * random.uniform(0, 0.999));
        const corridors::Sight sight = lookAlong(test.map, v.centre, v.floor, p);
        ASSERT_TRUE(sight.clear);
        ASSERT_EQ(graph.floorIn(i, p), sight.floor)
            << v.centre.x << ", " << v.centre.y << " on " << v.floor << " to " << p.x << ", " << p.y;
        over += sight.floor != v.floor;
      }
    }
    for (int k = 0; k < 1500; ++k) {
      const Point p{random.uniform(-1, 31), random.uniform(-1, 11)};
      const auto floor = static_cast<std::uint16_t>(random.below(5));
      double best = -1;
      for (const GraphVertex& v : graph.vertices()) {
        const double deep = v.radius - length(p - v.centre);
        if (deep <= best) continue;
        const corridors::Sight sight = lookAlong(test.map, v.centre, v.floor, p);
        if (deep >= 0 && sight.clear && sight.floor == floor) best = deep;
      }
      const std::uint32_t found = graph.locate(p, floor, 0);
      ASSERT_EQ(found != corridors::kNone, best >= 0) << p.x << ", " << p.y << " floor " << floor;
      if (found == corridors::kNone) {
        if (graph.locate(p, floor, 2) != corridors::kNone) ++outside;
        continue;
      }
      ++located;
      EXPECT_DOUBLE_EQ(graph.vertices()[found].radius - length(p - graph.vertices()[found].centre), best);
    }
    // A sight goes up stairs, but not from one storey to the one above.
    for (std::uint32_t a = 0; a < graph.vertices().size(); ++a)
      for (std::size_t d = 0; d < 4; ++d)
        for (const std::uint32_t b : graph.visible(a, static_cast<Cardinal>(d))) {
          const GraphVertex &v = graph.vertices()[a], &w = graph.vertices()[b];
          ASSERT_FALSE(v.floor == 0 && w.floor == 4);
          const corridors::Sight sight = lookAlong(test.map, w.centre, w.floor, v.centre);
          ASSERT_TRUE(!sight.clear || sameFloor(test.map, sight.floor, v.floor, v.centre));
        }
  }
  EXPECT_GT(over, 100);
  EXPECT_GT(located, 500);
  EXPECT_GT(outside, 20);
  EXPECT_GT(walls_near, 0);
  std::printf("%d places over connections, %d located, %d near; %d gates for one body\n", over, located, outside,
              points);
}

/// Storeys that nothing connects are graphs of their own, however many lie above one another.
TEST(NavigationGraph, OfStoreysThatNothingConnects) {
  base::Random random(8);
  const Scene one = [&] {
    Scene scene = storeys(random);
    scene.connections.clear();
    scene.layers.resize(1);
    return scene;
  }();
  constexpr std::size_t kStoreys = 12;
  Scene many = one;
  for (std::size_t i = 1; i < kStoreys; ++i) {
    many.layers.push_back(one.layers[0]);
    many.layers.back().name = "storey " + std::to_string(i);
    many.layers.back().elevation += 3.0 * static_cast<double>(i);
  }
  const auto seen = [](const NavigationGraph& graph) {
    std::size_t sum = 0;
    for (std::uint32_t v = 0; v < graph.vertices().size(); ++v)
      for (const Cardinal d : {Cardinal::kEast, Cardinal::kNorth, Cardinal::kWest, Cardinal::kSouth})
        for (const std::uint32_t other : graph.visible(v, d)) {
          EXPECT_EQ(graph.vertices()[other].floor, graph.vertices()[v].floor);
          ++sum;
        }
    return sum;
  };
  const NavigationGraph single = graphOf(TestMap(one)), tower = graphOf(TestMap(many));
  EXPECT_EQ(tower.vertices().size(), kStoreys * single.vertices().size());
  EXPECT_EQ(tower.edges().size(), kStoreys * single.edges().size());
  EXPECT_EQ(seen(tower), kStoreys * seen(single));
  EXPECT_GT(seen(single), 0U);
}

TEST(NavigationGraph, LinksLeadOverConnections) {
  base::Random random(7);
  const TestMap test(storeys(random));
  const base::Threads threads(2);
  for (const double step : {0.5, 0.3}) {  // with and without samples on the lines themselves
    NavigationGrid grid(test.space, test.map, Walkability{}, step, threads);
    grid.measure(test.map, threads);
    grid.link(test.map, threads);
    int over = 0;
    for (std::uint32_t i = 0; i < grid.size(); ++i)
      for (unsigned d = 0; d < 4; ++d) {
        if (!grid.linked(i, d)) continue;
        const std::uint32_t other = grid.free(i)[d];
        ASSERT_EQ(grid.free(other)[(d + 2) % 4], i);
        ASSERT_NEAR(length(grid.place(other) - grid.place(i)), step, 1e-9);
        if (grid.floor(i) == grid.floor(other)) continue;
        ++over;
        ASSERT_EQ(std::abs(grid.floor(i) - grid.floor(other)), 1);  // as storeys() has numbered them
        const double x = grid.floor(i) + grid.floor(other) == 3 || grid.floor(i) + grid.floor(other) == 5 ? 26 : 20;
        ASSERT_LE((grid.place(i).x - x) * (grid.place(other).x - x), 1e-9);
      }
    // Every row of samples in a stair goes on at both ends: 3 m wide, without the samples on its walls.
    EXPECT_EQ(over, step == 0.5 ? 2 * 4 * 5 : 2 * (2 * 10 + 2 * 9));
  }
}

TEST(NavigationGraph, GroundThatIsTooSteepIsLeftOut) {
  base::Random random(4);
  const TestMap test(storeys(random, 1.2));  // 50 degrees
  const NavigationGraph graph = graphOf(test);
  std::set<std::uint32_t> below, above;
  for (std::uint32_t v = 0; v < graph.vertices().size(); ++v) {
    EXPECT_NE(graph.vertices()[v].floor, 3);
    if (graph.vertices()[v].floor == 2) below.insert(graph.component(v));
    if (graph.vertices()[v].floor == 4) above.insert(graph.component(v));
  }
  ASSERT_FALSE(above.empty());
  for (const std::uint32_t component : below) EXPECT_EQ(above.count(component), 0u);
}

TEST(NavigationGraph, IsTheSameOnAnyNumberOfThreadsAndFromItsFile) {
  base::Random random(5);
  for (const bool upstairs : {false, true}) {
    const TestMap test(upstairs ? storeys(random) : sceneOf(placeLayer(Place::kSheets, random)));
    const NavigationGraph one = graphOf(test, 1), four = graphOf(test, 4);
    const std::string bytes = bytesOf(one);
    EXPECT_EQ(bytes, bytesOf(four));
    const NavigationGraph again = loaded(bytes);
    EXPECT_EQ(bytes, bytesOf(again));
    ASSERT_EQ(again.vertices().size(), one.vertices().size());
    for (std::uint32_t v = 0; v < one.vertices().size(); ++v) {
      EXPECT_TRUE(std::equal(one.incident(v).begin(), one.incident(v).end(), again.incident(v).begin(),
                             again.incident(v).end()));
      EXPECT_EQ(one.component(v), again.component(v));
    }
    for (int i = 0; i < 300; ++i) {
      const Point p{random.uniform(-1, 31), random.uniform(-1, 31)};
      EXPECT_EQ(one.locate(p, 0), again.locate(p, 0));
    }
  }
}

/// A round place with a rough border, as models have them: its axis is a star of many arms, and large discs overlap.
Layer roughPlace(base::Random& random) {
  Layer layer;
  layer.name = "ground";
  Polygon area;
  const int corners = 8 + static_cast<int>(random.below(393));
  const double radius = random.uniform(2, 40), roughness = random.uniform(0, 0.1) * random.uniform(0, 1);
  const Point centre{random.uniform(-9, 9), random.uniform(-9, 9)};
  for (int i = 0; i < corners; ++i) {
    const double turn = 2 * base::kPi * i / corners, r = radius * (1 + random.uniform(-roughness, roughness));
    area.outer.push_back(centre + Point{r * std::cos(turn), r * std::sin(turn)});
  }
  layer.walkable = {std::move(area)};
  for (int i = static_cast<int>(random.below(4)); i > 0; --i)
    layer.obstacles.push_back(regular(centre + Point{random.uniform(-1, 1) * radius, random.uniform(-1, 1) * radius},
                                      random.uniform(0.02, 0.2) * radius, 7, random.uniform(0, 3)));
  return layer;
}

TEST(NavigationGraph, MadeQuicklyIsTheOneMadePlainly) {
  base::Random random(7);
  std::size_t cylinders = 0, gates = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    Scene scene;
    if (round % 3 == 0)
      scene = sceneOf(roughPlace(random));
    else if (round % 3 == 1)
      scene = storeys(random);
    else
      scene = sceneOf(placeLayer(kPlaces[static_cast<std::size_t>(round / 3) % std::size(kPlaces)], random));
    const TestMap test(scene);
    const double step = random.uniform(0.2, 1);
    const base::Threads threads(2);
    const NavigationGraph quick(test.space, test.map, Walkability{}, step, threads);
    const NavigationGraph plain(test.space, test.map, Walkability{}, step, threads, NavigationGraph::Making::kPlain);
    ASSERT_EQ(bytesOf(quick), bytesOf(plain));
    cylinders += quick.vertices().size(), gates += quick.edges().size();
  }
  EXPECT_GT(cylinders, 1000u);
  EXPECT_GT(gates, 1000u);
}

TEST(NavigationGraph, DamagedFilesAreRefused) {
  base::Random random(6);
  const TestMap test(storeys(random));
  const std::string file = bytesOf(graphOf(test));
  for (int i = 0; i < 400; ++i) {  // any bit, any length
    std::string damaged = file;
    if (i % 2) {
      damaged.resize(random.below(file.size()));
    } else {
      damaged[random.below(file.size())] ^= static_cast<char>(1 << random.below(8));
    }
    EXPECT_THROW(loaded(damaged), InputError);
  }
  EXPECT_THROW(loaded(file + "x"), InputError);
  EXPECT_THROW(loaded(""), InputError);

  // Behind the checksum: what a program with another idea of graphs has sealed.
  const base::ArchiveKind kind{"navigation graph", 2};
  const std::string bytes(base::unsealed(kind, file).content);
  EXPECT_EQ(bytesOf(loaded(base::sealed(kind, 0, bytes))), file);
  int refused = 0, accepted = 0;
  for (int i = 0; i < 400; ++i) {
    std::string damaged = bytes;
    if (i % 4 == 0) {
      damaged.resize(random.below(bytes.size()));
    } else {
      // Half of them near the beginning, where the lengths of lists are.
      const std::size_t at = random.below(i % 4 == 1 ? 200 : bytes.size());
      damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + random.below(255)));
    }
    try {
      const NavigationGraph graph = loaded(base::sealed(kind, 0, damaged));
      graph.locate({10, 5}, 0);
      ++accepted;  // another number that could be one
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_THROW(loaded(base::sealed(kind, 0, bytes + "x")), InputError);
  EXPECT_THROW(loaded(base::sealed(kind, 0, "")), InputError);
  std::printf("%d damaged files refused, %d with other numbers\n", refused, accepted);
}

TEST(NavigationGraph, SettingsThatMakeNoSenseAreRefused) {
  Layer layer;
  layer.walkable = {box(0, 0, 10000, 10000)};
  const TestMap test(layer);
  for (const double step : {0.0, -1.0, 1000.0, std::nan("")}) EXPECT_THROW(graphOf(test, 1, step), InputError);
  try {
    graphOf(test, 1, 0.5);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("precision"), std::string::npos);
  }
}

}  // namespace
}  // namespace throng::graph
