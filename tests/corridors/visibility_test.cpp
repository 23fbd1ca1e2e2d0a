#include "corridors/visibility.h"

#include <gtest/gtest.h>

#include "corridors/map_scenes.h"

namespace throng::corridors {
namespace {

constexpr double kClose = 1e-6;  // m; nearer to a threshold than this, either answer is right

/// Free places: anywhere, on vertices and arcs of the medial axis, on sides of cells, on whole numbers.
Point freePlace(const CorridorMap& map, base::Random& random) {
  for (;;) {
    Point p{random.uniform(0, kWidth), random.uniform(0, kHeight)};
    const auto h = static_cast<std::uint32_t>(random.below(map.halfEdges().size()));
    const std::uint64_t kind = random.below(8);
    if (kind >= 4 && map.edge(h).origin == kNone) continue;
    if (kind == 3) p = {std::floor(p.x), std::floor(p.y)};
    if (kind == 4) p = map.origin(h).at;
    if (kind == 5) p = (map.origin(h).at + map.target(h).at) * 0.5;
    if (kind == 6) p = map.origin(h).at + (map.foot(h) - map.origin(h).at) * random.uniform();
    if (kind == 7) p = map.target(h).at + (map.footEnd(h) - map.target(h).at) * 0.5;
    const Located cell = map.locate(p, 0);
    if (cell && map.nearest(cell, p).distance > 1e-3) return p;
  }
}

struct Counts {
  int clear = 0, blocked = 0, skipped = 0;
};

/// What every answer must be: on the way, as far as the walls let it, in the right cell.
void expectGoodEnd(const CorridorMap& map, const std::vector<Segment>& walls, Segment way, double radius,
                   const Sight& s) {
  EXPECT_LT(geometry::distanceToSegment(s.end, way.a, way.b), kClose);
  const double at_end = distanceToWalls(walls, {s.end, s.end});
  if (s.clear) {
    EXPECT_EQ(s.end, way.b);
  } else {
    EXPECT_LT(at_end, radius + kClose);
    const double reached = distanceToWalls(walls, {way.a, s.end});
    EXPECT_TRUE(s.end == way.a || reached > radius - kClose) << reached;
  }
  ASSERT_NE(s.cell, kNone);
  EXPECT_EQ(s.floor, 0);
  EXPECT_NEAR(map.nearest(s.located(), s.end).distance, at_end, 2 * kClose);
}

TEST(Visibility, OfPointsAgreesWithAllWalls) {
  base::Random random(11);
  Counts counts;
  for (const Place place : kPlaces)
    for (int round = 0; round < 4; ++round) {
      const TestMap test(placeLayer(place, random));
      ASSERT_EQ(test.map.check(), "");
      const auto walls = wallsOn(test.map, 0);
      for (int i = 0; i < 800; ++i) {
        const Point a = freePlace(test.map, random), b = freePlace(test.map, random);
        const bool meets = std::any_of(walls.begin(), walls.end(), [&](const Segment& wall) {
          return geometry::segmentsIntersect(a, b, wall.a, wall.b);
        });
        const Sight sight = lookAlong(test.map, a, 0, b);
        (sight.clear ? counts.clear : counts.blocked)++;
        if (!meets && distanceToWalls(walls, {a, b}) < kClose) {
          ++counts.skipped;
          continue;
        }
        ASSERT_EQ(sight.clear, !meets) << "(" << a.x << ", " << a.y << ") to (" << b.x << ", " << b.y << "), place "
                                       << int(place) << " round " << round;
        ASSERT_NO_FATAL_FAILURE(expectGoodEnd(test.map, walls, {a, b}, 0, sight));
        if (::testing::Test::HasFailure()) FAIL() << "(" << a.x << ", " << a.y << ") to (" << b.x << ", " << b.y << ")";
      }
    }
  EXPECT_GT(counts.clear, 3000);
  EXPECT_GT(counts.blocked, 3000);
  EXPECT_LT(counts.skipped, 100);
  std::printf("%d clear, %d blocked, %d too near to tell\n", counts.clear, counts.blocked, counts.skipped);
}

TEST(Visibility, OnWholeNumbersIsExact) {
  const TestMap test(gridLayer(0));
  const auto walls = wallsOn(test.map, 0);
  int touching = 0, clear = 0, blocked = 0;
  for (int ax = 1; ax < 20; ++ax)
    for (int ay = 1; ay < 12; ++ay)
      for (int bx = 1; bx < 24; bx += 2)
        for (int by = 1; by < 16; by += 2) {
          const Point a{static_cast<double>(ax), static_cast<double>(ay)};
          const Point b{static_cast<double>(bx), static_cast<double>(by)};
          if (!test.map.locate(a, 0) || !test.map.locate(b, 0)) continue;
          bool expected = true, crosses = false;
          for (const Segment& wall : walls) {
            expected = expected && !geometry::segmentsIntersect(a, b, wall.a, wall.b);
            crosses = crosses || (geometry::orientation(a, b, wall.a) * geometry::orientation(a, b, wall.b) < 0 &&
                                  geometry::segmentsIntersect(a, b, wall.a, wall.b));
          }
          touching += !expected && !crosses;
          (expected ? clear : blocked)++;
          ASSERT_EQ(visible(test.map, a, 0, b), expected)
              << "(" << ax << ", " << ay << ") to (" << bx << ", " << by << ")";
        }
  EXPECT_GT(touching, 500);
  std::printf("%d clear, %d blocked, %d of them by a touch\n", clear, blocked, touching);
}

TEST(Visibility, OfDiscsAgreesWithAllWalls) {
  base::Random random(12);
  Counts counts;
  for (const Place place : kPlaces)
    for (int round = 0; round < 4; ++round) {
      const TestMap test(placeLayer(place, random));
      const auto walls = wallsOn(test.map, 0);
      for (int i = 0; i < 700; ++i) {
        const Point a = freePlace(test.map, random);
        const Point b = i % 2 ? freePlace(test.map, random) : a + Point{random.uniform(-3, 3), random.uniform(-3, 3)};
        const double radius = random.uniform(0.01, 0.8);
        const double distance = distanceToWalls(walls, {a, b});
        const Sight sight = lookAlong(test.map, a, 0, b, radius);
        (sight.clear ? counts.clear : counts.blocked)++;
        if (std::abs(distance - radius) < kClose) {
          ++counts.skipped;
          continue;
        }
        ASSERT_EQ(sight.clear, distance > radius) << "(" << a.x << ", " << a.y << ") to (" << b.x << ", " << b.y
                                                  << "), radius " << radius << ", place " << int(place);
        ASSERT_NO_FATAL_FAILURE(expectGoodEnd(test.map, walls, {a, b}, radius, sight));
        if (::testing::Test::HasFailure()) FAIL() << "(" << a.x << ", " << a.y << ") to (" << b.x << ", " << b.y << ")";
      }
    }
  EXPECT_GT(counts.clear, 3000);
  EXPECT_GT(counts.blocked, 3000);
  std::printf("%d clear, %d blocked, %d too near to tell\n", counts.clear, counts.blocked, counts.skipped);
}

TEST(Visibility, StandingStill) {
  const TestMap test(gridLayer(0));
  EXPECT_TRUE(visible(test.map, {2, 2}, 0, {2, 2}));
  EXPECT_TRUE(visible(test.map, {2, 2}, 0, {2, 2}, 1.9));
  EXPECT_FALSE(visible(test.map, {2, 2}, 0, {2, 2}, 2.1));
  EXPECT_FALSE(visible(test.map, {5, 5}, 0, {2, 2}));  // from a solid
  EXPECT_EQ(lookAlong(test.map, {5, 5}, 0, {2, 2}).cell, kNone);
}

// --- visibility polygons --------------------------------------------------------------------------------------------

/// How far along the ray the first of the segments is, in lengths of `ray`.
double firstHit(const std::vector<Segment>& segments, Point from, Point ray, double* grazing = nullptr) {
  double first = std::numeric_limits<double>::infinity();
  for (const Segment& s : segments) {
    const double right = det(ray, s.a - from), left = det(ray, s.b - from);
    if ((right > 0) == (left > 0)) continue;
    const Point at = s.a + (s.b - s.a) * (right / (right - left));
    const double along = dot(at - from, ray) / dot(ray, ray);
    if (along < 0 || along >= first) continue;
    first = along;
    if (grazing) *grazing = std::abs(det(ray, s.b - s.a)) / (length(ray) * length(s.b - s.a));
  }
  return first;
}

std::vector<Segment> edgesOf(const VisibilityPolygon& polygon) {
  std::vector<Segment> edges;
  for (std::size_t i = 0; i < polygon.corners.size(); ++i)
    edges.push_back({polygon.corners[i].at, polygon.corners[(i + 1) % polygon.corners.size()].at});
  return edges;
}

double areaOf(const VisibilityPolygon& polygon) {
  Ring ring;
  for (const auto& corner : polygon.corners) ring.push_back(corner.at);
  return geometry::signedArea(ring);
}

/// Area seen, by a sweep over the directions of all corners: between two of them one wall is nearest.
double sweptArea(const std::vector<Segment>& walls, Point from) {
  std::vector<Point> directions{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (const Segment& wall : walls)
    for (const Point p : {wall.a, wall.b}) directions.push_back(normalized(p - from));
  const auto lower = [](Point p) { return p.y < 0 || (p.y == 0 && p.x < 0); };
  std::sort(directions.begin(), directions.end(),
            [&](Point p, Point q) { return lower(p) != lower(q) ? lower(q) : det(p, q) > 0; });
  double area = 0;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Point right = directions[i], left = directions[(i + 1) % directions.size()], middle = right + left;
    if (!(det(right, left) > 1e-13)) continue;
    const Segment* nearest = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const Segment& wall : walls) {
      const double hit = firstHit({wall}, from, middle);
      if (hit < least) least = hit, nearest = &wall;
    }
    if (nearest == nullptr) continue;
    const Point way = nearest->b - nearest->a;
    const auto at = [&](Point ray) { return ray * (det(nearest->a - from, way) / det(ray, way)); };
    area += std::abs(det(at(right), at(left))) / 2;
  }
  return area;
}

void expectOnItsWalls(const CorridorMap& map, const VisibilityPolygon& polygon) {
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
    const auto &here = polygon.corners[i], &next = polygon.corners[(i + 1) % polygon.corners.size()];
    if (here.wall == kNone) {  // a line of sight: both ends in the same direction
      const Point a = here.at - polygon.from, b = next.at - polygon.from;
      EXPECT_LT(std::abs(det(a, b)), 1e-5 * std::max(length(a), length(b)));
      continue;
    }
    const Segment wall = map.wallSegment(here.wall);
    EXPECT_LT(geometry::distanceToSegment(here.at, wall.a, wall.b), kClose);
    EXPECT_LT(geometry::distanceToSegment(next.at, wall.a, wall.b), kClose);
    EXPECT_EQ(here.floor, map.walls()[here.wall].floor);
  }
}

