#include "planning/flows.h"

#include <memory>
#include <mutex>

#include "base/random.h"
#include "ground/slope.h"
#include "planning/flows_cost.h"

namespace throng::planning {
namespace {

using corridors::kNone;
using graph::NavigationGraph;
using Reached = FlowScratch::Reached;
using Way = FlowScratch::Way;

void takeCosts(const NavigationGraph& graph, std::span<const FlowCost> costs, FlowScratch& s) {
  s.cost.resize(graph.edges().size());
  for (std::size_t e = 0; e < s.cost.size(); ++e) s.cost[e] = costOf(graph, costs, e);
}

/// The ways between the vertices that keep(vertex) names.
template <class Keep>
void takeWays(const NavigationGraph& graph, FlowScratch& s, Keep&& keep) {
  const auto count = static_cast<std::uint32_t>(graph.vertices().size());
  s.first.resize(count + 1);
  s.ways.clear();
  for (std::uint32_t v = 0; v < count; ++v) {
    s.first[v] = static_cast<std::uint32_t>(s.ways.size());
    if (!keep(v)) continue;
    for (const std::uint32_t e : graph.incident(v)) {
      const std::uint32_t w = graph.across(e, v);
      if (s.cost[e] != kNoWay && keep(w)) s.ways.push_back({w, e});
    }
  }
  s.first[count] = static_cast<std::uint32_t>(s.ways.size());
}

/// Distances from everywhere to one goal that are repaired, not searched again, when an edge becomes longer
/// (Ramalingam & Reps 1996): only vertices behind it whose every shortest way is gone are looked at.
class DistancesToGoal {
 public:
  explicit DistancesToGoal(FlowScratch& scratch) : s_(scratch) {}

  /// By the scratch's ways and costs.
  void search(std::uint32_t goal) {
    const std::size_t count = s_.first.size() - 1;
    s_.distance.assign(count, kUnreached);
    s_.support.assign(count, 0);
    s_.is_cut_off.assign(count, 1);
    s_.distance[goal] = 0;
    s_.heap.assign(1, {0, goal});
    settle();
    s_.is_cut_off.assign(count, 0);
  }

  FlowCost operator[](std::uint32_t vertex) const { return s_.distance[vertex]; }

  /// The first of the shortest ways from a vertex that is neither the goal nor cut off from it.
  Way next(std::uint32_t vertex) const {
    for (const Way& way : waysOf(vertex)) {
      if (shortest(vertex, way)) return way;
    }
    return {kNone, kNone};
  }

  /// `edge` is a shortest way from `vertex`, and longer from now on.
  void lengthen(std::uint32_t vertex, std::uint32_t edge, FlowCost cost) {
    s_.cost[edge] = cost;
    if (--s_.support[vertex] > 0) return;
    findCutOff(vertex);
    s_.heap.clear();
    for (const std::uint32_t v : s_.cut_off) enter(v);
    settle();
    for (const std::uint32_t v : s_.cut_off) s_.is_cut_off[v] = 0;
  }

 private:
  std::span<const Way> waysOf(std::uint32_t vertex) const {
    return {s_.ways.data() + s_.first[vertex], s_.ways.data() + s_.first[vertex + 1]};
  }
  bool shortest(std::uint32_t vertex, const Way& way) const {
    return s_.distance[way.to] != kUnreached && s_.distance[vertex] == s_.distance[way.to] + s_.cost[way.edge];
  }
  static bool later(const Reached& a, const Reached& b) { return a.cost > b.cost; }
  void push(FlowCost cost, std::uint32_t vertex) {
    s_.heap.push_back({cost, vertex});
    std::push_heap(s_.heap.begin(), s_.heap.end(), later);
  }

  /// Who has lost all shortest ways: `vertex`, and behind it everybody whose ways all lead over such vertices.
  void findCutOff(std::uint32_t vertex) {
    s_.cut_off.assign(1, vertex);
    s_.is_cut_off[vertex] = 1;
    for (std::size_t i = 0; i < s_.cut_off.size(); ++i) {
      const std::uint32_t x = s_.cut_off[i];
      for (const Way& way : waysOf(x)) {
        const std::uint32_t v = way.to;
        if (s_.is_cut_off[v] != 0 || s_.distance[v] != s_.distance[x] + s_.cost[way.edge]) continue;
        if (--s_.support[v] == 0) s_.is_cut_off[v] = 1, s_.cut_off.push_back(v);
      }
    }
    for (const std::uint32_t v : s_.cut_off) s_.distance[v] = kUnreached;
  }

  /// The way back over a neighbour whose distance stays.
  void enter(std::uint32_t vertex) {
    FlowCost best = kUnreached;
    for (const Way& way : waysOf(vertex)) {
      if (s_.is_cut_off[way.to] != 0 || s_.distance[way.to] == kUnreached) continue;
      best = std::min(best, s_.distance[way.to] + s_.cost[way.edge]);
    }
    if (best == kUnreached) return;
    s_.distance[vertex] = best;
    push(best, vertex);
  }

