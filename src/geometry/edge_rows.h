// The edges of many polygons, sorted so that those near each other are found without looking at every pair.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/shapes.h"

namespace throng::geometry {

/// The edges of polygons in rows by y, each row by x. All answers are exact.
class EdgeRows {
 public:
  explicit EdgeRows(const std::vector<Polygon>& polygons);

  /// A number per polygon: the same for those whose borders share a point, directly or through others; the number is
  /// that of the first among them.
  std::vector<std::uint32_t> touching() const;
  /// Which polygons cover the place, ascending; borders count, of holes too. `found` is overwritten.
  void covering(Point place, std::vector<std::uint32_t>& found) const;

 private:
  struct Edge {
    Point a, b;
    std::uint32_t polygon;
  };
  std::size_t row(double y) const;

  std::size_t polygons_ = 0;
  std::vector<Edge> edges_;    ///< by their lower x
  double low_ = 0, high_ = 0;  ///< y
  double rows_per_metre_ = 0;
  std::size_t rows_ = 1;
  std::vector<std::uint32_t> start_;  ///< per row, into ids_; one more at the end
  std::vector<std::uint32_t> ids_;    ///< edges that touch the row, ascending
};

/// A number per polygon: the same for those that share a point or lie in one another, directly or through others; the
/// number is that of the first among them. A polygon in the hole of another is apart from it.
std::vector<std::uint32_t> clusters(const std::vector<Polygon>& polygons);

}  // namespace throng::geometry
