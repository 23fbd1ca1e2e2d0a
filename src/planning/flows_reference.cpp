#include <algorithm>
#include <functional>
#include <queue>

#include "planning/flows.h"
#include "planning/flows_cost.h"

namespace throng::planning {
namespace {

using corridors::kNone;
using graph::NavigationGraph;

std::vector<FlowCost> distancesTo(const NavigationGraph& graph, std::uint32_t to, const std::vector<FlowCost>& cost) {
  std::vector<FlowCost> distance(graph.vertices().size(), kUnreached);
  using Waiting = std::pair<FlowCost, std::uint32_t>;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue;
  distance[to] = 0;
  queue.emplace(0, to);
  while (!queue.empty()) {
    const auto [here, v] = queue.top();
    queue.pop();
    if (here != distance[v]) continue;
    for (const std::uint32_t e : graph.incident(v)) {
      const std::uint32_t w = graph.across(e, v);
      if (cost[e] == kNoWay || here + cost[e] >= distance[w]) continue;
      distance[w] = here + cost[e];
      queue.emplace(distance[w], w);
    }
  }
  return distance;
}

FlowPath pathFrom(const NavigationGraph& graph, std::uint32_t from, std::uint32_t to, const std::vector<FlowCost>& cost,
                  const std::vector<FlowCost>& distance) {
  FlowPath path;
  path.vertices.push_back(from);
  for (std::uint32_t at = from; at != to;) {
    std::uint32_t best = kNone;
    for (const std::uint32_t e : graph.incident(at)) {
      const FlowCost beyond = distance[graph.across(e, at)];
      if (cost[e] != kNoWay && beyond != kUnreached && beyond + cost[e] == distance[at]) best = std::min(best, e);
    }
    const graph::GraphEdge& edge = graph.edges()[best];
    path.length += double{edge.length};
    path.narrowest = path.edges.empty() ? double{edge.width} : std::min(path.narrowest, double{edge.width});
    at = graph.across(best, at);
    path.vertices.push_back(at);
    path.edges.push_back(best);
  }
  return path;
}

}  // namespace

std::vector<FlowPath> findFlowReference(const NavigationGraph& graph, std::uint32_t from, std::uint32_t to,
                                        std::size_t most, std::span<const FlowCost> costs) {
  const auto edges = graph.edges();
  std::vector<FlowCost> cost;
  for (std::size_t e = 0; e < edges.size(); ++e) cost.push_back(costOf(graph, costs, e));
  std::vector<bool> changed(edges.size());
  std::vector<FlowPath> paths;
  for (;;) {
    const std::vector<FlowCost> distance = distancesTo(graph, to, cost);
    if (distance[from] == kUnreached) return paths;
    FlowPath path = pathFrom(graph, from, to, cost, distance);
    path.factor = factorOf(graph, costs, path);
    std::vector<std::pair<float, std::uint32_t>> gates;
    for (const std::uint32_t e : path.edges) {
      if (!changed[e]) gates.emplace_back(edges[e].width, e);
    }
    const auto same = [&](const FlowPath& other) { return other.edges == path.edges; };
    if (std::none_of(paths.begin(), paths.end(), same)) paths.push_back(std::move(path));
    if (gates.empty() || paths.size() == most) return paths;
    const std::uint32_t narrowest = std::min_element(gates.begin(), gates.end())->second;
    cost[narrowest] *= kDetour;
    changed[narrowest] = true;
  }
}

}  // namespace throng::planning
