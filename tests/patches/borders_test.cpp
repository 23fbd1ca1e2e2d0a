// What borders of patches are made from: flows that balance, matchings of least cost, points that lead on.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "base/random.h"
#include "patches/border_chains.h"
#include "patches/border_flows.h"
#include "patches/matching.h"
#include "patches/pairing.h"

namespace throng::patches {
namespace {

TEST(BorderFlows, BalanceEveryCell) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    base::Random random(seed);
    const auto cells = static_cast<std::uint32_t>(2 + random.below(12));
    std::vector<FlowBorder> borders;
    for (std::uint64_t i = 0, n = 1 + random.below(4 * cells); i < n; ++i) {
      FlowBorder border;
      border.from = static_cast<std::uint32_t>(random.below(cells));
      border.to = random.below(8) == 0 ? FlowBorder::kWorld : static_cast<std::uint32_t>(random.below(cells));
      if (border.from == border.to) continue;
      const auto kind = random.below(4);
      const int wanted = static_cast<int>(random.below(6));
      if (kind != 0) border.there = wanted, border.most_there = wanted + static_cast<int>(random.below(3));
      if (kind != 1) border.back = wanted, border.most_back = wanted + static_cast<int>(random.below(3));
      borders.push_back(border);
    }
    const std::vector<FlowBorder> before = borders;
    balance(borders, cells);
    std::vector<int> excess(cells), was(cells);
    for (std::size_t b = 0; b < borders.size(); ++b) {
      const FlowBorder& border = borders[b];
      EXPECT_TRUE(border.there >= 0 && border.there <= border.most_there);
      EXPECT_TRUE(border.back >= 0 && border.back <= border.most_back);
      excess[border.from] += border.back - border.there, was[border.from] += before[b].back - before[b].there;
      if (border.to == FlowBorder::kWorld) continue;
      excess[border.to] += border.there - border.back, was[border.to] += before[b].there - before[b].back;
    }
    for (const int e : excess) EXPECT_EQ(e, 0) << seed;
    if (std::all_of(was.begin(), was.end(), [](int e) { return e == 0; })) {
      for (std::size_t b = 0; b < borders.size(); ++b) EXPECT_EQ(borders[b].there, before[b].there) << "nothing to do";
    }
  }
}

TEST(BorderFlows, OneWayGoesOnAroundTheBlock) {
  // Four cells in a ring; one way from 0 to 1, both ways elsewhere.
  std::vector<FlowBorder> borders = {{0, 1, 2, 0, 2, 0}, {1, 2, 3, 3, 5, 5}, {2, 3, 3, 3, 5, 5}, {3, 0, 3, 3, 5, 5}};
  balance(borders, 4);
  EXPECT_EQ(borders[0].there, 2);
  for (std::size_t b = 1; b < 4; ++b) EXPECT_EQ(borders[b].there - borders[b].back, 2);
  // Without the way around it is not crossed.
  borders = {{0, 1, 2, 0, 2, 0}};
  balance(borders, 2);
  EXPECT_EQ(borders[0].there, 0);
}

TEST(LeastCostMatching, IsTheBestOfAll) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    base::Random random(seed);
    const std::size_t n = 1 + random.below(6);
    std::vector<double> cost(n * n);
    for (double& c : cost) c = random.below(3) == 0 ? 10 : random.uniform(-1, 4);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto sum = [&](const std::vector<std::size_t>& of) {
      double total = 0;
      for (std::size_t i = 0; i < n; ++i) total += cost[i * n + of[i]];
      return total;
    };
    double best = sum(order);
    while (std::next_permutation(order.begin(), order.end())) best = std::min(best, sum(order));
    const std::vector<std::size_t> found = leastCostMatching(n, cost);
    EXPECT_NEAR(sum(found), best, 1e-12);
    std::vector<std::size_t> sorted = found;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(sorted[i], i);
  }
}

TEST(BorderChains, LeadPeopleOnAtTheirSpeed) {
  // A ring of eight squares around one that is missing, and a street that leads away.
  std::vector<PatchDefinition> shapes;
  std::vector<ChainBorder> borders;
  const std::pair<int, int> at[] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}, {3, 0}};
  for (const auto& [x, y] : at) {
    PatchDefinition shape;
    const Point p{8.0 * x, 8.0 * y};
    shape.corners = {p, p + Point{8, 0}, p + Point{8, 8}, p + Point{0, 8}};
    shape.sides.assign(4, {"", 8, 10, {}, {}});
    shapes.push_back(shape);
  }
  const auto side = [&](std::uint32_t from, std::uint32_t to) {
    const int dx = at[to].first - at[from].first, dy = at[to].second - at[from].second;
    return static_cast<std::uint32_t>(dx == 1 ? 1 : dx == -1 ? 3 : dy == 1 ? 2 : 0);
  };
  for (std::uint32_t c = 0; c < 8; ++c)
    borders.push_back({c, side(c, (c + 1) % 8), (c + 1) % 8, side((c + 1) % 8, c), {}, 4, 4});
  borders.push_back({2, 1, 8, 3, {}, 3, 3});
  borders.push_back({8, 1, ChainBorder::kWorld, 0, {}, 3, 3});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<PatchPattern> patterns = chainPatterns(borders, shapes, 10, seed);
    double off = 0, pairs = 0;
    for (std::uint32_t c = 0; c < shapes.size(); ++c) {
      PatchDefinition patch = shapes[c];
      for (std::size_t b = 0; b < borders.size(); ++b) {
        if (borders[b].cell == c) patch.sides[borders[b].side] = patterns[b];
        if (borders[b].other == c) patch.sides[borders[b].back] = mirrored(patterns[b]);
      }
      EXPECT_TRUE(check(patch).empty()) << seed << " " << c << ": " << check(patch).front().text();
      for (const Pair& pair : pairUp(patch, {.pairing = PatchPairing::kLeast}, 0))
        off += std::abs(pair.length / pair.time - 1.3), ++pairs;
    }
    EXPECT_EQ(pairs, 8 * 8 + 6 + 3) << "everybody who was asked for";
    EXPECT_LT(off / pairs, 0.25) << seed;
  }
}

}  // namespace
}  // namespace throng::patches
