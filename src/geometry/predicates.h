// Which side, and do they cross: exact for the 32- and 64-bit coordinates they are given.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "throng/shapes.h"

namespace throng::geometry {

/// +1 when c lies to the left of a→b, -1 to the right, 0 on the line; never wrong.
int orientation(Point a, Point b, Point c);
/// True when the closed segments share a point; never wrong.
bool segmentsIntersect(Point a, Point b, Point c, Point d);
/// The point of segment ab nearest to p.
inline Point nearestOnSegment(Point p, Point a, Point b) {
  const Point ab = b - a;
  const double squared = lengthSquared(ab);
  if (!(squared > 0)) return a;
  const double t = dot(p - a, ab) / squared;
  if (t <= 0) return a;
  if (t >= 1) return b;
  return a + ab * t;
}
inline double distanceToSegment(Point p, Point a, Point b) { return length(p - nearestOnSegment(p, a, b)); }
/// The least distance from an end of one segment to the other: how far apart they are unless they cross.
double distanceOfEnds(const Segment& s, const Segment& t);
/// 0 when they share a point.
double distanceBetween(const Segment& s, const Segment& t);

/// What an edge of a polygon is to the ray from a place towards +x; never wrong. The lower end of an edge belongs to
/// it and the upper one does not, so that a ray through a corner crosses the border once or twice as it should. A place
/// is inside where its ray crosses an odd number of edges, or on the border.
enum class RayHit : unsigned char { kMisses, kCrosses, kBorder };
inline RayHit rayHit(Point a, Point b, Point p) {
  if (p.y < std::min(a.y, b.y) || p.y > std::max(a.y, b.y) || p.x > std::max(a.x, b.x)) return RayHit::kMisses;
  const bool spans = (a.y > p.y) != (b.y > p.y);
  if (p.x < std::min(a.x, b.x)) return spans ? RayHit::kCrosses : RayHit::kMisses;
  const int side = orientation(a, b, p);
  if (side == 0) return RayHit::kBorder;
  return spans && (side > 0) == (b.y > a.y) ? RayHit::kCrosses : RayHit::kMisses;
}

/// Even-odd rule; the border counts as inside.
bool contains(const Ring& ring, Point p);
/// In the outer ring and in no hole.
bool contains(const Polygon& polygon, Point p);
bool contains(const std::vector<Polygon>& polygons, Point p);
/// The same without the border.
bool strictlyContains(const Polygon& polygon, Point p);
/// Signed area of a ring, positive when counter-clockwise.
double signedArea(const Ring& ring);
double area(const std::vector<Polygon>& polygons);
/// Smallest rectangle; nothing for an empty list.
std::optional<Rectangle> bounds(const std::vector<Polygon>& polygons);

}  // namespace throng::geometry
