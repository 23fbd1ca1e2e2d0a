#include "planning/arc.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;
using corridors::Site;

/// A wall's line seen from its free side: places are `foot` + x·along + y·normal, with the corner at x = 0.
struct ParabolaFrame {
  Point foot, along, normal;
  double focus = 0;  ///< m from the wall's line to the corner

  ParabolaFrame(const CorridorMap& map, Site wall, Site corner) {
    const Segment line = map.wallSegment(wall.index());
    along = normalized(line.b - line.a);
    normal = wall.leftSide() ? perpendicular(along) : -perpendicular(along);
    const Point at = map.corners()[corner.index()].at;
    foot = line.a + along * dot(at - line.a, along);
    focus = dot(at - foot, normal);
  }
  double x(Point place) const { return dot(place - foot, along); }
};

/// x + sqrt(q² + x²) for a root that is known, without cancellation.
double sumWithRoot(double x, double q, double root) { return x >= 0 ? x + root : q * q / (root - x); }

/// m along y = x² / 2q between two places: the integral of sqrt(1 + (x/q)²).
double parabolaLength(double from, double to, double q) {
  const double root_from = std::sqrt(q * q + from * from), root_to = std::sqrt(q * q + to * to);
  const double ratio = sumWithRoot(to, q, root_to) / sumWithRoot(from, q, root_from);
  return 0.5 * ((to * root_to - from * root_from) / q + q * base::logarithm(ratio));
}

bool isParabola(Site left, Site right) { return left.isCorner() != right.isCorner(); }

}  // namespace

ArcOrder::ArcOrder(const CorridorMap& map, std::uint32_t h) : origin_(map.origin(h).at) {
  const Site left = map.edge(h).site, right = map.edge(CorridorMap::twin(h)).site;
  direction_ = map.target(h).at - origin_;
  if (!isParabola(left, right)) {
    direction_ = normalized(direction_);
    return;
  }
  const Segment wall = map.wallSegment((left.isCorner() ? right : left).index());
  const Point along = normalized(wall.b - wall.a);
  direction_ = dot(along, direction_) < 0 ? -along : along;
}

double arcLength(const CorridorMap& map, std::uint32_t h, Point from, Point to) {
  const Site left = map.edge(h).site, right = map.edge(CorridorMap::twin(h)).site;
  const double chord = length(to - from);
  if (!isParabola(left, right)) return chord;
  const ParabolaFrame frame(map, left.isCorner() ? right : left, left.isCorner() ? left : right);
  // A corner next to the wall's line: so sharp a bend that the numbers of the closed form are lost.
  if (!(frame.focus > 1e-6 * (1 + chord))) return chord;
  const double bent = std::fabs(parabolaLength(frame.x(from), frame.x(to), frame.focus));
  return bent < chord ? chord : bent;
}

double alongChain(const CorridorMap& map, std::uint32_t h, Point place) {
  const double at_origin = map.edge(h).along, at_target = map.edge(CorridorMap::twin(h)).along;
  const double before = arcLength(map, h, map.origin(h).at, place);
  return at_origin <= at_target ? std::min(at_origin + before, at_target) : std::max(at_origin - before, at_target);
}

Point whereClearanceIs(const CorridorMap& map, std::uint32_t h, Point from, double radius) {
  const Site left = map.edge(h).site, right = map.edge(CorridorMap::twin(h)).site;
  if (left.isCorner() && right.isCorner()) {
    const Point a = map.corners()[left.index()].at, b = map.corners()[right.index()].at;
    const Point middle = (a + b) * 0.5;
    const double squared = radius * radius - 0.25 * lengthSquared(b - a);
    return middle + normalized(from - middle) * (squared > 0 ? std::sqrt(squared) : 0.0);
  }
  if (isParabola(left, right)) {
    const ParabolaFrame frame(map, left.isCorner() ? right : left, left.isCorner() ? left : right);
    const double squared = 2 * frame.focus * radius - frame.focus * frame.focus;
    const double x = squared > 0 ? std::sqrt(squared) : 0.0;
    return frame.foot + frame.along * (frame.x(from) < 0 ? -x : x) + frame.normal * radius;
  }
  const double at_origin = map.origin(h).clearance, at_target = map.target(h).clearance;
  const double change = at_target - at_origin;
  if (change == 0) return from;
  double t = (radius - at_origin) / change;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return map.origin(h).at + (map.target(h).at - map.origin(h).at) * t;
}

}  // namespace throng::planning
