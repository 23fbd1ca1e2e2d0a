// The one uniform grid: a rectangle cut into square cells, with a list per cell of what is in it. It is built once and
// then asked; what moves has an index of its own (agents/neighbour_index.h, ground/occupancy.h, corridors/cell_grid.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "throng/shapes.h"

#include "geometry/boxes.h"

namespace throng::geometry {

/// Items by cell. The lists of all cells lie one after the other in memory, each in the order in which it was filled.
class CellLists {
 public:
  /// `put_all(put)` calls put(cell, item) for everything that goes into a list. It is asked twice, once to count, and
  /// must say the same both times. Capacity is kept: filled with as much as before, it does not allocate.
  template <class PutAll>
  void fill(std::size_t cells, const PutAll& put_all) {
    // While filling, start_[c + 1] is where the next item of cell c goes; it ends where cell c + 1 begins.
    start_.assign(cells + 2, 0);
    put_all([this](std::size_t cell, std::uint32_t) { ++start_[cell + 2]; });
    for (std::size_t c = 2; c < start_.size(); ++c) start_[c] += start_[c - 1];
    items_.resize(start_.back());
    put_all([this](std::size_t cell, std::uint32_t item) { items_[start_[cell + 1]++] = item; });
    start_.pop_back();
  }

  bool empty() const { return items_.empty(); }
  std::size_t cells() const { return start_.empty() ? 0 : start_.size() - 1; }
  std::span<const std::uint32_t> of(std::size_t cell) const { return of(cell, cell); }
  /// Of a cell and those that follow up to another.
  std::span<const std::uint32_t> of(std::size_t first, std::size_t last) const {
    return {items_.data() + start_[first], items_.data() + start_[last + 1]};
  }
  /// Memory held, for those who watch it.
  std::size_t bytes() const { return (start_.capacity() + items_.capacity()) * sizeof(std::uint32_t); }

 private:
  std::vector<std::uint32_t> start_;  ///< per cell, into items_; one more at the end
  std::vector<std::uint32_t> items_;
};

/// Where the cells are: row after row from the lower left. What lies outside belongs to the outermost cells.
template <class T>
struct CellLayout {
  BasicVec2<T> origin;
  T per_metre = 0;  ///< cells
  int columns = 0, rows = 0;

  std::size_t cells() const { return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows); }
  /// Never decreases as x (y) grows; the first for what is not a number.
  int column(T x) const { return along((x - origin.x) * per_metre, columns); }
  int row(T y) const { return along((y - origin.y) * per_metre, rows); }
  std::size_t cell(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
  }
  std::size_t cellAt(BasicVec2<T> place) const { return cell(column(place.x), row(place.y)); }

  /// visit(first, last) for each row of cells that a box meets; cells of a row follow one another.
  template <class Visit>
  void forRows(BasicVec2<T> low, BasicVec2<T> high, const Visit& visit) const {
    const int left = column(low.x), right = column(high.x);
    for (int y = row(low.y), top = row(high.y); y <= top; ++y) visit(cell(left, y), cell(right, y));
  }
  /// visit(cell) for each cell that a box meets.
  template <class Visit>
  void forCells(BasicVec2<T> low, BasicVec2<T> high, const Visit& visit) const {
    forRows(low, high, [&](std::size_t first, std::size_t last) {
      for (std::size_t c = first; c <= last; ++c) visit(c);
    });
  }

  /// visit(cell) for every cell that comes within `slack` of the segment ab, and perhaps a neighbour of such a cell.
  template <class Visit>
  void forCellsAlong(BasicVec2<double> a, BasicVec2<double> b, double slack, const Visit& visit) const {
    if (a.y > b.y) std::swap(a, b);
    const double size = 1 / static_cast<double>(per_metre);
    const double low_x = std::min(a.x, b.x) - slack, high_x = std::max(a.x, b.x) + slack;
    const double rise = b.y - a.y, run = b.x - a.x;
    const auto rowOf = [&](double y) { return row(static_cast<T>(y)); };
    const auto columnOf = [&](double x) { return column(static_cast<T>(x)); };
    const int y0 = rowOf(a.y - slack), y1 = rowOf(b.y + slack);
    for (int y = y0; y <= y1; ++y) {
      // The piece of the segment within this row of cells.
      double from = low_x, to = high_x;
      if (y0 != y1 && rise > 0) {
        const double bottom = static_cast<double>(origin.y) + y * size - slack;
        const double xa = a.x + run * std::clamp((bottom - a.y) / rise, 0.0, 1.0);
        const double xb = a.x + run * std::clamp((bottom + size + 2 * slack - a.y) / rise, 0.0, 1.0);
        from = std::max(low_x, std::min(xa, xb) - slack);
        to = std::min(high_x, std::max(xa, xb) + slack);
      }
      for (int x = columnOf(from), x1 = columnOf(to); x <= x1; ++x) visit(cell(x, y));
    }
  }

