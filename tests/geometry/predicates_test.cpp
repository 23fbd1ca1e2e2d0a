// Predicates against integer arithmetic that cannot round, on random and nearly degenerate places.
#include "geometry/predicates.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <utility>

#include "base/random.h"

namespace throng::geometry {
namespace {

__extension__ using Wide = __int128;

/// Coordinates are integers below 2^53, so that differences and their products fit 128 bits.
int orientationByIntegers(Point a, Point b, Point c) {
  const auto integer = [](double v) { return static_cast<Wide>(static_cast<std::int64_t>(v)); };
  const Wide det = (integer(a.x) - integer(c.x)) * (integer(b.y) - integer(c.y)) -
                   (integer(a.y) - integer(c.y)) * (integer(b.x) - integer(c.x));
  return (det > 0) - (det < 0);
}

Point scaled(Point p, double factor) { return {p.x * factor, p.y * factor}; }

double wholeNumber(base::Random& random, int bits) {
  const auto span = std::uint64_t{1} << bits;
  return static_cast<double>(random.below(2 * span)) - static_cast<double>(span);
}

/// A point close to the line through a and b, off by at most a few units.
Point nearLine(base::Random& random, Point a, Point b) {
  const double t = random.uniform(-0.5, 1.5);
  return {std::round(a.x + t * (b.x - a.x)) + wholeNumber(random, 1),
          std::round(a.y + t * (b.y - a.y)) + wholeNumber(random, 1)};
}

TEST(Orientation, AgreesWithIntegersOnRandomPlaces) {
  base::Random random(1);
  for (int i = 0; i < 200000; ++i) {
    const int bits = 1 + static_cast<int>(random.below(51));
    const auto place = [&] { return Point{wholeNumber(random, bits), wholeNumber(random, bits)}; };
    const Point a = place(), b = place(), c = place();
    ASSERT_EQ(orientation(a, b, c), orientationByIntegers(a, b, c)) << a.x << ' ' << a.y;
  }
}

TEST(Orientation, AgreesWithIntegersNearTheLineAtEveryScale) {
  base::Random random(2);
  int zero = 0;
  for (int i = 0; i < 200000; ++i) {
    const int bits = 2 + static_cast<int>(random.below(49));
    const Point a{wholeNumber(random, bits), wholeNumber(random, bits)};
    const Point b{wholeNumber(random, bits), wholeNumber(random, bits)};
    Point c = nearLine(random, a, b);
    if (i % 7 == 0) c = {(a.x + b.x) / 2, (a.y + b.y) / 2};
    if (c.x != std::floor(c.x) || c.y != std::floor(c.y)) continue;
    const int expected = orientationByIntegers(a, b, c);
    ASSERT_EQ(orientation(a, b, c), expected);
    ASSERT_EQ(orientation(b, a, c), -expected);
    ASSERT_EQ(orientation(b, c, a), expected);
    // Powers of two change no sign, not even where plain products underflow or overflow.
    for (const double factor : {0x1p-40, 0x1p-600, 0x1p-1000, 0x1p900}) {
      ASSERT_EQ(orientation(scaled(a, factor), scaled(b, factor), scaled(c, factor)), expected);
    }
    zero += expected == 0;
  }
  EXPECT_GT(zero, 1000);
}

TEST(Orientation, ThinnestTrianglesThereAre) {
  // Vectors v, w of coprime 52-bit coordinates with v × w = ±1, from Euclid's algorithm: the area is 2^-104 of the
  // products it is the difference of, so plain arithmetic only guesses.
  base::Random random(9);
  int tried = 0, rounded_wrongly = 0;
  while (tried < 20000) {
    const auto p = static_cast<std::int64_t>(random.below(std::uint64_t{1} << 52)) + 2;
    const auto q = static_cast<std::int64_t>(random.below(std::uint64_t{1} << 52)) + 2;
    std::int64_t r0 = p, r1 = q, s0 = 1, s1 = 0, t0 = 0, t1 = 1;  // r = s p + t q
    while (r1 != 0) {
      const std::int64_t k = r0 / r1;
      r0 = std::exchange(r1, r0 - k * r1);
      s0 = std::exchange(s1, s0 - k * s1);
      t0 = std::exchange(t1, t0 - k * t1);
    }
    if (r0 != 1) continue;
    ++tried;
    const Point v{double(p), double(q)}, w{double(-t0), double(s0)}, origin;  // v × w = p s + q t = 1
    ASSERT_EQ(orientationByIntegers(v, w, origin), 1);
    ASSERT_EQ(orientation(v, w, origin), 1);
    ASSERT_EQ(orientation(w, v, origin), -1);
    ASSERT_EQ(orientation(origin, v, w), 1);
    const double naive = v.x * w.y - v.y * w.x;
    rounded_wrongly += !(naive > 0);
  }
  EXPECT_GT(rounded_wrongly, 1000);
  std::printf("wrong in plain arithmetic: %d of %d\n", rounded_wrongly, tried);
}

TEST(Orientation, DenormalAndHugeTogether) {
  const double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
  EXPECT_EQ(orientation({0, 0}, {huge, 0}, {1, tiny}), 1);
  EXPECT_EQ(orientation({0, 0}, {huge, tiny}, {1, 0}), -1);
  EXPECT_EQ(orientation({-huge, -huge}, {huge, huge}, {tiny, tiny}), 0);
  EXPECT_EQ(orientation({-huge, -huge}, {huge, huge}, {tiny, 0}), -1);
  EXPECT_EQ(orientation({1, 1}, {1, 1}, {2, 3}), 0);
}

TEST(SegmentsIntersect, AgreesWithRationalsOnSmallGrids) {
  // Slow twin: do the parameters of the crossing lie in [0, 1]? With small integers every step is exact.
  const auto slow = [](Point a, Point b, Point c, Point d) {
    const Point r = b - a, s = d - c, ac = c - a;
    const double denominator = det(r, s);
    if (denominator != 0) {
      const double t = det(ac, s), u = det(ac, r), sign = denominator > 0 ? 1 : -1;
      return t * sign >= 0 && t * sign <= denominator * sign && u * sign >= 0 && u * sign <= denominator * sign;
    }
    const auto on = [](Point p, Point q, Point x) { return det(q - p, x - p) == 0 && dot(p - x, q - x) <= 0; };
    return on(a, b, c) || on(a, b, d) || on(c, d, a) || on(c, d, b);
  };
  base::Random random(3);
  int crossing = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto place = [&] { return Point{double(random.below(5)), double(random.below(5))}; };
    const Point a = place(), b = place(), c = place(), d = place();
    ASSERT_EQ(segmentsIntersect(a, b, c, d), slow(a, b, c, d));
    ASSERT_EQ(segmentsIntersect(a, b, c, d), segmentsIntersect(d, c, a, b));
    crossing += segmentsIntersect(a, b, c, d);
  }
  EXPECT_GT(crossing, 50000);
  EXPECT_LT(crossing, 190000);
}

TEST(SegmentsIntersect, OneUnitInTheLastPlaceDecides) {
  const double above = std::nextafter(0.5, 1.0), below = std::nextafter(0.5, 0.0);
  EXPECT_TRUE(segmentsIntersect({0, 0}, {1, 1}, {0.5, 0.5}, {0, 1}));
  EXPECT_FALSE(segmentsIntersect({0, 0}, {1, 1}, {0.5, above}, {0, 1}));
  EXPECT_TRUE(segmentsIntersect({0, 0}, {1, 1}, {0.5, below}, {0, 1}));
}

TEST(Nearest, IsOnTheSegmentAndNotFartherThanSamples) {
  base::Random random(4);
  for (int i = 0; i < 2000; ++i) {
    const auto place = [&] { return Point{random.uniform(-5, 5), random.uniform(-5, 5)}; };
    const Point a = place(), b = i % 10 ? place() : a, p = place();
    const Point q = nearestOnSegment(p, a, b);
    EXPECT_NEAR(length(q - a) + length(q - b), length(b - a), 1e-12);
    for (int k = 0; k <= 20; ++k) {
      EXPECT_LE(distanceToSegment(p, a, b), length(p - (a + (b - a) * (k / 20.0))) + 1e-12);
    }
  }
}

TEST(Contains, AgreesWithWindingAnglesAndTakesTheBorderIn) {
  base::Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    // A star-shaped ring: no crossings, many reflex corners.
    Ring ring;
    const int corners = 3 + static_cast<int>(random.below(10));
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * base::kPi * (i + 0.8 * random.uniform()) / corners, r = random.uniform(0.5, 4);
      ring.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    for (int k = 0; k < 40; ++k) {
      const Point p{random.uniform(-4, 4), random.uniform(-4, 4)};
      double turned = 0;
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Point u = ring[i] - p, v = ring[(i + 1) % ring.size()] - p;
        turned += std::atan2(det(u, v), dot(u, v));
      }
      ASSERT_EQ(contains(ring, p), std::abs(turned) > 1);
    }
    for (const Point corner : ring) ASSERT_TRUE(contains(ring, corner));
  }
}

