// Who sees whom across connections, against the definition by brute force.
#include "agents/link_zones.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "agents/neighbour_index.h"
#include "agents/random_crowds.h"

namespace throng::agents {
namespace {

// On the link's side of its line and within the range of its segment.
bool atLink(const CrowdCase& c, const Link& link, std::uint32_t row) {
  if (c.crowd.layer[row] != link.layer || c.wrap[link.layer] || c.wrap[link.other]) return false;
  const Point p{c.crowd.x[row], c.crowd.y[row]};
  const Point a = link.left ? link.line.a : link.line.b, b = link.left ? link.line.b : link.line.a;
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const double across = ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / length;
  const double along = ((b.x - a.x) * (p.x - a.x) + (b.y - a.y) * (p.y - a.y)) / length;
  if (across < 0) return false;
  if (along < 0) return std::hypot(p.x - a.x, p.y - a.y) <= c.range;
  if (along > length) return std::hypot(p.x - b.x, p.y - b.y) <= c.range;
  return across <= c.range;
}

class Definition {
 public:
  explicit Definition(const CrowdCase& c) : c_(c) {
    for (const Link& link : c.links) {
      at_.emplace_back();
      for (std::uint32_t row = 0; row < c.crowd.size(); ++row) at_.back().push_back(atLink(c, link, row));
    }
  }
  bool sees(std::uint32_t one, std::uint32_t other) const {
    if (c_.crowd.layer[one] == c_.crowd.layer[other]) return true;
    for (std::size_t k = 0; k < at_.size(); k += 2) {
      if ((at_[k][one] && at_[k + 1][other]) || (at_[k + 1][one] && at_[k][other])) return true;
    }
    return false;
  }

