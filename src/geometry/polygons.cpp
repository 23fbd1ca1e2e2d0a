#include "geometry/polygons.h"

#include <algorithm>

#include "geometry/geos.h"

namespace throng::geometry {
namespace {

[[noreturn]] void fail(const char* operation, const Geos& geos) {
  throw InputError(std::string("the geometry cannot be ") + operation + ": " + geos.lastError());
}

/// All of them as one valid shape.
Geos::Shape joined(Geos& geos, const std::vector<Polygon>& polygons) {
  std::vector<Polygon> valid;
  for (const auto& polygon : polygons) {
    for (auto& p : geos.toPolygons(geos.valid(geos.polygon(polygon)).get())) valid.push_back(std::move(p));
  }
  const Geos::Shape all = geos.polygons(valid);
  Geos::Shape result = geos.own(GEOSUnaryUnion_r(geos.context(), all.get()));
  if (!result) fail("merged", geos);
  return result;
}

}  // namespace

std::optional<ShapeError> validity(const Polygon& polygon) {
  Geos geos;
  if (polygon.outer.size() < 3) {
    const auto at = polygon.outer.empty() ? std::nullopt : std::optional(polygon.outer.front());
    return ShapeError{"Too few points in geometry component", at, {}};
  }
  const Geos::Shape shape = geos.polygon(polygon);
  if (!shape) return ShapeError{geos.lastError(), {}, {}};
  char* reason = nullptr;
  GEOSGeometry* place = nullptr;
  const char valid = GEOSisValidDetail_r(geos.context(), shape.get(), 0, &reason, &place);
  const Geos::Shape owned_place = geos.own(place);
  std::optional<ShapeError> error;
  if (valid != 1) {
    error = ShapeError{reason ? reason : geos.lastError(), {}, {}};
    Point at;
    if (place && GEOSGeomGetX_r(geos.context(), place, &at.x) && GEOSGeomGetY_r(geos.context(), place, &at.y)) {
      error->at = at;
    }
  }
  if (reason) GEOSFree_r(geos.context(), reason);
  return error;
}

std::vector<Polygon> repaired(const Polygon& polygon) {
  Geos geos;
  return geos.toPolygons(geos.valid(geos.polygon(polygon)).get());
}

std::vector<Polygon> unionOf(const std::vector<Polygon>& polygons) {
  Geos geos;
  return geos.toPolygons(joined(geos, polygons).get());
}

std::vector<Polygon> difference(const std::vector<Polygon>& from, const std::vector<Polygon>& take) {
  Geos geos;
  const auto a = joined(geos, from), b = joined(geos, take);
  const auto result = geos.own(GEOSDifference_r(geos.context(), a.get(), b.get()));
  if (!result) fail("cut", geos);
  return geos.toPolygons(result.get());
}

std::vector<Polygon> intersection(const std::vector<Polygon>& a, const std::vector<Polygon>& b) {
  Geos geos;
  const auto shape_a = joined(geos, a), shape_b = joined(geos, b);
  const auto result = geos.own(GEOSIntersection_r(geos.context(), shape_a.get(), shape_b.get()));
  if (!result) fail("intersected", geos);
  return geos.toPolygons(result.get());
}

std::vector<Polyline> difference(const std::vector<Polyline>& from, const std::vector<Polygon>& take) {
  Geos geos;
  const auto cutter = joined(geos, take);
  std::vector<Polyline> pieces;
  for (const auto& line : from) {
    const auto shape = geos.line(line);
    if (!shape) continue;
    // A line that is not cut stays as it is: GEOS would break it where it crosses itself.
    if (GEOSIntersects_r(geos.context(), shape.get(), cutter.get()) == 0) {
      pieces.push_back(line);
      continue;
    }
    const auto rest = geos.own(GEOSDifference_r(geos.context(), shape.get(), cutter.get()));
    if (!rest) fail("cut", geos);
    for (auto& piece : geos.toLines(rest.get())) pieces.push_back(std::move(piece));
  }
  return pieces;
}

bool intersects(const std::vector<Polygon>& a, const std::vector<Polygon>& b) {
  Geos geos;
  const auto shape_a = joined(geos, a), shape_b = joined(geos, b);
  return GEOSIntersects_r(geos.context(), shape_a.get(), shape_b.get()) == 1;
}

bool intersects(const std::vector<Polyline>& lines, const std::vector<Polygon>& polygons) {
  Geos geos;
  const auto area = joined(geos, polygons);
  return std::any_of(lines.begin(), lines.end(), [&](const Polyline& line) {
    const auto shape = geos.line(line);
    return shape && GEOSIntersects_r(geos.context(), shape.get(), area.get()) == 1;
  });
}

}  // namespace throng::geometry
