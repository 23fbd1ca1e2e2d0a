#include "geometry/segment_grid.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace throng::geometry {
namespace {

// At least this many cells and entries are always affordable; beyond, both grow with the number of segments.
constexpr std::size_t kAffordable = std::size_t{1} << 18;
constexpr std::size_t kPerSegment = 16;
constexpr std::size_t kMostCells = std::size_t{1} << 24;

/// Index of the cell at `offset` from the border, in [0, count); also for offsets that are huge or not a number.
int cellAt(double offset, double cell, int count) {
  const double index = std::floor(offset / cell);
  if (!(index > 0)) return 0;
  return index < count ? static_cast<int>(index) : count - 1;
}

}  // namespace

SegmentGrid::SegmentGrid(std::span<const Vec2> a, std::span<const Vec2> b, float cell) {
  assert(a.size() == b.size() && a.size() < std::numeric_limits<std::uint32_t>::max());
  if (a.empty()) return;
  Point low{a[0].x, a[0].y}, high = low;
  for (const auto ends : {a, b}) {
    for (const Vec2 p : ends) {
      assert(std::isfinite(p.x) && std::isfinite(p.y));
      low = {std::min<double>(low.x, p.x), std::min<double>(low.y, p.y)};
      high = {std::max<double>(high.x, p.x), std::max<double>(high.y, p.y)};
    }
  }
  origin_ = low;
  cell_ = cell > 0 && std::isfinite(cell) ? cell : 1.0;
  while (!fits(a, b, high - low)) cell_ *= 2;

  // Counting sort into the cells: start_[c + 1] counts, then becomes the running place of the next entry.
  for (std::size_t i = 0; i < a.size(); ++i) walk(a[i], b[i], [&](std::size_t c) { ++start_[c + 1]; });
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  ids_.resize(start_.back());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    walk(a[i], b[i], [&](std::size_t c) { ids_[next[c]++] = static_cast<std::uint32_t>(i); });
  }
}

/// Sets columns_, rows_ and start_ for the current cell size; false when that takes too much memory.
bool SegmentGrid::fits(std::span<const Vec2> a, std::span<const Vec2> b, Point extent) {
  const double columns = std::floor(extent.x / cell_) + 1, rows = std::floor(extent.y / cell_) + 1;
  const auto budget = std::max(kAffordable, kPerSegment * a.size());
  if (columns * rows > static_cast<double>(std::min(budget, kMostCells))) return false;
  columns_ = static_cast<int>(columns);
  rows_ = static_cast<int>(rows);
  std::size_t entries = 0;
  for (std::size_t i = 0; i < a.size() && entries <= budget; ++i) walk(a[i], b[i], [&](std::size_t) { ++entries; });
  // Entries that do not fit in fewer, larger cells either are what the segments need.
  if (entries > budget && columns_ * rows_ > 1) return false;
  start_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) + 1, 0);
  return true;
}

int SegmentGrid::column(double x) const { return cellAt(x - origin_.x, cell_, columns_); }
int SegmentGrid::row(double y) const { return cellAt(y - origin_.y, cell_, rows_); }

template <class Visit>
void SegmentGrid::walk(Vec2 a, Vec2 b, const Visit& visit) const {
  if (a.y > b.y) std::swap(a, b);
  const double low_x = std::min(a.x, b.x), high_x = std::max(a.x, b.x);
  const double rise = static_cast<double>(b.y) - a.y;
  const double run = static_cast<double>(b.x) - a.x;
  const double slack = 1e-6 * cell_ + 1e-12 * (std::abs(low_x) + std::abs(high_x));  // far above the rounding below
  const int y0 = row(a.y), y1 = row(b.y);
  for (int y = y0; y <= y1; ++y) {
    // The piece of the segment within this row of cells.
    double from = low_x, to = high_x;
    if (y0 != y1) {
      const double bottom = origin_.y + y * cell_ - slack, top = origin_.y + (y + 1) * cell_ + slack;
      const double xa = a.x + run * std::clamp((bottom - a.y) / rise, 0.0, 1.0);
      const double xb = a.x + run * std::clamp((top - a.y) / rise, 0.0, 1.0);
      from = std::max(low_x, std::min(xa, xb) - slack);
      to = std::min(high_x, std::max(xa, xb) + slack);
    }
    const std::size_t first = static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_);
    for (int x = column(from), x1 = column(to); x <= x1; ++x) visit(first + static_cast<std::size_t>(x));
  }
}

SegmentGrid::CellRange SegmentGrid::cells(Point low, Point high) const {
  if (ids_.empty() || !(high.x >= origin_.x) || !(high.y >= origin_.y) || !(low.x <= origin_.x + columns_ * cell_) ||
      !(low.y <= origin_.y + rows_ * cell_)) {
    return {0, 0, -1, -1};
  }
  return {column(low.x), row(low.y), column(high.x), row(high.y)};
}

SegmentGrid::CellRange SegmentGrid::cellsNear(Vec2 place, float range) const {
  // A little more than asked for, so that rounding never loses a segment that is just within range.
  const double reach =
      range + 1e-12 * (std::abs(double{place.x}) + std::abs(double{place.y}) + std::abs(double{range}));
  return cells({place.x - reach, place.y - reach}, {place.x + reach, place.y + reach});
}

void SegmentGrid::query(Vec2 place, float range, std::vector<std::uint32_t>& found) const {
  const CellRange near = cellsNear(place, range);
  const auto before = static_cast<std::ptrdiff_t>(found.size());
  for (int y = near.y0; y <= near.y1; ++y) {
    // The cells of one row lie next to one another, and so do their entries.
    const auto first = static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_);
    const auto begin = start_[first + static_cast<std::size_t>(near.x0)];
    const auto end = start_[first + static_cast<std::size_t>(near.x1) + 1];
    found.insert(found.end(), ids_.begin() + begin, ids_.begin() + end);
  }
  std::sort(found.begin() + before, found.end());
  found.erase(std::unique(found.begin() + before, found.end()), found.end());
}

bool SegmentGrid::nothingNear(Vec2 place, float range) const {
  const CellRange near = cellsNear(place, range);
  for (int y = near.y0; y <= near.y1; ++y) {
    const auto first = static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_);
    if (start_[first + static_cast<std::size_t>(near.x0)] != start_[first + static_cast<std::size_t>(near.x1) + 1]) {
      return false;
    }
  }
  return true;
}

}  // namespace throng::geometry
