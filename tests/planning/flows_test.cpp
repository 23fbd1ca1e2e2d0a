#include "planning/flows.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>

#include "base/random.h"

namespace throng::planning {
namespace {

using corridors::kNone;
using graph::GraphEdge;
using graph::GraphVertex;
using graph::NavigationGraph;

/// No limit, and one that cuts flows short.
constexpr std::size_t kLimits[] = {0, 7};

GraphEdge edge(std::uint32_t a, std::uint32_t b, double length, double width) {
  GraphEdge made;
  made.low = a;
  made.high = b;
  made.length = static_cast<float>(length);
  made.width = static_cast<float>(width);
  return made;
}

/// A lattice of streets with gaps; lengths and widths from few values, so that many paths and gates are equal.
NavigationGraph lattice(std::uint32_t columns, std::uint32_t rows, double kept, base::Random& random) {
  std::vector<GraphVertex> vertices(std::size_t{columns} * rows);
  std::vector<GraphEdge> edges;
  const std::uint64_t lengths = 1 + random.below(3), widths = 1 + random.below(4);
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    if (random.uniform() >= kept) return;
    edges.push_back(edge(a, b, 1.0 + 0.5 * static_cast<double>(random.below(lengths)),
                         1.0 + static_cast<double>(random.below(widths))));
  };
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    vertices[v].centre = {double(v % columns), double(v / columns)};
    vertices[v].radius = 0.6;
    if (v % columns + 1 < columns) add(v, v + 1);
    if (v / columns + 1 < rows) add(v, v + columns);
    if (v % columns + 1 < columns && v / columns + 1 < rows && random.uniform() < 0.2) add(v, v + columns + 1);
    if (random.uniform() < 0.02 && v > 0) add(v, v - 1);  // a second gate between the same two, at times
  }
  return NavigationGraph::fromParts(vertices, edges);
}

/// As regions would have it: of few values, some edges for nobody.
std::vector<FlowCost> randomCosts(const NavigationGraph& graph, base::Random& random) {
  std::vector<FlowCost> costs;
  for (const GraphEdge& edge : graph.edges()) {
    const double weight = 1 + 0.5 * static_cast<double>(random.below(6));
    costs.push_back(random.below(5) == 0 ? kNoWay : static_cast<FlowCost>(double{edge.length} * weight * 1e6));
  }
  return costs;
}

void expectSame(const std::vector<FlowPath>& a, const std::vector<FlowPath>& b, const std::string& where) {
  ASSERT_EQ(a.size(), b.size()) << where;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].edges, b[i].edges) << where << ", path " << i;
    ASSERT_EQ(a[i].vertices, b[i].vertices) << where << ", path " << i;
    ASSERT_EQ(a[i].length, b[i].length) << where << ", path " << i;
    ASSERT_EQ(a[i].narrowest, b[i].narrowest) << where << ", path " << i;
    ASSERT_EQ(a[i].factor, b[i].factor) << where << ", path " << i;
  }
}

TEST(Flow, OverRegionsIsTheSameAsWithAWholeSearchPerPath) {
  base::Random random(11);
  FlowScratch scratch;
  std::size_t found = 0, without = 0;
  for (int i = 0; i < 200; ++i) {
    const NavigationGraph graph = lattice(static_cast<std::uint32_t>(2 + random.below(11)),
                                          static_cast<std::uint32_t>(2 + random.below(7)), 1.1, random);
    const std::vector<FlowCost> costs = randomCosts(graph, random);
    const auto from = static_cast<std::uint32_t>(random.below(graph.vertices().size()));
    const auto to = static_cast<std::uint32_t>(random.below(graph.vertices().size()));
    for (const std::size_t most : kLimits) {
      const std::vector<FlowPath> flow = findFlow(graph, from, to, scratch, most, costs);
      ASSERT_NO_FATAL_FAILURE(
          expectSame(flow, findFlowReference(graph, from, to, most, costs), "graph " + std::to_string(i)));
      for (const FlowPath& path : flow)
        for (const std::uint32_t e : path.edges) ASSERT_NE(costs[e], kNoWay);
      found += flow.size(), without += flow.empty();
    }
  }
  EXPECT_GT(found, 1000u);
  EXPECT_GT(without, 3u);
}

