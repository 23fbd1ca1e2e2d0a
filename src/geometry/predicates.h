// Which side, and do they cross: exact for the 32- and 64-bit coordinates they are given.
#pragma once

#include <optional>
#include <vector>

#include "throng/shapes.h"

namespace throng::geometry {

/// +1 when c lies to the left of a→b, -1 to the right, 0 on the line; never wrong.
int orientation(Point a, Point b, Point c);
/// True when the closed segments share a point; never wrong.
bool segmentsIntersect(Point a, Point b, Point c, Point d);
/// The point of segment ab nearest to p.
Point nearestOnSegment(Point p, Point a, Point b);
double distanceToSegment(Point p, Point a, Point b);
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
