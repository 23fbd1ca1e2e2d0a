// What stands behind a NavigationGraph.
#pragma once

#include <vector>

#include "throng/navigation_graph.h"

#include "environment/navigation_graph.h"

namespace throng {

struct NavigationGraph::State {
  environment::NavigationGraph graph;
  std::vector<NavigationCylinder> vertices;
  std::vector<NavigationGate> edges;

  explicit State(environment::NavigationGraph made) : graph(std::move(made)) {
    for (std::uint32_t i = 0; i < graph.vertices().size(); ++i) {
      const environment::GraphVertex& v = graph.vertices()[i];
      vertices.push_back({v.centre, v.z, v.radius, v.floor, graph.component(i)});
    }
    for (const environment::GraphEdge& e : graph.edges())
      edges.push_back({e.low, e.high, e.gate, e.passage, static_cast<double>(e.width), static_cast<double>(e.length)});
  }
};

}  // namespace throng
