// The navigation map and the navigation graph through include/throng alone: routes, questions, changes, files, what is
// drawn.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "throng/throng.h"

#include "base/temporary_folder.h"

namespace throng {
namespace {

using testing::HasSubstr;

Polygon box(double x0, double y0, double x1, double y1) { return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}; }

/// Two rooms of 10 m by 10 m side by side, with a door of 2 m at the bottom and a slit of 0.4 m at the top, and a cell
/// that nobody gets into.
Scene rooms() {
  Scene scene;
  Layer ground;
  ground.walkable = {box(0, 0, 20, 10)};
  ground.obstacles = {box(9.5, 3, 10.5, 9.6), box(4, 6, 5, 7), box(16, 8, 16.2, 10), box(16, 8, 20, 8.2)};
  ground.doors = {{"door", {{10, 0}, {10, 3}}, true}};
  scene.layers = {ground};
  return scene;
}

/// A floor above another one, with a stair between them that lies beside both.
Scene storeys() {
  Scene scene;
  Layer lower, stair, upper;
  lower.name = "lower", stair.name = "stair", upper.name = "upper";
  lower.walkable = {box(0, 0, 10, 10)};
  stair.walkable = {box(10, 4, 16, 6)};
  upper.walkable = {box(16, 0, 26, 10)};
  upper.obstacles = {box(18, 4, 19, 6)};
  scene.layers = {lower, stair, upper};
  scene.connections = {{"bottom", "lower", {{10, 4}, {10, 6}}, "stair", {{10, 4}, {10, 6}}},
                       {"top", "stair", {{16, 4}, {16, 6}}, "upper", {{16, 4}, {16, 6}}}};
  return scene;
}

RouteRequest ask(Point from, Point to) {
  RouteRequest request;
  request.from = from;
  request.to = to;
  return request;
}

double toWalls(const Scene& scene, Point place) {
  double least = std::numeric_limits<double>::infinity();
  const auto side = [&](Point a, Point b) {
    const double t = std::clamp(dot(place - a, b - a) / lengthSquared(b - a), 0.0, 1.0);
    least = std::min(least, length(place - a - (b - a) * t));
  };
  for (const auto* polygons : {&scene.layers[0].walkable, &scene.layers[0].obstacles})
    for (const Polygon& p : *polygons)
      for (std::size_t i = 0; i < p.outer.size(); ++i) side(p.outer[i], p.outer[(i + 1) % p.outer.size()]);
  return least;
}

TEST(NavigationInterface, ARouteAndItsNumbers) {
  const NavigationMap map(rooms());
  const RouteResult route = map.plan(ask({2, 9}, {14, 9}));
  ASSERT_TRUE(route.reachable) << route.reason;
  EXPECT_EQ(route.reason, "");
  EXPECT_EQ(route.end, (Point{14, 9}));
  ASSERT_GE(route.points.size(), 3u);
  EXPECT_EQ(route.points.front().at, (Point{2, 9}));
  EXPECT_EQ(route.points.back().at, (Point{14, 9}));
  double length_of_parts = 0, least = 1e9;
  for (std::size_t i = 0; i + 1 < route.points.size(); ++i) {
    const Point a = route.points[i].at, b = route.points[i + 1].at;
    length_of_parts += length(b - a);
    for (int k = 0; k <= 1000; ++k) least = std::min(least, toWalls(rooms(), a + (b - a) * (k / 1000.0)));
  }
  EXPECT_NEAR(route.length, length_of_parts, 1e-9);
  EXPECT_NEAR(route.least_clearance, least, 1e-3);
  EXPECT_NEAR(route.least_clearance, 0.5, 0.01);
  EXPECT_GT(route.narrowest_width, 2 * 0.5);
  EXPECT_GT(route.axis_length, 10);
  EXPECT_GT(route.corridor_cells, 4u);

  RouteRequest thin = ask({2, 9}, {14, 9});
  thin.radius = 0.15;
  const RouteResult through_the_slit = map.plan(thin);
  EXPECT_TRUE(through_the_slit.reachable);
  EXPECT_LT(through_the_slit.length, route.length - 3);
  EXPECT_NEAR(through_the_slit.narrowest_width, 0.4, 1e-4);

  // Left and right of the same way.
  RouteRequest left = ask({1, 1}, {19, 1}), right = left;
  left.side = -1, right.side = 1;
  const auto middle = [&](const RouteRequest& request) {
    double y = 0;
    const auto points = map.plan(request).points;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const Point a = points[i].at, b = points[i + 1].at;
      if (a.x <= 10 && b.x >= 10) y = a.y + (b.y - a.y) * (10 - a.x) / (b.x - a.x);
    }
    return y;
  };
  EXPECT_GT(middle(left), middle(right) + 0.3);
}

