#include "metrics/overlaps.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "metrics/wrapping.h"

namespace throng::metrics {
namespace {

/// Cell number of a coordinate in a wrapped layer: `offset` is measured from the border and may lie any number of
/// periods away.
std::int32_t wrappedCellNumber(double offset, double period, std::int32_t cells) {
  const double turns = offset / period;
  const double share = turns - std::floor(turns);
  return std::min(static_cast<std::int32_t>(share * cells), cells - 1);
}

/// How many cells of at least `cell` fit. With fewer than three, a cell would be its neighbour's neighbour on both
/// sides, and pairs would be met twice: then one cell is all.
std::int32_t wrappedCells(double period, double cell) {
  const double fit = std::min(std::floor(period / cell), double{1 << 29});
  return fit < 3 ? 1 : static_cast<std::int32_t>(fit);
}

}  // namespace

void PairSet::insert(std::uint32_t a, std::uint32_t b) {
  if (2 * (size_ + 1) > table_.size()) {
    std::vector<std::uint64_t> old(std::max<std::size_t>(64, 2 * table_.size()), 0);
    old.swap(table_);
    size_ = 0;
    for (const std::uint64_t key : old)
      if (key != 0) place(key);
  }
  place(std::uint64_t{std::min(a, b)} << 32 | std::max(a, b));
}

void PairSet::place(std::uint64_t key) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = base::mix(key) & mask;
  while (table_[at] != 0 && table_[at] != key) at = (at + 1) & mask;
  size_ += table_[at] == 0;
  table_[at] = key;
}

void Overlaps::observe(const Frame& frame, std::span<const std::optional<Rectangle>> wrap) {
  float largest = 0;
  for (const float radius : frame.radius)
    if (std::isfinite(radius)) largest = std::max(largest, radius);
  if (largest <= 0) return;
  // Slightly more than two radii, so that rounding never puts two who touch two cells apart.
  makeGrids(frame, wrap, 2.001 * static_cast<double>(largest));
  fillCells(frame);
  touched_.assign(frame.size(), 0);
  for (std::uint32_t slot = 0; slot < entries_.size(); ++slot) {
    // Everybody looks in their own line of cells at those who come later in memory, and at everybody in the next line:
    // every pair is met once.
    const Entry& me = entries_[slot];
    const Grid& grid = grids_[me.layer];
    searchLine(frame, slot, me.line, slot + 1);
    if (grid.rows == 1) continue;
    const std::int32_t next = me.line + 1;
    searchLine(frame, slot, next == grid.rows && grid.rows > 0 ? 0 : next, 0);
  }
  for (const std::uint8_t touched : touched_) agent_steps_ += touched;
}

void Overlaps::makeGrids(const Frame& frame, std::span<const std::optional<Rectangle>> wrap, double cell) {
  std::uint16_t last = 0;
  for (const std::uint16_t layer : frame.layer) last = std::max(last, layer);
  grids_.assign(std::size_t{last} + 1, Grid{});
  for (std::size_t layer = 0; layer < grids_.size(); ++layer) {
    Grid& grid = grids_[layer];
    grid.wrap = wrapOf(wrap, layer);
    grid.cell_x = grid.cell_y = cell;
    if (!grid.wrap) continue;
    grid.columns = wrappedCells(grid.wrap->max.x - grid.wrap->min.x, cell);
    grid.rows = wrappedCells(grid.wrap->max.y - grid.wrap->min.y, cell);
  }
}

void Overlaps::fillCells(const Frame& frame) {
  found_.clear();
  for (std::uint32_t row = 0; row < frame.size(); ++row) {
    const float x = frame.x[row], y = frame.y[row], radius = frame.radius[row];
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(radius)) continue;
    const Grid& grid = grids_[frame.layer[row]];
    Entry entry{x, y, radius, row, 0, 0, frame.layer[row]};
    if (grid.wrap) {
      const Rectangle& field = *grid.wrap;
      entry.column = wrappedCellNumber(x - field.min.x, field.max.x - field.min.x, grid.columns);
      entry.line = wrappedCellNumber(y - field.min.y, field.max.y - field.min.y, grid.rows);
    } else {
      entry.column = static_cast<std::int32_t>(geometry::HashedCells::number(x, grid.cell_x));
      entry.line = static_cast<std::int32_t>(geometry::HashedCells::number(y, grid.cell_y));
    }
    found_.push_back(entry);
  }
  // Counting sort by bucket.
  cells_ = geometry::HashedCells(found_.size());
  start_.assign(cells_.buckets() + 1, 0);
  for (const Entry& entry : found_) ++start_[bucket(entry.column, entry.line, entry.layer)];
  std::uint32_t sum = 0;
  for (std::uint32_t& start : start_) sum += start, start = sum;
  entries_.resize(found_.size());
  for (std::size_t i = found_.size(); i-- > 0;)
    entries_[--start_[bucket(found_[i].column, found_[i].line, found_[i].layer)]] = found_[i];
}

void Overlaps::searchLine(const Frame& frame, std::uint32_t slot, std::int32_t line, std::uint32_t first_slot) {
  const Entry& me = entries_[slot];
  const Grid& grid = grids_[me.layer];
  if (grid.columns == 1) {
    searchBuckets(frame, me, bucket(0, line, me.layer), 1, line, first_slot);
  } else if (grid.columns > 0 && (me.column == 0 || me.column == grid.columns - 1)) {
    for (std::int32_t side = -1; side <= 1; ++side) {
      const std::int32_t column = (me.column + side + grid.columns) % grid.columns;
      searchBuckets(frame, me, bucket(column, line, me.layer), 1, line, first_slot);
    }
  } else {
    // Three cells beside one another are one stretch of memory.
    searchBuckets(frame, me, bucket(me.column - 1, line, me.layer), 3, line, first_slot);
  }
}

void Overlaps::searchBuckets(const Frame& frame, const Entry& me, std::uint32_t begin, std::uint32_t count,
                             std::int32_t line, std::uint32_t first_slot) {
  while (count > 0) {
    const std::uint32_t until_end = std::min(count, static_cast<std::uint32_t>(cells_.buckets()) - begin);
    const std::uint32_t last = start_[begin + until_end];
    for (std::uint32_t other = std::max(start_[begin], first_slot); other < last; ++other) {
      const Entry& them = entries_[other];
      // Other lines and layers may share a bucket.
      if (them.line == line && them.layer == me.layer) compare(frame, me, them);
    }
    count -= until_end;
    begin = 0;
  }
}

void Overlaps::compare(const Frame& frame, const Entry& a, const Entry& b) {
  const Point from{a.x, a.y}, to{b.x, b.y};
  const Point between = to - from + imageShift(from, to, grids_[a.layer].wrap);
  const double reach = static_cast<double>(a.radius) + static_cast<double>(b.radius);
  const double squared = lengthSquared(between);
  if (squared >= reach * reach || frame.person[a.row] == frame.person[b.row]) return;
  const double depth = reach - std::sqrt(squared);
  deepest_ = std::max(deepest_, depth);
  if (depth <= tolerance_ * reach) return;
  touched_[a.row] = touched_[b.row] = 1;
  pairs_.insert(frame.person[a.row], frame.person[b.row]);
}

}  // namespace throng::metrics
