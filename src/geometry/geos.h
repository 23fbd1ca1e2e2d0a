// GEOS with an owner for everything it allocates, and its complaints as text instead of on stderr.
#pragma once

#include <geos_c.h>
#include <memory>
#include <string>
#include <vector>

#include "throng/shapes.h"

namespace throng::geometry {

/// One GEOS context; make one per task, use it from one thread.
class Geos {
 public:
  struct Destroy {
    GEOSContextHandle_t context;
    void operator()(GEOSGeometry* geometry) const { GEOSGeom_destroy_r(context, geometry); }
  };
  using Shape = std::unique_ptr<GEOSGeometry, Destroy>;

  Geos();
  ~Geos();
  Geos(const Geos&) = delete;
  Geos& operator=(const Geos&) = delete;

  GEOSContextHandle_t context() const { return context_; }
  /// What GEOS said last, or a sentence of our own when it said nothing.
  std::string lastError() const { return error_.empty() ? "GEOS gave no reason" : error_; }

  Shape own(GEOSGeometry* geometry) const { return Shape(geometry, Destroy{context_}); }

  /// As written, valid or not. Rings of fewer than three points have no inside and are left out.
  Shape polygon(const Polygon& polygon);
  Shape polygons(const std::vector<Polygon>& polygons);
  /// One shape of a GEOS collection type made of many.
  Shape collect(int type, std::vector<Shape> parts);
  /// Null for fewer than two points.
  Shape line(const Polyline& line);
  /// The nearest valid polygons (structure method); a valid one comes back as it is.
  Shape valid(Shape shape);

  std::vector<Polygon> toPolygons(const GEOSGeometry* shape) const;
  std::vector<Polyline> toLines(const GEOSGeometry* shape) const;

 private:
  static void remember(const char* message, void* self);
  Shape ring(const Ring& ring);
  std::vector<Point> points(const GEOSGeometry* line) const;
  Polygon toPolygon(const GEOSGeometry* shape) const;

  GEOSContextHandle_t context_;
  std::string error_;
};

}  // namespace throng::geometry
