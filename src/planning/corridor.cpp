#include "planning/corridor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planning/arc.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;
using corridors::MapHalfEdge;
using corridors::Retraction;
using corridors::Site;

// Around a corner the portals' ends are corners of a polygon, which turns by at most this much from one to the next
// (cosines of 0.25, 0.125 and 0.1 rad). All ends keep a little more than what is to be kept, so that the polygon lies
// outside of the circle around the corner. Where there is no room for that the polygon is inside and its steps are
// smaller; and so they are where the route begins and ends, since it may do so on the circle itself.
constexpr double kCosStep = 0.96891242171064478;
constexpr double kCosPartialStep = 0.99219766722932901;
constexpr double kCosTightStep = 0.99500416527802577;
constexpr double kRoom = 1 / kCosPartialStep;  // half a step of the longest kind
constexpr double kTight = 1.01;

/// A place on the axis with the nearest points of the obstacles on both sides.
struct Station {
  Point at, left, right;
  double clearance = 0;
};

class Corridor {
 public:
  Corridor(const CorridorMap& map, const CorridorUse& use, std::vector<Portal>& portals)
      : map_(map), use_(use), portals_(portals) {}

  /// From one place on the arc to another, in the direction of h. `partial`: the arc that the route begins or ends in.
  void follow(std::uint32_t h, const Station& from, const Station& to, bool partial) {
    partial_ = partial, edge_ = h;
    const Site left = map_.edge(h).site, right = map_.edge(CorridorMap::twin(h)).site;
    if (!left.isCorner() && !right.isCorner()) {
      if (std::isfinite(use_.step))
        goAlong(h, from, to);
      else if (use_.one_side && partial)
        changeSides(h, from, to);
      return;
    }
    if (!(from.clearance > 0) || !(to.clearance > 0)) return;
    turns_left_ = left.isCorner();
    const Point corner = turns_left_ ? from.left : from.right, opposite = turns_left_ ? from.right : from.left;
    arc_ = left.isCorner() && right.isCorner() ? ArcAround(corner, opposite)
                                               : ArcAround(corner, opposite, (from.at - opposite) / from.clearance);
    const Point w0 = (from.at - corner) / from.clearance, w1 = (to.at - corner) / to.clearance;
    // Where the passage is narrowest there is a portal, lest the two sides of the corridor overlap.
    if (map_.edge(h).least_clearance < use_.clearance * kTight) {
      const Point narrow = map_.narrowest(h);
      const ArcOrder order(map_, h);
      if (order(narrow) > order(from.at) + kApart && order(narrow) < order(to.at) - kApart) {
        const double d = length(narrow - corner);
        const Point w = (narrow - corner) / d;
        turn(w0, from.clearance, w, d);
        put(stationAt(w, d));
        turn(w, d, w1, to.clearance);
        return;
      }
    }
    turn(w0, from.clearance, w1, to.clearance);
  }

  /// Between two walls no portal is needed for keeping clear of them. Who begins or ends there gets one as far from
  /// there as the corridor is wide, at most at half of the way.
  void changeSides(std::uint32_t h, const Station& from, const Station& to) {
    const Point way = to.at - from.at;
    const double whole = length(way);
    if (!(whole > 0)) return;
    for (const bool near_start : {true, false}) {
      const Station& near = near_start ? from : to;
      const double share = std::min(0.5, 2 * near.clearance / whole);
      putBetweenWalls(h, from.at + way * (near_start ? share : 1 - share));
    }
  }
  void goAlong(std::uint32_t h, const Station& from, const Station& to) {
    const Point way = to.at - from.at;
    const double pieces = std::ceil(length(way) / use_.step);
    for (double i = 1; i < pieces; ++i) putBetweenWalls(h, from.at + way * (i / pieces));
  }
  void putBetweenWalls(std::uint32_t h, Point at) {
    const Point left = map_.nearestOn(map_.edge(h).site, at);
    put({at, left, map_.nearestOn(map_.edge(CorridorMap::twin(h)).site, at), length(at - left)});
  }

