#include <algorithm>

#include "base/math.h"
#include "planning/flows.h"

namespace throng::planning {
namespace {

using graph::NavigationGraph;

double edgeSeconds(const graph::GraphEdge& edge, std::span<const float> density) {
  return double{edge.length} / weidmannSpeed((double{density[edge.low]} + double{density[edge.high]}) * 0.5);
}

}  // namespace

double weidmannSpeed(double density) {
  if (!(density > 0)) return kFreeSpeed;
  const double speed = kFreeSpeed * (1.0 - base::exponential(-1.913 * (1.0 / density - 1.0 / 5.4)));
  return std::max(speed, kLeastSpeed);
}

double estimatedTravelTime(const NavigationGraph& graph, const FlowPath& path, std::span<const float> density) {
  double seconds = 0;
  for (const std::uint32_t e : path.edges) seconds += edgeSeconds(graph.edges()[e], density);
  return seconds;
}

void edgeTravelTimes(const NavigationGraph& graph, std::span<const float> density, std::vector<double>& seconds) {
  const auto edges = graph.edges();
  seconds.resize(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) seconds[e] = edgeSeconds(edges[e], density);
}

double estimatedTravelTime(const FlowPath& path, std::span<const double> edge_seconds) {
  double seconds = 0;
  for (const std::uint32_t e : path.edges) seconds += edge_seconds[e];
  return seconds;
}

std::uint32_t quickestPath(std::span<const double> travel_times) {
  std::uint32_t best = corridors::kNone;
  for (std::uint32_t i = 0; i < travel_times.size(); ++i) {
    if (best == corridors::kNone || travel_times[i] < travel_times[best]) best = i;
  }
  return best;
}

}  // namespace throng::planning
