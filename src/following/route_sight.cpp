#include "following/route_sight.h"

#include <algorithm>
#include <cmath>

#include "corridors/cell_walk.h"
#include "corridors/visibility.h"
#include "geometry/boxes.h"

namespace throng::following {
namespace {

using corridors::CorridorMap;
using corridors::Located;
using corridors::Site;

constexpr Interval kNothing{1, 0};

/// The part of `there` in which a linear function that is f0 at 0 and f1 at 1 is positive.
void clip(Interval& there, double f0, double f1) {
  if (f0 <= 0 && f1 <= 0) {
    there = kNothing;
  } else if (f0 <= 0) {
    there.from = std::max(there.from, f0 / (f0 - f1));
  } else if (f1 <= 0) {
    there.to = std::min(there.to, f0 / (f0 - f1));
  }
}

bool isOn(const RouteAhead::Leg& leg, std::uint16_t layer) {
  return leg.layer == layer || leg.layer == corridors::kAnyLayer;
}

/// Are all places of a stretch so near to the straight way from `from` to its end?
bool isNearly(const RouteAhead& ahead, Point from, double beside) {
  const Point way = ahead.end() - from;
  const double squared = lengthSquared(way), most = beside * beside * squared;
  const auto isNear = [&](Point p) {
    const double area = det(way, p - from), along = dot(way, p - from);
    return area * area <= most && along >= 0 && along <= squared;
  };
  const Point begin = ahead.start(0);
  if (!isNear(begin) && lengthSquared(begin - from) > beside * beside) return false;
  for (std::size_t i = 0; i + 1 < ahead.legs().size(); ++i)
    if (!isNear(ahead.legs()[i].end)) return false;
  return true;
}

/// Most people walk along their route with nothing near: one look with a somewhat larger body.
bool seesAllAtOnce(const CorridorMap& map, Located cell, Point from, std::uint16_t layer, double radius,
                   const RouteAhead& ahead) {
  constexpr double kBeside = 0.25;  // m
  for (const RouteAhead::Leg& leg : ahead.legs())
    if (!isOn(leg, layer)) return false;
  return isNearly(ahead, from, kBeside) && corridors::visible(map, cell, from, ahead.end(), radius + kBeside);
}

/// The last place of [seen, unseen] that is still seen, to a millimetre.
template <class Sees>
double lastSeen(double seen, double unseen, const Sees& sees) {
  while (std::abs(unseen - seen) > 1e-3) {
    const double middle = (seen + unseen) / 2;
    (sees(middle) ? seen : unseen) = middle;
  }
  return seen;
}

/// As in the document: places of the route are looked at one by one.
void lookOneByOne(const CorridorMap& map, Located cell, Point from, double radius, double spacing,
                  const RouteAhead& ahead, std::vector<Interval>& visible) {
  std::size_t leg = 0;
  const auto sees = [&](double along) {
    const Point place = ahead.at(along, leg);
    const corridors::Sight sight = corridors::lookAlong(map, cell, from, place, radius);
    const bool at_end = place == ahead.legs()[leg].end && leg + 1 < ahead.legs().size();
    return sight.clear &&
           (isOn(ahead.legs()[leg], sight.floor) || (at_end && isOn(ahead.legs()[leg + 1], sight.floor)));
  };
  const double length = ahead.length();
  double before = 0;
  bool saw = sees(0);
  double began = 0;
  for (std::size_t k = 1; before < length; ++k) {
    const double now = std::min(length, static_cast<double>(k) * spacing);
    const bool see = sees(now);
    if (see && !saw) began = lastSeen(now, before, sees);
    if (saw && !see) {
      if (const double end = lastSeen(before, now, sees); end > began) visible.push_back({began, end});
    }
    before = now, saw = see;
  }
  if (saw && length > began) visible.push_back({began, length});
}

}  // namespace

Interval shadowOfDisc(Point x, Point c, double radius, Point a, Point b) {
  const Point to_c = c - x, to_a = a - x, to_b = b - x;
  const double squared = radius * radius, tangent_squared = lengthSquared(to_c) - squared;
  if (!(tangent_squared > 0)) return kNothing;  // x is in the disc: nobody stands there
  // Between the tangents; a and b apart from the axis, and along it.
  const double tangent = std::sqrt(tangent_squared);
  const double along_a = radius * dot(to_a, to_c), along_b = radius * dot(to_b, to_c);
  const double beside_a = tangent * det(to_c, to_a), beside_b = tangent * det(to_c, to_b);
  Interval there{0, 1};
  clip(there, along_a - beside_a, along_b - beside_b);
  clip(there, along_a + beside_a, along_b + beside_b);
  if (!(there.from < there.to)) return kNothing;
  // Between them the shadow is what lies beyond the points of contact, and the disc itself.
  const Point leg = b - a;
  const auto isIn = [&](double share) {
    const Point p = to_a + leg * share;
    return lengthSquared(p) >= tangent_squared || lengthSquared(p - to_c) < squared;
  };
  const bool first = isIn(there.from), last = isIn(there.to);
  if (first && last) return there;
  const double whole = lengthSquared(leg), half = dot(leg, a - c);
  const double root = half * half - whole * (lengthSquared(a - c) - squared);
  if (!(root > 0)) return kNothing;
  const double span = std::sqrt(root);
  if (!first) there.from = std::max(there.from, (-half - span) / whole);
  if (!last) there.to = std::min(there.to, (-half + span) / whole);
  return there;
}

Interval shadowOfWall(Point x, const Segment& wall, double radius, Point a, Point b) {
  const Point along = wall.b - wall.a;
  const double side = det(along, x - wall.a), squared = lengthSquared(along);
  if (!(side * side > radius * radius * squared)) return kNothing;  // only the ends face x
  const double shift = (side > 0 ? radius : -radius) / std::sqrt(squared);
  const Point out{-along.y * shift, along.x * shift};
  // Seen from x, `near` comes first counter-clockwise.
  Point near = wall.a + out - x, far = wall.b + out - x;
  if (det(near, far) < 0) std::swap(near, far);
  const Point to_a = a - x, to_b = b - x, face = far - near;
  Interval there{0, 1};
  clip(there, det(near, to_a), det(near, to_b));
  clip(there, det(to_a, far), det(to_b, far));
  clip(there, det(to_a - near, face), det(to_b - near, face));
  return there;
}

/// Walls and corners of all cells that a box meets and that can be walked to within it from the first one. What stands
/// nearest to a place that can be seen belongs to the cell of that place or to its twin.
void RouteSight::gather(const CorridorMap& map, Located cell, const Rectangle& box) {
  near_corners_.clear(), near_walls_.clear(), queue_.clear();
  cells_.clear(map.halfEdges().size()), corners_.clear(map.corners().size()), walls_.clear(map.walls().size());
  const auto addCorner = [&](std::uint32_t corner) {
    if (corners_.add(corner)) near_corners_.push_back(map.corners()[corner].at);
  };
  const auto addSite = [&](Site site) {
    if (site.isCorner()) return addCorner(site.index());
    if (!walls_.add(site.index())) return;
    const Segment wall = map.wallSegment(site.index());
    if (!geometry::overlap(geometry::boxOf(wall), box)) return;
    near_walls_.push_back(wall);
    addCorner(map.walls()[site.index()].a), addCorner(map.walls()[site.index()].b);
  };
  const auto visit = [&](std::uint32_t h) {
    if (!cells_.add(h)) return;
    const auto corner = corridors::cellCorners(map, h);
    if (geometry::overlap(geometry::boxOf(corner), box)) queue_.push_back(h);
  };
  visit(cell.cell), visit(CorridorMap::twin(cell.cell));
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t h = queue_[i];
    addSite(map.edge(h).site), addSite(map.edge(CorridorMap::twin(h)).site);
    visit(CorridorMap::twin(h)), visit(map.edge(h).next), visit(map.edge(h).previous);
  }
}

