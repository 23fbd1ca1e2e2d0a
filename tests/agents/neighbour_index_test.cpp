#include "agents/neighbour_index.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <tuple>

#include "agents/random_crowds.h"

namespace throng::agents {
namespace {

struct Image {
  std::uint32_t row;
  Vec2 place;
  std::uint16_t layer;
  auto key() const { return std::tuple(row, place.x, place.y); }
};

// Everybody and their ghosts, found without the index.
std::vector<Image> imagesOf(const CrowdCase& c) {
  std::vector<Image> images;
  for (std::uint32_t row = 0; row < c.crowd.size(); ++row) {
    const Vec2 p{c.crowd.x[row], c.crowd.y[row]};
    const std::uint16_t layer = c.crowd.layer[row];
    images.push_back({row, p, layer});
    if (!c.wrap[layer]) continue;
    const Rectangle r = *c.wrap[layer];
    const Vec2 low{static_cast<float>(r.min.x), static_cast<float>(r.min.y)};
    const Vec2 high{static_cast<float>(r.max.x), static_cast<float>(r.max.y)};
    for (int i = -1; i <= 1; ++i) {
      for (int j = -1; j <= 1; ++j) {
        const Vec2 q{p.x + static_cast<float>(i) * (high.x - low.x), p.y + static_cast<float>(j) * (high.y - low.y)};
        const bool near =
            q.x >= low.x - c.range && q.x <= high.x + c.range && q.y >= low.y - c.range && q.y <= high.y + c.range;
        if (near && (i != 0 || j != 0)) images.push_back({row, q, layer});
      }
    }
  }
  return images;
}

class EveryCrowd : public testing::Test {
 protected:
  template <class F>
  void forEach(F f) {
    for (const CrowdCase& c : crowdCases()) {
      SCOPED_TRACE(c.name);
      NeighbourIndex index;
      index.build(c.crowd, c.range, c.wrap, base::Threads(1));
      f(c, index);
    }
  }
};

TEST_F(EveryCrowd, SlotsHoldEverybodyAndTheirGhosts) {
  std::size_t ghosts = 0;
  forEach([&](const CrowdCase& c, const NeighbourIndex& index) {
    const auto images = imagesOf(c);
    ASSERT_EQ(index.slots(), images.size());
    std::set<std::tuple<std::uint32_t, float, float>> expected, actual;
    for (const Image& image : images) expected.insert(image.key());
    for (std::size_t s = 0; s < index.slots(); ++s) {
      const std::uint32_t row = index.row()[s];
      actual.insert({row, index.x()[s], index.y()[s]});
      EXPECT_EQ(index.vx()[s], c.crowd.vx[row]);
      EXPECT_EQ(index.vy()[s], c.crowd.vy[row]);
      EXPECT_EQ(index.radius()[s], c.crowd.radius[row]);
    }
    EXPECT_EQ(actual, expected);
    ghosts += images.size() - c.crowd.size();

    // Real people: every row once, at its own place, in slot order.
    ASSERT_EQ(index.people().size(), c.crowd.size());
    EXPECT_TRUE(std::is_sorted(index.people().begin(), index.people().end()));
    std::set<std::uint32_t> rows;
    for (const std::uint32_t s : index.people()) {
      const std::uint32_t row = index.row()[s];
      rows.insert(row);
      EXPECT_EQ(index.x()[s], c.crowd.x[row]);
      EXPECT_EQ(index.y()[s], c.crowd.y[row]);
    }
    EXPECT_EQ(rows.size(), c.crowd.size());
  });
  EXPECT_GT(ghosts, 200u);
}

TEST_F(EveryCrowd, CellsAreStretchesOfSlotsByLayerAndRow) {
  forEach([&](const CrowdCase& c, const NeighbourIndex& index) {
    const std::set<std::uint32_t> real(index.people().begin(), index.people().end());
    const auto start = index.cellStart();
    ASSERT_EQ(start.back(), index.slots());
    ASSERT_LE(start.size(), 4 * index.slots() + 64 * c.wrap.size() + 65);
    std::uint32_t cell = 0;
    for (std::uint16_t layer = 0; layer < c.wrap.size(); ++layer) {
      const auto& grid = index.grid(layer);
      ASSERT_EQ(grid.first_cell, cell);
      for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column, ++cell) {
          ASSERT_LE(start[cell], start[cell + 1]);
          for (std::uint32_t s = start[cell]; s < start[cell + 1]; ++s) {
            EXPECT_EQ(c.crowd.layer[index.row()[s]], layer);
            EXPECT_EQ(NeighbourIndex::column(grid, index.x()[s]), column);
            EXPECT_EQ(NeighbourIndex::gridRow(grid, index.y()[s]), row);
            if (s == start[cell]) continue;
            EXPECT_EQ(real.contains(s - 1) >= real.contains(s), true) << "ghosts stand after people";
            if (real.contains(s - 1) == real.contains(s)) {
              EXPECT_LE(index.row()[s - 1], index.row()[s]);
            }
          }
        }
      }
      EXPECT_EQ(index.zoneEnd(layer), start[cell]);
    }
    EXPECT_EQ(cell + 1, start.size());
  });
}

