// Is a place inside these polygons: the same answer as geometry::contains, without looking at every edge.
#pragma once

#include <vector>

#include "throng/shapes.h"

#include "geometry/edge_table.h"

namespace throng::geometry {

class PolygonIndex {
 public:
  PolygonIndex() = default;
  explicit PolygonIndex(const std::vector<Polygon>& polygons);

  bool empty() const { return edges_.empty(); }
  /// How many of the polygons cover the place; borders count (of holes too), holes do not.
  int covering(Point place) const;
  bool contains(Point place) const { return covering(place) > 0; }

 private:
  EdgeTable edges_;
};

}  // namespace throng::geometry
