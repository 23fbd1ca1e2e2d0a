// The noder against definitions that look at every pair.
#include "geometry/noding.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck.h>
#include <set>

#include "base/random.h"

namespace throng::geometry {
namespace {

using Place = GridPlace<std::int64_t>;
using Spot = GridPlace<std::int32_t>;

template <class N>
struct TestLine {
  GridPlace<N> a, b;
  std::uint32_t tag = 0;
  bool operator==(const TestLine&) const = default;
  auto operator<=>(const TestLine&) const = default;
};

template <class N>
rc::Gen<GridPlace<N>> somePlace(N reach) {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange<N>(-reach, reach), rc::gen::inRange<N>(-reach, reach)),
                      [](const std::pair<N, N>& p) {
                        return GridPlace<N>{p.first, p.second};
                      });
}

template <class N>
rc::Gen<std::vector<TestLine<N>>> someLines(N reach) {
  return rc::gen::map(rc::gen::container<std::vector<std::pair<GridPlace<N>, GridPlace<N>>>>(
                          rc::gen::pair(somePlace<N>(reach), somePlace<N>(reach))),
                      [](const std::vector<std::pair<GridPlace<N>, GridPlace<N>>>& ends) {
                        std::vector<TestLine<N>> lines;
                        for (const auto& [a, b] : ends)
                          lines.push_back({a, b, static_cast<std::uint32_t>(lines.size())});
                        return lines;
                      });
}

template <class N>
std::vector<TestLine<N>> manyLines(base::Random& random, std::size_t count, N reach, N longest) {
  std::vector<TestLine<N>> lines;
  const auto number = [&](N most) {
    return static_cast<N>(static_cast<std::int64_t>(random.below(2 * static_cast<std::uint64_t>(most) + 1)) - most);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const N size = random.below(20) == 0 ? reach : longest;
    const GridPlace<N> a{number(reach), number(reach)};
    const GridPlace<N> b{std::clamp<N>(a.x + number(size), -reach, reach),
                         std::clamp<N>(a.y + number(size), -reach, reach)};
    lines.push_back({a, b, i});
  }
  return lines;
}

long double distance(Place p, Place a, Place b) {
  const long double dx = b.x - a.x, dy = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
  const long double t = std::clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0.0L, 1.0L);
  return std::hypot(px - t * dx, py - t * dy);
}

bool between(Place p, Place a, Place b) {
  const auto at = along(a, b, p);
  return at > 0 && at < along(a, b, b);
}

TEST(IntegerPlane, CrossingsAreTheNearestPlaces) {
  int crossed = 0;
  EXPECT_TRUE(rc::check([&] {
    const std::int64_t reach = *rc::gen::element<std::int64_t>(6, 100, 1 << 30);
    const Place a = *somePlace(reach), b = *somePlace(reach), c = *somePlace(reach), d = *somePlace(reach);
    const auto at = crossing(a, b, c, d);
    const auto sign = [](auto v) { return (v > 0) - (v < 0); };
    const bool crosses =
        sign(cross(a, b, c)) * sign(cross(a, b, d)) < 0 && sign(cross(c, d, a)) * sign(cross(c, d, b)) < 0;
    RC_ASSERT(at.has_value() == crosses);
    if (!at) return;
    ++crossed;
    RC_ASSERT(crossing(c, d, a, b) == at);
    RC_ASSERT(crossing(b, a, d, c) == at);
    // a + (b - a) · u / w is within half of a spacing, upwards included: 2·(at - a) - 1 < 2·(b - a)·u/w <= … + 1.
    Int128 u = cross(c, d, a), w = Int128{u} - cross(c, d, b);
    if (w < 0) u = -u, w = -w;
    for (const auto& [p, q, r] : {std::tuple(a.x, b.x, at->x), std::tuple(a.y, b.y, at->y)}) {
      const Int128 exact = 2 * Int128{q - p} * u, rounded = 2 * Int128{r - p} * w;
      RC_ASSERT(bool(rounded - w <= exact) && bool(exact < rounded + w));
    }
  }));
  EXPECT_GT(crossed, 5);
}

