// Whether two bodies, or a body and an object, touch at any instant: proven from the parabolas, not from samples.
#pragma once

#include <optional>
#include <vector>

#include "patches/spline.h"

namespace throng::patches {

/// m from a point to a convex polygon; 0 inside.
double distance(Point p, const Ring& convex);

/// Somebody over a stretch of time: parabolas one after the other.
struct Motion {
  struct Piece {
    double begin = 0, end = 0;  ///< s
    Parabola curve;
  };
  std::vector<Piece> pieces;
  double least_x = 0, most_x = 0, least_y = 0, most_y = 0;  ///< m, a box around all of it

  double begin() const { return pieces.front().begin; }
  double end() const { return pieces.back().end; }
};
/// All of a walk from `begin` to `end` s.
Motion motionOf(const PatchWalk& walk, double begin, double end);
/// A resident from 0 to `until` s.
Motion motionOf(const PatchResident& resident, double period, double until);

struct Contact {
  double time = 0;      ///< s, of the first motion
  double distance = 0;  ///< m, at that time
  Point at;             ///< of the first
};

/// The first instant found at which `a` and `b`, the latter `shift` s later, are nearer than `limit`. Nothing means: at
/// no instant, up to rounding.
std::optional<Contact> findContact(const Motion& a, const Motion& b, double shift, double limit);
std::optional<Contact> findContact(const Motion& a, const Ring& convex, double limit);
/// The same by looking at `samples` instants: the slow twin, which can miss but never invent.
std::optional<Contact> sampleContact(const Motion& a, const Motion& b, double shift, double limit, int samples);

/// The least depth (m) of a motion behind the line through `corner` with normal `inward`, between two times.
double leastDepth(const Motion& motion, Point corner, Point inward, double begin, double end);

}  // namespace throng::patches
