// Where there are many polygons only those that meet go to GEOS: the same results as when all of them do.
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/edge_rows.h"
#include "geometry/geos.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"

namespace throng::geometry {
namespace {

/// Boxes, triangles and frames. On a lattice, so that many share corners and parts of sides or lie in one another and
/// every crossing has exact coordinates; or anywhere.
std::vector<Polygon> randomPolygons(base::Random& random, bool lattice) {
  const double size = random.uniform(20, 60);
  const auto number = [&](double from, double to) {
    return lattice ? std::floor(random.uniform(from, to)) : random.uniform(from, to);
  };
  std::vector<Polygon> polygons(20 + random.below(40));
  for (Polygon& p : polygons) {
    const Point a{number(0, size), number(0, size)};
    Point b = a + Point{number(1, 7), number(1, 7)};
    switch (random.below(4)) {
      case 0:
        if (lattice) b.y = a.y + b.x - a.x;  // diagonals meet in multiples of a half
        p.outer = {a, {a.x, b.y}, b};
        break;
      case 1: {
        const Point low = a - Point{1, 1}, high = b + Point{1, 1};
        p.outer = {low, {high.x, low.y}, high, {low.x, high.y}};
        p.holes = {{a, {b.x, a.y}, b, {a.x, b.y}}};
        break;
      }
      default:
        p.outer = {a, {b.x, a.y}, b, {a.x, b.y}};
    }
  }
  return polygons;
}

std::vector<Polyline> randomLines(base::Random& random, int n) {
  std::vector<Polyline> lines(static_cast<std::size_t>(n));
  for (Polyline& line : lines) {
    Point at{std::floor(random.uniform(-5, 65)), std::floor(random.uniform(-5, 65))};
    for (std::uint64_t k = 0, m = 2 + random.below(4); k < m; ++k) {
      line.points.push_back(at);
      // Along the lattice, where the sides of polygons are, or anywhere.
      switch (random.below(3)) {
        case 0:
          at.x += std::floor(random.uniform(1, 30));
          break;
        case 1:
          at.y += std::floor(random.uniform(1, 30));
          break;
        default:
          at = at + Point{random.uniform(-20, 20), random.uniform(-20, 20)};
      }
    }
  }
  return lines;
}

Geos::Shape plainUnion(Geos& geos, const std::vector<Polygon>& polygons) {
  return geos.own(GEOSUnaryUnion_r(geos.context(), geos.polygons(polygons).get()));
}

/// Every edge, in its direction, ordered.
std::vector<std::array<double, 4>> edges(const std::vector<Polygon>& polygons) {
  std::vector<std::array<double, 4>> all;
  const auto add = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i], b = ring[(i + 1) % ring.size()];
      all.push_back({a.x, a.y, b.x, b.y});
    }
  };
  for (const Polygon& p : polygons) {
    add(p.outer);
    for (const Ring& hole : p.holes) add(hole);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void expectSame(const std::vector<Polygon>& ours, const std::vector<Polygon>& plain, bool exactly) {
  ASSERT_EQ(ours.size(), plain.size());
  const auto a = edges(ours), b = edges(plain);
  ASSERT_EQ(a.size(), b.size());
  if (exactly) {
    EXPECT_EQ(a, b);
  } else {
    EXPECT_NEAR(area(ours), area(plain), 1e-9);
    EXPECT_NEAR(area(difference(ours, plain)) + area(difference(plain, ours)), 0, 1e-6);
  }
}

TEST(ManyPolygons, ClustersAreWhatIntersectsAndCoveringIsWhatContains) {
  int joined = 0, covered = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    base::Random random(seed, 21);
    const auto polygons = randomPolygons(random, seed % 2 == 0);
    std::vector<std::uint32_t> expected(polygons.size());
    for (std::uint32_t i = 0; i < expected.size(); ++i) expected[i] = i;
    for (std::uint32_t i = 0; i < expected.size(); ++i)
      for (std::uint32_t j = 0; j < i; ++j) {
        const std::uint32_t low = std::min(expected[i], expected[j]), high = std::max(expected[i], expected[j]);
        if (low == high || !intersects({polygons[i]}, {polygons[j]})) continue;
        std::replace(expected.begin(), expected.end(), high, low);
        ++joined;
      }
    ASSERT_EQ(clusters(polygons), expected) << "seed " << seed;

    const EdgeRows rows(polygons);
    std::vector<std::uint32_t> found;
    for (int k = 0; k < 300; ++k) {
      Point p{random.uniform(-3, 70), random.uniform(-3, 70)};
      if (k % 2 == 0) p = {std::floor(p.x), std::floor(p.y)};
      std::vector<std::uint32_t> around;
      for (std::uint32_t i = 0; i < polygons.size(); ++i)
        if (contains(polygons[i].outer, p) &&
            (polygons[i].holes.empty() || !contains(polygons[i].holes[0], p) || contains(polygons[i], p)))
          around.push_back(i);
      rows.covering(p, found);
      ASSERT_EQ(found, around) << "seed " << seed << " at " << p.x << ", " << p.y;
      covered += static_cast<int>(around.size());
    }
  }
  EXPECT_GT(joined, 300);
  EXPECT_GT(covered, 1000);
  EXPECT_TRUE(clusters({}).empty());
  EXPECT_EQ(clusters({{}, {}}), (std::vector<std::uint32_t>{0, 1}));
}

