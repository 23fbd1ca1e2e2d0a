// The grid against looking at every segment.
#include "geometry/segment_grid.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "base/narrowing.h"
#include "base/random.h"
#include "geometry/predicates.h"

namespace throng::geometry {
namespace {

struct Segments {
  std::vector<Vec2> a, b;
};

Segments randomSegments(base::Random& random, std::size_t count, double extent, double longest) {
  Segments s;
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = random.uniform(-extent, extent), y = random.uniform(-extent, extent);
    const bool upright = random.below(4) == 0, level = random.below(4) == 0;
    s.a.push_back({float(x), float(y)});
    s.b.push_back({float(x + (upright ? 0 : random.uniform(-longest, longest))),
                   float(y + (level ? 0 : random.uniform(-longest, longest)))});
  }
  return s;
}

void expectSuperset(const SegmentGrid& grid, const Segments& s, Vec2 place, float range, std::size_t& returned) {
  std::vector<std::uint32_t> found = {12345};
  grid.query(place, range, found);
  ASSERT_EQ(found[0], 12345u);  // appended behind what was there
  found.erase(found.begin());
  returned += found.size();
  ASSERT_TRUE(std::is_sorted(found.begin(), found.end()));
  ASSERT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
  bool any = false;
  for (std::uint32_t i = 0; i < s.a.size(); ++i) {
    if (distanceToSegment(wide(place), wide(s.a[i]), wide(s.b[i])) > range) continue;
    any = true;
    ASSERT_TRUE(std::binary_search(found.begin(), found.end(), i)) << "segment " << i << " lost";
  }
  ASSERT_EQ(grid.nothingNear(place, range), found.empty());
  if (any) {
    ASSERT_FALSE(grid.nothingNear(place, range));
  }
}

TEST(SegmentGrid, FindsEverySegmentThatBruteForceFinds) {
  base::Random random(7);
  std::size_t returned = 0, all = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const double extent = trial % 3 == 0 ? 5 : trial % 3 == 1 ? 200 : 20000;
    const auto s = randomSegments(random, 1 + random.below(200), extent, trial % 2 ? 3 : extent);
    const SegmentGrid grid(s.a, s.b, float(random.uniform(0.5, 10)));
    for (int k = 0; k < 200; ++k) {
      const Vec2 place{float(random.uniform(-1.3 * extent, 1.3 * extent)),
                       float(random.uniform(-1.3 * extent, 1.3 * extent))};
      expectSuperset(grid, s, place, float(random.uniform(0, 8)), returned);
      if (HasFatalFailure()) return;
      all += s.a.size();
    }
    // At the ends of segments, where rounding would show.
    for (std::size_t i = 0; i < s.a.size(); ++i) {
      expectSuperset(grid, s, s.a[i], 0, returned);
      expectSuperset(grid, s, s.b[i], 0.5f, returned);
      if (HasFatalFailure()) return;
      all += 2 * s.a.size();
    }
  }
  EXPECT_LT(returned, all / 4);  // and it does not simply return everything
  std::printf("returned %zu of %zu\n", returned, all);
}

TEST(SegmentGrid, HugeExtentsAndTinyCellsStayWithinBoundedMemory) {
  base::Random random(8);
  Segments s = randomSegments(random, 1000, 1e6, 1e6);
  s.a.push_back({-1e6f, 0});
  s.b.push_back({1e6f, 0.01f});
  for (const float cell : {1e-6f, 0.5f, 1e6f, 1e30f}) {
    const SegmentGrid grid(s.a, s.b, cell);
    EXPECT_LT(grid.bytes(), std::size_t{8} << 20) << cell;
    std::size_t returned = 0;
    for (int k = 0; k < 50; ++k) {
      expectSuperset(grid, s, {float(random.uniform(-1e6, 1e6)), float(random.uniform(-1e6, 1e6))}, 100, returned);
      if (HasFatalFailure()) return;
    }
  }
  // Largest floats: nothing overflows.
  const std::vector<Vec2> a = {{-3e38f, -3e38f}}, b = {{3e38f, 3e38f}};
  const SegmentGrid grid(a, b, 1);
  std::vector<std::uint32_t> found;
  grid.query({0, 0}, 1, found);
  EXPECT_EQ(found, std::vector<std::uint32_t>{0});
}

TEST(SegmentGrid, EmptyAndOddQueries) {
  const SegmentGrid none;
  std::vector<std::uint32_t> found;
  none.query({0, 0}, 100, found);
  EXPECT_TRUE(found.empty());
  EXPECT_TRUE(none.nothingNear({0, 0}, 100));
  EXPECT_TRUE(none.empty());
  const SegmentGrid also_none({}, {}, 2);
  EXPECT_TRUE(also_none.nothingNear({0, 0}, 1));

  const std::vector<Vec2> a = {{0, 0}}, b = {{0, 0}};  // a point is a segment too
  const SegmentGrid dot(a, b, 2);
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(dot.nothingNear({1, 0}, 1));
  EXPECT_FALSE(dot.nothingNear({1, 0}, infinity));
  EXPECT_TRUE(dot.nothingNear({nan, 0}, 1));
  EXPECT_TRUE(dot.nothingNear({50, 0}, 1));
  EXPECT_TRUE(dot.nothingNear({0, 0}, -100));
}

}  // namespace
}  // namespace throng::geometry
