// How far it is to a goal, in bands, against ways that one can reckon by hand.
#include "views/potential.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/predicates.h"
#include "two_floors.h"

namespace throng::views {
namespace {

using testing::ElementsAre;

constexpr Point kEnd{8, 9};  ///< of the wall, round which the way leads
constexpr Point kGoal{18, 2};
constexpr double kRadius = 0.2;

/// A point of a plan, as it is when the plan is turned and mirrored.
struct View {
  int quarters;
  bool mirrored;
  Point operator()(Point p) const {
    if (mirrored) p.y = -p.y;
    for (int i = 0; i < quarters; ++i) p = {-p.y, p.x};
    return p;
  }
  Point back(Point p) const {
    for (int i = 0; i < quarters; ++i) p = {p.y, -p.x};
    if (mirrored) p.y = -p.y;
    return p;
  }
};

/// A room of 20 m by 12 m with a thin wall from its south side up to `kEnd`.
Scene room(const View& view) {
  Scene scene = ground::sceneOf({});
  Layer layer;
  const auto turned = [&](Polygon polygon) {
    for (Point& p : polygon.outer) p = view(p);
    if (view.mirrored) std::reverse(polygon.outer.begin(), polygon.outer.end());
    return polygon;
  };
  layer.walkable = {turned(ground::box(0, 0, 20, 12))};
  layer.obstacles = {turned(ground::box(7.99, 0, 8.01, 9))};
  scene.layers = {layer};
  Profile thin;
  thin.name = "thin";
  thin.radius.mean = kRadius;
  scene.profiles.push_back(thin);
  Population people;
  people.name = "people";
  people.profile = "thin";
  people.goals = {{GoalPoint{view(kGoal)}, {}}};
  scene.populations = {people};
  return scene;
}

/// m, for somebody without a body.
double wayTo(Point from) {
  const double at = from.x + (kGoal.x - from.x) * ((9 - from.y) / (kGoal.y - from.y));  // where y is 9
  const bool hidden = from.x < 8 && (from.y >= 9 ? at < 8 : true) &&
                      kEnd.y > from.y + (kGoal.y - from.y) * (8 - from.x) / (kGoal.x - from.x);
  return hidden ? length(kEnd - from) + length(kGoal - kEnd) : length(kGoal - from);
}

TEST(Potential, IsTheShortestWayRoundTheWallHoweverTheRoomIsTurned) {
  for (int quarters = 0; quarters < 4; ++quarters)
    for (const bool mirrored : {false, true}) {
      const View view{quarters, mirrored};
      const Scene scene = room(view);
      const ShownMap shown(scene);
      ASSERT_THAT(destinations(scene, 9), ElementsAre("goal of people"));
      Overlay overlay;
      addPotential(overlay, shown.named(), scene, "goal of people");
      // All of the floor but what is nearer to a wall than a body, by squares.
      EXPECT_NEAR(areaOf(overlay, 0), (20 - 2 * kRadius) * (12 - 2 * kRadius) - 2 * kRadius * 9, 12);
      std::size_t squares = 0;
      for (const Overlay::Area& area : overlay.areas) {
        const auto key = std::find_if(overlay.keys.begin(), overlay.keys.end(),
                                      [&](const Overlay::Key& k) { return k.paint.rgb == area.paint.rgb; });
        ASSERT_NE(key, overlay.keys.end());
        double low = 0, high = 0;
        ASSERT_EQ(std::sscanf(key->label.c_str(), "%lf to %lf m", &low, &high), 2) << key->label;
        for (const Polygon& piece : area.pieces) {
          ++squares;
          Point middle{0, 0};
          for (const Point& p : piece.outer) middle += p * 0.25;
          ASSERT_TRUE(shown.holds(middle, 0));
          // Ends of a run of squares are within its band, too; a body makes the way round the corner a bit longer.
          for (const Point& corner : piece.outer) {
            const double way = wayTo(view.back(middle + (corner - middle) * 0.99));
            EXPECT_GT(way, low - 0.8) << key->label;
            EXPECT_LT(way, high + 0.8) << key->label;
          }
        }
      }
      EXPECT_GT(squares, 100u);
      EXPECT_GT(overlay.keys.size(), 5u);
    }
}

TEST(Potential, LeadsOverStairsAndKnowsItsNames) {
  Scene scene = twoFloors();
  const ShownMap shown(scene);
  const std::vector<std::string> names = destinations(scene, 9);
  ASSERT_THAT(names, ElementsAre("goal of up"));
  EXPECT_TRUE(destinations(scene, 0).empty());
  Overlay overlay;
  addPotential(overlay, shown.named(), scene, names[0]);
  for (std::uint16_t layer = 0; layer < 3; ++layer) EXPECT_GT(areaOf(overlay, layer), 3) << layer;
  EXPECT_THROW(addPotential(overlay, shown.named(), scene, "nowhere"), InputError);
  // Both ends of a flow, once each; a direction is no place.
  scene.places = {{"a", {1, 1}, {}, "lower"}, {"b", {9, 9}, {}, "lower"}};
  Population there, back, on;
  there.name = "there", back.name = "back", on.name = "on";
  there.flow = FlowEnds{"a", "b"};
  back.flow = FlowEnds{"b", "a"};
  on.goals = {{GoalDirection{}, {}}};
  scene.populations = {there, back, on};
  EXPECT_THAT(destinations(scene, 9), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace throng::views
