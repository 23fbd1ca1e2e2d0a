// Is a place inside these polygons: the same answer as geometry::contains, without looking at every edge.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/scene.h"

namespace throng::ground {

/// The edges of polygons, in rows by y. A question reads one row.
class PolygonIndex {
 public:
  PolygonIndex() = default;
  explicit PolygonIndex(const std::vector<Polygon>& polygons);

  bool empty() const { return edges_.empty(); }
  /// How many of the polygons cover the place; borders count (of holes too), holes do not.
  int covering(Point place) const;
  bool contains(Point place) const { return covering(place) > 0; }

 private:
  struct Edge {
    Point a, b;
    std::uint32_t polygon;
  };
  int row(double y) const;

  std::vector<Edge> edges_;    ///< by polygon
  double low_ = 0, high_ = 0;  ///< y
  double rows_per_metre_ = 0;
  int rows_ = 0;
  std::vector<std::uint32_t> start_;  ///< per row, into ids_; one more at the end
  std::vector<std::uint32_t> ids_;    ///< edges that touch the row, ascending
};

}  // namespace throng::ground
