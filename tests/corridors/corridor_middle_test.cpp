#include "corridors/corridor_middle.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "corridors/map_scenes.h"

namespace throng::corridors {
namespace {

constexpr double kRoom = 6;  // m

/// A corridor with a bend between two rooms, turned and mirrored: along the x axis from 0 to `length`, there to the
/// left and on for as much.
struct Bend {
  double turn, mirror;
  double half;  ///< m, width
  double length;
  CorridorMap map;
  CorridorMiddle middle;

  explicit Bend(base::Random& random)
      : turn(random.uniform(0, 6.3)),
        mirror(random.below(2) == 0 ? 1 : -1),
        half(random.uniform(0.6, 1.1)),
        length(random.uniform(6, 15)) {
    const double x = length, h = half;
    Polygon walkable;
    for (const Point p : std::vector<Point>{{-kRoom, -3},
                                            {0, -3},
                                            {0, -h},
                                            {x + h, -h},
                                            {x + h, x},
                                            {x + 4, x},
                                            {x + 4, x + kRoom},
                                            {x - 4, x + kRoom},
                                            {x - 4, x},
                                            {x - h, x},
                                            {x - h, h},
                                            {0, h},
                                            {0, 3},
                                            {-kRoom, 3}})
      walkable.outer.push_back(at(p));
    if (mirror < 0) std::reverse(walkable.outer.begin(), walkable.outer.end());
    Layer layer;
    layer.walkable = {walkable};
    map = CorridorMap(ground::WalkableSpace(sceneOf(layer)), {});
    middle = CorridorMiddle(map, 0.5f, 1.2f);
  }
  Point at(Point p) const {
    double s, c;
    base::sinCos(turn, s, c);
    return {p.x * c - mirror * p.y * s, p.x * s + mirror * p.y * c};
  }
  Vec2 way(Point direction) const { return normalized(narrow(at(direction) - at({0, 0}))); }
  CorridorPlace place(Point p, Point wanted, bool keeps_right = true, std::uint32_t before = 0) const {
    return middle.at(map, map.locate(at(p), 0), {at(p), way(wanted), keeps_right, before});
  }
};

TEST(CorridorMiddle, TellsHowFarBesideTheMiddleSomebodyIs) {
  base::Random random(5);
  for (int i = 0; i < 60; ++i) {
    const Bend bend(random);
    ASSERT_EQ(bend.middle.corridors(), 1u);
    EXPECT_NEAR(bend.middle.leastClearance(0), bend.half, 1e-4);
    const double x = random.uniform(1.5, bend.length - 2 * bend.half), y = random.uniform(-0.95, 0.95) * bend.half;
    const bool right = random.below(2) == 0;
    const CorridorPlace out = bend.place({x, y}, {1, random.uniform(-1, 1)}, right);
    const CorridorPlace back = bend.place({x, y}, {-1, random.uniform(-1, 1)}, right);
    ASSERT_NE(out.corridor, kNone);
    EXPECT_EQ(out.way(), back.way() ^ 1u);
    // Mirrored, the right is the other side.
    const double side = (right ? -1 : 1) * bend.mirror;
    EXPECT_NEAR(out.offset, side * y, 1e-4);
    EXPECT_NEAR(back.offset, -side * y, 1e-4);
    EXPECT_NEAR(out.clearance, bend.half, 1e-4);
    EXPECT_NEAR(length(out.ahead - bend.way({1, 0})), 0, 1e-4);
    EXPECT_NEAR(dot(out.aside, out.ahead), 0, 1e-5);
    EXPECT_EQ(out.beyond, 0);
    EXPECT_FALSE(out.comes_in);
    // Who walks across is on no way.
    EXPECT_EQ(bend.place({x, y}, {0.2, 1}).corridor, kNone);
  }
}

TEST(CorridorMiddle, LeadsAroundTheBendOnOnesOwnSide) {
  base::Random random(6);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const Bend bend(random);
    const bool right = random.below(2) == 0;
    constexpr float kRadius = 0.2f;
    // As somebody walks who sees no farther than a step: what they want leads straight to the corridor's other end.
    Point here{1.5, 0};
    std::uint32_t before = 0;
    const Point end = bend.at({bend.length, bend.length - 1});
    Point now = bend.at(here);
    const auto back = [&](Point p) {  // where it was drawn
      double s, c;
      base::sinCos(bend.turn, s, c);
      return Point{p.x * c + p.y * s, (p.y * c - p.x * s) * bend.mirror};
    };
    bool arrived = false;
    for (int step = 0; step < 600 && !arrived; ++step) {
      const bool along_x = back(now).x < bend.length - bend.half;
      const Vec2 wanted = along_x ? bend.way({1, 0}) : narrow(normalized(end - now));
      const CorridorPlace place = bend.middle.at(bend.map, bend.map.locate(now, 0), {now, wanted, right, before});
      ASSERT_NE(place.corridor, kNone) << back(now).x << ", " << back(now).y;
      ASSERT_TRUE(before == 0 || before == place.way());
      before = place.way();
      Vec2 to;
      if (!bend.middle.ahead(place, 0.6f, kRadius + 0.05f, kRadius, to)) break;
      // It is free, and in the own half, but for what is cut off the bend.
      ASSERT_GE(bend.map.clearance(wide(to), 0), double{kRadius});
      if (step > 20) {
        ASSERT_GT(place.offset, -0.05f);
      }
      now = now + wide(normalized(to - narrow(now)) * 0.1f);
      arrived = length(now - end) < 1.2;
    }
    EXPECT_TRUE(arrived) << back(now).x << ", " << back(now).y;
  }
}

TEST(CorridorMiddle, KnowsWhoComesIn) {
  base::Random random(7);
  for (int i = 0; i < 60; ++i) {
    const Bend bend(random);
    const Point before{-random.uniform(1.2, 1.4), random.uniform(-0.1, 0.1)};
    const CorridorPlace in = bend.place(before, {-before.x, -before.y});
    ASSERT_NE(in.corridor, kNone);
    EXPECT_TRUE(in.comes_in);
    EXPECT_GT(in.beyond, 0);
    EXPECT_LT(in.beyond, CorridorMiddle::kBeforeMouth);
    EXPECT_NEAR(in.mouth, bend.half, 0.02);
    EXPECT_EQ(in.way(), bend.place({2, 0}, {1, 0}).way());
    EXPECT_FALSE(bend.place(before, {-1, 0}).comes_in);
  }
}

TEST(CorridorMiddle, IsOnlyOfCorridorsOfTheGivenWidth) {
  base::Random random(8);
  for (int i = 0; i < 20; ++i) {
    const Bend bend(random);
    const auto half = static_cast<float>(bend.half);
    EXPECT_EQ(CorridorMiddle(bend.map, half + 0.01f, half + 0.5f).corridors(), 0u);
    EXPECT_EQ(CorridorMiddle(bend.map, 0.1f, half - 0.01f).corridors(), 0u);
    EXPECT_GT(CorridorMiddle(bend.map, half - 0.01f, half + 0.01f).corridors(), 0u);
  }
  EXPECT_EQ(CorridorMiddle().corridors(), 0u);
}

}  // namespace
}  // namespace throng::corridors