TEST(IntegerPlane, NearIsMeasuredInQuarters) {
  EXPECT_TRUE(rc::check([] {
    const Place a = *somePlace<std::int64_t>(40), b = *somePlace<std::int64_t>(40), p = *somePlace<std::int64_t>(40);
    const std::int64_t quarters = *rc::gen::inRange(1, 20);
    RC_PRE(a != b);
    const long double off = distance(p, a, b) * 4 - static_cast<long double>(quarters);
    if (std::abs(off) < 1e-9L) return;  // too near to be told by rounded numbers
    RC_ASSERT(passesNear(a, b, p, quarters) == (between(p, a, b) && off < 0));
  }));
  // So long that products overflow 64 bits.
  const Place a{-(1 << 30), -(1 << 30)}, b{1 << 30, (1 << 30) - 1};
  EXPECT_TRUE(passesNear(a, b, {0, 0}, 3));
  EXPECT_FALSE(passesNear(a, b, {0, 2}, 3));
  EXPECT_FALSE(passesNear(a, b, {-(1 << 30), (1 << 30) - 1}, 3));
  EXPECT_FALSE(passesNear(a, b, a, 3));
}

TEST(IntegerPlane, SquaresThatALinePassesAreThoseItHasAPointIn) {
  EXPECT_TRUE(rc::check([] {
    const Spot a = *somePlace<std::int32_t>(12), b = *somePlace<std::int32_t>(12), node = *somePlace<std::int32_t>(12);
    RC_PRE(a != b);
    // The line meets the half-open square where the stretches of its parameter in both directions have a point in
    // common; parameters are fractions, compared as whole numbers.
    bool expected = false;
    const int steps = 2 * 24 * 24 * 24;  // finer than any two different meetings with the lines of the lattice
    for (int k = 0; k <= steps && !expected; ++k) {
      const long double t = static_cast<long double>(k) / steps;
      const long double x = a.x + (b.x - a.x) * t - node.x, y = a.y + (b.y - a.y) * t - node.y;
      expected = x >= -0.5L && x < 0.5L && y >= -0.5L && y < 0.5L;
    }
    if (expected) RC_ASSERT(passesSquare(a, b, node));
    if (passesSquare(a, b, node)) {
      // It comes as near as a corner of the square.
      RC_ASSERT(distance({node.x, node.y}, {a.x, a.y}, {b.x, b.y}) <= std::sqrt(0.5L) + 1e-9L);
    }
  }));
}

template <class N>
void expectPairs(const std::vector<TestLine<N>>& lines) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> expected, found;
  std::vector<GridBox<N>> boxes;
  for (const auto& line : lines) boxes.push_back(GridBox<N>::around(line.a, line.b));
  for (std::uint32_t i = 0; i < lines.size(); ++i)
    for (std::uint32_t j = 0; j < i; ++j)
      if (boxes[i].overlaps(boxes[j])) expected.emplace_back(i, j);
  forMeetingPairs(lines, [&](std::uint32_t i, std::uint32_t j) { found.emplace_back(std::max(i, j), std::min(i, j)); });
  std::sort(found.begin(), found.end());
  ASSERT_EQ(found, expected);
}

TEST(MeetingPairs, AreThoseThatBruteForceFinds) {
  base::Random random(11);
  for (const std::size_t many : {4096, 4097}) {  // on either side of where the way of looking changes
    expectPairs(manyLines<std::int64_t>(random, many, 1 << 30, 1 << 22));
    if (HasFatalFailure()) return;
  }
  for (int trial = 0; trial < 20; ++trial) {
    expectPairs(manyLines<std::int32_t>(random, 20 + random.below(400), 1 << 20, trial % 2 ? 1 << 16 : 3));
    expectPairs(manyLines<std::int64_t>(random, 20 + random.below(400), 1 << 30, trial % 2 ? 1 << 26 : 1000));
    expectPairs(manyLines<std::int64_t>(random, 100, 50, 20));
    if (HasFatalFailure()) return;
  }
  expectPairs(std::vector<TestLine<std::int64_t>>{});
}

