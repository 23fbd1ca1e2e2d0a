#include "geometry/edge_table.h"

#include <algorithm>

namespace throng::geometry {

EdgeTable::EdgeTable(const std::vector<Polygon>& polygons, Order order, Fineness fineness) {
  Rectangle box = kEmptyBox;
  const auto add = [&](const Ring& ring, std::uint32_t polygon) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      edges_.push_back({ring[i], ring[i + 1 < ring.size() ? i + 1 : 0], polygon});
      include(box, ring[i]);
    }
  };
  for (std::uint32_t p = 0; p < polygons.size(); ++p) {
    add(polygons[p].outer, p);
    for (const Ring& hole : polygons[p].holes) add(hole, p);
  }
  if (edges_.empty()) return;
  low_ = box.min.y, high_ = box.max.y;
  if (order == Order::kByLeft) {
    const auto left = [](const Edge& e) { return std::min(e.a.x, e.b.x); };
    std::stable_sort(edges_.begin(), edges_.end(), [&](const Edge& e, const Edge& f) { return left(e) < left(f); });
  }

  constexpr double kMostRows = 4096;
  // Monotone in y, so that an edge is in the row of every place it passes at that height.
  const auto first = [&](const Edge& e) { return layout_.row(std::min(e.a.y, e.b.y)); };
  const auto last = [&](const Edge& e) { return layout_.row(std::max(e.a.y, e.b.y)); };
  layout_.origin = {0, low_};
  layout_.columns = 1;
  layout_.rows =
      static_cast<int>(std::clamp(fineness.rows_per_edge * static_cast<double>(edges_.size()), 1.0, kMostRows));
  for (;; layout_.rows /= 2) {
    layout_.per_metre = high_ > low_ ? layout_.rows / (high_ - low_) : 0;
    std::size_t total = 0;
    for (const Edge& e : edges_) total += static_cast<std::size_t>(last(e) - first(e) + 1);
    if (layout_.rows == 1 || total <= fineness.most_rows_of_edge * edges_.size()) break;
  }
  rows_.fill(layout_.cells(), [&](const auto& put) {
    for (std::uint32_t i = 0; i < edges_.size(); ++i)
      for (int r = first(edges_[i]), end = last(edges_[i]); r <= end; ++r) put(static_cast<std::size_t>(r), i);
  });
}

}  // namespace throng::geometry
