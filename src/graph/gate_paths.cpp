#include "graph/gate_paths.h"

#include "base/narrowing.h"

namespace throng::graph {
namespace {}  // namespace

GatePaths::GatePaths(const NavigationGraph& graph) {
  for (const GraphVertex& v : graph.vertices())
    cylinders_.push_back({narrow(v.centre), static_cast<float>(v.radius), static_cast<float>(v.z), v.floor});
}

/// Gates are oriented from the lower to the higher vertex; against that, left and right change places, which is the
/// published 1 - p.
GateLeg GatePaths::legOver(const GraphEdge& edge, bool upwards) {
  const Vec2 a = narrow(edge.passage.a), b = narrow(edge.passage.b);
  return upwards ? GateLeg{a, b, edge.high} : GateLeg{b, a, edge.low};
}

std::uint32_t GatePaths::add(const NavigationGraph& graph, std::span<const std::uint32_t> vertices,
                             std::span<const std::uint32_t> edges) {
  paths_.push_back({legs_.size(), static_cast<std::uint32_t>(edges.size()), vertices.front(), false});
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const GraphEdge& edge = graph.edges()[edges[i]];
    legs_.push_back(legOver(edge, edge.low == vertices[i]));
  }
  return static_cast<std::uint32_t>(paths_.size() - 1);
}

std::uint32_t GatePaths::addField(const NavigationGraph& graph, std::span<const std::uint32_t> next) {
  paths_.push_back({legs_.size(), static_cast<std::uint32_t>(next.size()), 0, true});
  for (std::uint32_t v = 0; v < next.size(); ++v) {
    GateLeg leg{{}, {}, v};
    if (next[v] != corridors::kNone) leg = legOver(graph.edges()[next[v]], graph.edges()[next[v]].low == v);
    legs_.push_back(leg);
  }
  return static_cast<std::uint32_t>(paths_.size() - 1);
}

std::size_t GatePaths::bytes() const {
  return cylinders_.capacity() * sizeof(Cylinder) + paths_.capacity() * sizeof(Path) +
         legs_.capacity() * sizeof(GateLeg);
}

}  // namespace throng::graph