TEST(NavigationInterface, ItSaysWhyThereIsNoRouteAndGoesAsNearAsItCan) {
  const NavigationMap map(rooms());
  const auto why = [&](Point to, double radius = 0.25) {
    RouteRequest request = ask({2, 2}, to);
    request.radius = radius;
    const RouteResult route = map.plan(request);
    EXPECT_FALSE(route.reachable);
    EXPECT_FALSE(route.points.empty());
    EXPECT_EQ(route.points.back().at, route.end);
    EXPECT_TRUE(map.walkable(route.end));
    return route;
  };
  RouteResult route = why({4.5, 6.2});
  EXPECT_THAT(route.reason, HasSubstr("inside an obstacle"));
  EXPECT_NEAR(route.end.y, 6 - 0.25, 1e-3);
  EXPECT_THAT(why({12, 12}).reason, HasSubstr("outside the walkable area"));
  EXPECT_THAT(why({18, 9}).reason, HasSubstr("no way leads"));
  route = why({14, 5}, 1.6);
  EXPECT_THAT(route.reason, HasSubstr("3.00 m wide"));
  EXPECT_THAT(route.reason, HasSubstr("needs 3.2 m"));
  EXPECT_THAT(map.plan(ask({4.5, 6.5}, {1, 1})).reason, HasSubstr("The start (4.5, 6.5) lies inside an obstacle"));
  EXPECT_TRUE(map.plan(ask({4.5, 6.5}, {1, 1})).points.empty());
}

TEST(NavigationInterface, RoutesLeadOverConnections) {
  const NavigationMap map(storeys());
  EXPECT_TRUE(map.closedConnections().empty());
  RouteRequest request = ask({2, 5}, {24, 5});
  request.from_layer = map.layer("lower"), request.to_layer = map.layer("upper");
  const RouteResult route = map.plan(request);
  ASSERT_TRUE(route.reachable) << route.reason;
  std::vector<std::uint16_t> layers;
  for (std::size_t i = 0; i < route.points.size(); ++i) {
    const RoutePoint& p = route.points[i];
    if (layers.empty() || layers.back() != p.layer) layers.push_back(p.layer);
    EXPECT_TRUE(map.walkable(p.at, LayerId(p.layer))) << p.at.x << " " << p.at.y << " on " << p.layer;
    if (i > 0 && p.layer != route.points[i - 1].layer) {
      EXPECT_NEAR(p.at.x, p.layer == 1 ? 10 : 16, 1e-5);
    }
  }
  EXPECT_EQ(layers, (std::vector<std::uint16_t>{0, 1, 2}));
  EXPECT_NEAR(route.least_clearance, 0.5, 0.01) << "of the obstacle on the upper floor";
  for (const LayerPolygon& cell : map.corridor(request).cells)
    for (const Point& p : cell.polygon.outer) {
      EXPECT_GE(p.x, cell.layer == 0 ? -1e-5 : cell.layer == 1 ? 10 - 1e-5 : 16 - 1e-5);
      EXPECT_LE(p.x, cell.layer == 0 ? 10 + 1e-5 : cell.layer == 1 ? 16 + 1e-5 : 26 + 1e-5);
    }
  EXPECT_TRUE(map.visible({2, 5}, {17, 5}, map.layer("lower")));
  EXPECT_FALSE(map.visible({2, 5}, {20, 5}, map.layer("lower")));
  const auto seen = map.visibilityPolygon({2, 5}, map.layer("lower"));
  ASSERT_EQ(seen.size(), 3u);
  for (const auto& polygons : seen) EXPECT_FALSE(polygons.empty());
  EXPECT_EQ(map.passages(map.layer("stair")).size(), 2u);

  Scene broken = storeys();
  broken.connections[1].to = {{16, 7}, {16, 9}};
  const NavigationMap apart(broken);
  EXPECT_THAT(apart.closedConnections(), testing::ElementsAre("top"));
  EXPECT_FALSE(apart.plan(request).reachable);
}