void RouteSight::cast(Point from, std::uint16_t layer, double radius, const RouteAhead& ahead) {
  shadows_.clear();
  for (std::size_t i = 0; i < ahead.legs().size(); ++i) {
    const RouteAhead::Leg& leg = ahead.legs()[i];
    const Point a = ahead.start(i), b = leg.end;
    const double begins = ahead.startsAt(i), length = leg.to - begins;
    const auto add = [&](const Interval& share) {
      if (share.from < share.to) shadows_.push_back({begins + share.from * length, begins + share.to * length});
    };
    if (!isOn(leg, layer)) {  // above or below
      add({0, 1});
      continue;
    }
    for (const Point& corner : near_corners_) add(shadowOfDisc(from, corner, radius, a, b));
    for (const Segment& wall : near_walls_) add(shadowOfWall(from, wall, radius, a, b));
  }
}

void RouteSight::complement(double length, std::vector<Interval>& visible) {
  std::sort(shadows_.begin(), shadows_.end(), [](const Interval& s, const Interval& t) { return s.from < t.from; });
  double free_from = 0;
  for (const Interval& shadow : shadows_) {
    if (shadow.from > free_from) visible.push_back({free_from, shadow.from});
    free_from = std::max(free_from, shadow.to);
  }
  if (free_from < length) visible.push_back({free_from, length});
}

void RouteSight::look(const CorridorMap& map, Located cell, Point from, std::uint16_t layer, double radius,
                      double spacing, const RouteAhead& ahead, std::vector<Interval>& visible) {
  visible.clear();
  if (ahead.legs().empty()) return;
  const Rectangle box = geometry::grown(ahead.boxWith(from), radius);
  const Point half = (box.max - box.min) * 0.5;
  if (map.floors() > 1 && !map.farFromConnections(box.min + half, length(half)))
    return lookOneByOne(map, cell, from, radius, spacing, ahead, visible);
  if (seesAllAtOnce(map, cell, from, layer, radius, ahead)) {
    visible.push_back({0, ahead.length()});
    return;
  }
  gather(map, cell, box);
  cast(from, layer, radius, ahead);
  complement(ahead.length(), visible);
}

}  // namespace throng::following
