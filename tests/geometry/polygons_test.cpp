#include "geometry/polygons.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "base/random.h"
#include "geometry/convex_pieces.h"
#include "geometry/predicates.h"

namespace throng::geometry {
namespace {

using testing::HasSubstr;

Polygon box(double x0, double y0, double x1, double y1) { return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}; }

const Polygon kBowTie{{{0, 0}, {2, 2}, {2, 0}, {0, 2}}, {}};

TEST(Validity, NamesTheReasonAndThePlace) {
  EXPECT_FALSE(validity(box(0, 0, 1, 1)));
  const auto crossing = validity(kBowTie);
  ASSERT_TRUE(crossing);
  EXPECT_THAT(crossing->message, HasSubstr("Self-intersection"));
  ASSERT_TRUE(crossing->at);
  EXPECT_EQ(*crossing->at, (Point{1, 1}));
  Polygon hole_outside = box(0, 0, 1, 1);
  hole_outside.holes.push_back(box(5, 5, 6, 6).outer);
  ASSERT_TRUE(validity(hole_outside));
  EXPECT_THAT(validity(hole_outside)->message, HasSubstr("Hole"));
  EXPECT_TRUE(validity({{{0, 0}, {1, 1}}, {}}));
  EXPECT_TRUE(validity({{{0, 0}, {1, 1}, {2, 2}}, {}}));
  EXPECT_TRUE(validity({}));
}

TEST(Repaired, MakesTwoTrianglesOfABowTieAndNothingOfALine) {
  const auto parts = repaired(kBowTie);
  EXPECT_EQ(parts.size(), 2u);
  EXPECT_DOUBLE_EQ(area(parts), 2);
  for (const auto& part : parts) EXPECT_FALSE(validity(part));
  EXPECT_TRUE(repaired({{{0, 0}, {1, 1}, {2, 2}}, {}}).empty());
  EXPECT_TRUE(repaired({{{0, 0}, {1, 1}}, {}}).empty());
  EXPECT_TRUE(repaired({}).empty());
}

TEST(Booleans, OnBoxes) {
  EXPECT_DOUBLE_EQ(area(unionOf({box(0, 0, 2, 2), box(1, 1, 3, 3)})), 7);
  EXPECT_DOUBLE_EQ(area(difference({box(0, 0, 2, 2)}, {box(1, 1, 3, 3)})), 3);
  EXPECT_DOUBLE_EQ(area(intersection({box(0, 0, 2, 2)}, {box(1, 1, 3, 3)})), 1);
  EXPECT_TRUE(unionOf({}).empty());
  EXPECT_TRUE(intersection({box(0, 0, 1, 1)}, {box(5, 5, 6, 6)}).empty());
  EXPECT_TRUE(difference({box(0, 0, 1, 1)}, {box(-1, -1, 6, 6)}).empty());
  EXPECT_EQ(unionOf({box(0, 0, 1, 1), box(3, 0, 4, 1)}).size(), 2u);
  EXPECT_DOUBLE_EQ(area(unionOf({kBowTie})), 2);  // repaired first
  const auto ring = difference({box(0, 0, 4, 4)}, {box(1, 1, 3, 3)});
  ASSERT_EQ(ring.size(), 1u);
  ASSERT_EQ(ring[0].holes.size(), 1u);
  EXPECT_GT(signedArea(ring[0].outer), 0);
  EXPECT_LT(signedArea(ring[0].holes[0]), 0);
}

TEST(Booleans, AgreeWithMembershipOfRandomPoints) {
  base::Random random(11);
  const auto blobs = [&] {
    std::vector<Polygon> polygons(1 + random.below(4));
    for (auto& p : polygons) {
      const Point centre{random.uniform(-3, 3), random.uniform(-3, 3)};
      const int corners = 3 + static_cast<int>(random.below(7));
      for (int i = 0; i < corners; ++i) {
        const double angle = 2 * base::kPi * i / corners, r = random.uniform(0.3, 3);
        p.outer.push_back(centre + Point{r * std::cos(angle), r * std::sin(angle)});
      }
    }
    return polygons;
  };
  for (int trial = 0; trial < 100; ++trial) {
    const auto a = blobs(), b = blobs();
    const auto either = unionOf(a), both = intersection(a, b), only = difference(a, b);
    for (int k = 0; k < 100; ++k) {
      const Point p{random.uniform(-6, 6), random.uniform(-6, 6)};
      ASSERT_EQ(contains(either, p), contains(a, p));
      ASSERT_EQ(contains(both, p), contains(a, p) && contains(b, p));
      ASSERT_EQ(contains(only, p), contains(a, p) && !contains(b, p));
    }
    ASSERT_NEAR(area(only) + area(both), area(either), 1e-9);
    ASSERT_EQ(intersects(a, b), area(both) > 0);
  }
}

TEST(Booleans, LinesAreCutWhereThePolygonsAre) {
  const Polyline wall{{{0, 0}, {10, 0}}};
  const auto pieces = difference(std::vector<Polyline>{wall}, {box(4, -1, 5, 1)});
  ASSERT_EQ(pieces.size(), 2u);
  double length_left = 0;
  for (const auto& piece : pieces) length_left += length(piece.points.back() - piece.points.front());
  EXPECT_DOUBLE_EQ(length_left, 9);
  // Untouched lines stay as they are, also one that crosses itself.
  const Polyline loop{{{0, 5}, {2, 7}, {2, 5}, {0, 7}}};
  const auto kept = difference(std::vector<Polyline>{loop}, {box(4, -1, 5, 1)});
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].points, loop.points);
  EXPECT_TRUE(difference(std::vector<Polyline>{wall}, {box(-1, -1, 11, 1)}).empty());
  EXPECT_TRUE(difference(std::vector<Polyline>{{}, {{{1, 1}}}}, {}).empty());
  EXPECT_TRUE(intersects(std::vector<Polyline>{wall}, {box(4, 0, 5, 1)}));
  EXPECT_FALSE(intersects(std::vector<Polyline>{wall}, {box(4, 0.1, 5, 1)}));
}

