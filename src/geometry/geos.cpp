#include "geometry/geos.h"

#include <algorithm>

#include "geometry/predicates.h"

namespace throng::geometry {

Geos::Geos() : context_(GEOS_init_r()) {
  GEOSContext_setErrorMessageHandler_r(context_, &Geos::remember, this);
  GEOSContext_setNoticeMessageHandler_r(
      context_, [](const char*, void*) {}, nullptr);
}

Geos::~Geos() { GEOS_finish_r(context_); }

void Geos::remember(const char* message, void* self) { static_cast<Geos*>(self)->error_ = message; }

Geos::Shape Geos::ring(const Ring& ring) {
  if (ring.size() < 3) return own(nullptr);
  const auto n = static_cast<unsigned>(ring.size());
  GEOSCoordSequence* sequence = GEOSCoordSeq_create_r(context_, n + 1, 2);
  for (unsigned i = 0; i <= n; ++i) GEOSCoordSeq_setXY_r(context_, sequence, i, ring[i % n].x, ring[i % n].y);
  return own(GEOSGeom_createLinearRing_r(context_, sequence));  // takes the sequence, also when it fails
}

Geos::Shape Geos::collect(int type, std::vector<Shape> parts) {
  std::vector<GEOSGeometry*> raw;
  raw.reserve(parts.size());
  for (auto& part : parts) raw.push_back(part.release());
  return own(GEOSGeom_createCollection_r(context_, type, raw.data(), static_cast<unsigned>(raw.size())));
}

Geos::Shape Geos::polygon(const Polygon& polygon) {
  Shape outer = ring(polygon.outer);
  if (!outer) return own(GEOSGeom_createEmptyPolygon_r(context_));
  std::vector<GEOSGeometry*> holes;
  for (const auto& hole : polygon.holes) {
    if (Shape shape = ring(hole)) holes.push_back(shape.release());
  }
  return own(GEOSGeom_createPolygon_r(context_, outer.release(), holes.data(), static_cast<unsigned>(holes.size())));
}

Geos::Shape Geos::polygons(const std::vector<Polygon>& polygons) {
  std::vector<Shape> parts;
  for (const auto& p : polygons) {
    if (Shape shape = polygon(p)) parts.push_back(std::move(shape));
  }
  return collect(GEOS_MULTIPOLYGON, std::move(parts));
}

Geos::Shape Geos::line(const Polyline& line) {
  if (line.points.size() < 2) return own(nullptr);
  const auto n = static_cast<unsigned>(line.points.size());
  GEOSCoordSequence* sequence = GEOSCoordSeq_create_r(context_, n, 2);
  for (unsigned i = 0; i < n; ++i) GEOSCoordSeq_setXY_r(context_, sequence, i, line.points[i].x, line.points[i].y);
  return own(GEOSGeom_createLineString_r(context_, sequence));
}

Geos::Shape Geos::valid(Shape shape) {
  if (!shape || GEOSisValid_r(context_, shape.get()) == 1) return shape;
  const auto destroy = [this](GEOSMakeValidParams* p) { GEOSMakeValidParams_destroy_r(context_, p); };
  const std::unique_ptr<GEOSMakeValidParams, decltype(destroy)> parameters(GEOSMakeValidParams_create_r(context_),
                                                                           destroy);
  GEOSMakeValidParams_setMethod_r(context_, parameters.get(), GEOS_MAKE_VALID_STRUCTURE);
  GEOSMakeValidParams_setKeepCollapsed_r(context_, parameters.get(), 0);
  return own(GEOSMakeValidWithParams_r(context_, shape.get(), parameters.get()));
}

std::vector<Point> Geos::points(const GEOSGeometry* line) const {
  const GEOSCoordSequence* sequence = GEOSGeom_getCoordSeq_r(context_, line);
  unsigned size = 0;
  if (!sequence || !GEOSCoordSeq_getSize_r(context_, sequence, &size)) return {};
  std::vector<Point> points(size);
  for (unsigned i = 0; i < size; ++i) GEOSCoordSeq_getXY_r(context_, sequence, i, &points[i].x, &points[i].y);
  return points;
}

Polygon Geos::toPolygon(const GEOSGeometry* shape) const {
  const auto ring = [&](const GEOSGeometry* closed, bool counter_clockwise) {
    Ring points = this->points(closed);
    if (!points.empty()) points.pop_back();
    if ((signedArea(points) > 0) != counter_clockwise) std::reverse(points.begin(), points.end());
    return points;
  };
  Polygon polygon;
  polygon.outer = ring(GEOSGetExteriorRing_r(context_, shape), true);
  const int holes = GEOSGetNumInteriorRings_r(context_, shape);
  for (int i = 0; i < holes; ++i) polygon.holes.push_back(ring(GEOSGetInteriorRingN_r(context_, shape, i), false));
  return polygon;
}

std::vector<Polygon> Geos::toPolygons(const GEOSGeometry* shape) const {
  std::vector<Polygon> polygons;
  if (!shape || GEOSisEmpty_r(context_, shape) != 0) return polygons;
  if (GEOSGeomTypeId_r(context_, shape) == GEOS_POLYGON) return {toPolygon(shape)};
  const int n = GEOSGeomTypeId_r(context_, shape) >= GEOS_MULTIPOINT ? GEOSGetNumGeometries_r(context_, shape) : 0;
  for (int i = 0; i < n; ++i) {
    for (auto& p : toPolygons(GEOSGetGeometryN_r(context_, shape, i))) polygons.push_back(std::move(p));
  }
  return polygons;
}

std::vector<Polyline> Geos::toLines(const GEOSGeometry* shape) const {
  std::vector<Polyline> lines;
  if (!shape || GEOSisEmpty_r(context_, shape) != 0) return lines;
  const int type = GEOSGeomTypeId_r(context_, shape);
  if (type == GEOS_LINESTRING || type == GEOS_LINEARRING) return {Polyline{points(shape)}};
  const int n = type >= GEOS_MULTIPOINT ? GEOSGetNumGeometries_r(context_, shape) : 0;
  for (int i = 0; i < n; ++i) {
    for (auto& l : toLines(GEOSGetGeometryN_r(context_, shape, i))) lines.push_back(std::move(l));
  }
  return lines;
}

}  // namespace throng::geometry