TEST(Visibility, PolygonsAgreeWithRaysAndWithASweep) {
  base::Random random(13);
  VisibilityScratch scratch;
  VisibilityPolygon polygon;
  int rays = 0, near_corners = 0;
  double worst = 0;
  for (const Place place : kPlaces)
    for (int round = 0; round < 3; ++round) {
      const TestMap test(placeLayer(place, random));
      const auto walls = wallsOn(test.map, 0);
      for (int i = 0; i < 40; ++i) {
        const Point from = freePlace(test.map, random);
        visibilityPolygon(test.map, test.map.locate(from, 0), from, scratch, polygon);
        ASSERT_GE(polygon.corners.size(), 3u);
        ASSERT_EQ(polygon.from, from);
        expectOnItsWalls(test.map, polygon);
        const double swept = sweptArea(walls, from);
        ASSERT_NEAR(areaOf(polygon), swept, 1e-6 * (1 + swept))
            << "from (" << from.x << ", " << from.y << "), place " << int(place) << " round " << round;
        const auto edges = edgesOf(polygon);
        for (int k = 0; k < 50; ++k, ++rays) {
          double s, c, grazing = 1;
          base::sinCos(random.uniform(0, 2 * base::kPi), s, c);
          const Point ray{c, s};
          const double expected = firstHit(walls, from, ray, &grazing);
          const Segment way{from, from + ray * (expected + 1)};
          bool near = false;
          for (const Segment& wall : walls)
            near = near || geometry::distanceToSegment(wall.a, way.a, way.b) < 1e-5 ||
                   geometry::distanceToSegment(wall.b, way.a, way.b) < 1e-5;
          if (near) {
            ++near_corners;
            continue;
          }
          const double found = firstHit(edges, from, ray);
          ASSERT_NEAR(found, expected, kClose / grazing) << "from (" << from.x << ", " << from.y << ")";
          worst = std::max(worst, std::abs(found - expected) * grazing);
        }
      }
    }
  EXPECT_LT(near_corners, rays / 100);
  std::printf("%d rays, %d past a corner too near to tell; off by %.2g m at most\n", rays, near_corners, worst);
}

