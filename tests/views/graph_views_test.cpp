// What is shown of a navigation graph.
#include "views/graph_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "two_floors.h"

namespace throng::views {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

graph::NavigationGraph graphOf(const ShownMap& shown) {
  return {shown.test.space, shown.test.map, Walkability{}, 0.5, base::Threads(1)};
}

TEST(GraphViews, CylindersGatesAndEdges) {
  Scene scene = twoFloors();
  const ShownMap shown(scene);
  const graph::NavigationGraph graph = graphOf(shown);
  Overlay overlay;
  addNavigationGraph(overlay, graph);
  EXPECT_EQ(overlay.areas.size(), graph.vertices().size());
  EXPECT_EQ(overlay.lines.size(), graph.vertices().size() + 3 * graph.edges().size());
  EXPECT_THAT(keysOf(overlay), ElementsAre("cylinders", "gates", "edges"));
  EXPECT_THAT(overlay.caption, HasSubstr("samples every 0.5 m"));
  for (std::size_t v = 0; v < overlay.areas.size(); ++v)
    for (const Point& p : overlay.areas[v].pieces.at(0).outer)
      EXPECT_NEAR(length(p - graph.vertices()[v].centre), graph.vertices()[v].radius, 1e-9);

  scene.layers[0].walls.push_back({{{8, 0}, {8, 10}}});
  const ShownMap walled(scene);
  Overlay parts;
  addNavigationGraph(parts, graphOf(walled));
  EXPECT_THAT(keysOf(parts), testing::Contains("not connected with the rest"));
}

TEST(GraphViews, FlowsFromPlaceToPlace) {
  Scene scene = twoFloors();
  scene.places = {
      {"west", {2, 5}, {}, "lower", 1}, {"east", {24, 5}, {}, "upper", 1}, {"void", {60, 5}, {}, "lower", 1}};
  scene.populations[0].flow = FlowEnds{"west", "east"};
  Population lost;
  lost.flow = FlowEnds{"west", "void"};
  scene.populations.push_back(lost);
  const ShownMap shown(scene);
  Overlay overlay;
  addFlows(overlay, graphOf(shown), scene);
  ASSERT_EQ(overlay.keys.size(), 1u) << "nobody gets to the void";
  EXPECT_THAT(overlay.keys[0].label, HasSubstr("up ("));
  EXPECT_THAT(overlay.caption, HasSubstr("1 flows, "));
  ASSERT_EQ(overlay.labels.size(), 3u);
  EXPECT_EQ(overlay.labels[1].layer, 2);
  const Overlay::Line& path = overlay.lines.at(0);
  EXPECT_LT(length(path.points.front() - Point{2, 5}), 5) << "the centre of the cylinder there";
  EXPECT_LT(length(path.points.back() - Point{24, 5}), 5);
}

TEST(GraphViews, LevelsAndTheirCameras) {
  const Scene scene = twoFloors();
  const ShownMap shown(scene);
  const graph::NavigationGraph graph = graphOf(shown);
  LevelSettings settings;
  settings.cameras = {{{2, 5, 2}, {1, 0, 0}, 60}};
  std::vector<std::uint8_t> level(graph.vertices().size(), 0);
  level[0] = 4;
  Overlay overlay;
  addLevels(overlay, graph, level, settings);
  EXPECT_THAT(keysOf(overlay), ElementsAre("level 4", "level 3", "level 2", "level 1", "level 0"));
  EXPECT_EQ(overlay.caption, "levels of simulation for 1 camera");
  ASSERT_EQ(overlay.areas.size(), level.size());
  EXPECT_EQ(overlay.areas[0].paint.rgb, overlay.keys[0].paint.rgb);
  EXPECT_EQ(overlay.areas[1].paint.rgb, overlay.keys[4].paint.rgb);
  ASSERT_EQ(overlay.dots.size(), 1u);
  EXPECT_EQ(overlay.dots[0].at, (Point{2, 5}));
}

}  // namespace
}  // namespace throng::views
