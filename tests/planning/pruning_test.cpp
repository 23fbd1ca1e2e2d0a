// The grid, Steiner points and prunings (JAKLIN 2016, chapters 3 and 4) against slow twins.
#include "planning/pruning.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "planning/region_maps.h"
#include "region_places.h"

namespace throng::planning {
namespace {

constexpr double kNoWay = std::numeric_limits<double>::infinity();

/// Dijkstra's algorithm, by looking through all nodes for the next one. `links(node, use)` calls use(other, cost).
template <class Links>
std::vector<double> cheapest(std::size_t count, std::uint32_t start, const Links& links) {
  std::vector<double> cost(count, kNoWay);
  std::vector<std::uint8_t> done(count);
  cost[start] = 0;
  while (true) {
    std::size_t next = count;
    for (std::size_t i = 0; i < count; ++i)
      if (!done[i] && cost[i] < kNoWay && (next == count || cost[i] < cost[next])) next = i;
    if (next == count) return cost;
    done[next] = 1;
    links(static_cast<std::uint32_t>(next),
          [&](std::uint32_t other, double metres) { cost[other] = std::min(cost[other], cost[next] + metres); });
  }
}

/// The least that a way from cell to cell costs, by all eight steps of every cell.
double gridTwin(const WeightGrid& grid, std::span<const float> weights, std::uint32_t from, std::uint32_t to) {
  std::vector<float> by_set;
  grid.weigh(weights, by_set);
  const auto weight = [&](std::uint32_t cell) { return static_cast<double>(by_set[grid.setOf(cell)]); };
  return cheapest(grid.cells(), from, [&](std::uint32_t cell, const auto& use) {
    for (unsigned d = 0; d < 8; ++d)
      if (grid.steps(cell) >> d & 1u) {
        const std::uint32_t next = grid.step(cell, d);
        use(next, grid.cell() * (WeightGrid::isDiagonal(d) ? std::sqrt(2.0) : 1) * (weight(cell) + weight(next)) / 2);
      }
  })[to];
}

TEST(Grid, FindsWhatLookingAtAllStepsFinds) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 14; ++seed) {
    // Few regions: much ground is alike. Many: none is.
    const RegionPlace in(clutteredRoom(seed, 24, 18, seed % 3 == 0 ? 0 : 8), seed, static_cast<int>(seed % 4) * 4, 5);
    const RegionMap made(in.place.map, &in.regions, 0.25);
    const WeightGrid& grid = made.grid(in.place.map, seed % 2 == 0 ? 0.5 : 0.8);
    GridScratch scratch;
    RegionWay way;
    base::Random random(seed, 90);
    for (int i = 0; i < 6; ++i) {
      const auto cell = [&] { return grid.cellAt(in.place.somewhere(random, 0.3), 0); };
      const std::uint32_t from = cell(), to = cell();
      if (from == to || made.mesh().locate(grid.centre(from), 0) == RegionMesh::kNone ||
          made.mesh().locate(grid.centre(to), 0) == RegionMesh::kNone)
        continue;
      searchGrid(in.place.map, made.mesh(), grid, {grid.centre(from), grid.centre(to), 0, 0, in.weights}, scratch, way);
      const double least = gridTwin(grid, in.weights, from, to);
      ASSERT_EQ(std::isfinite(way.cost), std::isfinite(least)) << seed << " " << i;
      if (!std::isfinite(least)) continue;
      EXPECT_NEAR(way.cost, least, 1e-5 * least) << seed << " " << i;
      ++found;
    }
  }
  EXPECT_GE(found, 50);
}

TEST(Grid, CostsTheSameTurnedByQuartersAndMirrored) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const RegionPlace in = alignedScene(seed, 9, 7);
    const RegionMap made(in.place.map, &in.regions, 0.1);
    for (const bool mirrored : {false, true}) {
      const auto put = [&](Point p) { return Point{-p.y, mirrored ? -p.x : p.x}; };
      Scene scene = in.place.scene;
      for (Polygon& polygon : scene.layers[0].walkable)
        for (Point& p : polygon.outer) p = put(p);
      for (Region& region : scene.layers[0].regions)
        for (Polygon& polygon : region.area)
          for (Point& p : polygon.outer) p = put(p);
      const Place other(scene, in.place.extent);
      const ground::Regions regions(scene);
      const RegionMap turned(other.map, &regions, 0.1);
      GridScratch scratch;
      RegionWay here, there;
      base::Random random(seed, 91);
      for (int i = 0; i < 8; ++i) {
        const Point from = in.place.anywhere(random), to = in.place.anywhere(random);
        searchGrid(in.place.map, made.mesh(), made.grid(in.place.map, 1), {from, to, 0, 0, in.weights}, scratch, here);
        searchGrid(other.map, turned.mesh(), turned.grid(other.map, 1), {put(from), put(to), 0, 0, in.weights}, scratch,
                   there);
        EXPECT_NEAR(here.cost, there.cost, 1e-5 * here.cost) << seed << " " << i;
      }
    }
  }
}