template <class N>
void expectMeetings(const std::vector<TestLine<N>>& lines, const std::vector<TestLine<N>>& asked) {
  std::vector<GridBox<N>> boxes;
  for (const auto& line : lines) boxes.push_back(GridBox<N>::around(line.a, line.b));
  const BoxIndex<N> index(boxes);
  for (const auto& line : asked) {
    const auto box = GridBox<N>::around(line.a, line.b).widened(1);
    std::vector<std::uint32_t> found, expected;
    index.query(box, [&](std::uint32_t i) { found.push_back(i); });
    std::sort(found.begin(), found.end());
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
      if (boxes[i].overlaps(box)) expected.push_back(i);
    ASSERT_EQ(found, expected);
  }
}

TEST(BoxIndex, FindsTheBoxesThatBruteForceFinds) {
  base::Random random(14);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t n = 1 + random.below(500);
    expectMeetings(manyLines<std::int32_t>(random, n, 1 << 26, trial % 2 ? 1 << 20 : 3),
                   manyLines<std::int32_t>(random, 50, 1 << 26, 1 << 22));
    expectMeetings(manyLines<std::int64_t>(random, n, 1 << 30, trial % 2 ? 1 << 26 : 1000),
                   manyLines<std::int64_t>(random, 50, 1 << 30, 1 << 27));
    expectMeetings(manyLines<std::int64_t>(random, n, 50, 20), manyLines<std::int64_t>(random, 50, 60, 10));
    if (HasFatalFailure()) return;
  }
  expectMeetings<std::int32_t>({}, manyLines<std::int32_t>(random, 3, 10, 5));
}

/// Slow twin: no two lines cross, and none passes an end of another between its own ends.
template <class N>
bool areSeparate(const std::vector<TestLine<N>>& lines, std::int64_t quarters) {
  for (const auto& s : lines)
    for (const auto& t : lines) {
      if (crossing(s.a, s.b, t.a, t.b)) return false;
      if (passesNear(s.a, s.b, t.a, quarters) || passesNear(s.a, s.b, t.b, quarters)) return false;
    }
  return true;
}

/// The pieces of every line lead from its one end to the other, and stay near it. Where lines are hardly longer than
/// the grid's steps, a line may go to a place and back: so every place is left as often as it is come to, but for the
/// ends.
template <class N>
bool coverTheirLines(const std::vector<TestLine<N>>& before, const std::vector<TestLine<N>>& after, long double near) {
  std::map<std::uint32_t, TestLine<N>> line_of;
  std::map<std::uint32_t, std::map<GridPlace<N>, int>> left;  // how much more often a place is left than come to
  for (const auto& line : before) {
    line_of.insert({line.tag, line});
    if (line.a != line.b) --left[line.tag][line.a], ++left[line.tag][line.b];
  }
  for (const auto& piece : after) {
    const TestLine<N>& line = line_of.at(piece.tag);
    for (const auto& at : {piece.a, piece.b})
      if (distance({at.x, at.y}, {line.a.x, line.a.y}, {line.b.x, line.b.y}) > near) return false;
    ++left[piece.tag][piece.a], --left[piece.tag][piece.b];
  }
  for (const auto& [tag, places] : left)
    for (const auto& [place, balance] : places)
      if (balance != 0) return false;
  return true;
}

TEST(Separate, LeavesNothingButEndsInCommon) {
  EXPECT_TRUE(rc::check([] {
    const auto reach = *rc::gen::element<std::int64_t>(1000, 1 << 20, 1 << 30);
    const auto lines = *someLines<std::int64_t>(reach);
    auto pieces = lines;
    const auto result = separate(pieces, 3);
    // Where lines are a few steps of the grid apart, rounding may come to no end; that is told, and not to be met on
    // grids that are fine.
    if (result.stuck) {
      RC_ASSERT(reach == 1000);
      return;
    }
    RC_ASSERT(std::is_sorted(pieces.begin(), pieces.end()));
    RC_ASSERT(areSeparate(pieces, 3));
    RC_ASSERT(coverTheirLines(lines, pieces, 8));
    // Once is enough.
    auto again = pieces;
    RC_ASSERT(!separate(again, 3).split);
    RC_ASSERT(again == pieces);
  }));
}