TEST(Contains, HolesAreOutsideAndTheirBordersInside) {
  const Polygon square{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {{{4, 4}, {6, 4}, {6, 6}, {4, 6}}}};
  EXPECT_TRUE(contains(square, {1, 1}));
  EXPECT_TRUE(contains(square, {10, 5}));
  EXPECT_FALSE(contains(square, {5, 5}));
  EXPECT_TRUE(contains(square, {4, 5}));
  EXPECT_FALSE(contains(square, {11, 5}));
  EXPECT_FALSE(contains(Polygon{}, {0, 0}));
  EXPECT_FALSE(contains(std::vector<Polygon>{}, {0, 0}));
  EXPECT_TRUE(contains(std::vector<Polygon>{{}, square}, {1, 1}));
}

TEST(Measures, AreaAndBounds) {
  const Polygon square{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {{{4, 4}, {6, 4}, {6, 6}, {4, 6}}}};
  EXPECT_DOUBLE_EQ(signedArea(square.outer), 100);
  EXPECT_DOUBLE_EQ(signedArea({{0, 0}, {0, 1}, {1, 0}}), -0.5);
  EXPECT_DOUBLE_EQ(area({square, {{{20, 0}, {20, 2}, {21, 0}}, {}}}), 97);
  EXPECT_FALSE(bounds({}));
  const auto box = bounds({square, {{{-3, 2}, {1, 12}, {1, 2}}, {}}});
  ASSERT_TRUE(box);
  EXPECT_EQ(box->min, (Point{-3, 0}));
  EXPECT_EQ(box->max, (Point{10, 12}));
}

}  // namespace
}  // namespace throng::geometry