TEST(ManyPolygons, UnionAndDifferenceAsGeosAlone) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    base::Random random(seed, 22);
    const bool lattice = seed % 2 == 0;
    const auto a = randomPolygons(random, lattice), b = randomPolygons(random, lattice);
    Geos geos;
    const Geos::Shape plain_a = plainUnion(geos, a), plain_b = plainUnion(geos, b);
    const auto merged_a = unionOf(a), merged_b = unionOf(b);
    expectSame(merged_a, geos.toPolygons(plain_a.get()), lattice);
    const auto plain = geos.toPolygons(geos.own(GEOSDifference_r(geos.context(), plain_a.get(), plain_b.get())).get());
    expectSame(difference(a, b), plain, lattice);
    expectSame(differenceOfMerged(merged_a, merged_b), plain, lattice);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(ManyPolygons, LinesAreCutAsByGeosAlone) {
  std::size_t cut = 0, kept = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    base::Random random(seed, 23);
    const bool lattice = seed % 2 == 0;
    const auto take = randomPolygons(random, lattice);
    const auto lines = randomLines(random, 20);
    Geos geos;
    const Geos::Shape cutter = plainUnion(geos, take);
    std::vector<Polyline> expected;
    for (const Polyline& line : lines) {
      const Geos::Shape shape = geos.line(line);
      if (GEOSIntersects_r(geos.context(), shape.get(), cutter.get()) == 0) {
        expected.push_back(line);
        ++kept;
        continue;
      }
      const Geos::Shape rest = geos.own(GEOSDifference_r(geos.context(), shape.get(), cutter.get()));
      for (auto& piece : geos.toLines(rest.get())) expected.push_back(std::move(piece));
      ++cut;
    }
    const auto pieces = difference(lines, take);
    ASSERT_EQ(pieces.size(), expected.size()) << "seed " << seed;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      ASSERT_EQ(pieces[i].points.size(), expected[i].points.size()) << "seed " << seed << ", piece " << i;
      for (std::size_t k = 0; k < pieces[i].points.size(); ++k)
        ASSERT_LT(length(pieces[i].points[k] - expected[i].points[k]), lattice ? 1e-300 : 1e-9)
            << "seed " << seed << ", piece " << i;
    }
  }
  EXPECT_GT(cut, 300u);
  EXPECT_GT(kept, 30u);
}

}  // namespace
}  // namespace throng::geometry
