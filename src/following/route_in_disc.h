// How far somebody's route lies in the free disc around them: what the indicative route method asks for at every step.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/narrowing.h"
#include "corridors/route_store.h"
#include "geometry/predicates.h"

namespace throng::following {

/// What is left of somebody's route: from the attraction point of now over the way-points to come.
struct Rest {
  const corridors::RouteStore& routes;
  bool one_layer;              ///< there is no other: nothing to compare
  std::uint32_t start, count;  ///< way-points to come; the last is the end
  Point from;                  ///< attraction point

  Point wayPoint(std::uint32_t i) const { return wide(routes.at(start + i)); }
  /// Does the leg to way-point i lie on that layer? Its end also lies on the next leg's.
  bool on(std::uint32_t i, std::uint16_t layer, bool at_end) const {
    if (one_layer) return true;
    const auto is = [&](std::uint32_t k) {
      const std::uint16_t of_leg = routes.layer(start + k);
      return of_leg == layer || of_leg == corridors::kAnyLayer;
    };
    return is(i) || (at_end && i + 1 < count && is(i + 1));
  }
};

/// A point of the rest of a route, and how many way-points lie before it.
struct OnRoute {
  Point at;
  std::uint32_t passed = 0;
};

struct Disc {
  Point centre;
  double radius = 0;

  bool contains(Point p) const { return lengthSquared(p - centre) <= radius * radius; }
  /// The last point of a→b in the disc, as a share of the way; negative when there is none.
  double lastShare(Point a, Point b) const {
    if (contains(b)) return 1;
    const Point way = b - a, to_a = a - centre;
    const double squared = lengthSquared(way), half = dot(way, to_a);
    const double root = half * half - squared * (lengthSquared(to_a) - radius * radius);
    if (!(squared > 0) || root < 0) return -1;
    const double share = (std::sqrt(root) - half) / squared;
    return share >= 0 && share <= 1 ? share : -1;
  }
};

/// The last point of the route in the disc. A part that comes back to the disc counts when it is no longer than the
/// disc is wide; after that it is a place the route passes twice, and what lies between is not left out. Routes lead
/// over and under one another: `layer_at(p)` is the layer of a place in the disc, and what the route does on other
/// layers there is not in the disc, however near it is in plan.
template <class LayerAt>
bool lastInDisc(const Rest& rest, const Disc& disc, const LayerAt& layer_at, OnRoute& found) {
  bool any = false;
  bool whole = false;  // the last leg lies in the disc up to its end, and so the next one begins in it
  Point a = rest.from;
  double outside = 0;  // m of the route since it was last in the disc
  for (std::uint32_t i = 0; i < rest.count && outside <= 2 * disc.radius; ++i) {
    const Point b = rest.wayPoint(i);
    const double share = disc.lastShare(a, b);
    const Point last = share == 1 ? b : a + (b - a) * share;
    whole = share >= 0 && (whole || rest.on(i, layer_at(last), share == 1));
    if (whole) {
      found = {last, i};
      any = true;
      whole = share == 1;
      outside = whole ? 0 : length(b - a) * (1 - share);
    } else {
      outside += length(b - a);
    }
    a = b;
  }
  return any;
}

/// lastInDisc() on maps of one floor, for most people without roots: beyond a place that lies on the disc's border or
/// outside, the route stays out of the disc for as long as no leg leads back against the way from the centre to there.
inline bool lastInDisc(const Rest& rest, const Disc& disc, OnRoute& found) {
  constexpr double kClearly = 1 + 1e-9;  // rounding decides nothing here
  const double squared = disc.radius * disc.radius;
  Point a = rest.from, b = a;
  std::uint32_t i = 0;
  for (; i < rest.count; ++i) {
    b = rest.wayPoint(i);
    if (!disc.contains(b)) break;
    a = b;
  }
  if (i == rest.count) {
    found = {b, i - 1};
    return true;
  }
  const double share = disc.lastShare(a, b);  // negative only if the route is not in the disc so far
  const OnRoute last{share < 0 ? a : a + (b - a) * share, i};
  const Point out = last.at - disc.centre;
  bool stays = dot((share < 0 ? a : b) - disc.centre, out) > kClearly * squared && dot(b - last.at, out) >= 0;
  for (++i; i < rest.count && stays && lengthSquared(b - last.at) <= 4 * squared; ++i) {
    const Point c = rest.wayPoint(i);
    stays = dot(c - b, out) >= 0;
    b = c;
  }
  if (!stays)
    return lastInDisc(
        rest, disc, [](Point) { return std::uint16_t{0}; }, found);
  if (share >= 0) found = last;
  return share >= 0;
}

}  // namespace throng::following
