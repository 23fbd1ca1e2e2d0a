#include <algorithm>
#include <numeric>

#include "base/math.h"
#include "graph/navigation_graph.h"

namespace throng::graph {
namespace {

/// Components by area of their cylinders, the largest first; of equal ones that with the lowest vertex.
std::vector<std::uint32_t> componentsOf(const NavigationGraph& graph) {
  const auto vertices = graph.vertices();
  std::vector<std::uint32_t> found(vertices.size(), corridors::kNone), stack;
  std::vector<double> area;
  for (std::uint32_t root = 0; root < vertices.size(); ++root) {
    if (found[root] != corridors::kNone) continue;
    const auto here = static_cast<std::uint32_t>(area.size());
    area.push_back(0);
    found[root] = here;
    stack.push_back(root);
    while (!stack.empty()) {
      const std::uint32_t v = stack.back();
      stack.pop_back();
      area[here] += base::kPi * vertices[v].radius * vertices[v].radius;
      for (const std::uint32_t e : graph.incident(v)) {
        const std::uint32_t w = graph.across(e, v);
        if (found[w] == corridors::kNone) found[w] = here, stack.push_back(w);
      }
    }
  }
  std::vector<std::uint32_t> order(area.size()), rank(area.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return area[a] > area[b]; });
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  for (std::uint32_t& component : found) component = rank[component];
  return found;
}

void orderEdges(std::vector<GraphEdge>& edges) {
  for (GraphEdge& edge : edges) {
    if (edge.low < edge.high) continue;
    std::swap(edge.low, edge.high);
    std::swap(edge.gate.a, edge.gate.b);
    std::swap(edge.passage.a, edge.passage.b);
  }
  std::stable_sort(edges.begin(), edges.end(), [](const GraphEdge& a, const GraphEdge& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
}

}  // namespace

NavigationGraph NavigationGraph::fromParts(std::vector<GraphVertex> vertices, std::vector<GraphEdge> edges,
                                           const std::vector<std::array<std::vector<std::uint32_t>, 4>>& visible) {
  NavigationGraph graph;
  orderEdges(edges);
  graph.vertices_ = std::move(vertices);
  graph.edges_ = std::move(edges);
  graph.index();
  graph.component_ = componentsOf(graph);
  graph.visible_start_.assign(4 * graph.vertices_.size() + 1, 0);
  for (std::size_t list = 0; list < 4 * visible.size(); ++list) {
    const auto& seen = visible[list / 4][list % 4];
    graph.visible_.insert(graph.visible_.end(), seen.begin(), seen.end());
    graph.visible_start_[list + 1] = static_cast<std::uint32_t>(graph.visible_.size());
  }
  return graph;
}

}  // namespace throng::graph
