#include "geometry/edge_rows.h"

#include <algorithm>

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

EdgeRows::EdgeRows(const std::vector<Polygon>& polygons)
    : polygons_(polygons.size()), edges_(polygons, EdgeTable::Order::kByLeft, {0.125, 4}) {}

std::vector<std::uint32_t> EdgeRows::touching() const {
  Sets sets(polygons_);
  for (std::size_t r = 0; r < edges_.rows(); ++r) {
    const std::span<const std::uint32_t> row = edges_.rowAt(r);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const EdgeTable::Edge& e = edges_[row[i]];
      const double right = std::max(e.a.x, e.b.x), top = std::max(e.a.y, e.b.y), bottom = std::min(e.a.y, e.b.y);
      for (std::size_t j = i + 1; j < row.size(); ++j) {
        const EdgeTable::Edge& f = edges_[row[j]];
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
  if (!edges_.reaches(p.y)) return;
  // The row is sorted by x: with the ray turned to -x, the look ends at p. Every crossing is noted as an even number, a
  // border as the odd one after.
  const auto turned = [](Point q) { return Point{-q.x, q.y}; };
  for (const std::uint32_t i : edges_.row(p.y)) {
    const EdgeTable::Edge& e = edges_[i];
    if (std::min(e.a.x, e.b.x) > p.x) break;
    const RayHit hit = rayHit(turned(e.a), turned(e.b), turned(p));
    if (hit != RayHit::kMisses) found.push_back(2 * e.polygon + (hit == RayHit::kBorder));
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
