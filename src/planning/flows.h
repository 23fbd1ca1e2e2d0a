// Navigation flows (Pettré et al. 2006; YERSIN 2009, section 3.1.2; PETTRÉ 2008, sections 3 and 4): many paths between
// the same two places, and which of them is the quickest now.
//
// Costs are whole micrometres, so that sums are exact in any order and every correct search finds the same path: of the
// shortest ones that which leaves every vertex by the edge of the lowest number.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "graph/navigation_graph.h"
#include "ground/regions.h"
#include "ground/walkable_space.h"

namespace throng::planning {

/// A path from one vertex of the graph to another: vertices[i] and vertices[i + 1] share edges[i].
struct FlowPath {
  std::vector<std::uint32_t> vertices, edges;
  double length = 0;     ///< m, over the gates
  double narrowest = 0;  ///< m, width of its narrowest gate; 0 without gates
  double factor = 1;     ///< what a metre of it costs on average, by the regions it leads through
};

using FlowCost = std::uint64_t;                   ///< µm
inline constexpr FlowCost kNoWay = ~FlowCost{0};  ///< of an edge that nobody takes

/// Room for searches; one per thread. Its columns have the size of the graph and keep it between flows.
struct FlowScratch {
  struct Way {
    std::uint32_t to, edge;
  };
  struct Reached {
    FlowCost cost;
    std::uint32_t vertex;
  };
  struct Known {  // a path of the same number
    std::uint64_t hash;
    std::uint32_t next;
  };
  std::vector<std::uint32_t> first;    ///< of the ways of every vertex
  std::vector<Way> ways;               ///< ascending by edge
  std::vector<FlowCost> cost;          ///< of every edge, as changed so far
  std::vector<std::uint8_t> changed;   ///< edges
  std::vector<FlowCost> distance;      ///< from every vertex to the goal
  std::vector<FlowCost> least;         ///< what a path over a vertex costs at least
  std::vector<std::uint32_t> support;  ///< of every vertex: how many of its ways are shortest ones
  std::vector<Reached> heap;
  std::vector<std::uint32_t> cut_off;  ///< vertices whose distance grows
  std::vector<std::uint8_t> is_cut_off;
  std::vector<std::uint32_t> vertices, edges;  ///< the path found last
  std::vector<Known> known;                    ///< by number of the path
  std::vector<std::uint32_t> buckets;
};

/// As many paths per flow as were published for a city: 350 on seven flows (YERSIN 2009, Table 3.2).
inline constexpr std::size_t kUsualPaths = 50;

/// What the edges of a graph cost people to whom types of ground cost so much: their length, weighed by the regions
/// that lines through the gate lead through, on average of several across its width, since that is how people are
/// spread. Lines that lead where they never walk do not count; kNoWay when all do. Besides, what their rise and fall
/// cost, where `hills` has the floors. Empty, which means lengths, without weights and hills.
std::vector<FlowCost> edgeCosts(const graph::NavigationGraph& graph, const ground::Regions& regions,
                                std::span<const float> weights, std::span<const ground::Floor> hills = {},
                                const SlopeCost& slope = {});

/// All paths of the flow, each once, in the order in which they are found: the shortest first. Empty when there is no
/// way. As published: the shortest path by Dijkstra's algorithm; the narrowest of its gates whose cost has not been
/// changed yet costs ten times as much from then on; again, until no gate of the path found can be changed, or `most`
/// different paths are known (0: no limit; a town then has thousands, and detours that nobody would walk). Of equally
/// narrow gates that of the lowest edge. One path without gates from a vertex to itself. `costs`: of every edge at
/// first; none: their lengths.
std::vector<FlowPath> findFlow(const graph::NavigationGraph& graph, std::uint32_t from, std::uint32_t to,
                               FlowScratch& scratch, std::size_t most = kUsualPaths,
                               std::span<const FlowCost> costs = {});
/// The same, slowly: one whole search per path. What findFlow is compared with.
std::vector<FlowPath> findFlowReference(const graph::NavigationGraph& graph, std::uint32_t from, std::uint32_t to,
                                        std::size_t most = kUsualPaths, std::span<const FlowCost> costs = {});
/// Several flows at once, by (from, to).
std::vector<std::vector<FlowPath>> findFlows(const graph::NavigationGraph& graph,
                                             std::span<const std::pair<std::uint32_t, std::uint32_t>> ends,
                                             const base::Threads& threads, std::size_t most = kUsualPaths);

/// For every vertex the edge by which the shortest way to `to` begins; kNone at `to` and where there is none. For
/// people who have left their path.
std::vector<std::uint32_t> shortestPathTree(const graph::NavigationGraph& graph, std::uint32_t to,
                                            std::span<const FlowCost> costs = {});

/// Walking speed by density (Weidmann 1993), in m/s: 1.34 · (1 − exp(−1.913 · (1/ρ − 1/5.4))), at least `kLeastSpeed`.
double weidmannSpeed(double density);
inline constexpr double kLeastSpeed = 0.05;
inline constexpr double kFreeSpeed = 1.34;  ///< where nobody is

/// s that a path takes, from the densities (people per m²) of the graph's vertices: the sum over its edges of length
/// over speed, by the mean density of the two vertices of each.
double estimatedTravelTime(const graph::NavigationGraph& graph, const FlowPath& path, std::span<const float> density);
/// The same for many paths: first once for every edge, then sums. Gives the same bits.
void edgeTravelTimes(const graph::NavigationGraph& graph, std::span<const float> density, std::vector<double>& seconds);
double estimatedTravelTime(const FlowPath& path, std::span<const double> edge_seconds);

/// The path whose travel time is the least, of equal ones the first; kNone when there is none.
std::uint32_t quickestPath(std::span<const double> travel_times);

}  // namespace throng::planning