  /// At a junction another street begins on one side: its mouth lies between two obstacles that are equally far. A line
  /// between two places of the circle around the junction keeps from both what portals keep.
  void passMouth(const Station& before, const Station& after) {
    const double wide = std::max(length(after.left - before.left), length(after.right - before.right));
    if (!(wide > use_.step) || !(before.clearance > 0)) return;
    const double pieces = std::ceil(wide / use_.step);
    for (double i = 1; i < pieces; ++i) {
      const double share = i / pieces;
      put({before.at, before.left + (after.left - before.left) * share,
           before.right + (after.right - before.right) * share, before.clearance});
    }
  }

  void put(const Station& s) {
    if (!(s.clearance > 0)) {
      portals_.push_back({s.at, s.at, s.at, false, edge_});
      return;
    }
    const double share = kept(s.clearance) / s.clearance;
    if (share < 1)
      portals_.push_back({s.left + (s.at - s.left) * share, s.right + (s.at - s.right) * share, s.at, false, edge_});
    else
      portals_.push_back({s.at, s.at, s.at, false, edge_});
  }

  /// Somebody who does not stand on the axis, and has a corner on the other side of it, sees that corner from another
  /// direction than the axis does. Adds portals that end on the circle around the corner, for the directions in
  /// between, where a string from `place` to `next` (the end of the nearest portal on that side) would touch it; in the
  /// order from the retraction outward. `outward` leads away from the rest of the route; `other` is where the portals'
  /// other ends are.
  void fan(Point place, const Retraction& retraction, std::uint32_t outward, bool left, Point other, Point next) {
    const bool clockwise = retraction.edge == outward;  // outward is so around a corner on the right
    std::uint32_t side = clockwise ? CorridorMap::twin(outward) : outward;
    const Site site = map_.edge(side).site;
    if (!site.isCorner() || !(retraction.clearance > 0)) return;
    const double sign = clockwise ? -1 : 1;
    const Point corner = map_.corners()[site.index()].at;
    partial_ = true, turns_left_ = !clockwise;
    const Point to_place = normalized(place - corner);
    Point w = (retraction.at - corner) / retraction.clearance;
    double d = retraction.clearance;
    if (!(sign * det(w, to_place) > 1e-9)) return;
    const std::size_t before = portals_.size();
    fan_ = {other, left};
    arc_ = ArcAround(corner, corner);
    fanEnd(w, d);
    while (map_.edge(side).site == site) {
      arc_ = arcAround(corner, side);
      const auto& vertex = clockwise ? map_.origin(side) : map_.target(side);
      if (!(vertex.clearance > 0)) break;
      const Point w_end = (vertex.at - corner) / vertex.clearance;
      const bool beyond = sign * det(w_end, to_place) <= 0;
      const double d_end = beyond ? arc_.distance(to_place) : vertex.clearance;
      if (!(d_end > 0)) break;
      fanTurn(w, d, beyond ? to_place : w_end, d_end);
      fanEnd(beyond ? to_place : w_end, d_end);
      if (beyond) break;
      w = w_end, d = d_end;
      side = clockwise ? map_.edge(side).previous : map_.edge(side).next;
    }
    tighten(before, place, next, -sign);
  }

 private:
  static constexpr double kApart = 1e-6;  // m

  ArcAround arcAround(Point corner, std::uint32_t h) const {
    const std::uint32_t twin = CorridorMap::twin(h);
    const Site other = map_.edge(twin).site;
    if (other.isCorner()) return {corner, map_.corners()[other.index()].at};
    const Point foot = map_.edge(twin).foot;  // of h's target
    return {corner, foot, normalized(map_.target(h).at - foot)};
  }

  bool tight(double d) const { return d < use_.keptAt(d) * kTight; }