// JAKLIN 2016, Theorem 1: the best way on the grid costs at most 2 √2 times the least, where regions are aligned with
// it.
TEST(Grid, KeepsTheoremOne) {
  double largest = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const RegionPlace in = alignedScene(seed, 9, 7);
    const RegionMap made(in.place.map, &in.regions, 0.1);
    const WeightGrid& grid = made.grid(in.place.map, 1);
    GridScratch scratch;
    SteinerScratch steiner;
    RegionWay cells, best;
    base::Random random(seed, 78);
    for (int i = 0; i < 8; ++i) {
      const auto centre = [&] {
        return Point{static_cast<double>(random.below(9)) + 0.5, static_cast<double>(random.below(7)) + 0.5};
      };
      const RegionQuery query{centre(), centre(), 0, 0, in.weights};
      searchGrid(in.place.map, made.mesh(), grid, query, scratch, cells);
      searchSteiner(made.mesh(), made.steiner(0.2), query, steiner, best);
      if (query.from == query.to) continue;
      // What Steiner points cost is no less than the least.
      EXPECT_LE(cells.cost, 2 * std::sqrt(2.0) * best.cost) << seed << " " << i;
      EXPECT_NEAR(in.costOf(cells.points), cells.cost, 1e-4 * cells.cost);
      largest = std::max(largest, cells.cost / best.cost);
    }
  }
  EXPECT_GT(largest, 1.02);  // the two are not the same
}

TEST(Pruning, IsNoCheaperThanTheWhole) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const RegionPlace in = cluttered(200 + seed);
    const RegionMap made(in.place.map, &in.regions, 0.25);
    PruningScratch scratch;
    SteinerScratch steiner;
    RegionWay pruned, whole;
    base::Random random(seed, 79);
    for (int i = 0; i < 5; ++i) {
      const RegionQuery query{in.place.somewhere(random, 0.3), in.place.somewhere(random, 0.3), 0, 0, in.weights};
      searchSteiner(made.mesh(), made.steiner(0.4), query, steiner, whole);
      for (const Pruning pruning : {Pruning::kTriangles, Pruning::kEdges, Pruning::kVertices}) {
        searchPruned(in.place.map, made.mesh(), made.grid(in.place.map, 0.5), pruning, 0.4, query, scratch, pruned);
        if (!std::isfinite(pruned.cost)) continue;
        EXPECT_GE(pruned.cost, whole.cost * (1 - 1e-12));
        EXPECT_LE(pruned.cost, whole.cost * 2);
      }
    }
  }
}

/// The least over the part of the Steiner graph that lies on some edges: all places on them are linked with those in
/// the same triangle, straight.
double steinerTwin(const RegionMesh& mesh, const SteinerPoints& points, const RegionQuery& query,
                   std::span<const std::uint8_t> chosen) {
  struct Node {
    Point at;
    std::vector<std::uint32_t> edges, triangles;  ///< that it is on
  };
  std::vector<Node> nodes{{query.from, {}, {}}, {query.to, {}, {}}};
  trianglesAt(mesh, query.from, 0, query.weights, nodes[0].triangles);
  trianglesAt(mesh, query.to, 0, query.weights, nodes[1].triangles);
  std::vector<std::uint32_t> number(mesh.corners().size(), 0);
  const auto beside = [&](Node& node, std::uint32_t e) {
    node.edges.push_back(e);
    for (const std::uint32_t t : {mesh.edges()[e].left, mesh.edges()[e].right})
      if (t != RegionMesh::kNone) node.triangles.push_back(t);
  };
  for (std::uint32_t e = 0; e < mesh.edges().size(); ++e) {
    if (!chosen[e]) continue;
    for (const std::uint32_t c : {mesh.edges()[e].a, mesh.edges()[e].b})
      if (number[c] == 0) {
        number[c] = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back({mesh.corners()[c], {}, {}});
        for (std::uint32_t other = 0; other < mesh.edges().size(); ++other)
          if (mesh.edges()[other].a == c || mesh.edges()[other].b == c) beside(nodes.back(), other);
      }
    for (std::uint32_t i = points.begin(e); i < points.end(e); ++i) {
      nodes.push_back({points.place(i), {}, {}});
      beside(nodes.back(), e);
    }
  }
  const auto weight = [&](std::uint32_t t) {
    return t == RegionMesh::kNone ? kNoWay : static_cast<double>(query.weights[mesh.triangles()[t].type]);
  };
  const auto has = [](const std::vector<std::uint32_t>& list, std::uint32_t x) {
    return std::find(list.begin(), list.end(), x) != list.end();
  };
  return cheapest(nodes.size(), 0, [&](std::uint32_t n, const auto& use) {
    for (std::uint32_t m = 0; m < nodes.size(); ++m) {
      double least = kNoWay;
      for (const std::uint32_t t : nodes[n].triangles)
        if (has(nodes[m].triangles, t)) least = std::min(least, weight(t));
      for (const std::uint32_t e : nodes[n].edges)
        if (has(nodes[m].edges, e))
          least = std::min({least, weight(mesh.edges()[e].left), weight(mesh.edges()[e].right)});
      if (m != n && least < kNoWay) use(m, least * length(nodes[m].at - nodes[n].at));
    }
  })[1];
}

