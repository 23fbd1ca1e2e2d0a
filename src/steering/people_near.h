// Everybody near somebody, one by one in the order of slots, by the grid and (for slow twins) by looking at everybody.
#pragma once

#include <cstdint>

#include "agents/crowd.h"
#include "agents/neighbour_index.h"

namespace throng::steering {

/// visit(other) for the slots of others nearer than `range`; people's ghosts included, one's own not.
template <class Visit>
void forEachPersonNear(const agents::NeighbourIndex& index, const agents::Crowd& crowd, std::uint32_t slot, float range,
                       const Visit& visit) {
  using Index = agents::NeighbourIndex;
  const float x = index.x()[slot], y = index.y()[slot];
  const std::uint32_t row = index.row()[slot];
  const Index::Grid& grid = index.grid(index.zone(crowd, row));
  const int left = Index::column(grid, x - range), right = Index::column(grid, x + range);
  const int bottom = Index::gridRow(grid, y - range), top = Index::gridRow(grid, y + range);
  const std::uint32_t* start = index.cellStart().data() + grid.first_cell +
                               static_cast<std::size_t>(bottom) * static_cast<std::size_t>(grid.columns);
  const float *xs = index.x().data(), *ys = index.y().data(), range_squared = range * range;
  for (int r = bottom; r <= top; ++r, start += grid.columns) {
    for (std::uint32_t other = start[left]; other < start[right + 1]; ++other) {
      const float dx = xs[other] - x, dy = ys[other] - y;
      if (dx * dx + dy * dy < range_squared && index.row()[other] != row) visit(other);
    }
  }
}

/// The same without the grid.
template <class Visit>
void forEachPersonNearSlowly(const agents::NeighbourIndex& index, const agents::Crowd& crowd, std::uint32_t slot,
                             float range, const Visit& visit) {
  const std::uint32_t row = index.row()[slot];
  const std::uint16_t zone = index.zone(crowd, row);
  for (std::uint32_t other = index.zoneBegin(zone); other < index.zoneEnd(zone); ++other) {
    const float dx = index.x()[other] - index.x()[slot], dy = index.y()[other] - index.y()[slot];
    if (dx * dx + dy * dy < range * range && index.row()[other] != row) visit(other);
  }
}

/// The two, for those who take one or the other.
inline constexpr auto kByGrid = [](const auto&... asked) { forEachPersonNear(asked...); };
inline constexpr auto kOneByOne = [](const auto&... asked) { forEachPersonNearSlowly(asked...); };

}  // namespace throng::steering