 private:
  const CrowdCase& c_;
  std::vector<std::vector<bool>> at_;  // per link, per row
};

NeighbourIndex indexOf(const CrowdCase& c, int threads = 1) {
  NeighbourIndex index;
  index.build(c.crowd, c.range, c.wrap, base::Threads(threads), c.links);
  return index;
}

TEST(LinkZones, PeopleSeeExactlyWhomTheDefinitionSays) {
  std::size_t own = 0, across = 0, overhead = 0;
  for (const CrowdCase& c : linkedCases()) {
    SCOPED_TRACE(c.name);
    const Definition definition(c);
    const NeighbourIndex index = indexOf(c);
    ASSERT_EQ(index.people().size(), c.crowd.size());
    std::vector<NeighbourIndex::Found> found;
    for (const float range : {0.7f, c.range}) {
      for (const std::uint32_t self : index.people()) {
        const std::uint32_t row = index.row()[self];
        if (c.wrap[c.crowd.layer[row]]) continue;
        const Vec2 place{c.crowd.x[row], c.crowd.y[row]};
        std::vector<std::pair<float, std::uint32_t>> expected, actual;
        for (std::uint32_t other = 0; other < c.crowd.size(); ++other) {
          const float dx = c.crowd.x[other] - place.x, dy = c.crowd.y[other] - place.y;
          if (other == row || !(dx * dx + dy * dy < range * range)) continue;
          const bool same = c.crowd.layer[other] == c.crowd.layer[row], seen = definition.sees(row, other);
          if (seen) expected.push_back({dx * dx + dy * dy, other});
          own += same, across += seen && !same, overhead += !seen;
        }
        index.nearest(place, index.zone(c.crowd, row), c.crowd.size(), range, self, found);
        for (const auto& f : found) {
          EXPECT_TRUE(actual.empty() || actual.back().first <= f.distance_squared);
          actual.push_back({f.distance_squared, index.row()[f.slot]});
        }
        std::sort(expected.begin(), expected.end());
        std::sort(actual.begin(), actual.end());
        ASSERT_EQ(actual, expected) << "row " << row;
      }
    }
  }
  EXPECT_GT(own, 10000u);
  EXPECT_GT(across, 1500u);
  EXPECT_GT(overhead, 10000u);
}

TEST(LinkZones, AZoneHoldsEverybodyAtMostOnceAndTheirOwnZoneHoldsThemForReal) {
  std::size_t zones = 0;
  for (const CrowdCase& c : linkedCases()) {
    SCOPED_TRACE(c.name);
    const NeighbourIndex index = indexOf(c);
    zones += index.zones() - c.wrap.size();
    std::map<std::uint32_t, std::uint16_t> real;  // zone by slot
    for (const std::uint32_t s : index.people()) real[s] = index.zone(c.crowd, index.row()[s]);
    std::vector<std::set<std::uint32_t>> layers(c.wrap.size());
    std::uint32_t end = 0;
    for (std::uint16_t zone = 0; zone < index.zones(); ++zone) {
      ASSERT_EQ(index.zoneBegin(zone), end);
      end = index.zoneEnd(zone);
      std::set<std::uint32_t> rows;
      for (std::uint32_t s = index.zoneBegin(zone); s < end; ++s) {
        const std::uint32_t row = index.row()[s];
        const bool wrapped = zone < c.wrap.size() && c.wrap[zone];
        EXPECT_TRUE(rows.insert(row).second || wrapped) << row << " twice in zone " << zone;
        EXPECT_EQ(real.contains(s) && real[s] != zone, false);
        EXPECT_EQ(!real.contains(s) && index.zone(c.crowd, row) == zone, wrapped && !real.contains(s));
        EXPECT_EQ(index.vx()[s], c.crowd.vx[row]);
        EXPECT_EQ(index.radius()[s], c.crowd.radius[row]);
        if (!wrapped) {
          EXPECT_EQ(index.x()[s], c.crowd.x[row]);
          EXPECT_EQ(index.y()[s], c.crowd.y[row]);
        }
      }
      if (zone < c.wrap.size()) layers[zone] = rows;
    }
    EXPECT_EQ(end, index.slots());
    // A layer's zone holds all of the layer and nobody else, as a place's neighbours are sought there.
    for (std::uint32_t row = 0; row < c.crowd.size(); ++row) {
      for (std::uint16_t layer = 0; layer < c.wrap.size(); ++layer) {
        EXPECT_EQ(layers[layer].contains(row), c.crowd.layer[row] == layer);
      }
    }
  }
  EXPECT_GT(zones, 15u);
}

TEST(LinkZones, BatchesStayWithinAZone) {
  for (const CrowdCase& c : linkedCases()) {
    SCOPED_TRACE(c.name);
    const NeighbourIndex index = indexOf(c);
    for (auto slots = index.people(); !slots.empty();) {
      const std::uint16_t zone = index.zone(c.crowd, index.row()[slots[0]]);
      const std::size_t n = index.batch(slots, zone, 8);
      ASSERT_GE(n, 1u);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(index.zone(c.crowd, index.row()[slots[i]]), zone);
        ASSERT_EQ(c.crowd.layer[index.row()[slots[i]]], c.crowd.layer[index.row()[slots[0]]]);
      }
      slots = slots.subspan(n);
    }
  }
}

bool same(const NeighbourIndex& a, const NeighbourIndex& b) {
  const auto equal = [](const auto& p, const auto& q) { return std::equal(p.begin(), p.end(), q.begin(), q.end()); };
  return equal(a.row(), b.row()) && equal(a.x(), b.x()) && equal(a.y(), b.y()) && equal(a.people(), b.people()) &&
         equal(a.cellStart(), b.cellStart());
}

TEST(LinkZones, AreTheSameOnAnyNumberOfThreads) {
  CrowdCase c{"", {}, std::vector<std::optional<Rectangle>>(2), 5, {}};
  base::Random random(3);
  for (int i = 0; i < 25000; ++i) {
    addUniform(c.crowd, random, 1, {{0, 0}, {150, 150}}, static_cast<std::uint16_t>(i % 2));
  }
  for (int i = 0; i < 12; ++i) {
    const Point a{random.uniform(0, 150), random.uniform(0, 150)};
    addConnection(c.links, static_cast<std::uint16_t>(i % 2), static_cast<std::uint16_t>(1 - i % 2), a,
                  {a.x + random.uniform(-3, 3), a.y + random.uniform(-3, 3)});
  }
  const NeighbourIndex one = indexOf(c);
  EXPECT_GT(one.zones(), 20u);
  for (const int threads : {2, 3, 5}) EXPECT_TRUE(same(one, indexOf(c, threads)));
}

TEST(LinkZones, BuildingAgainForgetsTheLinksThatWere) {
  NeighbourIndex reused;
  for (const CrowdCase& c : linkedCases()) {
    SCOPED_TRACE(c.name);
    for (const std::vector<Link>& links : {c.links, std::vector<Link>()}) {
      reused.build(c.crowd, c.range, c.wrap, base::Threads(1), links);
      NeighbourIndex fresh;
      fresh.build(c.crowd, c.range, c.wrap, base::Threads(1), links);
      EXPECT_TRUE(same(reused, fresh));
    }
    EXPECT_EQ(reused.zones(), c.wrap.size());
    for (std::uint32_t row = 0; row < c.crowd.size(); ++row) {
      ASSERT_EQ(reused.zone(c.crowd, row), c.crowd.layer[row]);
    }
  }
}

TEST(LinkZones, LinksWithoutEffectChangeNothing) {
  CrowdCase c{"", {}, {Rectangle{{0, 0}, {20, 20}}, std::nullopt}, 3, {}};
  base::Random random(5);
  addUniform(c.crowd, random, 200, {{0, 0}, {20, 20}}, 0);
  addUniform(c.crowd, random, 200, {{0, 0}, {20, 20}}, 1);
  const NeighbourIndex without = indexOf(c);
  addConnection(c.links, 0, 1, {5, 5}, {8, 5});    // wrapped
  addConnection(c.links, 1, 1, {5, 5}, {8, 5});    // to itself
  addConnection(c.links, 1, 2, {10, 5}, {10, 5});  // no length
  c.wrap.push_back(std::nullopt);
  NeighbourIndex with = indexOf(c);
  EXPECT_TRUE(std::equal(without.row().begin(), without.row().end(), with.row().begin(), with.row().end()));
  EXPECT_EQ(with.zones(), 3u);
  // No range: nobody is seen.
  c.wrap[0].reset();
  with.build(c.crowd, 0, c.wrap, base::Threads(1), c.links);
  EXPECT_EQ(with.zones(), 3u);
  EXPECT_EQ(with.slots(), c.crowd.size());
}

}  // namespace
}  // namespace throng::agents
