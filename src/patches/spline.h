// Uniform quadratic B-splines in time: between two knots a parabola, position and velocity continuous. Velocity is
// linear between knots, so the fastest moment is at a knot and the slowest is where a segment is nearest to the origin:
// both are known exactly, without samples.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "throng/patches.h"

namespace throng::patches {

/// Weights of three control points at a share u of the stretch.
inline std::array<double, 3> weights(double u) {
  const double v = 1 - u;
  return {0.5 * v * v, 0.5 + u * v, 0.5 * u * u};
}

inline std::size_t stretches(const PatchWalk& walk) { return walk.control.size() - 2; }

/// The stretch that holds a time, and the share of it; times outside are on the first or last stretch, whose parabola
/// goes on.
struct Place {
  std::size_t stretch = 0;
  double u = 0;
};
inline Place placeAt(double first, double step, std::size_t count, double time) {
  const double s = (time - first) / step;
  const double k = std::clamp(std::floor(s), 0.0, static_cast<double>(count - 1));
  return {static_cast<std::size_t>(k), s - k};
}

/// A parabola by its Bézier points.
struct Parabola {
  Point a, b, c;

  Point at(double u) const {
    const double v = 1 - u;
    return a * (v * v) + b * (2 * u * v) + c * (u * u);
  }
  /// The part from u to w.
  Parabola part(double u, double w) const {
    const Point p = at(u), q = at(w);
    // The blossom at (u, w).
    const Point m = a * ((1 - u) * (1 - w)) + b * (u * (1 - w) + w * (1 - u)) + c * (u * w);
    return {p, m, q};
  }
  friend Parabola operator-(const Parabola& p, const Parabola& q) { return {p.a - q.a, p.b - q.b, p.c - q.c}; }
};

/// The parabola of three successive control points.
inline Parabola parabola(Point p, Point q, Point r) { return {(p + q) * 0.5, q, (q + r) * 0.5}; }

/// The point of the segment a b that is nearest to the origin, and how far that is.
inline Point nearestPointToOrigin(Point a, Point b) {
  const Point d = b - a;
  const double l = lengthSquared(d);
  const double s = l > 0 ? std::clamp(-dot(a, d) / l, 0.0, 1.0) : 0.0;
  return a + d * s;
}
inline double nearestToOrigin(Point a, Point b) { return length(nearestPointToOrigin(a, b)); }

}  // namespace throng::patches
