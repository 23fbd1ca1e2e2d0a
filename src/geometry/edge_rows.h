// Which of many polygons meet one another, without looking at every pair.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/shapes.h"

#include "geometry/edge_table.h"

namespace throng::geometry {

/// Which polygons meet, and which cover a place. All answers are exact.
class EdgeRows {
 public:
  explicit EdgeRows(const std::vector<Polygon>& polygons);

  /// A number per polygon: the same for those whose borders share a point, directly or through others; the number is
  /// that of the first among them.
  std::vector<std::uint32_t> touching() const;
  /// Which polygons cover the place, ascending; borders count, of holes too. `found` is overwritten.
  void covering(Point place, std::vector<std::uint32_t>& found) const;

 private:
  std::size_t polygons_ = 0;
  EdgeTable edges_;
};

/// A number per polygon: the same for those that share a point or lie in one another, directly or through others; the
/// number is that of the first among them. A polygon in the hole of another is apart from it.
std::vector<std::uint32_t> clusters(const std::vector<Polygon>& polygons);

}  // namespace throng::geometry
