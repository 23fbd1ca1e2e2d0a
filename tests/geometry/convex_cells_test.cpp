// Cells of made-up rooms, turned, mirrored and scaled: convex, disjoint, inside, and side against side.
#include "geometry/convex_cells.h"

#include <gtest/gtest.h>
#include <map>

#include "base/random.h"
#include "geometry/boxes.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"

namespace throng::geometry {
namespace {

struct Rooms {
  std::vector<Polygon> area;
  std::vector<Segment> walls;
};

/// Turned by a random angle, mirrored or not, scaled and moved far away.
Rooms moved(Rooms rooms, base::Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), scale = random.uniform(0.7, 1.4);
  const Point axis = normalized(Point{x, y}), by{random.uniform(-900, 900), random.uniform(-900, 900)};
  const bool flip = random.below(2) == 1;
  const auto move = [&](Point& p) {
    if (flip) p.x = -p.x;
    p = (axis * p.x + perpendicular(axis) * p.y) * scale + by;
  };
  for (Polygon& polygon : rooms.area) {
    for (Point& p : polygon.outer) move(p);
    for (Ring& hole : polygon.holes)
      for (Point& p : hole) move(p);
  }
  for (Segment& wall : rooms.walls) move(wall.a), move(wall.b);
  return rooms;
}

/// A hall with blocks, a round pillar, thin walls with gaps, an annexe behind a door.
Rooms randomRooms(base::Random& random) {
  const Point size{random.uniform(15, 60), random.uniform(15, 45)};
  std::vector<Polygon> solid;
  for (std::uint64_t i = 0, n = random.below(6); i < n; ++i) {
    const Point p{random.uniform(0, size.x), random.uniform(0, size.y)};
    const double turn = random.below(2) == 0 ? 0 : random.uniform(-1, 1);
    const Point axis = normalized(Point{1, turn}) * random.uniform(0.2, 6),
                side = perpendicular(axis) * random.uniform(0.1, 1);
    solid.push_back({{p - axis - side, p + axis - side, p + axis + side, p - axis + side}, {}});
  }
  if (random.below(2) == 0) {
    const Point p{random.uniform(5, size.x - 5), random.uniform(5, size.y - 5)};
    Ring round;
    Point spoke{random.uniform(0.3, 4), 0};
    for (int i = 0; i < 16; ++i) {
      round.push_back(p + spoke);
      spoke = Point{spoke.x * 0.9238795325112867 - spoke.y * 0.3826834323650898,
                    spoke.x * 0.3826834323650898 + spoke.y * 0.9238795325112867};
    }
    solid.push_back({round, {}});
  }
  std::vector<Polygon> ground{{cornersOf({{0, 0}, size}), {}}};
  if (random.below(2) == 0) {
    const double door = random.uniform(2, size.y - 6), wide = random.uniform(1, 4);
    ground.push_back({cornersOf({{size.x - 0.1, door}, {size.x + 0.3, door + wide}}), {}});
    ground.push_back({cornersOf({{size.x + 0.2, door - 2}, {size.x + 12, door + 6}}), {}});
  }
  Rooms rooms{difference(unionOf(ground), unionOf(solid)), {}};
  for (std::uint64_t i = 0, n = random.below(3); i < n; ++i) {
    const Point p{random.uniform(1, size.x - 1), random.uniform(1, size.y - 1)};
    rooms.walls.push_back({p, p + Point{random.uniform(-9, 9), random.uniform(-9, 9)}});
  }
  // Walls without thickness end where the free space does.
  std::vector<Polyline> lines;
  for (const Segment& wall : rooms.walls) lines.push_back({{wall.a, wall.b}});
  const auto outside = difference(std::vector<Polygon>{{cornersOf({{-99, -99}, {199, 199}}), {}}}, rooms.area);
  rooms.walls.clear();
  for (const Polyline& line : difference(lines, outside))
    for (std::size_t i = 1; i < line.points.size(); ++i) rooms.walls.push_back({line.points[i - 1], line.points[i]});
  return rooms;
}

double areaOf(const Ring& ring) { return signedArea(ring); }

void expectSound(const Rooms& rooms, const ConvexCells& made, const char* what, std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << what << " " << seed);
  std::vector<Polygon> all;
  double sum = 0;
  for (std::size_t c = 0; c < made.cells.size(); ++c) {
    const Ring ring = made.ring(c);
    all.push_back({ring, {}});
    sum += areaOf(ring);
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i], b = ring[(i + 1) % ring.size()];
      for (const Point p : ring) EXPECT_GE(dot(p - a, perpendicular(normalized(b - a))), -2e-5) << "cell " << c;
      const ConvexCell::Side& side = made.cells[c].sides[i];
      if (side.neighbour == ConvexCell::kNone) continue;
      // The neighbour has the same corners the other way round, and says so.
      const std::uint32_t end = made.cells[c].sides[(i + 1) % ring.size()].corner;
      int found = 0;
      const auto& theirs = made.cells[side.neighbour].sides;
      for (std::size_t k = 0; k < theirs.size(); ++k)
        found += theirs[k].corner == end && theirs[(k + 1) % theirs.size()].corner == side.corner &&
                 theirs[k].neighbour == c && theirs[k].wall == side.wall;
      EXPECT_EQ(found, 1) << "side " << i << " of cell " << c;
    }
    for (const Segment& wall : rooms.walls) {
      // No wall runs through a cell, more than a hair inside.
      double from = 0, to = 1;
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Point in = perpendicular(normalized(ring[(i + 1) % ring.size()] - ring[i]));
        const double da = dot(wall.a - ring[i], in) - 1e-4, db = dot(wall.b - ring[i], in) - 1e-4;
        if (da < 0 && db < 0) to = -1;
        if (da < 0 && db >= 0) from = std::max(from, da / (da - db));
        if (db < 0 && da >= 0) to = std::min(to, da / (da - db));
      }
      EXPECT_GE(from, to - 1e-4) << "a wall runs through cell " << c;
    }
  }
  const std::vector<Polygon> together = unionOf(all);
  EXPECT_NEAR(area(together), sum, 1e-3) << "cells overlap";
  EXPECT_LT(area(difference(together, rooms.area)), 1e-3) << "cells stick out";
}