  /// Dijkstra's algorithm among those who are cut off, from those in the heap.
  void settle() {
    while (!s_.heap.empty()) {
      const Reached at = s_.heap.front();
      std::pop_heap(s_.heap.begin(), s_.heap.end(), later);
      s_.heap.pop_back();
      if (at.cost != s_.distance[at.vertex]) continue;
      // All who are strictly nearer are final, so the shortest ways can be counted.
      std::uint32_t support = 0;
      for (const Way& way : waysOf(at.vertex)) {
        if (shortest(at.vertex, way)) ++support;
        if (s_.is_cut_off[way.to] == 0) continue;
        const FlowCost over = at.cost + s_.cost[way.edge];
        if (over < s_.distance[way.to]) s_.distance[way.to] = over, push(over, way.to);
      }
      s_.support[at.vertex] = support;
    }
  }

  FlowScratch& s_;
};

/// The paths found so far, each once.
class Paths {
 public:
  Paths(const NavigationGraph& graph, std::span<const FlowCost> costs, FlowScratch& scratch)
      : graph_(graph), costs_(costs), s_(scratch) {
    s_.known.clear();
    s_.buckets.assign(64, kNone);
  }

  void add() {
    std::uint64_t hash = s_.edges.size();
    for (const std::uint32_t e : s_.edges) hash = base::mix(hash ^ e) + 0x9e3779b97f4a7c15u;
    for (std::uint32_t i = s_.buckets[bucket(hash)]; i != kNone; i = s_.known[i].next) {
      if (s_.known[i].hash == hash && paths_[i].edges == s_.edges) return;
    }
    if (s_.known.size() == s_.buckets.size()) grow();
    const auto i = static_cast<std::uint32_t>(s_.known.size());
    s_.known.push_back({hash, s_.buckets[bucket(hash)]});
    s_.buckets[bucket(hash)] = i;
    paths_.push_back(made());
  }

  std::size_t size() const { return paths_.size(); }
  std::vector<FlowPath> take() { return std::move(paths_); }

 private:
  std::size_t bucket(std::uint64_t hash) const { return hash & (s_.buckets.size() - 1); }

  void grow() {
    s_.buckets.assign(2 * s_.buckets.size(), kNone);
    for (std::uint32_t i = 0; i < s_.known.size(); ++i) {
      std::uint32_t& head = s_.buckets[bucket(s_.known[i].hash)];
      s_.known[i].next = head;
      head = i;
    }
  }

  FlowPath made() const {
    FlowPath path{s_.vertices, s_.edges, 0, 0, 1};
    path.factor = factorOf(graph_, costs_, path);
    const auto edges = graph_.edges();
    if (!path.edges.empty()) path.narrowest = double{edges[path.edges.front()].width};
    for (const std::uint32_t e : path.edges) {
      path.length += double{edges[e].length};
      path.narrowest = std::min(path.narrowest, double{edges[e].width});
    }
    return path;
  }

