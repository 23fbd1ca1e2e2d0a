// What is shown of a corridor map is where it says it is.
#include "views/map_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planning/route_request.h"
#include "two_floors.h"
#include "views/likely_places.h"
#include "views/map_lines.h"

namespace throng::views {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(MapViews, LinesOfEveryLayerLieOnIt) {
  const ShownMap shown(twoFloors());
  Overlay overlay;
  addCorridorMap(overlay, shown.named());
  EXPECT_THAT(keysOf(overlay), ElementsAre("medial axis", "to the nearest walls", "passages between layers"));
  EXPECT_THAT(overlay.caption, HasSubstr("corridor map: "));
  for (std::uint16_t layer = 0; layer < 3; ++layer) {
    EXPECT_TRUE(std::any_of(overlay.lines.begin(), overlay.lines.end(),
                            [&](const Overlay::Line& line) { return line.layer == layer; }));
    EXPECT_EQ(passagesOf(shown.test.map, layer).size(), layer == 1 ? 2u : 1u);
  }
  shown.expectOnTheirLayers(overlay);
  // The axis is as far from the walls on both sides; spokes are the shortest way to them.
  for (const Polyline& line : axisOf(shown.test.map, 0))
    for (const Point& p : line.points) EXPECT_TRUE(shown.holds(p, 0));
  for (const Segment& spoke : spokesOf(shown.test.map, 0)) {
    const double clearance = shown.test.map.clearance(spoke.a, 0);
    if (clearance > 0 && shown.test.map.farFromConnections(spoke.a, clearance)) {
      EXPECT_NEAR(length(spoke.b - spoke.a), clearance, 1e-4);
    }
  }
  EXPECT_THROW(axisOf(shown.test.map, 0, 0), InputError);
}

TEST(MapViews, ClearanceIsANumberForEveryPlace) {
  const ShownMap shown(twoFloors());
  Overlay overlay;
  addClearance(overlay, shown.named());
  ASSERT_TRUE(overlay.field);
  EXPECT_NEAR(overlay.field->value({1, 5}, 0), 1, 1e-5);
  EXPECT_NEAR(overlay.field->value({13, 5}, 1), 1, 1e-5);
  EXPECT_EQ(overlay.field->value({4.5, 5}, 0), -1) << "in the pillar";
  EXPECT_EQ(overlay.field->value({13, 5}, 0), -1) << "on another layer";
  addCorridorMap(overlay, shown.named());
  EXPECT_NE(overlay.lines.back().paint.rgb, overlay.lines.front().paint.rgb);
}

TEST(MapViews, RoutesOfEveryPopulation) {
  const Scene scene = twoFloors();
  const ShownMap shown(scene);
  Overlay overlay, again;
  addRoutes(overlay, shown.named(), scene, 5);
  addRoutes(again, shown.named(), scene, 5);
  EXPECT_EQ(overlay.caption, "5 routes");
  EXPECT_THAT(keysOf(overlay), ElementsAre("up"));
  EXPECT_EQ(overlay.dots.size(), 5u);
  EXPECT_EQ(overlay.lines.size(), 15u) << "one stretch on each layer";
  shown.expectOnTheirLayers(overlay);
  for (std::size_t i = 0; i < overlay.lines.size(); ++i)
    EXPECT_EQ(overlay.lines[i].points, again.lines[i].points) << "the same every time";
  // And of those who get nowhere.
  Scene walled = scene;
  walled.layers[2].walls.push_back({{{18, 0}, {18, 10}}});
  const ShownMap closed(walled);
  Overlay none;
  addRoutes(none, closed.named(), walled, 2);
  EXPECT_THAT(none.caption, HasSubstr("2 of them to goals out of reach"));
}

TEST(MapViews, WhatIsSeen) {
  const Scene scene = twoFloors();
  const ShownMap shown(scene);
  Overlay overlay;
  addVisibility(overlay, shown.named(), scene, {{13, 5}}, LayerId(1));
  EXPECT_EQ(overlay.caption, "what is seen from 1 place");
  EXPECT_NEAR(areaOf(overlay, 1), 12, 1e-3) << "all of the stair";
  EXPECT_GT(areaOf(overlay, 0), 5) << "and some of both floors";
  EXPECT_GT(areaOf(overlay, 2), 5);
  ASSERT_EQ(overlay.dots.size(), 1u);
  EXPECT_EQ(overlay.dots[0].layer, 1);
  Overlay likely;
  addVisibility(likely, shown.named(), scene, {}, {});
  EXPECT_EQ(likely.caption, "what is seen from 6 places");
  EXPECT_THROW(addVisibility(overlay, shown.named(), scene, {{4.5, 5}}, LayerId(0)), InputError);
  EXPECT_THROW(addVisibility(overlay, shown.named(), scene, {{1, 1}}, LayerId(3)), InputError);
}

TEST(MapViews, ARouteWithItsCorridor) {
  const ShownMap shown(twoFloors());
  RouteRequest request;
  request.from = {1, 5}, request.to = {24, 5};
  request.from_layer = LayerId(0), request.to_layer = LayerId(2);
  const RouteResult route = planning::planRoute(shown.named(), request);
  ASSERT_TRUE(route.reachable) << route.reason;
  Overlay overlay;
  addRoute(overlay, shown.named(), request, route);
  EXPECT_THAT(keysOf(overlay), ElementsAre("route", "path on the medial axis", "corridor"));
  EXPECT_EQ(overlay.areas.size(), 3u);
  EXPECT_NEAR(areaOf(overlay, 1), 12, 0.5) << "the stair is all corridor";
  ASSERT_EQ(overlay.labels.size(), 2u);
  EXPECT_EQ(overlay.labels[0].text, "start");
  EXPECT_EQ(overlay.labels[1].text, "goal");
  EXPECT_EQ(overlay.labels[1].layer, 2);
  EXPECT_THAT(overlay.layers, testing::IsSupersetOf({0, 1, 2}));
  shown.expectOnTheirLayers(overlay);

  request.to = {40, 5};
  const RouteResult nearest = planning::planRoute(shown.named(), request);
  EXPECT_FALSE(nearest.reachable);
  Overlay unreachable;
  addRoute(unreachable, shown.named(), request, nearest);
  ASSERT_EQ(unreachable.labels.size(), 3u);
  EXPECT_EQ(unreachable.labels[1].text, "nearest reachable place");
}

TEST(MapViews, LikelyPlacesAreFree) {
  const Scene scene = twoFloors();
  const ShownMap shown(scene);
  LikelyPlaces places(shown.test.map, 1);
  const Start around{StartCircle{{4.5, 5}, 3}}, line{StartLine{{{{1, 1}, {1, 9}}}}};
  for (const Start& start : {scene.populations[0].start, around, line})
    for (int i = 0; i < 50; ++i) {
      const auto place = places.start(start, 0, 0.4);
      ASSERT_TRUE(place);
      EXPECT_GE(shown.test.map.clearance(*place, 0), 0.4);
    }
  EXPECT_FALSE(places.start({StartPoints{{{4.5, 5}}}}, 0, 0.1)) << "in the pillar";
  EXPECT_EQ(places.goal({GoalOpposite{{5, 5}}}, {1, 2}, 0, 0.1), (Point{9, 8}));
  EXPECT_FALSE(places.goal({GoalDirection{}}, {1, 2}, 0, 0.1));
}

}  // namespace
}  // namespace throng::views
