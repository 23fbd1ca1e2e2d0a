#include "corridors/narrow_places.h"

#include <gtest/gtest.h>

#include "corridors/map_scenes.h"

namespace throng::corridors {
namespace {

/// Two rooms and an opening between them, anywhere in the wall, turned and mirrored.
struct Rooms {
  double turn, mirror;
  double width, depth, middle;
  CorridorMap map;

  explicit Rooms(base::Random& random)
      : turn(random.uniform(0, 6.3)),
        mirror(random.below(2) == 0 ? 1 : -1),
        width(random.uniform(0.6, 1.4)),
        depth(random.uniform(0.05, 2)),
        middle(random.uniform(-4 + width / 2, 4 - width / 2)) {
    const double low = middle - width / 2, high = middle + width / 2;
    Polygon walkable;
    for (const Point p : std::vector<Point>{{-9, -4},
                                            {-depth, -4},
                                            {-depth, low},
                                            {depth, low},
                                            {depth, -4},
                                            {9, -4},
                                            {9, 4},
                                            {depth, 4},
                                            {depth, high},
                                            {-depth, high},
                                            {-depth, 4},
                                            {-9, 4}})
      walkable.outer.push_back(at(p));
    if (mirror < 0) std::reverse(walkable.outer.begin(), walkable.outer.end());
    Layer layer;
    layer.walkable = {walkable};
    map = CorridorMap(ground::WalkableSpace(sceneOf(layer)), {});
  }
  Point at(Point p) const {
    double s, c;
    base::sinCos(turn, s, c);
    return {p.x * c - mirror * p.y * s, p.x * s + mirror * p.y * c};
  }
};

TEST(NarrowPlaces, TheOpeningBetweenTwoRooms) {
  base::Random random(31);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const Rooms rooms(random);
    const auto found = narrowPlaces(rooms.map, 0.2, 0.85);
    ASSERT_EQ(found.size(), 1u) << rooms.width << " wide, in the middle of " << rooms.middle;
    const NarrowPlace& place = found[0];
    // Beside a wall the narrowest is not across the opening.
    EXPECT_NEAR(place.clearance, rooms.width / 2, 1e-3);
    EXPECT_GE(place.length, 2 * rooms.depth - 1e-3);
    const Vec2 way = narrow(rooms.at({1, 0}) - rooms.at({0, 0})), middle = narrow(rooms.at({0, rooms.middle}));
    const bool backwards = dot(place.ends[1].at - place.ends[0].at, way) < 0;
    for (int e = 0; e < 2; ++e) {
      const float outwards = (e == 1) != backwards ? 1.0f : -1.0f;
      EXPECT_GT(dot(place.ends[e].out, way) * outwards, 0.7f);
      EXPECT_GE(dot(place.ends[e].at - middle, way) * outwards, static_cast<float>(rooms.depth) - 1e-3f);
    }
    const auto along = place.along(middle);
    EXPECT_LT(along.off, 1e-3f);
    EXPECT_NEAR(along.at, 0.5f * place.length, 0.5f * place.length - static_cast<float>(rooms.depth) + 1e-3f);
  }
}

TEST(NarrowPlaces, NoneWhereItIsWideEnoughOrTooNarrowForAnybody) {
  base::Random random(32);
  for (int round = 0; round < 50; ++round) {
    const Rooms rooms(random);
    EXPECT_TRUE(narrowPlaces(rooms.map, 0.2, rooms.width / 2 - 0.01).empty());
    EXPECT_TRUE(narrowPlaces(rooms.map, rooms.width / 2 + 0.01, 0.85).empty());
  }
}

// Where there is no wider place to wait in.
TEST(NarrowPlaces, NoneInACrossingOfNarrowCorridors) {
  Layer layer;
  layer.walkable = {Polygon{{{-8, -0.5},
                             {-0.5, -0.5},
                             {-0.5, -8},
                             {0.5, -8},
                             {0.5, -0.5},
                             {8, -0.5},
                             {8, 0.5},
                             {0.5, 0.5},
                             {0.5, 8},
                             {-0.5, 8},
                             {-0.5, 0.5},
                             {-8, 0.5}},
                            {}}};
  const CorridorMap map(ground::WalkableSpace(sceneOf(layer)), {});
  EXPECT_TRUE(narrowPlaces(map, 0.2, 0.85).empty());
}

// Corridors that cross, between rooms, turned and mirrored; and the same with one of them alone.
TEST(CrossingClearances, OfCorridorsThatCross) {
  constexpr float kLimit = 2.4f;
  base::Random random(33);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const double turn = random.uniform(0, 6.3), half = random.uniform(0.4, 1.5), shift = random.uniform(-1, 1);
    double s, c;
    base::sinCos(turn, s, c);
    const auto at = [&](double x, double y) { return Point{x * c - y * s, x * s + y * c}; };
    const auto wall = [&](std::vector<Point> corners) {
      Polygon polygon;
      for (const Point p : corners) polygon.outer.push_back(at(p.x, p.y));
      return polygon;
    };
    const auto block = [&](double x0, double y0, double x1, double y1) {
      return wall({{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
    };
    for (const bool crosses : {true, false}) {
      Layer layer;
      layer.walkable = {block(-30, -30, 30, 30)};
      if (crosses) {
        for (const double x : {-1.0, 1.0})
          for (const double y : {-1.0, 1.0})
            layer.obstacles.push_back(block(std::min(x * half, x * 12) + shift, std::min(y * half, y * 12),
                                            std::max(x * half, x * 12) + shift, std::max(y * half, y * 12)));
      } else {
        for (const double y : {-1.0, 1.0})
          layer.obstacles.push_back(block(-12, std::min(y * half, y * 12), 12, std::max(y * half, y * 12)));
      }
      const CorridorMap map(ground::WalkableSpace(sceneOf(layer)), {});
      const std::vector<float> clearances = crossingClearances(map, kLimit);
      ASSERT_EQ(clearances.size(), map.chains().size());
      std::size_t narrow = 0;
      for (std::size_t k = 0; k < clearances.size(); ++k) {
        if (clearances[k] >= kLimit) continue;
        ++narrow;
        // Of equal corridors, to the corners; what joins the parts of a crossing that rounding has drawn apart is no
        // way.
        EXPECT_NEAR(clearances[k], half * std::sqrt(2.0), 1e-3);
      }
      if (crosses) {
        EXPECT_GE(narrow, 4u);
        EXPECT_LE(narrow, 5u);
      } else {
        EXPECT_EQ(narrow, 0u) << "a corridor from room to room";
      }
    }
  }
}

}  // namespace
}  // namespace throng::corridors
