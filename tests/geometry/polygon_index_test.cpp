// One answer to "is it inside", in three speeds.
#include "geometry/polygon_index.h"

#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/math.h"
#include "base/random.h"
#include "geometry/edge_rows.h"
#include "geometry/predicates.h"

namespace throng::geometry {
namespace {

Polygon regular(Point centre, double radius, int corners) {
  Polygon polygon;
  for (int i = 0; i < corners; ++i) {
    double sine, cosine;
    base::sinCos(2 * base::kPi * i / corners, sine, cosine);
    polygon.outer.push_back(centre + Point{cosine, sine} * radius);
  }
  return polygon;
}

TEST(PolygonIndex, AgreesWithThePredicateOnCornersEdgesAndRandomPlaces) {
  int inside = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    base::Random random(seed, 9);
    std::vector<Polygon> polygons;
    for (std::uint64_t i = 0, n = 1 + random.below(6); i < n; ++i) {
      const Point centre{static_cast<double>(random.below(10)), static_cast<double>(random.below(10))};
      Polygon polygon = regular(centre, 2 + random.uniform(), 3 + static_cast<int>(random.below(40)));
      const Point half{0.5, 0.5};
      polygon.holes = {cornersOf({centre - half, centre + half})};
      polygons.push_back(polygon);
    }
    const PolygonIndex index(polygons);
    for (int k = 0; k < 200; ++k) {
      Point p{random.uniform(-3, 13), random.uniform(-3, 13)};
      if (k % 4 == 0) p = {std::floor(p.x * 2) / 2, std::floor(p.y * 2) / 2};  // borders of holes
      if (k % 4 == 1) p = polygons[random.below(polygons.size())].outer[random.below(3)];
      if (k % 4 == 2) p.y = polygons[0].outer[random.below(3)].y;
      int expected = 0;
      for (const Polygon& polygon : polygons) expected += contains(polygon, p);
      EXPECT_EQ(index.covering(p), expected) << p.x << ", " << p.y;
      inside += expected > 0;
    }
  }
  EXPECT_GT(inside, 1000);
}

rc::Gen<Ring> someRing() {
  return rc::gen::map(rc::gen::container<std::vector<std::pair<int, int>>>(
                          rc::gen::pair(rc::gen::inRange(0, 9), rc::gen::inRange(0, 9))),
                      [](const std::vector<std::pair<int, int>>& corners) {
                        Ring ring;
                        for (const auto& [x, y] : corners) ring.push_back({double(x), double(y)});
                        return ring;
                      });
}

/// Slow twin: how often a line to a far place that lies in no line of the lattice crosses the ring; or it is on a side.
bool insideSlowly(const Ring& ring, Point p) {
  const Point far{p.x + 1000, p.y + 7};
  bool inside = false;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    if (det(b - a, p - a) == 0 && dot(a - p, b - p) <= 0) return true;
    const double da = det(far - p, a - p), db = det(far - p, b - p);
    if ((da > 0) != (db > 0) && (det(b - a, p - a) > 0) != (det(b - a, far - a) > 0)) inside = !inside;
  }
  return inside;
}

TEST(PointInPolygon, OneAnswerFromPredicateIndexAndRows) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<Ring> rings = *rc::gen::container<std::vector<Ring>>(someRing());
    std::vector<Polygon> polygons;
    for (const Ring& ring : rings) polygons.push_back({ring, {}});
    const PolygonIndex index(polygons);
    const EdgeRows rows(polygons);
    std::vector<std::uint32_t> covering, expected;
    for (int y = -2; y <= 20; ++y)
      for (int x = -2; x <= 20; ++x) {
        const Point p{x / 2.0, y / 2.0};
        expected.clear();
        for (std::uint32_t i = 0; i < polygons.size(); ++i) {
          RC_ASSERT(contains(polygons[i].outer, p) == insideSlowly(polygons[i].outer, p));
          if (contains(polygons[i].outer, p)) expected.push_back(i);
        }
        rows.covering(p, covering);
        RC_ASSERT(covering == expected);
        RC_ASSERT(index.covering(p) == static_cast<int>(expected.size()));
        RC_ASSERT(index.contains(p) == contains(polygons, p));
      }
  }));
}

TEST(Distances, BetweenSegmentsAreThoseOfTheirNearestPlaces) {
  EXPECT_TRUE(rc::check([] {
    const auto place = [] { return Point{*rc::gen::inRange(0, 12) / 1.0, *rc::gen::inRange(0, 12) / 1.0}; };
    const Segment s{place(), place()}, t{place(), place()};
    const double between = distanceBetween(s, t);
    RC_ASSERT((between == 0) == segmentsIntersect(s.a, s.b, t.a, t.b));
    RC_ASSERT(between == distanceBetween(t, s) && between <= distanceOfEnds(s, t));
    double sampled = 1e300;
    for (int i = 0; i <= 64; ++i) {
      const Point p = s.a + (s.b - s.a) * (i / 64.0);
      sampled = std::min(sampled, distanceToSegment(p, t.a, t.b));
    }
    RC_ASSERT(between <= sampled + 1e-12 && sampled <= between + length(s.b - s.a) / 64);
  }));
}

}  // namespace
}  // namespace throng::geometry