TEST(NavigationInterface, ClearanceAgreesWithTheWallsEverywhere) {
  const Scene scene = rooms();
  const NavigationMap map(scene);
  std::mt19937 random(1);
  int inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const Point p{static_cast<double>(random() % 22000) / 1000 - 1, static_cast<double>(random() % 12000) / 1000 - 1};
    const auto nearest = map.nearestWall(p);
    ASSERT_EQ(nearest.has_value(), map.walkable(p));
    if (!nearest) {
      EXPECT_EQ(map.clearance(p), 0);
      continue;
    }
    ++inside;
    EXPECT_NEAR(nearest->distance, toWalls(scene, p), 1e-5);
    EXPECT_NEAR(nearest->distance, length(p - nearest->at), 1e-9);
    EXPECT_EQ(map.clearance(p), nearest->distance);
  }
  EXPECT_GT(inside, 1000);
}

TEST(NavigationInterface, DoorsAndObstaclesComeAndGo) {
  NavigationMap map(rooms());
  const NavigationMap before = map;
  const RouteRequest request = ask({2, 2}, {18, 2});
  const double open = map.plan(request).length;
  map.setDoor(map.door("door"), false);
  EXPECT_FALSE(map.isOpen(map.door("door")));
  EXPECT_FALSE(map.plan(request).reachable);
  EXPECT_TRUE(before.plan(request).reachable) << "a copy is a map of its own";
  map.setDoor(map.door("door"), false);
  map.setDoor(map.door("door"), true);
  EXPECT_EQ(map.plan(request).length, open);
  const ObstacleId crate = map.insertObstacle({{6, 0.5}, {8, 0.5}, {8, 5}, {6, 5}});
  EXPECT_FALSE(map.walkable({7, 3}));
  EXPECT_GT(map.plan(request).length, open + 0.2);
  const ObstacleId wall = map.insertObstacle({{12, 0}, {12, 10}});
  EXPECT_FALSE(map.plan(request).reachable);
  map.removeObstacle(wall);
  map.removeObstacle(crate);
  EXPECT_EQ(map.plan(request).length, open);
  EXPECT_THROW(map.removeObstacle(crate), InputError);
  Scene closed = rooms();
  closed.layers[0].doors[0].open = false;
  EXPECT_FALSE(NavigationMap(closed).plan(request).reachable);
}

TEST(NavigationInterface, AFileHoldsTheWholeMap) {
  const base::TemporaryFolder folder;
  const std::string path = folder / "navigation.map";
  NavigationMap map(rooms());
  map.setDoor(map.door("door"), false);
  map.save(path);
  NavigationMap read = NavigationMap::load(path);
  EXPECT_EQ(read.layers(), map.layers());
  EXPECT_EQ(read.statistics().cells, map.statistics().cells);
  const RouteRequest request = ask({2, 2}, {18, 2});
  EXPECT_EQ(read.plan(request).reason, map.plan(request).reason);
  read.setDoor(read.door("door"), true);
  map.setDoor(map.door("door"), true);
  EXPECT_EQ(read.plan(request).length, map.plan(request).length);

  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t size = 0; size < bytes.size(); size += std::max<std::size_t>(bytes.size() / 60, 1)) {
    std::ofstream(path, std::ios::binary) << bytes.substr(0, size);
    EXPECT_THROW(NavigationMap::load(path), InputError) << "cut after " << size << " bytes";
  }
  for (std::size_t i = 0; i < 300; ++i) {  // all over the file, and every bit in turn
    std::string flipped = bytes;
    flipped[i * (bytes.size() - 1) / 299] ^= static_cast<char>(1 << i % 8);
    std::ofstream(path, std::ios::binary) << flipped;
    EXPECT_THROW(NavigationMap::load(path), InputError) << i;
  }
  std::filesystem::remove(path);
  EXPECT_THROW(NavigationMap::load(path), FileError);
}

