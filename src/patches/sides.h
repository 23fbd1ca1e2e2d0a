// Sides of a patch, and how the points of their patterns are crossed.
#pragma once

#include <cstddef>
#include <optional>

#include "throng/patches.h"

namespace throng::patches {

/// A side: from a corner along `tangent`; `inward` points into the patch.
struct Side {
  Point corner, tangent, inward;
  double length = 0;

  /// m inside the line through the side; negative outside.
  double depth(Point p) const { return dot(p - corner, inward); }
};
Side sideOf(const PatchDefinition& patch, std::size_t side);
/// m from the side itself, which ends at its corners.
double distanceToSide(const PatchDefinition& patch, std::size_t side, const Segment& path);

/// Where and how fast one is at the moment of crossing, in the patch's coordinates.
struct Crossing {
  Point position, velocity;
  double time = 0;  ///< s
  /// s that the body sticks out over the border, before and after that moment; then it goes straight on, so that both
  /// patches know where it is without asking each other.
  double gate = 0;

  Point at(double t) const { return position + velocity * (t - time); }
};
Crossing inputOf(const PatchDefinition& patch, PatchEnd end);
Crossing outputOf(const PatchDefinition& patch, PatchEnd end);
/// One of a side by itself; `out`: leaves.
Crossing crossingOf(const Side& side, const PatchPoint& point, bool out);

/// s before and after a moment.
struct Around {
  double before = 0, after = 0;
};
/// The vector from `b` to `a` (m) when the two, who go straight on from their crossings, are nearest to each other,
/// over the times when both are so near to them in time; nothing when there is no such time. Times repeat after
/// `period`.
std::optional<Point> nearestApart(const Crossing& a, Around time_a, const Crossing& b, Around time_b, double period);
/// The least distance (m) of two who go straight on from their crossings, over the times when both are within `time_a`
/// and `time_b` s of them; infinity when there is no such time. Times repeat after `period`.
double leastDistance(const Crossing& a, double time_a, const Crossing& b, double time_b, double period);

}  // namespace throng::patches