TEST(ConvexCells, FillRoomsOfAllKinds) {
  double covered = 0, whole = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    base::Random random(seed);
    const Rooms rooms = moved(randomRooms(random), random);
    CellLattice lattice;
    lattice.axis = mainDirection(rooms.area), lattice.origin = rooms.area[0].outer[0];
    const ConvexCells cells = convexCells(rooms.area, rooms.walls, lattice);
    expectSound(rooms, cells, "convex", seed);
    for (std::size_t c = 0; c < cells.cells.size(); ++c) {
      const Ring ring = cells.ring(c);
      covered += areaOf(ring);
      EXPECT_LE(areaOf(ring), 1.7 * 64 + 0.1);
      EXPECT_GE(widthOf(ring), 0.2 * 8) << "a sliver";
    }
    whole += area(rooms.area);
    expectSound(rooms, squareCells(rooms.area, rooms.walls, lattice), "squares", seed);
    if (HasFailure()) return;
  }
  EXPECT_GT(covered, 0.93 * whole);
}

TEST(ConvexCells, AHallOfSquaresIsSquares) {
  const Rooms hall{{{cornersOf({{0, 0}, {32, 24}}), {}}}, {}};
  for (const bool squares : {true, false}) {
    const ConvexCells cells = squares ? squareCells(hall.area, {}, {}) : convexCells(hall.area, {}, {});
    ASSERT_EQ(cells.cells.size(), 12u);
    int open = 0;
    for (std::size_t c = 0; c < 12; ++c) {
      EXPECT_EQ(cells.cells[c].sides.size(), 4u);
      EXPECT_EQ(areaOf(cells.ring(c)), 64);
      for (const auto& side : cells.cells[c].sides) {
        open += side.neighbour != ConvexCell::kNone;
        EXPECT_EQ(side.wall, side.neighbour == ConvexCell::kNone);
      }
    }
    EXPECT_EQ(open, 34);
  }
}

TEST(ConvexCells, AThinWallClosesSidesAlongIt) {
  const Rooms hall{{{cornersOf({{0, 0}, {16, 8}}), {}}}, {{{8, 0}, {8, 8}}}};
  for (const bool squares : {true, false}) {
    const ConvexCells cells = squares ? squareCells(hall.area, hall.walls, {}) : convexCells(hall.area, hall.walls, {});
    ASSERT_EQ(cells.cells.size(), 2u);
    for (const ConvexCell& cell : cells.cells)
      for (const auto& side : cell.sides) EXPECT_TRUE(side.wall);
  }
  // A wall across the middle of a square: no square, but two halves, which 14 m of diagonal are too much to be one with
  // the other square for.
  const std::vector<Segment> across{{{4, 0}, {4, 8}}};
  EXPECT_EQ(squareCells(hall.area, across, {}).cells.size(), 1u);
  EXPECT_EQ(convexCells(hall.area, across, {}).cells.size(), 3u);
}

TEST(ConvexCells, CellsTurnWithTheRooms) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    base::Random random(seed, 9);
    const Rooms rooms{{{cornersOf({{0, 0}, {random.uniform(10, 40), random.uniform(10, 40)}}), {}}}, {}};
    const auto count = [](const Rooms& r) {
      CellLattice lattice;
      lattice.axis = mainDirection(r.area);
      Rectangle box = kEmptyBox;
      for (const Point p : r.area[0].outer) include(box, lattice.inSquares(p));
      lattice.origin = lattice.at(box.min.x, box.min.y);
      return convexCells(r.area, r.walls, lattice).cells.size();
    };
    Rooms turned = rooms;
    const Point axis = normalized(Point{random.uniform(0.2, 1), random.uniform(0, 0.19)});
    for (Point& p : turned.area[0].outer) p = axis * p.x + perpendicular(axis) * p.y;
    EXPECT_EQ(count(rooms), count(turned)) << seed;
  }
}

TEST(ConvexCells, TheMainDirectionIsThatOfMostWalls) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    base::Random random(seed);
    const Point axis = normalized(Point{1, random.uniform(-0.99, 0.99)});
    Ring ring;
    for (const Point p : {Point{0, 0}, Point{30, 0}, Point{33, 4}, Point{33, 20}, Point{0, 20}})
      ring.push_back(axis * p.x + perpendicular(axis) * p.y);
    const Point found = mainDirection({{ring, {}}});
    EXPECT_NEAR(std::abs(dot(found, axis)) + std::abs(det(found, axis)), 1, 1e-3) << seed;
    EXPECT_GE(found.x, std::abs(found.y));
  }
  EXPECT_EQ(mainDirection({{cornersOf({{0, 0}, {3, 5}}), {}}}), (Point{1, 0}));
}

}  // namespace
}  // namespace throng::geometry