TEST(Booleans, MayBeUsedFromManyThreads) {
  std::vector<std::thread> threads;
  std::vector<double> areas(4);
  for (std::size_t t = 0; t < areas.size(); ++t) {
    threads.emplace_back([&areas, t] {
      for (int i = 0; i < 50; ++i) {
        areas[t] = area(unionOf({box(0, 0, 2, 2), box(1, 1, 3, 3), kBowTie}));
        validity(kBowTie);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const double a : areas) EXPECT_DOUBLE_EQ(a, areas[0]);
}

TEST(ConvexPieces, TileAnyPolygon) {
  const auto areaOf = [](const Ring& ring) {
    double twice = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) twice += det(ring[i], ring[(i + 1) % ring.size()]);
    return 0.5 * twice;
  };
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    base::Random random(seed, 1);
    // Boxes and triangles over one another, with holes.
    std::vector<Polygon> shapes, holes;
    for (int i = 0; i < 6; ++i) {
      const Point a{random.uniform(0, 10), random.uniform(0, 10)}, b = a + Point{random.uniform(1, 4), 0.2};
      const Point c = a + Point{0.3, random.uniform(1, 4)};
      (i < 4 ? shapes : holes).push_back({{a, b, b + c - a, c}, {}});
    }
    const std::vector<Polygon> area = difference(shapes, holes);
    const std::vector<Ring> pieces = convexPieces(area);
    double whole = 0, sum = 0;
    for (const Polygon& polygon : area) {
      whole += std::abs(areaOf(polygon.outer));
      for (const Ring& hole : polygon.holes) whole -= std::abs(areaOf(hole));
    }
    for (const Ring& piece : pieces) {
      sum += areaOf(piece);
      for (std::size_t i = 0; i < piece.size(); ++i) {
        const Point p = piece[i], q = piece[(i + 1) % piece.size()], r = piece[(i + 2) % piece.size()];
        EXPECT_GT(det(q - p, r - q), 0) << seed;
      }
    }
    // As much in all, and none over another: together they are the whole.
    EXPECT_NEAR(sum, whole, 1e-4) << seed;
    std::vector<Polygon> again;
    for (const Ring& piece : pieces) again.push_back({piece, {}});
    double covered = 0;
    for (const Polygon& polygon : difference(area, again)) covered += std::abs(areaOf(polygon.outer));
    EXPECT_NEAR(covered, 0, 1e-4) << seed;
  }
}

}  // namespace
}  // namespace throng::geometry
