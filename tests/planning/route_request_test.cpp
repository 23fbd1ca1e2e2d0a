// Routes as programs ask for them, and how near they come to walls: against brute force.
#include "planning/route_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "geometry/predicates.h"
#include "places.h"
#include "planning/route_clearance.h"

namespace throng::planning {
namespace {

using corridors::NamedMap;
using testing::HasSubstr;

/// A place and the names of its layers.
struct Named {
  Place place;
  std::vector<std::string> layers;
  std::vector<std::vector<Polygon>> walkable;

  explicit Named(Place made) : place(std::move(made)) {
    for (const Layer& layer : place.scene.layers) {
      layers.push_back(layer.name);
      walkable.push_back(layer.walkable);
    }
  }
  NamedMap map() const { return {place.map, layers, walkable}; }
};

TEST(RouteRequests, SayHowNearTheyComeToWalls) {
  base::Random random(5, 1);
  int routes = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Named named(clutteredRoom(seed, 30, 20, 14));
    for (int i = 0; i < 12; ++i) {
      RouteRequest request;
      request.radius = random.uniform(0.1, 0.4);
      request.from = named.place.somewhere(random, request.radius + 0.01);
      request.to = named.place.somewhere(random, request.radius + 0.01);
      request.clearance = random.uniform(0.2, 1.5);
      request.side = random.uniform(-1, 1);
      const RouteResult route = planRoute(named.map(), request);
      if (!route.reachable) continue;
      ++routes;
      double least = std::numeric_limits<double>::infinity(), sum = 0;
      for (std::size_t k = 0; k + 1 < route.points.size(); ++k) {
        least = std::min(least, named.place.clearanceOf(route.points[k].at, route.points[k + 1].at));
        sum += length(route.points[k + 1].at - route.points[k].at);
      }
      EXPECT_NEAR(route.least_clearance, least, 0.02) << "seed " << seed << ", route " << i;
      EXPECT_NEAR(route.length, sum, 1e-6);
      EXPECT_GE(route.least_clearance, request.radius - 1e-3);
      std::vector<RoutePoint> points;
      EXPECT_TRUE(routePoints(named.map(), request, points));
      ASSERT_EQ(points.size(), route.points.size());
      for (std::size_t k = 0; k < points.size(); ++k) EXPECT_EQ(points[k].at, route.points[k].at);
    }
  }
  EXPECT_GT(routes, 30);
}

TEST(RouteRequests, HaveACorridorAroundThem) {
  const Named named(clutteredRoom(3, 30, 20, 14));
  base::Random random(9, 1);
  int inside = 0, places = 0;
  for (int i = 0; i < 20; ++i) {
    RouteRequest request;
    request.from = named.place.somewhere(random, 0.3);
    request.to = named.place.somewhere(random, 0.3);
    const RouteResult route = planRoute(named.map(), request);
    if (!route.reachable || route.corridor_cells == 0) continue;
    const RouteCorridor corridor = corridorOf(named.map(), request);
    const auto inCorridor = [&](Point p) {
      return std::any_of(corridor.cells.begin(), corridor.cells.end(), [&](const LayerPolygon& cell) {
        const Ring& ring = cell.polygon.outer;
        bool is_inside = true;
        const double turn = geometry::signedArea(ring) > 0 ? 1 : -1;
        for (std::size_t k = 0; k < ring.size(); ++k)
          is_inside = is_inside && turn * det(ring[(k + 1) % ring.size()] - ring[k], p - ring[k]) > -1e-4;
        return is_inside;
      });
    };
    for (std::size_t k = 0; k + 1 < route.points.size(); ++k)
      for (int s = 0; s <= 10; ++s, ++places)
        inside += inCorridor(route.points[k].at + (route.points[k + 1].at - route.points[k].at) * (s / 10.0));
    double axis = 0;
    for (const LayerPolyline& piece : corridor.axis)
      for (std::size_t k = 0; k + 1 < piece.line.points.size(); ++k)
        axis += length(piece.line.points[k + 1] - piece.line.points[k]);
    EXPECT_NEAR(axis, route.axis_length, 0.01 * axis + 0.05);
  }
  // Where the axis branches, the corridor that is shown ends at a chord of the free disc; a route may go beyond it.
  EXPECT_GT(places, 1000);
  EXPECT_GT(inside, 0.99 * places);
}

TEST(RouteRequests, SayWhatIsWrong) {
  const Named named(clutteredRoom(1, 20, 20, 0));
  const auto wrong = [&](auto change) -> std::string {
    RouteRequest request;
    request.from = {2, 2}, request.to = {18, 18};
    change(request);
    try {
      planRoute(named.map(), request);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(wrong([](RouteRequest&) {}), "");
  EXPECT_THAT(wrong([](RouteRequest& r) { r.radius = 0; }), HasSubstr("A radius of 0 m"));
  EXPECT_THAT(wrong([](RouteRequest& r) { r.clearance = -1; }), HasSubstr("A clearance of -1 m"));
  EXPECT_THAT(wrong([](RouteRequest& r) { r.side = 2; }), HasSubstr("A side of 2"));
  EXPECT_THAT(wrong([](RouteRequest& r) { r.spread = -0.1; }), HasSubstr("A spread of -0.1"));
  EXPECT_THAT(wrong([](RouteRequest& r) { r.to.x = std::numeric_limits<double>::quiet_NaN(); }), HasSubstr("The goal"));
  EXPECT_THAT(wrong([](RouteRequest& r) { r.to_layer = LayerId(7); }), HasSubstr("There is no layer 7"));
}

TEST(RouteRequests, SayWhyThereIsNoWay) {
  Layer rooms;
  rooms.walkable = {box(0, 0, 20, 10)};
  rooms.walls = {{{{10, 0}, {10, 6}}}, {{{10, 6.4}, {10, 10}}}, {{{16, 0}, {16, 10}}}};
  const Named named(Place(rooms, {{0, 0}, {20, 10}}));
  const auto why = [&](Point to) {
    RouteRequest request;
    request.from = {2, 5}, request.to = to;
    const RouteResult route = planRoute(named.map(), request);
    EXPECT_FALSE(route.reachable);
    return route.reason;
  };
  EXPECT_THAT(why({13, 5}), HasSubstr("only 0.40 m wide"));
  EXPECT_THAT(why({18, 5}), HasSubstr("to which no way leads"));
  EXPECT_THAT(why({25, 5}), HasSubstr("outside the walkable area"));
}

TEST(RouteRequests, SayWhichGroundIsNeverWalkedOn) {
  Layer field;
  field.walkable = {box(0, 0, 30, 10)};
  field.regions = {{"road", {box(10, 0, 14, 10)}}, {"pond", {box(20, 3, 24, 7)}}};
  const Named named(Place(field, {{0, 0}, {30, 10}}));
  const ground::Regions regions(named.place.scene);
  for (const char* planner : {"regions", "grid", "steiner", "triangle-pruning", "edge-pruning", "vertex-pruning"}) {
    const auto why = [&](Point to, const char* never) {
      RouteRequest request;
      request.from = {2, 5}, request.to = to, request.planner = planner;
      request.region_weights = {{"road", 1}, {"pond", 1}};
      request.region_weights[never] = std::numeric_limits<double>::infinity();
      const RouteResult route = planRoute(named.map(), request, GroundOfMap{.regions = &regions});
      EXPECT_FALSE(route.reachable) << planner;
      return route.reason;
    };
    for (const Point goal : {Point{12, 5}, Point{10.4, 5.2}, Point{13.6, 1}})
      EXPECT_THAT(why(goal, "road"), HasSubstr("on ground of type \"road\", where")) << planner;
    EXPECT_THAT(why({20.4, 6.7}, "pond"), HasSubstr("on ground of type \"pond\", where")) << planner;
    EXPECT_THAT(why({22, 9}, "road"), HasSubstr("behind ground where")) << planner;
  }
}

}  // namespace
}  // namespace throng::planning
