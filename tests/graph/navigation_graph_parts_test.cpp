#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/navigation_graph.h"

namespace throng::graph {
namespace {

using ::testing::ElementsAre;

GraphEdge edge(std::uint32_t a, std::uint32_t b, double x) {
  GraphEdge made;
  made.low = a;
  made.high = b;
  made.gate = {{x, 1}, {x, -1}};
  made.passage = {{x, 0.5}, {x, -0.5}};
  return made;
}

TEST(NavigationGraphParts, PutsEdgesInOrderAndTurnsTheirGates) {
  std::vector<GraphVertex> vertices(4);
  const NavigationGraph graph = NavigationGraph::fromParts(vertices, {edge(2, 1, 7), edge(0, 2, 8), edge(0, 1, 9)});
  ASSERT_EQ(graph.edges().size(), 3u);
  EXPECT_EQ(graph.edges()[0].gate.a.x, 9);
  EXPECT_EQ(graph.edges()[1].gate.a.x, 8);
  EXPECT_EQ(graph.edges()[2].low, 1u);
  EXPECT_EQ(graph.edges()[2].high, 2u);
  EXPECT_EQ(graph.edges()[2].gate.a, (Point{7, -1}));
  EXPECT_EQ(graph.edges()[2].passage.b, (Point{7, 0.5}));
  EXPECT_THAT(graph.incident(0), ElementsAre(0, 1));
  EXPECT_THAT(graph.incident(1), ElementsAre(0, 2));
  EXPECT_THAT(graph.incident(2), ElementsAre(1, 2));
  EXPECT_TRUE(graph.incident(3).empty());
}

TEST(NavigationGraphParts, NumbersComponentsByArea) {
  std::vector<GraphVertex> vertices(6);
  for (GraphVertex& vertex : vertices) vertex.radius = 1;
  vertices[5].radius = 3;
  const NavigationGraph graph = NavigationGraph::fromParts(vertices, {edge(1, 2, 0), edge(2, 3, 0)});
  EXPECT_EQ(graph.component(5), 0u);  // 9 π
  EXPECT_EQ(graph.component(1), 1u);  // 3 π
  EXPECT_EQ(graph.component(3), 1u);
  EXPECT_EQ(graph.component(0), 2u);
  EXPECT_EQ(graph.component(4), 3u);
}

TEST(NavigationGraphParts, KeepsWhatIsVisible) {
  std::vector<std::array<std::vector<std::uint32_t>, 4>> visible(2);
  visible[0][0] = {1};
  visible[1][2] = {0};
  const NavigationGraph graph = NavigationGraph::fromParts(std::vector<GraphVertex>(2), {edge(0, 1, 0)}, visible);
  EXPECT_THAT(graph.visible(0, Cardinal::kEast), ElementsAre(1));
  EXPECT_TRUE(graph.visible(0, Cardinal::kWest).empty());
  EXPECT_THAT(graph.visible(1, Cardinal::kWest), ElementsAre(0));
  EXPECT_TRUE(graph.visible(1, Cardinal::kSouth).empty());
}

}  // namespace
}  // namespace throng::graph
