#include "ground/wrapping.h"

#include "geometry/boxes.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"

namespace throng::ground {

void wrapPolygons(const Rectangle& wrap, std::vector<Polygon>& polygons) {
  const auto around = geometry::bounds(polygons);
  if (!around) return;
  const Repeats repeats(wrap, *around);
  if (repeats.none()) return;
  std::vector<Polygon> inside;
  repeats.forEach(wrap, [&](Point by) {
    for (Polygon piece :
         geometry::intersection(polygons, {{geometry::cornersOf({wrap.min + by, wrap.max + by}), {}}})) {
      for (Point& p : piece.outer) p -= by;
      for (Ring& hole : piece.holes)
        for (Point& p : hole) p -= by;
      inside.push_back(std::move(piece));
    }
  });
  polygons = geometry::unionOf(inside);
}

}  // namespace throng::ground
