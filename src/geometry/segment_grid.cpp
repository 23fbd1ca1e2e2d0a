#include "geometry/segment_grid.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/narrowing.h"

namespace throng::geometry {
namespace {

// At least this many cells and entries are always affordable; beyond, both grow with the number of segments.
constexpr std::size_t kAffordable = std::size_t{1} << 18;
constexpr std::size_t kPerSegment = 16;
constexpr std::size_t kMostCells = std::size_t{1} << 24;

/// visit(cell) for every cell of size `size` that segment ab passes through, and perhaps a neighbour of such a cell.
template <class Visit>
void walk(const CellLayout<double>& layout, double size, Vec2 a, Vec2 b, const Visit& visit) {
  // Far above the rounding of what is computed here.
  const double slack = 1e-6 * size + 1e-12 * (std::abs(double{a.x}) + std::abs(double{b.x}));
  layout.forCellsAlong(wide(a), wide(b), slack, visit);
}

/// Sets the layout for cells of the given size; false when that takes too much memory.
bool fits(std::span<const Vec2> a, std::span<const Vec2> b, Point extent, double size, CellLayout<double>& layout) {
  const double columns = std::floor(extent.x / size) + 1, rows = std::floor(extent.y / size) + 1;
  const auto budget = std::max(kAffordable, kPerSegment * a.size());
  if (columns * rows > static_cast<double>(std::min(budget, kMostCells))) return false;
  layout.per_metre = 1 / size;
  layout.columns = static_cast<int>(columns);
  layout.rows = static_cast<int>(rows);
  std::size_t entries = 0;
  for (std::size_t i = 0; i < a.size() && entries <= budget; ++i)
    walk(layout, size, a[i], b[i], [&](std::size_t) { ++entries; });
  // Entries that do not fit in fewer, larger cells either are what the segments need.
  return entries <= budget || layout.cells() == 1;
}

}  // namespace

SegmentGrid::SegmentGrid(std::span<const Vec2> a, std::span<const Vec2> b, float cell) {
  assert(a.size() == b.size() && a.size() < std::numeric_limits<std::uint32_t>::max());
  if (a.empty()) return;
  Rectangle box = kEmptyBox;
  for (const auto ends : {a, b}) {
    for (const Vec2 p : ends) {
      assert(std::isfinite(p.x) && std::isfinite(p.y));
      include(box, wide(p));
    }
  }
  CellLayout<double> layout;
  layout.origin = box.min;
  double size = cell > 0 && std::isfinite(cell) ? cell : 1.0;
  while (!fits(a, b, box.max - box.min, size, layout)) size *= 2;
  end_ = {layout.origin.x + layout.columns * size, layout.origin.y + layout.rows * size};
  grid_ = UniformGrid<double>(layout, [&](const auto& put) {
    for (std::uint32_t i = 0; i < a.size(); ++i) walk(layout, size, a[i], b[i], [&](std::size_t c) { put(c, i); });
  });
}

bool SegmentGrid::boxNear(Vec2 place, float range, Point& low, Point& high) const {
  // A little more than asked for, so that rounding never loses a segment that is just within range.
  const double reach =
      range + 1e-12 * (std::abs(double{place.x}) + std::abs(double{place.y}) + std::abs(double{range}));
  low = {place.x - reach, place.y - reach};
  high = {place.x + reach, place.y + reach};
  const Point origin = grid_.layout().origin;
  return high.x >= origin.x && high.y >= origin.y && low.x <= end_.x && low.y <= end_.y;
}

void SegmentGrid::query(Vec2 place, float range, std::vector<std::uint32_t>& found) const {
  Point low, high;
  if (boxNear(place, range, low, high)) grid_.query(low, high, found);
}

bool SegmentGrid::nothingNear(Vec2 place, float range) const {
  Point low, high;
  return !boxNear(place, range, low, high) || grid_.nothingIn(low, high);
}

}  // namespace throng::geometry
