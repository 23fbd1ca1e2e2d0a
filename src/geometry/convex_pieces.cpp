#include "geometry/convex_pieces.h"

#include <algorithm>
#include <optional>

#include "geometry/geos.h"
#include "geometry/polygons.h"

namespace throng::geometry {
namespace {

/// m² of a corner's triangle below which it is straight.
constexpr double kStraight = 1e-12;

double areaOf(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) twice += det(ring[i] - ring[0], ring[(i + 1) % ring.size()] - ring[0]);
  return 0.5 * twice;
}

double turnAt(const Ring& ring, std::size_t i) {
  const std::size_t n = ring.size();
  return det(ring[i] - ring[(i + n - 1) % n], ring[(i + 1) % n] - ring[i]);
}

/// Without corners that are none.
Ring straightened(Ring ring) {
  for (std::size_t i = 0; i < ring.size() && ring.size() > 3;) {
    if (std::abs(turnAt(ring, i)) <= kStraight) {
      ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    } else {
      ++i;
    }
  }
  return ring;
}

bool isConvex(const Ring& ring) {
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (!(turnAt(ring, i) > kStraight)) return false;
  return ring.size() >= 3;
}

/// Both as one, when they share a side and turn left everywhere then.
std::optional<Ring> joined(const Ring& a, const Ring& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (!(a[i] == b[(j + 1) % b.size()] && a[(i + 1) % a.size()] == b[j])) continue;
      Ring both;
      for (std::size_t k = 1; k <= a.size(); ++k) both.push_back(a[(i + k) % a.size()]);
      for (std::size_t k = 2; k < b.size(); ++k) both.push_back(b[(j + k) % b.size()]);
      // Corners that have become straight stay until the end: others share them.
      for (std::size_t k = 0; k < both.size(); ++k)
        if (turnAt(both, k) < 0) return {};
      return both;
    }
  return {};
}

std::vector<Ring> trianglesOf(const std::vector<Polygon>& polygons) {
  Geos geos;
  const auto found = geos.own(GEOSConstrainedDelaunayTriangulation_r(geos.context(), geos.polygons(polygons).get()));
  if (!found) throw InputError("the geometry cannot be cut into triangles: " + geos.lastError());
  std::vector<Ring> triangles;
  for (Polygon& polygon : geos.toPolygons(found.get())) {
    if (areaOf(polygon.outer) < 0) std::reverse(polygon.outer.begin(), polygon.outer.end());
    triangles.push_back(std::move(polygon.outer));
  }
  return triangles;
}

}  // namespace

std::vector<Ring> convexPieces(const std::vector<Polygon>& polygons, double smallest) {
  std::vector<Ring> pieces;
  for (const Polygon& polygon : unionOf(polygons)) {
    if (polygon.holes.empty() && isConvex(straightened(polygon.outer))) {
      pieces.push_back(polygon.outer);
      continue;
    }
    std::vector<Ring> parts = trianglesOf({polygon});
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = i + 1; j < parts.size();) {
        if (auto both = joined(parts[i], parts[j])) {
          parts[i] = std::move(*both);
          parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
          j = i + 1;
        } else {
          ++j;
        }
      }
    for (Ring& part : parts) pieces.push_back(std::move(part));
  }
  for (Ring& piece : pieces) piece = straightened(std::move(piece));
  std::erase_if(pieces, [&](const Ring& piece) { return areaOf(piece) < smallest || !isConvex(piece); });
  return pieces;
}

}  // namespace throng::geometry