TEST(Separate, ManyLines) {
  base::Random random(12);
  for (const std::int64_t reach : {3000, 1 << 20, 1 << 30}) {
    const auto lines = manyLines<std::int64_t>(random, 300, reach, reach / 8);
    auto pieces = lines;
    const auto result = separate(pieces, 3);
    EXPECT_TRUE(result.split);
    EXPECT_FALSE(result.stuck);
    EXPECT_TRUE(areSeparate(pieces, 3));
    EXPECT_TRUE(coverTheirLines(lines, pieces, 8));
  }
}

TEST(Separate, SaysWhereRoundingDoesNotHelp) {
  // The diagonals of one square of the grid pass all of its corners as near as that.
  std::vector<TestLine<std::int64_t>> lines = {{{5, 5}, {6, 6}, 1}, {{5, 6}, {6, 5}, 2}, {{0, 0}, {9, 0}, 3}};
  const auto result = separate(lines, 3);
  ASSERT_TRUE(result.stuck);
  EXPECT_LE(std::max(std::abs(result.stuck->x - 5), std::abs(result.stuck->y - 5)), 1);
}

TEST(Separate, KeepsPiecesThatLieOnOneAnotherAndDropsThoseWithoutLength) {
  std::vector<TestLine<std::int64_t>> lines = {{{0, 0}, {10, 0}, 1}, {{4, 0}, {14, 0}, 2}, {{3, 3}, {3, 3}, 3}};
  EXPECT_TRUE(separate(lines, 3).split);
  const std::vector<TestLine<std::int64_t>> expected = {
      {{0, 0}, {4, 0}, 1}, {{4, 0}, {10, 0}, 1}, {{4, 0}, {10, 0}, 2}, {{10, 0}, {14, 0}, 2}};
  EXPECT_EQ(lines, expected);
}

TEST(WayPlaces, ChainsAreWhatEveryPlaceSaysInOrder) {
  const base::Threads threads(2);
  base::Random random(13);
  for (int trial = 0; trial < 10; ++trial) {
    const auto lines = manyLines<std::int32_t>(random, 700, 4000, trial % 2 ? 500 : 40);
    std::vector<Spot> nodes = crossings(lines, 64, threads);
    std::set<Spot> expected_nodes;
    for (std::size_t i = 0; i < lines.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (const auto at = crossing(lines[i].a, lines[i].b, lines[j].a, lines[j].b)) expected_nodes.insert(*at);
    ASSERT_EQ(nodes, std::vector<Spot>(expected_nodes.begin(), expected_nodes.end()));
    for (const auto& line : lines) nodes.push_back(line.a), nodes.push_back(line.b);
    base::sortUnique(nodes);
    const WayPlaces<std::int32_t> ways(nodes);
    const auto passes = [](Spot a, Spot b, Spot p) { return passesSquare(a, b, p); };
    const Chains chains = ways.chains(lines, 0, 64, passes, threads);
    std::vector<TestLine<std::int32_t>> edges;
    for (std::uint32_t i = 0; i < lines.size(); ++i) {
      std::vector<std::uint32_t> slow;
      for (std::uint32_t k = 0; k < nodes.size(); ++k)
        if (passes(lines[i].a, lines[i].b, nodes[k])) slow.push_back(k);
      std::stable_sort(slow.begin(), slow.end(), [&](std::uint32_t p, std::uint32_t q) {
        return along(lines[i].a, lines[i].b, nodes[p]) < along(lines[i].a, lines[i].b, nodes[q]);
      });
      const auto chain = chains.of(i);
      ASSERT_EQ(std::vector<std::uint32_t>(chain.begin(), chain.end()), slow);
      for (std::size_t k = 1; k < chain.size(); ++k) edges.push_back({nodes[chain[k - 1]], nodes[chain[k]], 0});
    }
    // Snap rounding: edges meet at nodes only.
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    bool crossed = false;
    forMeetingPairs(edges, [&](std::uint32_t i, std::uint32_t j) {
      crossed = crossed || crossing(edges[i].a, edges[i].b, edges[j].a, edges[j].b).has_value();
    });
    ASSERT_FALSE(crossed);
  }
}

}  // namespace
}  // namespace throng::geometry
