// Navigation flows (Pettré et al. 2006; YERSIN 2009, section 3.1.2; PETTRÉ 2008, sections 3 and 4): many paths between
// the same two places, and which of them is the quickest now.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "environment/navigation_graph.h"

namespace throng::planning {

/// A path from one vertex of the graph to another: vertices[i] and vertices[i + 1] share edges[i].
struct FlowPath {
  std::vector<std::uint32_t> vertices, edges;
  double length = 0;     ///< m, over the gates
  double narrowest = 0;  ///< m, width of its narrowest gate
};

/// Room for searches; one per thread.
struct FlowScratch;

/// All paths of the flow, the shortest first, each once. Empty when there is no way. Exactly as published: the shortest
/// path by Dijkstra's algorithm; the narrowest of its gates whose cost has not been changed yet costs ten times as much
/// from then on; again, until no gate of the path found can be changed.
std::vector<FlowPath> findFlow(const environment::NavigationGraph& graph, std::uint32_t from, std::uint32_t to,
                               FlowScratch& scratch);
/// The same, slowly: one whole search per path. What findFlow is compared with.
std::vector<FlowPath> findFlowReference(const environment::NavigationGraph& graph, std::uint32_t from,
                                        std::uint32_t to);

/// For every vertex the edge by which the shortest way to `to` begins; kNone at `to` and where there is none. For
/// people who have left their path.
std::vector<std::uint32_t> shortestPathTree(const environment::NavigationGraph& graph, std::uint32_t to);

/// Walking speed by density (Weidmann 1993), in m/s: 1.34 · (1 − exp(−1.913 · (1/ρ − 1/5.4))), at least `kLeastSpeed`.
double weidmannSpeed(double density);
inline constexpr double kLeastSpeed = 0.05;

/// s that a path takes, from the densities (people per m²) of the graph's vertices: the sum over its edges of length
/// over speed, by the mean density of the two vertices of each.
double estimatedTravelTime(const environment::NavigationGraph& graph, const FlowPath& path,
                           std::span<const float> density);

}  // namespace throng::planning