TEST(NavigationInterface, WhatIsDrawnLiesInTheMap) {
  const Scene scene = rooms();
  const NavigationMap map(scene);
  const std::vector<Polyline> axis = map.axis();
  EXPECT_GT(axis.size(), 20u);
  for (const Polyline& line : axis) {
    ASSERT_GE(line.points.size(), 2u);
    for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
      // Two nearest walls at least: going a little to either side does not bring one further away than on the axis.
      const Point p = (line.points[i] + line.points[i + 1]) / 2,
                  n = perpendicular(normalized(line.points[i + 1] - line.points[i])) * 0.1;
      const double here = toWalls(scene, p);
      if (here > 0.2) {
        EXPECT_LT(std::max(toWalls(scene, p + n), toWalls(scene, p - n)), here + 0.03);
      }
    }
  }
  for (const Segment& spoke : map.spokes()) {
    EXPECT_NEAR(toWalls(scene, spoke.b), 0, 1e-5);
    EXPECT_NEAR(toWalls(scene, spoke.a), length(spoke.b - spoke.a), 1e-5);
  }
}

TEST(NavigationInterface, NonsenseIsRefused) {
  NavigationMap map(rooms());
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(map.plan(ask({nothing, 1}, {2, 2})), InputError);
  EXPECT_THROW(map.plan(ask({1, 1}, {2, std::numeric_limits<double>::infinity()})), InputError);
  RouteRequest request = ask({1, 1}, {2, 2});
  request.radius = 0;
  EXPECT_THROW(map.plan(request), InputError);
  request.radius = 0.2, request.side = 1.5;
  EXPECT_THROW(map.plan(request), InputError);
  request.side = 0, request.to_layer = LayerId(5);
  EXPECT_THROW(map.plan(request), InputError);
  EXPECT_THROW(map.clearance({1, 1}, LayerId(5)), InputError);
  EXPECT_THROW(map.layer("roof"), InputError);
  EXPECT_THROW(map.visible({1, 1}, {2, 2}, {}, -1), InputError);
  EXPECT_THROW(map.door("window"), InputError);
  EXPECT_THROW(map.setDoor(DoorId{}, true), InputError);
  EXPECT_THROW(map.setDoor(DoorId(9), true), InputError);
  EXPECT_THROW(map.removeObstacle(ObstacleId{}), InputError);
  EXPECT_THROW(map.insertObstacle({{1, 1}}), InputError);
  EXPECT_THROW(map.insertObstacle({{1, 1}, {3, 1}, {2, 1.2}, {2, 3}}), InputError);
  EXPECT_THROW(NavigationMap(Scene{}), InputError);
}

double areaOf(const std::vector<Point>& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) twice += det(ring[i], ring[(i + 1) % ring.size()]);
  return twice / 2;
}

TEST(Navigation, AnswersForProgramsThatAskOftenAreTheSame) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> x(0, 260), y(0, 100), layer(0, 2);
  const NavigationMap map(storeys());
  std::vector<RoutePoint> points;
  int reached = 0;
  for (int i = 0; i < 300; ++i) {
    RouteRequest request = ask({x(random) / 10.0, y(random) / 10.0}, {x(random) / 10.0, y(random) / 10.0});
    request.from_layer = LayerId(static_cast<std::size_t>(layer(random)));
    request.to_layer = LayerId(static_cast<std::size_t>(layer(random)));
    const RouteResult full = map.plan(request);
    EXPECT_EQ(map.route(request, points), full.reachable);
    ASSERT_EQ(points.size(), full.points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(points[k].at, full.points[k].at);
      EXPECT_EQ(points[k].layer, full.points[k].layer);
    }
    reached += full.reachable;

    map.visibleCorners(request.from, request.from_layer, points);
    double cut = 0;
    for (const auto& polygons : map.visibilityPolygon(request.from, request.from_layer))
      for (const Polygon& polygon : polygons) cut += areaOf(polygon.outer);
    std::vector<Point> whole;
    for (const RoutePoint& corner : points) whole.push_back(corner.at);
    EXPECT_NEAR(areaOf(whole), cut, 1e-6);
    EXPECT_EQ(points.empty(), !map.walkable(request.from, request.from_layer));
  }
  EXPECT_GT(reached, 20);
  RouteRequest wrong = ask({1, 1}, {2, 2});
  wrong.radius = 0;
  EXPECT_THROW(map.route(wrong, points), InputError);
  EXPECT_THROW(map.visibleCorners({std::nan(""), 0}, {}, points), InputError);
  EXPECT_GT(map.timeBareDiagram(), 0);
}

