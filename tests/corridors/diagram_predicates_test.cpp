// Circles computed around one of their walls against Boost.Polygon's exact ones.
#include "corridors/diagram_predicates.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace throng::corridors {
namespace {

struct Seen {
  std::size_t circles = 0;
  double worst = 0;  // of an error, in parts of what doubles of that size differ by
};
Seen seen;

/// Computes every circle of a diagram twice.
struct BothPredicates : DiagramPredicates {
  template <class Site, class Circle>
  class Both {
   public:
    void ppp(const Site& a, const Site& b, const Site& c, Circle& circle) {
      near_.ppp(a, b, c, circle);
      Circle twin;
      exact_.ppp(a, b, c, twin);
      compare(circle, twin);
    }
    void pps(const Site& a, const Site& b, const Site& s, int segment, Circle& circle) {
      near_.pps(a, b, s, segment, circle);
      Circle twin;
      exact_.pps(a, b, s, segment, twin);
      compare(circle, twin);
    }
    void pss(const Site& a, const Site& s1, const Site& s2, int point, Circle& circle) {
      near_.pss(a, s1, s2, point, circle);
      Circle twin;
      exact_.pss(a, s1, s2, point, twin);
      compare(circle, twin);
    }
    void sss(const Site& s1, const Site& s2, const Site& s3, Circle& circle) {
      near_.sss(s1, s2, s3, circle);
      Circle twin;
      exact_.sss(s1, s2, s3, twin);
      compare(circle, twin);
    }

   private:
    static void compare(const Circle& circle, const Circle& twin) {
      ++seen.circles;
      const auto error = [](double a, double b) { return a == b ? 0 : std::abs(a - b) / (std::abs(b) * 0x1p-52); };
      for (const double e :
           {error(circle.x(), twin.x()), error(circle.y(), twin.y()), error(circle.lower_x(), twin.lower_x())})
        seen.worst = std::max(seen.worst, e);
    }
    NearCircle<Site, Circle> near_;
    Plain::mp_circle_formation_functor<Site, Circle> exact_;
  };
  template <class Site, class Circle>
  using circle_formation_predicate =
      Plain::circle_formation_predicate<Site, Circle, Plain::circle_existence_predicate<Site>, Both<Site, Circle>>;
};

struct Wall {
  std::int32_t ax, ay, bx, by;
};

/// Squares, slivers and rings of walls on a raster, so that none cross: with parallels, right angles, common ends,
/// nearly straight corners and points on a circle.
std::vector<Wall> randomWalls(std::mt19937_64& random, std::int32_t cell) {
  const auto upTo = [&](std::int64_t n) { return static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(n)); };
  std::vector<Wall> walls;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) {
      const std::int32_t x = (row - 2) * cell + 3, y = (column - 2) * cell - 1;
      const std::int32_t w = 2 + upTo(cell - 4), h = 2 + upTo(cell - 4);
      switch (upTo(4)) {
        case 0:
          walls.insert(walls.end(), {{x, y, x + w, y}, {x + w, y, x + w, y + h}, {x + w, y + h, x, y + h}});
          break;
        case 1:
          walls.insert(walls.end(), {{x, y, x + w, y + 1}, {x + w, y + 1, x + w / 2, y + h}});
          break;
        case 2:
          walls.push_back({x + w, y + h, x + upTo(w), y + upTo(h)});
          break;
        default:
          for (int k = 0; k < 12; ++k) {
            const auto at = [&](int i, std::int32_t middle, double phase) {
              return middle + static_cast<std::int32_t>(0.4 * cell * std::cos(i * 0.5235987755982988 - phase));
            };
            walls.push_back({at(k, x + cell / 2, 0), at(k, y + cell / 2, 1.5707963267948966),
                             at((k + 1) % 12, x + cell / 2, 0), at((k + 1) % 12, y + cell / 2, 1.5707963267948966)});
          }
      }
    }
  return walls;
}

TEST(DiagramPredicates, CirclesAreThoseOfExactNumbers) {
  std::mt19937_64 random(7);
  seen = {};
  for (int round = 0; round < 120; ++round) {
    boost::polygon::voronoi_builder<std::int32_t, DiagramNumbers, BothPredicates> builder;
    const std::int32_t cells[] = {64, 5000, 1 << 20, 40'000'000, 200'000'000};
    for (const Wall& wall : randomWalls(random, cells[round % 5]))
      if (wall.ax != wall.bx || wall.ay != wall.by) builder.insert_segment(wall.ax, wall.ay, wall.bx, wall.by);
    boost::polygon::voronoi_diagram<double> diagram;
    builder.construct(&diagram);
    EXPECT_GT(diagram.num_vertices(), 0U);
  }
  EXPECT_GT(seen.circles, 50'000U);
  EXPECT_LT(seen.worst, 80);  // what the diagram's comparisons of circles allow for
}

TEST(DiagramPredicates, BoundsHold) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int round = 0; round < 20000; ++round) {
    // Numbers known to 1e-9 against what the long ones give anywhere within that.
    const auto off = [&](double v) { return Bounded{v, 1e-9}; };
    const long double slack = static_cast<long double>(any(random)) * 1e-9L;
    const double a = any(random), b = any(random), c = any(random), d = any(random);
    const long double ta = a + slack, tb = b - slack, tc = c + slack, td = d - slack;
    const auto holds = [](Bounded got, long double truth) {
      return std::abs(static_cast<long double>(got.value) - truth) <= static_cast<long double>(got.error);
    };
    EXPECT_TRUE(holds(off(a) * off(b) - off(c) * off(d), ta * tb - tc * td));
    EXPECT_TRUE(holds((off(a) + off(b)) / off(c), (ta + tb) / tc));
    EXPECT_TRUE(holds(squareRoot(off(a) * off(a) + off(b) * off(b)), std::sqrt(ta * ta + tb * tb)));
  }
}

}  // namespace
}  // namespace throng::corridors
