#include "geometry/convex_cut.h"

#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/predicates.h"

namespace throng::geometry {
namespace {

TEST(ConvexCut, BothPartsTogetherAreTheWhole) {
  base::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    Ring ring;
    const auto corners = 3 + random.below(6);
    const Point middle{random.uniform(-50, 50), random.uniform(-50, 50)};
    for (std::uint64_t k = 0; k < corners; ++k) {
      const double angle =
          2 * M_PI * (static_cast<double>(k) + 0.8 * random.uniform(0, 1)) / static_cast<double>(corners);
      ring.push_back(middle + Point{std::cos(angle), std::sin(angle)} * 5.0);
    }
    const double turn = random.uniform(0, 2 * M_PI);
    const Point normal{std::cos(turn), std::sin(turn)};
    const double limit = dot(normal, middle) + random.uniform(-7, 7);
    const auto below = cutConvex(ring, normal, limit), above = cutConvex(ring, -normal, -limit);
    EXPECT_NEAR(signedArea(below) + signedArea(above), signedArea(ring), 1e-9);
    for (const Point p : below) EXPECT_LE(dot(normal, p), limit + 1e-9);
    for (const Point p : above) EXPECT_GE(dot(normal, p), limit - 1e-9);

    const Ring line{ring[0], ring[1]};
    const auto before = cutConvex(line, normal, limit), after = cutConvex(line, -normal, -limit);
    const auto lengthOf = [](const std::vector<Point>& l) { return l.size() < 2 ? 0 : length(l[1] - l[0]); };
    EXPECT_NEAR(lengthOf(before) + lengthOf(after), length(ring[1] - ring[0]), 1e-9);
  }
}

TEST(ConvexCut, WhatTouchesTheLineStays) {
  const Ring square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_EQ(cutConvex(square, {1, 0}, 1), square);
  EXPECT_EQ(cutConvex(square, {1, 0}, 0), (Ring{{0, 0}, {0, 1}}));
  EXPECT_TRUE(cutConvex(square, {1, 0}, -1).empty());
}

}  // namespace
}  // namespace throng::geometry