TEST(NavigationGraphInterface, AnswersAndKeepsItself) {
  Scene scene = rooms();
  const NavigationGraph graph(scene, 2);
  const NavigationGraphStatistics s = graph.statistics();
  EXPECT_EQ(s.vertices, graph.vertices().size());
  EXPECT_EQ(s.edges, graph.edges().size());
  EXPECT_GT(s.samples, 500u);
  EXPECT_GT(s.links, s.samples);
  EXPECT_EQ(s.parts.size(), 6u);
  // The two rooms through the door, and the cell that nobody gets into.
  EXPECT_EQ(s.components, 2u);
  const auto left = graph.locate({5, 5}), right = graph.locate({15, 5}), cell = graph.locate({18, 9});
  ASSERT_TRUE(left && right && cell);
  EXPECT_EQ(graph.vertices()[*left].component, 0u);
  EXPECT_EQ(graph.vertices()[*right].component, 0u);
  EXPECT_EQ(graph.vertices()[*cell].component, 1u);
  EXPECT_FALSE(graph.locate({100, 100}));
  EXPECT_FALSE(graph.locate({std::nan(""), 0}));
  EXPECT_THROW(graph.visible(static_cast<std::uint32_t>(s.vertices), NavigationGraph::Direction::kEast), InputError);
  for (const std::uint32_t other : graph.visible(*left, NavigationGraph::Direction::kSouth))
    EXPECT_LT(graph.vertices()[other].centre.y, graph.vertices()[*left].centre.y);

  const base::TemporaryFolder folder;
  const std::string path = folder / "navigation.graph";
  graph.save(path);
  const NavigationGraph again = NavigationGraph::load(path);
  ASSERT_EQ(again.vertices().size(), s.vertices);
  EXPECT_EQ(again.locate({5, 5}), left);
  EXPECT_EQ(again.bodyRadius(), 0.25);
  scene.populations.clear();
  scene.run.duration = 1;
  if (scene.profiles.empty()) scene.profiles.emplace_back();
  const World with_graph(scene, {.threads = 1, .navigation_graph = &again});
  Scene other = scene;
  other.layers[0].obstacles.push_back({{{1, 1}, {1.2, 1}, {1.2, 1.2}, {1, 1.2}}, {}});
  EXPECT_THROW(World(other, {.threads = 1, .navigation_graph = &again}), InputError);
  std::filesystem::resize_file(path, 1000);
  EXPECT_THROW(NavigationGraph::load(path), InputError);
  std::filesystem::remove(path);
  EXPECT_THROW(NavigationGraph::load(path), FileError);
  EXPECT_THROW(graph.save("/nowhere/at/all"), FileError);

  // A closed door, and bodies that do not fit through it.
  scene.layers[0].doors[0].open = false;
  EXPECT_EQ(NavigationGraph(scene).statistics().components, 3u);
  scene.layers[0].doors[0].open = true;
  scene.mesh.emplace().walkability.body_radius = 1.2;
  EXPECT_EQ(NavigationGraph(scene).bodyRadius(), 1.2);
  scene.mesh.reset();
  scene.navigation.precision = 1e-6;
  EXPECT_THROW(NavigationGraph{scene}, InputError);
}

}  // namespace
}  // namespace throng
