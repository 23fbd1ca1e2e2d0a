#include "graph/place_vertices.h"

#include <gtest/gtest.h>

#include "corridors/map_scenes.h"

namespace throng::graph {
namespace {

TEST(PlaceVertices, AreWhereThePlacesAre) {
  Scene scene = corridors::sceneOf({});
  scene.layers[0].name = "ground";
  scene.layers[0].walkable = {corridors::box(0, 0, 20, 10)};
  scene.places = {{"here", {3, 5}, {}, {}, 2}, {"outside", {40, 5}, {}, {}, 2}};
  const corridors::TestMap test(scene);
  const NavigationGraph graph(test.space, test.map, Walkability{}, 0.5, base::Threads(1));
  const std::uint32_t here = vertexOf(graph, scene, "here");
  ASSERT_LT(here, graph.vertices().size());
  EXPECT_LE(length(graph.vertices()[here].centre - Point{3, 5}), graph.vertices()[here].radius + 1e-9);
  EXPECT_EQ(vertexOf(graph, scene, "outside"), corridors::kNone);
  EXPECT_THROW(vertexOf(graph, scene, "elsewhere"), InputError);
}

}  // namespace
}  // namespace throng::graph