  double kept(double d) const { return std::min(d, use_.keptAt(d) * kRoom); }

  Station stationAt(Point w, double d) const {
    const Point at = arc_.corner() + w * d;
    const Point opposite = arc_.opposite(at, d);
    return turns_left_ ? Station{at, arc_.corner(), opposite, d} : Station{at, opposite, arc_.corner(), d};
  }

  bool smallEnough(double cosine, double d0, double d1) const {
    if (d0 * d0 + d1 * d1 - 2 * cosine * d0 * d1 > use_.step * use_.step) return false;
    if (tight(d0) || tight(d1)) return cosine >= kCosTightStep;
    return cosine >= (partial_ ? kCosPartialStep : kCosStep);
  }
  /// Goes in small steps from one direction from the corner to another, at distances d0 and d1, both without.
  template <class Step>
  void sweep(Point w0, double d0, Point w1, double d1, const Step& step) {
    if (smallEnough(dot(w0, w1), d0, d1)) return;
    Point w;
    double d = 0;
    if (!between(w0, w1, w, d)) return;
    sweep(w0, d0, w, d, step);
    step(w, d);
    sweep(w, d, w1, d1, step);
  }
  void turn(Point w0, double d0, Point w1, double d1) {
    sweep(w0, d0, w1, d1, [&](Point w, double d) { put(stationAt(w, d)); });
  }

  bool between(Point w0, Point w1, Point& w, double& d) const {
    // The half of the angle from w0 to w1, which may be a straight one (at the end of a wall without thickness).
    const Point across = turns_left_ ? perpendicular(w0 - w1) : perpendicular(w1 - w0);
    const double l = length(across);
    if (!(l > 1e-6)) return false;
    w = across / l;
    d = arc_.distance(w);
    return d > 0;
  }

  void fanEnd(Point w, double d) {
    const Point end = arc_.corner() + w * kept(d);
    portals_.push_back(fan_.left ? Portal{fan_.other, end, fan_.other, true, edge_}
                                 : Portal{end, fan_.other, fan_.other, true, edge_});
  }
  void fanTurn(Point w0, double d0, Point w1, double d1) {
    sweep(w0, d0, w1, d1, [&](Point w, double d) { fanEnd(w, d); });
  }

  /// Keeps those ends of the fan that a string from the place over them to the next portal touches: where it turns to
  /// the side of the corner.
  void tighten(std::size_t begin, Point place, Point next, double sign) {
    const auto end = [&](std::size_t i) { return fan_.left ? portals_[i].right : portals_[i].left; };
    std::reverse(portals_.begin() + static_cast<std::ptrdiff_t>(begin), portals_.end());
    std::size_t top = begin;
    const auto slacken = [&](Point p) {
      while (top > begin) {
        const Point last = end(top - 1), from = top - 1 > begin ? end(top - 2) : place;
        if (sign * det(last - from, p - last) > 0) return;
        --top;
      }
    };
    for (std::size_t i = begin; i < portals_.size(); ++i) {
      slacken(end(i));
      portals_[top++] = portals_[i];
    }
    slacken(next);
    portals_.resize(top);
    std::reverse(portals_.begin() + static_cast<std::ptrdiff_t>(begin), portals_.end());
  }

  const CorridorMap& map_;
  const CorridorUse& use_;
  std::vector<Portal>& portals_;
  // the arc at hand
  ArcAround arc_;
  bool turns_left_ = false, partial_ = false;
  std::uint32_t edge_ = corridors::kNone;
  struct {
    Point other;
    bool left = false;  ///< the place, and with it the other ends
  } fan_;
};

Station stationAtRetraction(const CorridorMap& map, std::uint32_t h, const Retraction& retraction) {
  return {retraction.at, map.nearestOn(map.edge(h).site, retraction.at),
          map.nearestOn(map.edge(CorridorMap::twin(h)).site, retraction.at), retraction.clearance};
}

