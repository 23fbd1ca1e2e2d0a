#include "geometry/grown.h"

#include "geometry/geos.h"

namespace throng::geometry {

std::vector<Polygon> grown(const std::vector<Polygon>& polygons, double by) {
  if (polygons.empty()) return {};
  constexpr int kPerQuarter = 8;
  Geos geos;
  const Geos::Shape shape = geos.polygons(polygons);
  const Geos::Shape result = geos.own(GEOSBuffer_r(geos.context(), shape.get(), by, kPerQuarter));
  if (!result) throw InputError("the geometry cannot be grown: " + geos.lastError());
  return geos.toPolygons(result.get());
}

}  // namespace throng::geometry