  const NavigationGraph& graph_;
  std::span<const FlowCost> costs_;  ///< as they were at first
  FlowScratch& s_;
  std::vector<FlowPath> paths_;
};

constexpr FlowCost kRoomToGrow = 20;  // 5 % that paths may come to cost before the search is widened

/// Least costs. Since costs only grow, no path of at most some limit leaves the vertices whose least cost is at most
/// that, and the others can be left out until a path costs more. What is found among fewer vertices is never too cheap,
/// so a path within the limit is a shortest one.
bool searchBothWays(const NavigationGraph& graph, DistancesToGoal& distances, std::uint32_t from, std::uint32_t to,
                    FlowScratch& s) {
  takeWays(graph, s, [](std::uint32_t) { return true; });
  distances.search(from);
  s.least = s.distance;
  distances.search(to);
  for (std::size_t v = 0; v < s.least.size(); ++v) {
    if (s.least[v] != kUnreached) s.least[v] += s.distance[v];
  }
  return distances[from] != kUnreached;
}

struct Gate {
  std::uint32_t edge = kNone, before = kNone;  ///< and the vertex before it
};

/// Writes the shortest path to the scratch; returns the narrowest of its gates that can be changed.
Gate walkPath(const NavigationGraph& graph, const DistancesToGoal& distances, std::uint32_t from, std::uint32_t to,
              FlowScratch& s) {
  const auto edges = graph.edges();
  s.vertices.assign(1, from);
  s.edges.clear();
  Gate found;
  for (std::uint32_t at = from; at != to;) {
    const Way way = distances.next(at);
    const float width = edges[way.edge].width;
    const bool narrower = found.edge == kNone || width < edges[found.edge].width ||
                          (width == edges[found.edge].width && way.edge < found.edge);
    if (narrower && s.changed[way.edge] == 0) found = {way.edge, at};
    at = way.to;
    s.vertices.push_back(at);
    s.edges.push_back(way.edge);
  }
  return found;
}

}  // namespace

std::vector<FlowPath> findFlow(const NavigationGraph& graph, std::uint32_t from, std::uint32_t to, FlowScratch& scratch,
                               std::size_t most, std::span<const FlowCost> costs) {
  takeCosts(graph, costs, scratch);
  scratch.changed.assign(scratch.cost.size(), 0);
  DistancesToGoal distances(scratch);
  if (!searchBothWays(graph, distances, from, to, scratch)) return {};
  Paths paths(graph, costs, scratch);
  FlowCost limit = 0;
  for (;;) {
    if (distances[from] > limit) {
      limit = distances[from] + distances[from] / kRoomToGrow;
      takeWays(graph, scratch, [&](std::uint32_t v) { return scratch.least[v] <= limit; });
      distances.search(to);
    }
    const Gate gate = walkPath(graph, distances, from, to, scratch);
    paths.add();
    if (gate.edge == kNone || paths.size() == most) return paths.take();
    scratch.changed[gate.edge] = 1;
    distances.lengthen(gate.before, gate.edge, kDetour * scratch.cost[gate.edge]);
  }
}

std::vector<std::vector<FlowPath>> findFlows(const NavigationGraph& graph,
                                             std::span<const std::pair<std::uint32_t, std::uint32_t>> ends,
                                             const base::Threads& threads, std::size_t most) {
  std::vector<std::vector<FlowPath>> flows(ends.size());
  std::mutex mutex;
  std::vector<std::unique_ptr<FlowScratch>> idle;  // as many as flows were ever found at once
  threads.forEach(ends.size(), 1, [&](std::size_t begin, std::size_t end) {
    std::unique_ptr<FlowScratch> scratch;
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) scratch = std::move(idle.back()), idle.pop_back();
    }
    if (!scratch) scratch = std::make_unique<FlowScratch>();
    for (std::size_t i = begin; i < end; ++i) flows[i] = findFlow(graph, ends[i].first, ends[i].second, *scratch, most);
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(scratch));
  });
  return flows;
}

std::vector<FlowCost> edgeCosts(const NavigationGraph& graph, const ground::Regions& regions,
                                std::span<const float> weights, std::span<const ground::Floor> hills,
                                const SlopeCost& slope) {
  const bool level = hills.empty() || !slope.any();
  if ((weights.empty() || !regions.any()) && level) return {};
  constexpr int kLines = 7;
  std::vector<FlowCost> costs;
  costs.reserve(graph.edges().size());
  for (const graph::GraphEdge& edge : graph.edges()) {
    const graph::GraphVertex &low = graph.vertices()[edge.low], &high = graph.vertices()[edge.high];
    const Point middle = (edge.passage.a + edge.passage.b) * 0.5, across = edge.passage.b - edge.passage.a;
    const double plain = length(middle - low.centre) + length(high.centre - middle);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < kLines; ++i) {
      const Point aside = across * ((i + 0.5) / kLines - 0.5);
      const double weighed = regions.cost(low.centre + aside, middle + aside, low.floor, weights) +
                             regions.cost(middle + aside, high.centre + aside, high.floor, weights);
      if (!std::isinf(weighed)) sum += weighed, ++count;
    }
    // Over ground that is not a plane an edge is longer than in plan. Edges are walked both ways: see meanCost().
    double climbed = 0;
    if (!level) {
      const SlopeCost mean{ground::meanCost(slope), ground::meanCost(slope)};
      climbed = ground::slopeCost(hills[low.floor], low.centre, middle, mean) +
                ground::slopeCost(hills[high.floor], middle, high.centre, mean);
    }
    costs.push_back(count == 0 ? kNoWay
                               : costOf((plain > 0 ? double{edge.length} * (sum / count / plain) : 0) + climbed));
  }
  return costs;
}

std::vector<std::uint32_t> shortestPathTree(const NavigationGraph& graph, std::uint32_t to,
                                            std::span<const FlowCost> costs) {
  FlowScratch scratch;
  takeCosts(graph, costs, scratch);
  takeWays(graph, scratch, [](std::uint32_t) { return true; });
  DistancesToGoal distances(scratch);
  distances.search(to);
  std::vector<std::uint32_t> edge(graph.vertices().size(), kNone);
  for (std::uint32_t v = 0; v < edge.size(); ++v) {
    if (v != to && distances[v] != kUnreached) edge[v] = distances.next(v).edge;
  }
  return edge;
}

}  // namespace throng::planning
