// One arc of the medial axis, as searching and corridors need it: the order of places on it, lengths, where it is
// narrow. Only + - * / and sqrt.
#pragma once

#include <cstdint>

#include "corridors/corridor_map.h"

namespace throng::planning {

/// Grows strictly along the arc of a half-edge, from its origin on: along the wall for a parabola (along its chord the
/// order of places is not kept when it is bent a lot), else along the chord.
class ArcOrder {
 public:
  ArcOrder(const corridors::CorridorMap& map, std::uint32_t h);
  double operator()(Point place) const { return dot(place - origin_, direction_); }

 private:
  Point origin_, direction_;
};

/// m along the arc between two places on it.
double arcLength(const corridors::CorridorMap& map, std::uint32_t h, Point from, Point to);

/// m on the axis from the start of the chain to a place on the arc of the half-edge.
double alongChain(const corridors::CorridorMap& map, std::uint32_t h, Point place);

/// Where the clearance becomes `radius` when one goes along the arc of h from `from` (clearance d >= radius) into the
/// direction in which it falls below. There must be such a place.
Point whereClearanceIs(const corridors::CorridorMap& map, std::uint32_t h, Point from, double radius);

/// An arc around a corner: its places by their direction from the corner. What is on its other side is another corner
/// or the line of a wall.
class ArcAround {
 public:
  ArcAround() = default;
  ArcAround(Point corner, Point other_corner)
      : corner_(corner), across_(other_corner - corner), squared_(lengthSquared(across_)) {}
  /// `normal` of length 1, away from the wall; `foot` anywhere on the wall's line.
  ArcAround(Point corner, Point foot, Point normal)
      : corner_(corner), across_(normal), squared_(dot(corner - foot, normal)), wall_(true) {}

  Point corner() const { return corner_; }
  /// How far the arc is from the corner (and from what is on the other side) in a direction of length 1; 0: it is not
  /// there.
  double distance(Point direction) const {
    const double along = dot(direction, across_);
    const double share = wall_ ? 1 - along : 2 * along;
    return share > 1e-12 ? squared_ / share : 0.0;
  }
  /// The nearest point on the other side of a place of the arc at that distance.
  Point opposite(Point place, double distance) const { return wall_ ? place - across_ * distance : corner_ + across_; }

 private:
  Point corner_, across_;
  double squared_ = 0;  ///< of `across_`, or how far the corner is from the wall
  bool wall_ = false;
};

}  // namespace throng::planning
