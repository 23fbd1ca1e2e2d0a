// What stands behind a NavigationGraph.
#pragma once

#include <vector>

#include "throng/navigation_graph.h"

#include "graph/navigation_graph.h"

namespace throng {

struct NavigationGraph::State {
  graph::NavigationGraph graph;
  std::vector<NavigationCylinder> vertices;
  std::vector<NavigationGate> edges;

  explicit State(graph::NavigationGraph made) : graph(std::move(made)) {
    for (std::uint32_t i = 0; i < graph.vertices().size(); ++i) {
      const graph::GraphVertex& v = graph.vertices()[i];
      vertices.push_back({v.centre, v.z, v.radius, v.floor, graph.component(i)});
    }
    for (const graph::GraphEdge& e : graph.edges())
      edges.push_back({e.low, e.high, e.gate, e.passage, static_cast<double>(e.width), static_cast<double>(e.length)});
  }
};

/// For the functions of this module that show what a graph holds.
const NavigationGraph::State& stateOf(const NavigationGraph& graph);

}  // namespace throng