// A pruning that forgot the sides between two corners that it had kept lost up to one way in six.
TEST(Steiner, FindsWhatAllLinksBetweenWhatIsKeptFind) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const RegionPlace in(clutteredRoom(seed, 20, 15, seed % 2 == 0 ? 0 : 2), seed, 4, 5);
    const RegionMesh mesh(in.place.map, &in.regions, 0.25);
    const SteinerPoints points(mesh, 0.9);
    SteinerScratch scratch;
    RegionWay way;
    base::Random random(seed, 92);
    for (int i = 0; i < 5; ++i) {
      std::vector<std::uint8_t> chosen(mesh.edges().size());
      for (auto& edge : chosen) edge = i == 0 || random.below(5) < 3 ? 1 : 0;
      const RegionQuery query{in.place.somewhere(random, 0.3), in.place.somewhere(random, 0.3), 0, 0, in.weights};
      searchSteiner(mesh, SteinerPoints(mesh, 0.9, chosen), query, scratch, way, chosen);
      const double least = steinerTwin(mesh, points, query, chosen);
      ASSERT_EQ(std::isfinite(way.cost), std::isfinite(least)) << seed << " " << i;
      if (!std::isfinite(least)) continue;
      EXPECT_NEAR(way.cost, least, 1e-9 * least) << seed << " " << i;
      ++found;
    }
  }
  EXPECT_GE(found, 40);
}

TEST(Steiner, CostsNoMoreThanItsBoundAboveVeryManyPoints) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const RegionPlace in(clutteredRoom(20 + seed, 12, 10, seed == 1 ? 0 : 1), 20 + seed, 2, 3);
    const RegionMesh mesh(in.place.map, &in.regions, 0.25);
    const SteinerPoints finest(mesh, 0.01);
    SteinerScratch scratch;
    RegionWay best, way;
    base::Random random(seed, 93);
    for (int i = 0; i < 2; ++i) {
      const RegionQuery query{in.place.somewhere(random, 0.3), in.place.somewhere(random, 0.3), 0, 0, in.weights};
      searchSteiner(mesh, finest, query, scratch, best);
      for (const double epsilon : {0.5, 0.2}) {
        searchSteiner(mesh, SteinerPoints(mesh, epsilon), query, scratch, way);
        EXPECT_LE(way.cost, best.cost * (1 + epsilon)) << seed << " " << i;
        EXPECT_GE(way.cost, best.cost * 0.999) << seed << " " << i;
      }
    }
  }
}

TEST(Pruning, IsNoCheaperThanTheWholeTurnedAndMirrored) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const RegionPlace in = cluttered(400 + seed);
    for (const bool mirrored : {false, true}) {
      const Scene scene = moved(in.place.scene, 1, mirrored);
      const Place other(scene, in.place.extent);
      const ground::Regions regions(scene);
      const RegionMap made(other.map, &regions, 0.25);
      PruningScratch scratch;
      SteinerScratch steiner;
      RegionWay edges, triangles, vertices, whole;
      base::Random random(seed, 94);
      for (int i = 0; i < 4; ++i) {
        const RegionQuery query{moved(in.place.somewhere(random, 0.3), 1, mirrored),
                                moved(in.place.somewhere(random, 0.3), 1, mirrored), 0, 0, in.weights};
        const auto prune = [&](Pruning pruning, RegionWay& way) {
          searchPruned(other.map, made.mesh(), made.grid(other.map, 0.5), pruning, 0.4, query, scratch, way);
        };
        searchSteiner(made.mesh(), made.steiner(0.4), query, steiner, whole);
        prune(Pruning::kEdges, edges), prune(Pruning::kTriangles, triangles), prune(Pruning::kVertices, vertices);
        if (!std::isfinite(whole.cost)) continue;
        // What is nearest to a place in a triangle are sides of that triangle.
        EXPECT_GE(edges.cost, triangles.cost * (1 - 1e-12)) << seed << " " << i;
        EXPECT_GE(triangles.cost, whole.cost * (1 - 1e-12)) << seed << " " << i;
        EXPECT_GE(vertices.cost, whole.cost * (1 - 1e-12)) << seed << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace throng::planning