/// Where cells, and the tiles between feet, meet.
std::vector<Point> borderPlaces(const CorridorMap& map) {
  std::vector<Point> places;
  for (std::uint32_t h = 0; h < map.halfEdges().size(); ++h) {
    if (map.edge(h).origin == kNone) continue;
    const Point at = map.origin(h).at, left = map.foot(h), right = map.footEnd(CorridorMap::twin(h));
    for (const Point p :
         {at, (at + left) * 0.5, (at + map.target(h).at) * 0.5, (left + right) * 0.5, left * 0.75 + right * 0.25})
      if (map.clearance(p, 0) > 1e-3) places.push_back(p);
  }
  return places;
}

TEST(Visibility, PolygonsFromBordersOfCellsAgreeWithASweep) {
  base::Random random(15);
  VisibilityScratch scratch;
  VisibilityPolygon polygon;
  std::size_t looked = 0;
  for (const Place place : kPlaces) {
    const TestMap test(placeLayer(place, random));
    const auto walls = wallsOn(test.map, 0);
    const std::vector<Point> places = borderPlaces(test.map);
    const std::size_t step = std::max<std::size_t>(1, places.size() / 150);
    for (std::size_t i = 0; i < places.size(); i += step, ++looked) {
      visibilityPolygon(test.map, test.map.locate(places[i], 0), places[i], scratch, polygon);
      ASSERT_EQ(polygon.from, places[i]);
      expectOnItsWalls(test.map, polygon);
      const double swept = sweptArea(walls, places[i]);
      ASSERT_NEAR(areaOf(polygon), swept, 1e-6 * (1 + swept))
          << "from (" << places[i].x << ", " << places[i].y << "), place " << int(place);
    }
  }
  EXPECT_GT(looked, 300u);
  std::printf("%zu places on borders of cells\n", looked);
}

