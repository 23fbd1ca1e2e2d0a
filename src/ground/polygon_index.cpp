#include "ground/polygon_index.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/predicates.h"

namespace throng::ground {

PolygonIndex::PolygonIndex(const std::vector<Polygon>& polygons) {
  low_ = std::numeric_limits<double>::infinity();
  high_ = -low_;
  const auto add = [&](const Ring& ring, std::uint32_t polygon) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      edges_.push_back({ring[i], ring[(i + 1) % ring.size()], polygon});
      low_ = std::min(low_, ring[i].y);
      high_ = std::max(high_, ring[i].y);
    }
  };
  for (std::uint32_t p = 0; p < polygons.size(); ++p) {
    add(polygons[p].outer, p);
    for (const Ring& hole : polygons[p].holes) add(hole, p);
  }
  if (edges_.empty()) return;

  // Fine rows are fast to ask but long edges are in many of them: halve the number until the lists stay small.
  std::size_t total = 0;
  for (rows_ = static_cast<int>(std::clamp<std::size_t>(edges_.size(), 1, 4096));; rows_ /= 2) {
    rows_per_metre_ = high_ > low_ ? rows_ / (high_ - low_) : 0;
    start_.assign(static_cast<std::size_t>(rows_) + 1, 0);
    total = 0;
    for (const Edge& e : edges_) {
      const int first = row(std::min(e.a.y, e.b.y)), last = row(std::max(e.a.y, e.b.y));
      for (int r = first; r <= last; ++r) ++start_[static_cast<std::size_t>(r) + 1];
      total += static_cast<std::size_t>(last - first + 1);
    }
    if (rows_ == 1 || total <= 16 * edges_.size()) break;
  }
  for (int r = 0; r < rows_; ++r) start_[r + 1] += start_[r];
  ids_.resize(total);
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (std::uint32_t i = 0; i < edges_.size(); ++i) {
    const Edge& e = edges_[i];
    const int last = row(std::max(e.a.y, e.b.y));
    for (int r = row(std::min(e.a.y, e.b.y)); r <= last; ++r) ids_[next[r]++] = i;
  }
}

// Monotone in y, so that an edge is in the row of every place it passes at that height.
int PolygonIndex::row(double y) const {
  return static_cast<int>(std::clamp((y - low_) * rows_per_metre_, 0.0, static_cast<double>(rows_ - 1)));
}

int PolygonIndex::covering(Point p) const {
  if (edges_.empty() || !(p.y >= low_ && p.y <= high_)) return 0;
  const int r = row(p.y);
  int covered = 0;
  bool odd = false, border = false;
  std::uint32_t polygon = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t k = start_[r]; k < start_[r + 1]; ++k) {
    const Edge& e = edges_[ids_[k]];
    if (e.polygon != polygon) {
      covered += odd || border;
      odd = border = false;
      polygon = e.polygon;
    }
    if (p.y < std::min(e.a.y, e.b.y) || p.y > std::max(e.a.y, e.b.y) || p.x > std::max(e.a.x, e.b.x)) continue;
    // A ray to +x crosses the edge when the edge spans the height (its upper end excluded) and p lies left of it.
    const bool spans = (e.a.y > p.y) != (e.b.y > p.y);
    if (p.x < std::min(e.a.x, e.b.x)) {
      odd ^= spans;
      continue;
    }
    const int side = geometry::orientation(e.a, e.b, p);
    if (side == 0)
      border = true;
    else if (spans)
      odd ^= (side > 0) == (e.b.y > e.a.y);
  }
  return covered + (odd || border);
}

}  // namespace throng::ground
