#include "geometry/polygon_index.h"

#include <limits>

#include "geometry/predicates.h"

namespace throng::geometry {

PolygonIndex::PolygonIndex(const std::vector<Polygon>& polygons)
    : edges_(polygons, EdgeTable::Order::kByPolygon, {1, 16}) {}

int PolygonIndex::covering(Point place) const {
  if (!edges_.reaches(place.y)) return 0;
  int covered = 0;
  bool odd = false, border = false;
  std::uint32_t polygon = std::numeric_limits<std::uint32_t>::max();
  for (const std::uint32_t i : edges_.row(place.y)) {
    const EdgeTable::Edge& e = edges_[i];
    if (e.polygon != polygon) {
      covered += odd || border;
      odd = border = false;
      polygon = e.polygon;
    }
    const RayHit hit = rayHit(e.a, e.b, place);
    odd ^= hit == RayHit::kCrosses;
    border |= hit == RayHit::kBorder;
  }
  return covered + (odd || border);
}

}  // namespace throng::geometry