TEST(Flow, EdgesCostWhatTheirRegionsDo) {
  Scene scene;
  scene.layers.resize(1);
  // A strip of grass across the way from vertex 0 to vertex 1, and a road around vertex 2.
  scene.layers[0].regions = {{"grass", {{{{4, -5}, {7, -5}, {7, 5}, {4, 5}}, {}}}},
                             {"road", {{{{8, 8}, {12, 8}, {12, 12}, {8, 12}}, {}}}}};
  scene.profiles = {Profile{}};
  const ground::Regions regions(scene);
  std::vector<GraphVertex> vertices(3);
  vertices[1].centre = {10, 0}, vertices[2].centre = {10, 10};
  std::vector<GraphEdge> edges{edge(0, 1, 10, 1), edge(1, 2, 10, 1)};
  edges[0].passage = {{5, 1}, {5, -1}}, edges[1].passage = {{9, 5}, {11, 5}};
  const NavigationGraph graph = NavigationGraph::fromParts(vertices, edges);
  EXPECT_TRUE(edgeCosts(graph, regions, {}).empty());
  const float never = std::numeric_limits<float>::infinity();
  const std::vector<float> weights{1, 3, never};
  const std::vector<FlowCost> costs = edgeCosts(graph, regions, weights);
  EXPECT_EQ(costs, (std::vector<FlowCost>{16'000'000, kNoWay}));
  // Whoever can pass beside it is not held up by where they never walk: three of seven lines lead over the grass.
  scene.layers[0].regions[0].area = {{{{4, -5}, {7, -5}, {7, -0.1}, {4, -0.1}}, {}}};
  const ground::Regions half(scene);
  EXPECT_EQ(edgeCosts(graph, half, std::vector<float>{1, never, 1})[0], 10'000'000u);
  EXPECT_NEAR(static_cast<double>(edgeCosts(graph, half, std::vector<float>{1, 3, 1})[0]), 1e7 + 6e6 * 3 / 7, 2);
  FlowScratch scratch;
  EXPECT_TRUE(findFlow(graph, 0, 2, scratch, 0, costs).empty());
  const std::vector<FlowPath> flow = findFlow(graph, 0, 1, scratch, 0, costs);
  ASSERT_EQ(flow.size(), 1u);
  EXPECT_DOUBLE_EQ(flow[0].factor, 1.6);
  EXPECT_DOUBLE_EQ(flow[0].length, 10);
  EXPECT_EQ(shortestPathTree(graph, 0, costs), (std::vector<std::uint32_t>{kNone, 0, kNone}));
}

TEST(Flow, IsTheSameAsWithAWholeSearchPerPath) {
  base::Random random(1);
  FlowScratch scratch;  // one for graphs of all sizes
  std::size_t paths = 0, largest = 0, without = 0;
  for (int i = 0; i < 400; ++i) {
    const auto columns = static_cast<std::uint32_t>(1 + random.below(12));
    const auto rows = static_cast<std::uint32_t>(1 + random.below(8));
    const NavigationGraph graph = lattice(columns, rows, random.uniform(0.5, 1.1), random);
    const auto from = static_cast<std::uint32_t>(random.below(graph.vertices().size()));
    const auto to = static_cast<std::uint32_t>(random.below(graph.vertices().size()));
    for (const std::size_t most : kLimits) {
      const std::vector<FlowPath> flow = findFlow(graph, from, to, scratch, most);
      ASSERT_NO_FATAL_FAILURE(expectSame(flow, findFlowReference(graph, from, to, most), "graph " + std::to_string(i)));
      ASSERT_LE(flow.size(), most > 0 ? most : flow.size());
      ASSERT_EQ(flow.empty(), graph.component(from) != graph.component(to));
      paths += flow.size();
      largest = std::max(largest, flow.size());
      without += flow.empty() ? 1 : 0;
    }
  }
  EXPECT_GT(paths, 5000u);
  EXPECT_GT(largest, 40u);
  EXPECT_GT(without, 20u);
}

TEST(Flow, IsMadeOfDistinctWalkablePathsTheShortestFirst) {
  base::Random random(2);
  FlowScratch scratch;
  for (int i = 0; i < 50; ++i) {
    const NavigationGraph graph = lattice(15, 9, 0.9, random);
    const std::uint32_t from = 3, to = 15 * 9 - 5;
    const std::vector<FlowPath> flow = findFlow(graph, from, to, scratch);
    std::set<std::vector<std::uint32_t>> distinct;
    for (const FlowPath& path : flow) {
      ASSERT_EQ(path.vertices.size(), path.edges.size() + 1);
      ASSERT_EQ(path.vertices.front(), from);
      ASSERT_EQ(path.vertices.back(), to);
      double length = 0, narrowest = 1e9;
      for (std::size_t k = 0; k < path.edges.size(); ++k) {
        ASSERT_EQ(graph.across(path.edges[k], path.vertices[k]), path.vertices[k + 1]);
        length += double{graph.edges()[path.edges[k]].length};
        narrowest = std::min(narrowest, double{graph.edges()[path.edges[k]].width});
      }
      ASSERT_DOUBLE_EQ(path.length, length);
      ASSERT_EQ(path.narrowest, narrowest);
      ASSERT_GE(path.length, flow.front().length - 1e-9);
      ASSERT_TRUE(distinct.insert(path.edges).second);
    }
  }
}