TEST(Visibility, ScratchMayBeUsedForMapsThatChangeAndForOthers) {
  base::Random random(16);
  VisibilityScratch kept;
  VisibilityPolygon polygon, expected;
  int looked = 0;
  TestMap test(placeLayer(kPlaces[0], random));
  const auto expectTheSame = [&](const CorridorMap& map, Point from) {
    VisibilityScratch fresh;
    const Located cell = map.locate(from, 0);
    if (!cell) return;
    visibilityPolygon(map, cell, from, kept, polygon);
    visibilityPolygon(map, cell, from, fresh, expected);
    ASSERT_EQ(polygon.corners.size(), expected.corners.size());
    for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
      ASSERT_EQ(polygon.corners[i].at, expected.corners[i].at);
      ASSERT_EQ(polygon.corners[i].wall, expected.corners[i].wall);
    }
    ++looked;
  };
  for (int round = 0; round < 30; ++round) {
    const Point at = freePlace(test.map, random), from = freePlace(test.map, random);
    const double r = 0.3;
    const std::vector<Point> square{at + Point{-r, -r}, at + Point{r, -r}, at + Point{r, r}, at + Point{-r, r}};
    expectTheSame(test.map, from);
    const CorridorMap copy = test.map;
    const std::uint32_t id = test.map.insert(square, 0);
    expectTheSame(test.map, from);
    expectTheSame(copy, from);
    if (round % 2 == 0) test.map.remove(id);
    expectTheSame(test.map, from);
    expectTheSame(test.map.rebuilt(), from);
  }
  EXPECT_GT(looked, 100);
}

// --- floors ---------------------------------------------------------------------------------------------------------

/// Two halves of a hall on two floors, joined by a connection at x = 20, from y = 12 to y = 18. The right half also has
/// a gallery over the left one. `obstacles` are on the half they lie in.
Scene twoFloors(const std::vector<Polygon>& obstacles) {
  Scene scene = sceneOf({});
  scene.layers.resize(2);
  scene.layers[0].name = "left";
  scene.layers[1].name = "right";
  scene.layers[0].walkable = {box(0, 0, 20, kHeight)};
  scene.layers[1].walkable = {box(20, 0, kWidth, kHeight), box(10, 22, 20.5, 28)};
  for (const Polygon& o : obstacles) scene.layers[o.outer[0].x < 20 ? 0 : 1].obstacles.push_back(o);
  scene.connections = {{"door", "left", {{20, 12}, {20, 18}}, "right", {{20, 12}, {20, 18}}}};
  return scene;
}

/// The same on one floor, as seen from the left half.
Scene oneFloor(const std::vector<Polygon>& obstacles) {
  Layer layer;
  layer.walkable = {box(0, 0, kWidth, kHeight)};
  layer.obstacles = obstacles;
  layer.walls = {{{{20, 0}, {20, 12}}}, {{{20, 18}, {20, kHeight}}}};
  return sceneOf(layer);
}

std::vector<Polygon> scattered(base::Random& random) {
  std::vector<Polygon> obstacles;
  for (int i = 0; i < 10; ++i) {
    const double x = random.uniform(0, 1) < 0.5 ? random.uniform(3, 17) : random.uniform(23, 37);
    obstacles.push_back(regular({x, random.uniform(5, 21)}, random.uniform(0.2, 1.5),
                                3 + static_cast<int>(random.below(4)), random.uniform(0, 3)));
  }
  return obstacles;
}

