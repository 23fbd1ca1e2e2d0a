#include "following/route_sight.h"

#include <gtest/gtest.h>

#include "corridors/map_scenes.h"

namespace throng::following {
namespace {

using corridors::kHeight;
using corridors::kPlaces;
using corridors::kWidth;
using corridors::TestMap;

constexpr double kClose = 1e-6;  // m; nearer to a threshold than this, either answer is right

/// Turned by any angle and mirrored, around the middle of the place.
struct Motion {
  double s = 0, c = 1;
  bool mirrored = false;

  explicit Motion(base::Random& random) : mirrored(random.below(2) == 1) { base::sinCos(random.uniform(0, 6.3), s, c); }
  Point operator()(Point p) const {
    p = p - Point{kWidth / 2, kHeight / 2};
    if (mirrored) p.x = -p.x;
    return {c * p.x - s * p.y, s * p.x + c * p.y};
  }
  Layer operator()(Layer layer) const {
    for (auto* polygons : {&layer.walkable, &layer.obstacles, &layer.openings})
      for (Polygon& polygon : *polygons)
        for (Point& p : polygon.outer) p = (*this)(p);
    for (Polyline& wall : layer.walls)
      for (Point& p : wall.points) p = (*this)(p);
    return layer;
  }
};

RouteAhead randomRoute(base::Random& random, const Motion& motion, Point from) {
  RouteAhead ahead;
  const double shortcut = random.uniform(0.5, 40);
  Point at = random.below(2) ? from : motion({random.uniform(0, kWidth), random.uniform(0, kHeight)});
  ahead.begin(at);
  for (int i = 0; i < 12; ++i) {
    const double step = random.uniform(0.01, random.below(3) == 0 ? 20.0 : 3.0);
    double s, c;
    base::sinCos(random.uniform(0, 6.3), s, c);
    at = at + Point{c, s} * step;
    if (!ahead.add(at, random.below(4) ? std::uint16_t{0} : corridors::kAnyLayer, shortcut)) break;
  }
  return ahead;
}

TEST(RouteSight, AgreesWithAllWalls) {
  base::Random random(5);
  RouteSight sight;
  std::vector<Interval> visible;
  std::size_t seen = 0, hidden = 0, skipped = 0, parts = 0;
  for (const corridors::Place place : kPlaces)
    for (int round = 0; round < 4; ++round) {
      const Motion motion(random);
      const TestMap test(motion(corridors::placeLayer(place, random)));
      const auto walls = corridors::wallsOn(test.map, 0);
      for (int i = 0; i < 60; ++i) {
        const Point from = motion({random.uniform(0, kWidth), random.uniform(0, kHeight)});
        const corridors::Located cell = test.map.locate(from, 0);
        if (!cell) continue;
        const double room = test.map.nearest(cell, from).distance;
        const double radius = std::min(random.below(3) ? random.uniform(0.05, 0.6) : 1e-3, 0.98 * room);
        if (radius < 1e-4) continue;
        const RouteAhead ahead = randomRoute(random, motion, from);
        sight.look(test.map, cell, from, 0, radius, 0.5, ahead, visible);
        parts += visible.size();
        for (std::size_t k = 1; k < visible.size(); ++k) ASSERT_LE(visible[k - 1].to, visible[k].from);
        std::size_t leg = 0;
        for (int k = 0; k <= 120; ++k) {
          const double along = ahead.length() * k / 120;
          const Point p = ahead.at(along, leg);
          const double distance = corridors::distanceToWalls(walls, {from, p});
          bool found = false, close = std::abs(distance - radius) < kClose;
          for (const Interval& part : visible) {
            found |= part.from <= along && along <= part.to;
            close |= std::abs(part.from - along) < kClose || std::abs(part.to - along) < kClose;
          }
          if (close) {
            ++skipped;
            continue;
          }
          ++(found ? seen : hidden);
          ASSERT_EQ(found, distance > radius)
              << "place " << int(place) << " round " << round << ", from (" << from.x << ", " << from.y << ") to ("
              << p.x << ", " << p.y << "), " << distance << " m from walls, radius " << radius;
        }
      }
    }
  EXPECT_GT(seen, 20'000u);
  EXPECT_GT(hidden, 20'000u);
  EXPECT_LT(skipped, 10'000u);
  std::printf("%zu places seen, %zu hidden, %zu too near to tell, %zu parts\n", seen, hidden, skipped, parts);
}

TEST(RouteSight, TheShadowOfADiscIsExact) {
  base::Random random(8);
  std::size_t in = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto place = [&] { return Point{random.uniform(-5, 5), random.uniform(-5, 5)}; };
    const Point x = place(), c = place(), a = place(), b = place();
    const double radius = random.uniform(0.01, 2);
    if (length(x - c) < radius + 1e-3) continue;
    const Interval shadow = shadowOfDisc(x, c, radius, a, b);
    for (int k = 0; k <= 20; ++k) {
      const double share = k / 20.0;
      const double distance = geometry::distanceToSegment(c, x, a + (b - a) * share);
      if (std::abs(distance - radius) < 1e-7) continue;
      const bool inside = shadow.from < shadow.to && shadow.from <= share && share <= shadow.to;
      in += inside;
      ASSERT_EQ(inside, distance < radius);
    }
  }
  EXPECT_GT(in, 10'000u);
}

TEST(RouteAhead, EndsWhereTheShortcutEnds) {
  RouteAhead ahead;
  ahead.begin({1, 1});
  EXPECT_TRUE(ahead.add({4, 1}, 0, 5));
  EXPECT_FALSE(ahead.add({4, 9}, 0, 5));
  EXPECT_EQ(ahead.length(), 5);
  EXPECT_EQ(ahead.end(), (Point{4, 3}));
  EXPECT_TRUE(ahead.legs()[0].is_way_point);
  EXPECT_FALSE(ahead.legs()[1].is_way_point);
  std::size_t leg = 1;
  EXPECT_EQ(ahead.at(3, leg), (Point{4, 1}));
  EXPECT_EQ(leg, 0u);  // the end of a leg is on that one
  EXPECT_EQ(ahead.at(4.5, leg), (Point{4, 2.5}));
  EXPECT_EQ(leg, 1u);
}

}  // namespace
}  // namespace throng::following