// Around a block: 1 km one way, 1.2 km the other. The gate that is changed makes the first way longer than the second
// one; the second is found, its narrowest gate is changed, the first is found again and nothing more can be changed.
TEST(Flow, GoesBothWaysAroundABlock) {
  std::vector<GraphEdge> edges;
  for (std::uint32_t i = 0; i < 10; ++i) edges.push_back(edge(i, i + 1, 100, i == 4 ? 2 : 5));
  for (std::uint32_t i = 10; i < 22; ++i) edges.push_back(edge(i, i == 21 ? 0 : i + 1, 100, i == 17 ? 1 : 5));
  const NavigationGraph graph = NavigationGraph::fromParts(std::vector<GraphVertex>(22), edges);
  FlowScratch scratch;
  const std::vector<FlowPath> flow = findFlow(graph, 0, 10, scratch);
  ASSERT_EQ(flow.size(), 2u);
  EXPECT_DOUBLE_EQ(flow[0].length, 1000);
  EXPECT_DOUBLE_EQ(flow[0].narrowest, 2);
  EXPECT_DOUBLE_EQ(flow[1].length, 1200);
  EXPECT_DOUBLE_EQ(flow[1].narrowest, 1);
  EXPECT_EQ(findFlow(graph, 0, 10, scratch, 1).size(), 1u);
}