 private:
  static int along(T cells, int count) {
    if (!(cells > 0)) return 0;
    return cells >= static_cast<T>(count) ? count - 1 : static_cast<int>(cells);
  }
};

/// T: of the coordinates that are asked with.
template <class T>
class UniformGrid {
 public:
  UniformGrid() = default;
  /// See CellLists::fill().
  template <class PutAll>
  UniformGrid(const CellLayout<T>& layout, const PutAll& put_all) : layout_(layout) {
    lists_.fill(layout_.cells(), put_all);
  }
  /// Items 0, 1, 2 … of these boxes, with about as many cells as there are boxes.
  static UniformGrid ofBoxes(std::span<const Rectangle> boxes);

  bool empty() const { return lists_.empty(); }
  const CellLayout<T>& layout() const { return layout_; }
  std::size_t bytes() const { return lists_.bytes(); }

  /// What is in the cell of a place. Not to be asked when empty.
  std::span<const std::uint32_t> at(BasicVec2<T> place) const { return lists_.of(layout_.cellAt(place)); }
  /// visit(item) for what is in the cells that a box meets, row after row; some items more than once.
  template <class Visit>
  void visit(BasicVec2<T> low, BasicVec2<T> high, const Visit& visit) const {
    if (empty()) return;
    layout_.forRows(low, high, [&](std::size_t first, std::size_t last) {
      for (const std::uint32_t item : lists_.of(first, last)) visit(item);
    });
  }
  /// Appends what is in the cells that a box meets, each item once, ascending. `found` keeps its capacity, so a warm
  /// caller does not allocate.
  void query(BasicVec2<T> low, BasicVec2<T> high, std::vector<std::uint32_t>& found) const {
    if (empty()) return;
    const auto before = static_cast<std::ptrdiff_t>(found.size());
    layout_.forRows(low, high, [&](std::size_t first, std::size_t last) {
      const auto items = lists_.of(first, last);
      found.insert(found.end(), items.begin(), items.end());
    });
    std::sort(found.begin() + before, found.end());
    found.erase(std::unique(found.begin() + before, found.end()), found.end());
  }
  /// True when nothing is in the cells that a box meets.
  bool nothingIn(BasicVec2<T> low, BasicVec2<T> high) const {
    if (empty()) return true;
    const int left = layout_.column(low.x), right = layout_.column(high.x);
    for (int y = layout_.row(low.y), top = layout_.row(high.y); y <= top; ++y)
      if (!lists_.of(layout_.cell(left, y), layout_.cell(right, y)).empty()) return false;
    return true;
  }

 private:
  CellLayout<T> layout_;
  CellLists lists_;
};

template <class T>
UniformGrid<T> UniformGrid<T>::ofBoxes(std::span<const Rectangle> boxes) {
  Rectangle all = kEmptyBox;
  double extents = 0;  // m: widths and heights
  for (const Rectangle& box : boxes) {
    include(all, box);
    extents += box.max.x - box.min.x + box.max.y - box.min.y;
  }
  if (isEmpty(all)) return {};
  // Memory stays proportional to the number of boxes: in long thin places no more cells than boxes along their length,
  // and cells no smaller than half of what boxes measure on average.
  const auto count = static_cast<double>(boxes.size());
  const Point whole = all.max - all.min;
  const double size =
      std::max({std::sqrt(whole.x * whole.y / count), std::max(whole.x, whole.y) / count, extents / (4 * count), 1e-3});
  CellLayout<T> layout;
  layout.origin = {static_cast<T>(all.min.x), static_cast<T>(all.min.y)};
  layout.per_metre = static_cast<T>(1 / size);
  layout.columns = static_cast<int>(whole.x / size) + 1;
  layout.rows = static_cast<int>(whole.y / size) + 1;
  return UniformGrid(layout, [&](const auto& put) {
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
      const BasicVec2<T> low{static_cast<T>(boxes[i].min.x), static_cast<T>(boxes[i].min.y)};
      const BasicVec2<T> high{static_cast<T>(boxes[i].max.x), static_cast<T>(boxes[i].max.y)};
      layout.forCells(low, high, [&](std::size_t cell) { put(cell, i); });
    }
  });
}

}  // namespace throng::geometry
