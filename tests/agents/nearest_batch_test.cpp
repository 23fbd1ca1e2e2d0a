// The batch search on every instruction set against NeighbourIndex::nearest.
#include "agents/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "agents/nearest_batch_test.cpp"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <hwy/highway.h>
#include <vector>

#include "agents/nearest_batch-inl.h"
#include "agents/random_crowds.h"

HWY_BEFORE_NAMESPACE();
namespace throng::agents {
namespace HWY_NAMESPACE {

// Found of every person, in the order of people().
void nearestOfAll(const Crowd& crowd, const NeighbourIndex& index, std::size_t count, float range,
                  std::vector<std::vector<NeighbourIndex::Found>>& found) {
  const FloatTag df;
  const RowTag du;
  const std::size_t n = hn::Lanes(df);
  base::Column<std::uint32_t> slot(std::max<std::size_t>(1, count) * n);
  base::Column<float> distance(slot.size());
  base::Column<double> scratch;
  found.clear();
  for (auto slots = index.people(); !slots.empty();) {
    const std::uint16_t zone = index.zone(crowd, index.row()[slots[0]]);
    const std::size_t people = index.batch(slots, zone, n);
    HWY_ALIGN float x[hn::MaxLanes(df)], y[hn::MaxLanes(df)];
    HWY_ALIGN std::uint32_t row[hn::MaxLanes(df)];
    for (std::size_t lane = 0; lane < n; ++lane) {
      const std::uint32_t s = slots[std::min(lane, people - 1)];
      x[lane] = index.x()[s], y[lane] = index.y()[s], row[lane] = index.row()[s];
    }
    const SearchLanes lanes{hn::Load(df, x), hn::Load(df, y), hn::Load(du, row), slots[0], slots[people - 1]};
    const std::size_t most = nearestBatch(index, zone, lanes, count, range, scratch, {slot.data(), distance.data()});
    for (std::size_t lane = 0; lane < people; ++lane) {
      found.emplace_back();
      for (std::size_t i = 0; i < most && slot[i * n + lane] != NeighbourIndex::kNobody; ++i) {
        found.back().push_back({distance[i * n + lane], slot[i * n + lane]});
      }
    }
    slots = slots.subspan(people);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace throng::agents
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

namespace throng::agents {
namespace {

HWY_EXPORT(nearestOfAll);

TEST(NearestBatch, IsNearestOnEveryInstructionSet) {
  std::size_t targets = 0, neighbours = 0;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    ++targets;
    std::vector<CrowdCase> cases = crowdCases();
    for (const CrowdCase& c : linkedCases()) cases.push_back(c);
    for (const CrowdCase& c : cases) {
      SCOPED_TRACE(c.name);
      NeighbourIndex index;
      index.build(c.crowd, c.range, c.wrap, base::Threads(1), c.links);
      std::vector<std::vector<NeighbourIndex::Found>> all;
      std::vector<NeighbourIndex::Found> expected;
      for (const float range : {0.0f, 1.0f, c.range, 12.0f}) {
        for (const std::size_t count : {0u, 1u, 4u, 6u, 10u, 11u, 40u}) {
          HWY_DYNAMIC_DISPATCH(nearestOfAll)(c.crowd, index, count, range, all);
          ASSERT_EQ(all.size(), index.people().size());
          for (std::size_t p = 0; p < all.size(); ++p) {
            const std::uint32_t s = index.people()[p];
            index.nearest({index.x()[s], index.y()[s]}, index.zone(c.crowd, index.row()[s]), count, range, s, expected);
            ASSERT_EQ(all[p].size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
              ASSERT_EQ(all[p][i].slot, expected[i].slot);
              ASSERT_EQ(all[p][i].distance_squared, expected[i].distance_squared);
            }
            neighbours += expected.size();
          }
        }
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  EXPECT_GE(targets, 1u);
  EXPECT_GT(neighbours, 100000u * targets);
}

}  // namespace
}  // namespace throng::agents
#endif