/// A portal is straight, the lines from the axis to the obstacles are not: with the portal they make a triangle.
/// Somebody in there is beyond the portal although before the lines (or the other way round).
bool inTriangle(const Portal& portal, Point place) {
  const double a = det(portal.right - portal.left, place - portal.left);
  const double b = det(portal.axis - portal.right, place - portal.right);
  const double c = det(portal.left - portal.axis, place - portal.axis);
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

/// Is the axis beyond the portal?
bool bulgesAhead(const Portal& portal) { return det(portal.right - portal.left, portal.axis - portal.left) > 0; }

bool within(const Portal& portal, Point place) {
  return lengthSquared(place - portal.axis) <=
         std::max(lengthSquared(portal.left - portal.axis), lengthSquared(portal.right - portal.axis));
}

struct Dropped {
  bool at_start, at_goal;
};

/// Takes away the portals at the beginning that the start is beyond, and those at the end that the goal is before.
Dropped dropPassed(Point start, Point goal, std::vector<Portal>& portals) {
  std::size_t begin = 0, end = portals.size();
  for (std::size_t i = 0; i < portals.size() && within(portals[i], start); ++i)
    if (bulgesAhead(portals[i]) && inTriangle(portals[i], start)) begin = i + 1;
  for (std::size_t i = portals.size(); i > begin && within(portals[i - 1], goal); --i)
    if (!bulgesAhead(portals[i - 1]) && inTriangle(portals[i - 1], goal)) end = i - 1;
  const Dropped dropped{begin > 0, end < portals.size()};
  if (!dropped.at_start && !dropped.at_goal) return dropped;
  std::copy(portals.begin() + static_cast<std::ptrdiff_t>(begin), portals.begin() + static_cast<std::ptrdiff_t>(end),
            portals.begin());
  portals.resize(end - begin);
  return dropped;
}

/// Somebody who is nearer to an obstacle than the portals are may be beyond the lines of some, although beside their
/// ends. Those portals are made longer, up to one distance from the obstacle: less than where that person would be on
/// their lines, more than where that person is.
class LongerPortals {
 public:
  LongerPortals(const CorridorMap& map, Site site, Point place, bool on_left, bool at_start)
      : map_(map), site_(site), place_(place), on_left_(on_left), ahead_(at_start ? 1 : -1) {}

  /// False when there is nothing to do for this portal, nor for those behind it.
  bool look(const Portal& portal) {
    if (!(ahead_ * det(portal.right - portal.left, place_ - portal.left) > 0)) return false;
    if (clearance_ < 0) clearance_ = map_.distanceTo(site_, place_);
    const Point end = on_left_ ? portal.left : portal.right, other = on_left_ ? portal.right : portal.left;
    const Point foot = map_.nearestOn(site_, portal.axis), spoke = portal.axis - foot;
    const double d = length(spoke), reach = length(end - foot);
    if (clearance_ >= reach || lengthSquared(foot + spoke * (reach / d) - end) > 1e-12)
      return false;  // another obstacle
    const double slope = det(spoke, place_ - other);
    const double on_line = slope != 0 ? det(other - foot, place_ - other) / slope * d : clearance_;
    kept_ = std::min(kept_, 0.5 * (clearance_ + std::clamp(on_line, clearance_, reach)));
    return true;
  }
  void lengthen(Portal& portal) const {
    const Point foot = map_.nearestOn(site_, portal.axis), spoke = portal.axis - foot;
    (on_left_ ? portal.left : portal.right) = foot + spoke * (kept_ / length(spoke));
  }

 private:
  const CorridorMap& map_;
  const Site site_;
  const Point place_;
  const bool on_left_;
  const double ahead_;
  double clearance_ = -1;  ///< of the place; measured when it matters
  double kept_ = std::numeric_limits<double>::infinity();
};

/// Portals that were made longer, and those behind them, may get in the way of others: no end may lie behind the portal
/// before. From the one at `begin` on, at least to `end`.
void straighten(std::size_t begin, std::size_t end, std::vector<Portal>& portals) {
  bool changed = true;
  for (std::size_t i = std::max<std::size_t>(begin, 1); i < portals.size() && (changed || i < end); ++i) {
    const Portal& before = portals[i - 1];
    const Point across = before.right - before.left;
    const bool left = det(across, portals[i].left - before.left) < 0;
    const bool right = det(across, portals[i].right - before.left) < 0;
    if (left) portals[i].left = before.left;
    if (right) portals[i].right = before.right;
    changed = left || right;
  }
}

void lengthenForStart(const CorridorMap& map, const Retraction& retraction, Point start, bool left,
                      std::vector<Portal>& portals) {
  LongerPortals longer(map, map.edge(retraction.edge).site, start, left, true);
  std::size_t end = 0;
  while (end < portals.size() && longer.look(portals[end])) ++end;
  for (std::size_t i = 0; i < end; ++i) longer.lengthen(portals[i]);
  if (end > 0) straighten(1, end + 1, portals);
}

void lengthenForGoal(const CorridorMap& map, const Retraction& retraction, Point goal, bool left,
                     std::vector<Portal>& portals) {
  LongerPortals longer(map, map.edge(retraction.edge).site, goal, left, false);
  std::size_t begin = portals.size();
  while (begin > 0 && longer.look(portals[begin - 1])) --begin;
  for (std::size_t i = begin; i < portals.size(); ++i) longer.lengthen(portals[i]);
  if (begin < portals.size()) straighten(begin, portals.size(), portals);
}

}  // namespace