TEST(Visibility, GoesOverConnections) {
  base::Random random(14);
  VisibilityScratch scratch;
  VisibilityPolygon polygon, flat_polygon;
  int through = 0, seen_through = 0;
  for (int round = 0; round < 8; ++round) {
    const auto obstacles = scattered(random);
    const TestMap two(twoFloors(obstacles)), one(oneFloor(obstacles));
    ASSERT_EQ(two.map.check(), "");
    ASSERT_TRUE(two.map.connections()[0].open);
    const auto walls = wallsOn(one.map, 0);
    for (int i = 0; i < 300; ++i) {
      const Point a{random.uniform(0, 20), random.uniform(0, kHeight)};
      const Point b{random.uniform(0, kWidth), random.uniform(0, kHeight)};
      const double radius = i % 2 ? 0 : random.uniform(0.05, 0.5);
      if (!one.map.locate(a, 0) || std::abs(distanceToWalls(walls, {a, b}) - radius) < 1e-4) continue;
      const Sight sight = lookAlong(two.map, a, 0, b, radius), flat = lookAlong(one.map, a, 0, b, radius);
      ASSERT_EQ(sight.clear, flat.clear) << "(" << a.x << ", " << a.y << ") to (" << b.x << ", " << b.y << ")";
      EXPECT_LT(length(sight.end - flat.end), 1e-5);
      EXPECT_TRUE(std::abs(sight.end.x - 20) < 1e-3 || sight.floor == (sight.end.x < 20 ? 0 : 1));
      through += sight.floor;
    }
    for (int i = 0; i < 30; ++i) {
      const Point from{random.uniform(0.1, 19.9), random.uniform(0.1, kHeight - 0.1)};
      if (one.map.clearance(from, 0) < 1e-3) continue;
      visibilityPolygon(two.map, two.map.locate(from, 0), from, scratch, polygon);
      visibilityPolygon(one.map, one.map.locate(from, 0), from, scratch, flat_polygon);
      ASSERT_NEAR(areaOf(polygon), areaOf(flat_polygon), 1e-4) << "from (" << from.x << ", " << from.y << ")";
      expectOnItsWalls(two.map, polygon);
      const auto floors = perFloor(two.map, polygon);
      ASSERT_EQ(floors.size(), 2u);
      EXPECT_NEAR(geometry::area(floors[0]) + geometry::area(floors[1]), areaOf(polygon), 1e-4);
      for (int floor = 0; floor < 2; ++floor)
        for (const Polygon& piece : floors[static_cast<std::size_t>(floor)])
          for (const Point p : piece.outer) {
            ASSERT_TRUE(floor == 0 ? p.x < 20 + kClose : p.x > 20 - kClose)
                << "(" << p.x << ", " << p.y << ") on floor " << floor << " from (" << from.x << ", " << from.y << ")";
          }
      seen_through += !floors[1].empty();
    }
  }
  EXPECT_GT(through, 100);
  EXPECT_GT(seen_through, 50);
  std::printf("%d ways end on the other floor, %d places see it\n", through, seen_through);
}

TEST(Visibility, DoesNotGoFromFloorToFloorWithoutAConnection) {
  const TestMap two(twoFloors({}));
  // The gallery of the right floor lies over the left one.
  EXPECT_TRUE(visible(two.map, {15, 25}, 0, {15, 20}));
  EXPECT_FALSE(visible(two.map, {15, 25}, 1, {15, 20}));
  EXPECT_TRUE(visible(two.map, {15, 25}, 1, {30, 25}));
  EXPECT_FALSE(visible(two.map, {15, 25}, 0, {30, 25}));
  EXPECT_EQ(lookAlong(two.map, {15, 25}, 0, {30, 25}).floor, 0);
  EXPECT_EQ(lookAlong(two.map, {15, 25}, 1, {30, 25}).floor, 1);
  EXPECT_TRUE(visible(two.map, {10, 15}, 0, {30, 15}));
  EXPECT_EQ(lookAlong(two.map, {10, 15}, 0, {30, 15}).floor, 1);
  EXPECT_EQ(lookAlong(two.map, {30, 15}, 1, {10, 15}).floor, 0);
  EXPECT_FALSE(visible(two.map, {10, 15}, 0, {30, 15}, 3.5));  // the connection is 6 m wide
}

}  // namespace
}  // namespace throng::corridors
