// Rectangles around things.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "throng/shapes.h"

namespace throng::geometry {

/// Around nothing: becomes the box of whatever is included.
inline constexpr Rectangle kEmptyBox{
    {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()},
    {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}};

inline bool isEmpty(const Rectangle& box) { return !(box.min.x <= box.max.x); }

inline void include(Rectangle& box, Point p) {
  box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
  box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
}
inline void include(Rectangle& box, const Rectangle& other) {
  box.min = {std::min(box.min.x, other.min.x), std::min(box.min.y, other.min.y)};
  box.max = {std::max(box.max.x, other.max.x), std::max(box.max.y, other.max.y)};
}

/// kEmptyBox around no points.
inline Rectangle boxOf(std::span<const Point> points) {
  Rectangle box = kEmptyBox;
  for (const Point p : points) include(box, p);
  return box;
}
inline Rectangle boxOf(const Segment& s) {
  return {{std::min(s.a.x, s.b.x), std::min(s.a.y, s.b.y)}, {std::max(s.a.x, s.b.x), std::max(s.a.y, s.b.y)}};
}

/// By so much to every side.
inline Rectangle grown(const Rectangle& box, double by) {
  return {{box.min.x - by, box.min.y - by}, {box.max.x + by, box.max.y + by}};
}

/// The border counts as inside; what is not a number is nowhere.
inline bool boxContains(const Rectangle& box, Point p) {
  return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y;
}
/// True when they share a point, be it of their borders.
inline bool overlap(const Rectangle& a, const Rectangle& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

/// Counter-clockwise from the lower left.
inline Ring cornersOf(const Rectangle& box) {
  return {box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
}

}  // namespace throng::geometry
