#include "following/route_in_disc.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace throng::following {
namespace {

// The way for maps of one floor leaves out most of the work, and finds what looking at every leg finds.
TEST(RouteInDisc, OnOneFloorItIsWhatEveryLegTells) {
  std::mt19937 random(7);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  int in_disc = 0, back = 0;
  for (int n = 0; n < 200'000; ++n) {
    // Routes that go on, that turn and that come back; attraction points in the disc, on its border and far away.
    const Disc disc{{uniform(-5, 5), uniform(-5, 5)}, uniform(0.01, 6)};
    const double wild = uniform(0, 2), leg = uniform(0.05, 6);
    double direction = uniform(0, 6.3);
    const double off = n % 3 == 0 ? disc.radius : uniform(0, 2 * disc.radius);
    Point at = disc.centre + Point{std::cos(direction), std::sin(direction)} * off;
    direction += uniform(-2, 2);
    corridors::RouteStore routes;
    std::vector<corridors::WayPoint> points(1 + random() % 12);
    const Point from = wide(narrow(at));
    for (corridors::WayPoint& p : points) {
      direction += uniform(-wild, wild);
      if (random() % 20 != 0) at = at + Point{std::cos(direction), std::sin(direction)} * uniform(0, leg);
      p.at = narrow(at);
    }
    const Rest rest{routes, true, routes.add(points), static_cast<std::uint32_t>(points.size()), from};
    OnRoute quick{from, 0}, slow{from, 0};
    const bool any = lastInDisc(rest, disc, quick);
    ASSERT_EQ(any, lastInDisc(
                       rest, disc, [](Point) { return std::uint16_t{0}; }, slow))
        << "case " << n;
    ASSERT_EQ(quick.at.x, slow.at.x) << "case " << n;
    ASSERT_EQ(quick.at.y, slow.at.y) << "case " << n;
    ASSERT_EQ(quick.passed, slow.passed) << "case " << n;
    in_disc += any, back += slow.passed > 0;
  }
  EXPECT_GT(in_disc, 50'000);
  EXPECT_GT(back, 20'000);
}

}  // namespace
}  // namespace throng::following
