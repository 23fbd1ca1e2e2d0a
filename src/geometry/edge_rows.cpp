#include "geometry/edge_rows.h"

#include <algorithm>
#include <limits>

#include "geometry/predicates.h"

namespace throng::geometry {
namespace {

/// Sets that grow together; the first member stands for its set.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) {
    for (std::uint32_t i = 0; i < n; ++i) parent_[i] = i;
  }
  std::uint32_t of(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) {
    i = of(i), j = of(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }
  std::vector<std::uint32_t> all() {
    std::vector<std::uint32_t> sets(parent_.size());
    for (std::uint32_t i = 0; i < sets.size(); ++i) sets[i] = of(i);
    return sets;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

EdgeRows::EdgeRows(const std::vector<Polygon>& polygons) : polygons_(polygons.size()) {
  low_ = std::numeric_limits<double>::infinity();
  high_ = -low_;
  const auto add = [&](const Ring& ring, std::uint32_t polygon) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      edges_.push_back({ring[i], ring[i + 1 < ring.size() ? i + 1 : 0], polygon});
      low_ = std::min(low_, ring[i].y);
      high_ = std::max(high_, ring[i].y);
    }
  };
  for (std::uint32_t p = 0; p < polygons.size(); ++p) {
    add(polygons[p].outer, p);
    for (const Ring& hole : polygons[p].holes) add(hole, p);
  }
  if (edges_.empty()) low_ = high_ = 0;
  const auto lowest = [](const Edge& e) { return std::min(e.a.x, e.b.x); };
  std::stable_sort(edges_.begin(), edges_.end(), [&](const Edge& e, const Edge& f) { return lowest(e) < lowest(f); });

  // Fine rows hold few edges, but long edges are in many of them: halve the number until the lists stay small.
  const auto first = [&](const Edge& e) { return row(std::min(e.a.y, e.b.y)); };
  const auto last = [&](const Edge& e) { return row(std::max(e.a.y, e.b.y)); };
  std::size_t total = 0;
  for (rows_ = std::clamp<std::size_t>(edges_.size() / 8, 1, 4096);; rows_ /= 2) {
    rows_per_metre_ = high_ > low_ ? static_cast<double>(rows_) / (high_ - low_) : 0;
    total = 0;
    for (const Edge& e : edges_) total += last(e) - first(e) + 1;
    if (rows_ == 1 || total <= 4 * edges_.size()) break;
  }
  start_.assign(rows_ + 1, 0);
  for (const Edge& e : edges_)
    for (std::size_t r = first(e); r <= last(e); ++r) ++start_[r + 1];
  for (std::size_t r = 0; r < rows_; ++r) start_[r + 1] += start_[r];
  ids_.resize(total);
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (std::uint32_t i = 0; i < edges_.size(); ++i)
    for (std::size_t r = first(edges_[i]); r <= last(edges_[i]); ++r) ids_[next[r]++] = i;
}

// Monotone in y, so that an edge is in the row of every place it passes at that height.
std::size_t EdgeRows::row(double y) const {
  return static_cast<std::size_t>(std::clamp((y - low_) * rows_per_metre_, 0.0, static_cast<double>(rows_ - 1)));
}

std::vector<std::uint32_t> EdgeRows::touching() const {
  Sets sets(polygons_);
  for (std::size_t r = 0; r < rows_; ++r) {
    for (std::uint32_t i = start_[r]; i < start_[r + 1]; ++i) {
      const Edge& e = edges_[ids_[i]];
      const double right = std::max(e.a.x, e.b.x), top = std::max(e.a.y, e.b.y), bottom = std::min(e.a.y, e.b.y);
      for (std::uint32_t j = i + 1; j < start_[r + 1]; ++j) {
        const Edge& f = edges_[ids_[j]];
        if (std::min(f.a.x, f.b.x) > right) break;
        if (f.polygon == e.polygon || std::min(f.a.y, f.b.y) > top || std::max(f.a.y, f.b.y) < bottom) continue;
        if (sets.of(e.polygon) != sets.of(f.polygon) && segmentsIntersect(e.a, e.b, f.a, f.b))
          sets.join(e.polygon, f.polygon);
      }
    }
  }
  return sets.all();
}

void EdgeRows::covering(Point p, std::vector<std::uint32_t>& found) const {
  found.clear();
  if (edges_.empty() || !(p.y >= low_ && p.y <= high_)) return;
  // A ray to -x crosses an edge when the edge spans the height (its upper end excluded) and p lies right of it; the row
  // is sorted by x, so that the look ends at p. Every crossing is noted as an even number, a border as the odd one
  // after.
  const std::size_t r = row(p.y);
  for (std::uint32_t k = start_[r]; k < start_[r + 1]; ++k) {
    const Edge& e = edges_[ids_[k]];
    if (std::min(e.a.x, e.b.x) > p.x) break;
    if (p.y < std::min(e.a.y, e.b.y) || p.y > std::max(e.a.y, e.b.y)) continue;
    const bool spans = (e.a.y > p.y) != (e.b.y > p.y);
    const bool beyond = p.x > std::max(e.a.x, e.b.x);
    const int side = beyond ? 2 : orientation(e.a, e.b, p);
    if (side == 0)
      found.push_back(2 * e.polygon + 1);
    else if (spans && (beyond || (side < 0) == (e.b.y > e.a.y)))
      found.push_back(2 * e.polygon);
  }
  std::sort(found.begin(), found.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.size();) {
    const std::uint32_t polygon = found[i] / 2;
    bool odd = false, border = false;
    for (; i < found.size() && found[i] / 2 == polygon; ++i) {
      if (found[i] % 2)
        border = true;
      else
        odd = !odd;
    }
    if (border || odd) found[kept++] = polygon;
  }
  found.resize(kept);
}

std::vector<std::uint32_t> clusters(const std::vector<Polygon>& polygons) {
  const EdgeRows rows(polygons);
  Sets sets(polygons.size());
  const auto touching = rows.touching();
  std::vector<std::uint32_t> around;
  for (std::uint32_t i = 0; i < polygons.size(); ++i) {
    sets.join(i, touching[i]);
    if (polygons[i].outer.empty()) continue;
    rows.covering(polygons[i].outer.front(), around);
    for (const std::uint32_t j : around) sets.join(i, j);
  }
  return sets.all();
}

}  // namespace throng::geometry