void findPortals(const CorridorMap& map, const MedialPath& path, Point start, Point goal, const CorridorUse& use,
                 std::vector<Portal>& portals) {
  portals.clear();
  const std::size_t n = path.edges.size();
  if (n == 0) return;
  Corridor corridor(map, use, portals);
  const std::uint32_t first = path.edges.front(), last = path.edges.back();
  Station from = stationAtRetraction(map, first, path.from);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const std::uint32_t h = path.edges[i], t = CorridorMap::twin(h), g = path.edges[i + 1];
    const MapHalfEdge &edge = map.edge(h), &back = map.edge(t);
    const auto& vertex = map.vertex(back.origin);
    const Station to{vertex.at, map.edge(edge.next).foot, back.foot, vertex.clearance};
    corridor.follow(h, from, to, i == 0);
    corridor.put(to);
    from = {vertex.at, map.edge(g).foot, map.footEnd(CorridorMap::twin(g)), vertex.clearance};
    // Where another part of the axis begins on one side, that side's nearest obstacle is another one from here on.
    if (from.left == to.left && from.right == to.right) continue;
    corridor.passMouth(to, from);
    corridor.put(from);
  }
  corridor.follow(last, from, stationAtRetraction(map, last, path.to), true);
  if (portals.empty()) return;
  const bool start_left = path.from.edge == first, goal_left = path.to.edge == last;
  lengthenForStart(map, path.from, start, start_left, portals);
  lengthenForGoal(map, path.to, goal, goal_left, portals);
  const Dropped dropped = dropPassed(start, goal, portals);
  if (portals.empty()) return;
  const Portal next = portals.front(), before = portals.back();
  if (!dropped.at_goal)
    corridor.fan(goal, path.to, last, goal_left, goal_left ? before.left : before.right,
                 goal_left ? before.right : before.left);
  const std::size_t count = portals.size();
  if (!dropped.at_start)
    corridor.fan(start, path.from, CorridorMap::twin(first), start_left, start, start_left ? next.right : next.left);
  if (portals.size() == count) return;
  std::reverse(portals.begin() + static_cast<std::ptrdiff_t>(count), portals.end());
  std::rotate(portals.begin(), portals.begin() + static_cast<std::ptrdiff_t>(count), portals.end());
}

}  // namespace throng::planning