// Three lanes of equal length and unequal width between two places, each of two gates: they are found by number, not by
// width, each once.
TEST(Flow, TakesEqualPathsByTheNumberOfTheirEdges) {
  std::vector<GraphEdge> edges;
  for (const std::uint32_t lane : {1u, 2u, 3u}) {
    edges.push_back(edge(0, lane, 10, lane));
    edges.push_back(edge(lane, 4, 10, 4));
  }
  const NavigationGraph graph = NavigationGraph::fromParts(std::vector<GraphVertex>(5), edges);
  FlowScratch scratch;
  const std::vector<FlowPath> flow = findFlow(graph, 4, 0, scratch);
  ASSERT_EQ(flow.size(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(flow[i].vertices, (std::vector<std::uint32_t>{4, i + 1, 0}));
}

TEST(Flow, OfOnePlaceOneGateAndNoWay) {
  const NavigationGraph graph = NavigationGraph::fromParts(std::vector<GraphVertex>(3), {edge(1, 0, 7, 2)});
  FlowScratch scratch;
  for (const std::size_t most : kLimits) {
    const std::vector<FlowPath> stay = findFlow(graph, 1, 1, scratch, most);
    ASSERT_EQ(stay.size(), 1u);
    EXPECT_EQ(stay[0].vertices, std::vector<std::uint32_t>{1});
    EXPECT_TRUE(stay[0].edges.empty());
    EXPECT_EQ(stay[0].length, 0);
    const std::vector<FlowPath> over = findFlow(graph, 1, 0, scratch, most);
    ASSERT_EQ(over.size(), 1u);
    EXPECT_EQ(over[0].length, 7);
    EXPECT_EQ(over[0].narrowest, 2);
    EXPECT_TRUE(findFlow(graph, 1, 2, scratch, most).empty());
    EXPECT_TRUE(findFlow(graph, 2, 1, scratch, most).empty());
  }
}

TEST(Flow, ManyAreTheSameOnAnyNumberOfThreads) {
  base::Random random(3);
  const NavigationGraph graph = lattice(20, 12, 0.85, random);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (int i = 0; i < 24; ++i) {
    ends.emplace_back(static_cast<std::uint32_t>(random.below(240)), static_cast<std::uint32_t>(random.below(240)));
  }
  const auto one = findFlows(graph, ends, base::Threads(1)), four = findFlows(graph, ends, base::Threads(4));
  FlowScratch scratch;
  ASSERT_EQ(one.size(), ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    expectSame(one[i], four[i], "flow " + std::to_string(i));
    expectSame(one[i], findFlow(graph, ends[i].first, ends[i].second, scratch), "alone " + std::to_string(i));
  }
}

TEST(ShortestPathTree, LeadsEverybodyTheShortestWay) {
  base::Random random(4);
  for (int i = 0; i < 60; ++i) {
    const NavigationGraph graph = lattice(9, 7, 0.7, random);
    const auto count = static_cast<std::uint32_t>(graph.vertices().size());
    const auto to = static_cast<std::uint32_t>(random.below(count));
    // Bellman and Ford; lengths are multiples of a half, so sums are exact.
    std::vector<double> distance(count, HUGE_VAL);
    distance[to] = 0;
    for (std::uint32_t round = 0; round < count; ++round) {
      for (const GraphEdge& e : graph.edges()) {
        distance[e.low] = std::min(distance[e.low], distance[e.high] + double{e.length});
        distance[e.high] = std::min(distance[e.high], distance[e.low] + double{e.length});
      }
    }
    const std::vector<std::uint32_t> tree = shortestPathTree(graph, to);
    ASSERT_EQ(tree.size(), count);
    for (std::uint32_t v = 0; v < count; ++v) {
      std::uint32_t expected = kNone;
      for (const std::uint32_t e : graph.incident(v)) {
        const double over = distance[graph.across(e, v)] + double{graph.edges()[e].length};
        if (v != to && over < HUGE_VAL && over == distance[v]) expected = std::min(expected, e);
      }
      ASSERT_EQ(tree[v], expected) << v;
    }
  }
}

TEST(WeidmannSpeed, FallsFromFreeWalkingToAJam) {
  EXPECT_EQ(weidmannSpeed(0), kFreeSpeed);
  EXPECT_EQ(weidmannSpeed(-1), kFreeSpeed);
  EXPECT_NEAR(weidmannSpeed(1e-3), 1.34, 1e-12);
  EXPECT_EQ(weidmannSpeed(5.4), kLeastSpeed);
  EXPECT_EQ(weidmannSpeed(1e6), kLeastSpeed);
  EXPECT_EQ(weidmannSpeed(HUGE_VAL), kLeastSpeed);
  for (const double density : {0.3, 1.0, 2.0, 4.0}) {
    EXPECT_NEAR(weidmannSpeed(density), 1.34 * (1 - std::exp(-1.913 * (1 / density - 1 / 5.4))), 1e-15);
  }
  for (double density = 0.001; density < 7; density += 0.001) {
    ASSERT_GE(weidmannSpeed(density), weidmannSpeed(density + 0.001)) << density;
  }
  EXPECT_GT(weidmannSpeed(1), weidmannSpeed(1.01));
}

TEST(TravelTime, IsTheSumOverTheEdges) {
  const NavigationGraph graph =
      NavigationGraph::fromParts(std::vector<GraphVertex>(3), {edge(0, 1, 10, 2), edge(1, 2, 20, 2)});
  FlowScratch scratch;
  const std::vector<FlowPath> flow = findFlow(graph, 0, 2, scratch);
  ASSERT_EQ(flow.size(), 1u);
  EXPECT_NEAR(estimatedTravelTime(graph, flow[0], std::vector<float>{0, 0, 0}), 30 / 1.34, 1e-12);
  const std::vector<float> density{0, 2, 4};
  EXPECT_DOUBLE_EQ(estimatedTravelTime(graph, flow[0], density), 10 / weidmannSpeed(1) + 20 / weidmannSpeed(3));
}

TEST(TravelTime, FromEdgesHasTheSameBitsAndGrowsWithTheCrowd) {
  base::Random random(5);
  const NavigationGraph graph = lattice(15, 10, 0.9, random);
  FlowScratch scratch;
  const std::vector<FlowPath> flow = findFlow(graph, 0, 149, scratch);
  ASSERT_GT(flow.size(), 3u);
  std::vector<float> density(150);
  for (float& d : density) d = static_cast<float>(random.uniform(0, 6));
  std::vector<double> seconds, times;
  edgeTravelTimes(graph, density, seconds);
  for (const FlowPath& path : flow) {
    times.push_back(estimatedTravelTime(path, seconds));
    ASSERT_EQ(times.back(), estimatedTravelTime(graph, path, density));
  }
  const std::uint32_t quickest = quickestPath(times);
  ASSERT_LT(quickest, times.size());
  EXPECT_EQ(times[quickest], *std::min_element(times.begin(), times.end()));
  for (const std::uint32_t v : flow[quickest].vertices) density[v] = 8;
  edgeTravelTimes(graph, density, seconds);
  EXPECT_GT(estimatedTravelTime(flow[quickest], seconds), times[quickest]);
}

TEST(QuickestPath, IsTheFirstOfEqualOnes) {
  EXPECT_EQ(quickestPath(std::vector<double>{3, 2, 5, 2}), 1u);
  EXPECT_EQ(quickestPath(std::vector<double>{4}), 0u);
  EXPECT_EQ(quickestPath({}), kNone);
}

}  // namespace
}  // namespace throng::planning
