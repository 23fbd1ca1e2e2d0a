// Routes over the surfaces of meshes: what is put into layers can be walked from layer to layer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "throng/throng.h"

#include "import/surface_scenes.h"

namespace throng {
namespace {

using import::box;
using import::plate;
using import::quad;
using import::ramp;
using import::sheet;

/// The layer that has ground near a height at a place.
LayerId layerAt(const Scene& scene, Point p, double z) {
  for (const Layer& layer : scene.layers)
    for (const auto& t : layer.ground) {
      const Point a{t[0].x, t[0].y}, b{t[1].x, t[1].y}, c{t[2].x, t[2].y};
      const double area = det(b - a, c - a), u = det(p - a, c - a) / area, v = det(b - a, p - a) / area;
      const double height = t[0].z + u * (t[1].z - t[0].z) + v * (t[2].z - t[0].z);
      if (u >= 0 && v >= 0 && u + v <= 1 && std::abs(height - z) < 0.2)
        return LayerId(static_cast<std::size_t>(&layer - scene.layers.data()));
    }
  ADD_FAILURE() << "nothing at " << p.x << " " << p.y << " " << z;
  return {};
}

struct Place3 {
  Point at;
  double z;
};

RouteResult route(const Scene& scene, const NavigationMap& map, Place3 from, Place3 to) {
  RouteRequest request;
  request.from = from.at, request.to = to.at;
  request.from_layer = layerAt(scene, from.at, from.z), request.to_layer = layerAt(scene, to.at, to.z);
  return map.plan(request);
}

TEST(MeshRoutes, OverABridgeAndBelowIt) {
  const Scene scene = sceneFromMesh(import::bridge(), {});
  const NavigationMap map(scene);
  EXPECT_THAT(map.closedConnections(), testing::IsEmpty());
  const auto up = route(scene, map, {{-18, 0}, 0}, {{0, 0}, 3});
  EXPECT_TRUE(up.reachable) << up.reason;
  EXPECT_LT(up.length, 19);
  const auto over = route(scene, map, {{-18, 0}, 0}, {{18, 0}, 0});
  EXPECT_TRUE(over.reachable) << over.reason;
  const auto below = route(scene, map, {{0, -8}, 0}, {{0, 8}, 0});
  EXPECT_TRUE(below.reachable) << below.reason;
  EXPECT_LT(below.length, 16.5);
}

TEST(MeshRoutes, UpASpiral) {
  const Scene scene = sceneFromMesh(import::spiral(4), {});
  const NavigationMap map(scene);
  EXPECT_THAT(map.closedConnections(), testing::IsEmpty());
  const auto up = route(scene, map, {{4, 0.5}, 0.06}, {{4, -0.5}, 11.94});
  EXPECT_TRUE(up.reachable) << up.reason;
  EXPECT_GT(up.length, 4 * 2 * 3.14 * 3);
  std::set<std::uint16_t> layers;
  for (const RoutePoint& p : up.points) layers.insert(p.layer);
  EXPECT_EQ(layers.size(), scene.layers.size());
}

TEST(MeshRoutes, UpOpenStairsToTheFloorAbove) {
  Mesh m;
  plate(m, 0, 0, 16, 8, 0);
  for (int i = 1; i <= 15; ++i) box(m, {2 + 0.3 * i, 1, 0.2 * i - 0.05}, {2.3 + 0.3 * i, 3, 0.2 * i});
  box(m, {6.8, 0, 2.8}, {16, 8, 3});
  sheet(m, {6.8, 3}, {6.8, 8}, 3, 4);  // railings
  sheet(m, {6.8, 0}, {6.8, 1}, 3, 4);
  const Scene scene = sceneFromMesh(m, {});
  const NavigationMap map(scene);
  const auto up = route(scene, map, {{1, 7}, 0}, {{12, 6}, 3});
  EXPECT_TRUE(up.reachable) << up.reason;
  EXPECT_GT(up.length, 15);  // to the foot of the stairs first
  const auto below = route(scene, map, {{1, 7}, 0}, {{12, 6}, 0});
  EXPECT_TRUE(below.reachable) << below.reason;
  EXPECT_LT(below.length, 12);
}

TEST(MeshRoutes, NotThroughThinWalls) {
  Mesh m;
  plate(m, 0, 0, 10, 10, 0);
  sheet(m, {0, 5}, {4, 5}, 0, 2.5);
  sheet(m, {6, 5}, {10, 5}, 0, 2.5);
  const Scene open = sceneFromMesh(m, {});
  const auto through = route(open, NavigationMap(open), {{1, 1}, 0}, {{1, 9}, 0});
  EXPECT_TRUE(through.reachable) << through.reason;
  EXPECT_GT(through.length, 9);
  sheet(m, {4, 5}, {6, 5}, 0, 2.5);
  const Scene closed = sceneFromMesh(m, {});
  EXPECT_FALSE(route(closed, NavigationMap(closed), {{1, 1}, 0}, {{1, 9}, 0}).reachable);
}

}  // namespace
}  // namespace throng
