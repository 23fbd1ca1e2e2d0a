// Any text is shapes or an error, as WKT and as GeoJSON; what is read can be judged, repaired and written again.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "geometry/polygons.h"
#include "geometry/predicates.h"

namespace {

bool small(const throng::Polygon& polygon) {
  const auto fits = [](const throng::Ring& ring) {
    for (const auto p : ring) {
      if (!(std::abs(p.x) <= 1e6) || !(std::abs(p.y) <= 1e6)) return false;
    }
    return ring.size() < 200;
  };
  for (const auto& hole : polygon.holes) {
    if (!fits(hole)) return false;
  }
  return fits(polygon.outer) && polygon.holes.size() < 20;
}

void use(const throng::geometry::Shapes& shapes) {
  using namespace throng::geometry;
  for (const auto& polygon : shapes.polygons) {
    contains(polygon, {0.5, 0.5});
    if (!small(polygon)) continue;
    if (validity(polygon)) {
      for (const auto& part : repaired(polygon)) {
        if (part.outer.size() < 3) std::abort();
      }
    } else if (polygon.outer.size() < 3) {
      std::abort();
    }
  }
  ShapeError error;
  const auto again = parseWkt(toWkt(shapes.polygons), error);
  if (!again || again->polygons.size() > shapes.polygons.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace throng::geometry;
  const std::string text(reinterpret_cast<const char*>(data), size);
  ShapeError wkt, geojson;
  if (const auto shapes = parseWkt(text, wkt)) use(*shapes);
  if (const auto shapes = parseGeoJson(text, geojson)) use(*shapes);
  return 0;
}
