#include "corridors/cell_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::corridors {
namespace {

constexpr double kMargin = 1e-5;  // m; a cell is listed this far beyond its border, so that places on borders are found
constexpr double kSmallest = 1e-3;  // m; side of a square
constexpr std::uint32_t kFirstCapacity = 4;
constexpr std::size_t kMostSquares = std::size_t{1} << 22;
/// Squares that the cells meet on average, at most. In a round hall of a million corners, cells are as long as the hall
/// is wide and meet a thousand squares each, were these as many as the cells.
constexpr double kMostPerCell = 32;

/// Least and greatest x of the part of a convex polygon with low <= y <= high; false when there is no such part.
bool extentWithin(std::span<const Point> polygon, double low, double high, double& from, double& to) {
  from = std::numeric_limits<double>::infinity();
  to = -from;
  const auto include = [&](double x) {
    from = std::min(from, x);
    to = std::max(to, x);
  };
  Point p = polygon.back();
  for (const Point& q : polygon) {
    if (q.y >= low && q.y <= high) include(q.x);
    for (const double level : {low, high}) {
      // Where the side crosses the border of the strip; one factor for both ends keeps it between them.
      if ((p.y < level) != (q.y < level)) include(p.x + (q.x - p.x) * ((level - p.y) / (q.y - p.y)));
    }
    p = q;
  }
  return from <= to;
}

/// Index of the square at an offset counted in squares, from -1 (before the first) to count (after the last).
int squareAt(double offset, int count) { return static_cast<int>(std::floor(std::clamp(offset, -1.0, double(count)))); }

}  // namespace

CellGrid::CellGrid(Rectangle bounds, std::size_t cells_expected, double extents) {
  bounds_ = bounds;
  const Point extent = bounds_.max - bounds_.min;
  const auto wanted = static_cast<double>(std::clamp<std::size_t>(cells_expected, 1, kMostSquares));
  // About as many squares as cells; in a long thin rectangle no more than that along its length.
  size_ = std::max({std::sqrt(extent.x * extent.y / wanted), std::max(extent.x, extent.y) / wanted, kSmallest,
                    extents / (kMostPerCell * static_cast<double>(std::max<std::size_t>(cells_expected, 1)))});
  inverse_ = 1 / size_;
  columns_ = static_cast<int>(extent.x * inverse_) + 1;
  rows_ = static_cast<int>(extent.y * inverse_) + 1;
  squares_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
  pool_.resize(squares_.size() * kFirstCapacity);
  for (std::size_t i = 0; i < squares_.size(); ++i)
    squares_[i] = {static_cast<std::uint32_t>(i * kFirstCapacity), 0, kFirstCapacity};
}

template <class Visit>
void CellGrid::visit(std::span<const Point> polygon, const Visit& visit) const {
  double low = polygon[0].y, high = low;
  for (const Point& p : polygon) {
    low = std::min(low, p.y);
    high = std::max(high, p.y);
  }
  const int first = std::max(0, squareAt((low - kMargin - bounds_.min.y) * inverse_, rows_));
  const int last = std::min(rows_ - 1, squareAt((high + kMargin - bounds_.min.y) * inverse_, rows_));
  for (int row = first; row <= last; ++row) {
    // The part of the polygon in this row of squares is convex, so it meets every square between its ends.
    const double bottom = bounds_.min.y + row * size_ - kMargin, top = bottom + size_ + 2 * kMargin;
    double from, to;
    if (!extentWithin(polygon, bottom, top, from, to)) continue;
    const int left = std::max(0, squareAt((from - kMargin - bounds_.min.x) * inverse_, columns_));
    const int right = std::min(columns_ - 1, squareAt((to + kMargin - bounds_.min.x) * inverse_, columns_));
    const std::size_t start = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_);
    for (int column = left; column <= right; ++column) visit(start + static_cast<std::size_t>(column));
  }
}

void CellGrid::insert(std::uint32_t cell, std::span<const Point> polygon) {
  visit(polygon, [&](std::size_t at) {
    Square& square = squares_[at];
    if (square.count == square.capacity) {
      const bool at_end = square.start + square.capacity == pool_.size();
      const std::uint32_t start = at_end ? square.start : static_cast<std::uint32_t>(pool_.size());
      pool_.resize(std::size_t{start} + 2 * square.capacity);
      if (!at_end) {
        std::copy_n(pool_.begin() + square.start, square.count, pool_.begin() + start);
        wasted_ += square.capacity;
      }
      square = {start, square.count, 2 * square.capacity};
    }
    // Ascending, so that answers do not depend on what has come and gone; new cells mostly have the highest number.
    std::uint32_t* const list = pool_.data() + square.start;
    std::uint32_t place = square.count++;
    for (; place > 0 && list[place - 1] > cell; --place) list[place] = list[place - 1];
    list[place] = cell;
  });
  if (wasted_ > pool_.size() / 2) compact();
}

void CellGrid::remove(std::uint32_t cell, std::span<const Point> polygon) {
  visit(polygon, [&](std::size_t at) {
    Square& square = squares_[at];
    std::uint32_t* const list = pool_.data() + square.start;
    std::uint32_t* const end = list + square.count;
    std::uint32_t* const found = std::lower_bound(list, end, cell);
    if (found == end || *found != cell) return;
    std::copy(found + 1, end, found);
    --square.count;
  });
}

void CellGrid::compact() {
  std::vector<std::uint32_t> pool;
  pool.reserve(pool_.size() - wasted_);
  for (Square& square : squares_) {
    const auto start = static_cast<std::uint32_t>(pool.size());
    const auto list = pool_.begin() + square.start;
    pool.insert(pool.end(), list, list + square.capacity);
    square.start = start;
  }
  pool_ = std::move(pool);
  wasted_ = 0;
}

std::size_t CellGrid::entries() const {
  std::size_t sum = 0;
  for (const Square& square : squares_) sum += square.count;
  return sum;
}

std::size_t CellGrid::bytes() const {
  return squares_.capacity() * sizeof(Square) + pool_.capacity() * sizeof(std::uint32_t);
}

}  // namespace throng::corridors