TEST_F(EveryCrowd, NearestIsTheBruteForceAnswer) {
  std::size_t neighbours = 0;
  forEach([&](const CrowdCase& c, const NeighbourIndex& index) {
    std::vector<NeighbourIndex::Found> found{{1, 2}};
    for (const float range : {0.0f, 0.8f, 3.0f, c.range, 17.0f}) {
      for (const std::size_t count : {0u, 1u, 4u, 10u, 1000u}) {
        for (std::size_t i = 0; i < index.people().size(); i += 7) {
          const std::uint32_t self = index.people()[i];
          const std::uint32_t row = index.row()[self];
          const Vec2 place{index.x()[self], index.y()[self]};
          std::vector<std::pair<float, std::uint32_t>> expected;
          for (std::uint32_t s = 0; s < index.slots(); ++s) {
            if (index.row()[s] == row || c.crowd.layer[index.row()[s]] != c.crowd.layer[row]) continue;
            const float dx = index.x()[s] - place.x, dy = index.y()[s] - place.y;
            if (dx * dx + dy * dy < range * range) expected.push_back({dx * dx + dy * dy, s});
          }
          std::sort(expected.begin(), expected.end());
          if (expected.size() > count) expected.resize(count);
          index.nearest(place, c.crowd.layer[row], count, range, self, found);
          ASSERT_EQ(found.size(), expected.size());
          for (std::size_t k = 0; k < found.size(); ++k) {
            ASSERT_EQ(found[k].distance_squared, expected[k].first);
            ASSERT_EQ(found[k].slot, expected[k].second);
          }
          neighbours += found.size();
        }
      }
    }
  });
  EXPECT_GT(neighbours, 10000u);
}

TEST(NeighbourIndex, NearestOfAPlaceWhereNobodyIsFindsEverybody) {
  CrowdCase c{"", {}, {std::nullopt}, 2};
  addPerson(c.crowd, {0, 0});
  addPerson(c.crowd, {1, 0});
  NeighbourIndex index;
  index.build(c.crowd, c.range, c.wrap, base::Threads(1));
  std::vector<NeighbourIndex::Found> found;
  index.nearest({-1, 0}, 0, 5, 2.5f, NeighbourIndex::kNobody, found);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].distance_squared, 1.0f);
  EXPECT_EQ(found[1].distance_squared, 4.0f);
  index.nearest({-1e6f, 1e9f}, 0, 5, 2.5f, NeighbourIndex::kNobody, found);
  EXPECT_TRUE(found.empty());
}

TEST(NeighbourIndex, PeopleSeeOneAnotherAcrossAWrappedBorder) {
  CrowdCase c{"", {}, {Rectangle{{0, 0}, {100, 50}}}, 5};
  addPerson(c.crowd, {0.5f, 49.5f});
  addPerson(c.crowd, {99.5f, 0.5f});
  NeighbourIndex index;
  index.build(c.crowd, c.range, c.wrap, base::Threads(1));
  std::vector<NeighbourIndex::Found> found;
  for (const std::uint32_t self : index.people()) {
    index.nearest({index.x()[self], index.y()[self]}, 0, 5, 5, self, found);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].distance_squared, 2.0f);
    EXPECT_NE(index.row()[found[0].slot], index.row()[self]);
  }
}

TEST(NeighbourIndex, IsTheSameOnAnyNumberOfThreads) {
  CrowdCase c{"", {}, {Rectangle{{0, 0}, {250, 250}}, std::nullopt}, 5};
  base::Random random(3);
  addUniform(c.crowd, random, 20000, *c.wrap[0], 0);
  addUniform(c.crowd, random, 3000, {{0, 0}, {40, 40}}, 1);
  NeighbourIndex one;
  one.build(c.crowd, c.range, c.wrap, base::Threads(1));
  for (const int threads : {2, 3, 5}) {
    NeighbourIndex many;
    many.build(c.crowd, c.range, c.wrap, base::Threads(threads));
    const auto equal = [](const auto& a, const auto& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
    EXPECT_TRUE(equal(one.row(), many.row()));
    EXPECT_TRUE(equal(one.x(), many.x()));
    EXPECT_TRUE(equal(one.y(), many.y()));
    EXPECT_TRUE(equal(one.people(), many.people()));
    EXPECT_TRUE(equal(one.cellStart(), many.cellStart()));
  }
}

TEST(NeighbourIndex, BuildingAgainForgetsWhatWas) {
  const auto cases = crowdCases();
  NeighbourIndex reused;
  for (const CrowdCase& c : cases) {
    SCOPED_TRACE(c.name);
    reused.build(c.crowd, c.range, c.wrap, base::Threads(1));
    NeighbourIndex fresh;
    fresh.build(c.crowd, c.range, c.wrap, base::Threads(1));
    EXPECT_TRUE(std::equal(reused.row().begin(), reused.row().end(), fresh.row().begin(), fresh.row().end()));
    EXPECT_TRUE(std::equal(reused.cellStart().begin(), reused.cellStart().end(), fresh.cellStart().begin(),
                           fresh.cellStart().end()));
  }
  EXPECT_GT(reused.memory(), 0u);
}

TEST_F(EveryCrowd, BatchesCoverOneLayerAndStayWithinTheLanes) {
  forEach([&](const CrowdCase& c, const NeighbourIndex& index) {
    for (const std::size_t lanes : {1u, 4u, 16u}) {
      auto slots = index.people();
      std::size_t batches = 0;
      while (!slots.empty()) {
        const std::uint16_t layer = c.crowd.layer[index.row()[slots[0]]];
        const std::size_t n = index.batch(slots, layer, lanes);
        ASSERT_GE(n, 1u);
        ASSERT_LE(n, std::min(lanes, slots.size()));
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(c.crowd.layer[index.row()[slots[i]]], layer);
        slots = slots.subspan(n);
        ++batches;
      }
      // They are worth having: where people stand at walking density or denser, most lanes are used.
      if (c.name == "dense" || c.name == "walking density") {
        EXPECT_LT(batches * lanes, 2 * index.people().size() + lanes);
      }
    }
  });
}

}  // namespace
}  // namespace throng::agents
