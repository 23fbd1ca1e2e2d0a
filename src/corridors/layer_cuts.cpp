#include "corridors/layer_cuts.h"

#include <algorithm>
#include <cmath>

#include "geometry/convex_cut.h"
#include "geometry/predicates.h"

namespace throng::corridors {
namespace {

/// Of a place as seen from a connection. A place on the line belongs to the layer it is said to be on.
bool isLeft(const MapConnection& connection, Point place, std::uint16_t layer) {
  const int side = geometry::orientation(connection.line.a, connection.line.b, place);
  return side != 0 ? side > 0 : layer != connection.right_floor;
}

/// Two segments whose boxes have nothing in common.
bool apart(Point a, Point b, Point c, Point d) {
  return std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x) ||
         std::max(a.y, b.y) < std::min(c.y, d.y) || std::max(c.y, d.y) < std::min(a.y, b.y);
}

/// The part of a convex ring on one side of a line.
Ring halfOf(const Ring& ring, const Segment& line, bool left) {
  const double sign = left ? -1 : 1;
  return geometry::cutConvex(ring, [&](Point p) { return det(line.b - line.a, p - line.a) * sign; });
}

Point middleOf(const Ring& ring) {
  Point sum;
  for (const Point& p : ring) sum += p;
  return sum / static_cast<double>(ring.size());
}

bool meets(const Ring& ring, const Segment& line) {
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (geometry::segmentsIntersect(ring[i], ring[(i + 1) % ring.size()], line.a, line.b)) return true;
  return false;
}

bool isThin(const Ring& ring) { return ring.size() < 3 || std::abs(geometry::signedArea(ring)) < 1e-12; }

struct Parabola {
  const CorridorMap& map;
  std::uint32_t half_edge;  ///< with the wall on its left
  double tolerance;

  Point at(double share) const {
    const Point a = map.foot(half_edge), b = map.footEnd(half_edge);
    return map.onArc(half_edge, a + (b - a) * share);
  }
  /// Appends the places after `from` up to `to`.
  void sample(double from, Point p, double to, Point q, int depth, std::vector<Point>& points) const {
    const double half = (from + to) / 2;
    const Point middle = at(half);
    if (depth > 0 && geometry::distanceToSegment(middle, p, q) > tolerance) {
      sample(from, p, half, middle, depth - 1, points);
      sample(half, middle, to, q, depth - 1, points);
    } else {
      points.push_back(q);
    }
  }
};

}  // namespace

void LayerCuts::findCrossings(Point from, Point to, std::uint16_t layer, std::vector<Crossing>& crossings) const {
  crossings.clear();
  for (const MapConnection& connection : map_.connections()) {
    const Point a = connection.line.a, b = connection.line.b;
    if (!connection.open || apart(from, to, a, b) || geometry::orientation(a, b, to) == 0) continue;
    const bool begins_left = isLeft(connection, from, layer), ends_left = isLeft(connection, to, layer);
    if (begins_left == ends_left || geometry::orientation(from, to, a) * geometry::orientation(from, to, b) > 0)
      continue;
    const double before = std::abs(det(b - a, from - a)), after = std::abs(det(b - a, to - a));
    crossings.push_back({before + after > 0 ? before / (before + after) : 0, &connection, begins_left});
  }
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& p, const Crossing& q) { return p.along < q.along; });
}

void LayerCuts::cutLine(std::span<const Point> line, std::uint16_t layer, std::vector<RoutePoint>& points) const {
  std::vector<Crossing> crossings;
  for (std::size_t i = 0; i < line.size(); ++i) {
    points.push_back({line[i], layer});
    if (i + 1 == line.size()) break;
    findCrossings(line[i], line[i + 1], layer, crossings);
    for (const Crossing& c : crossings) {
      const MapConnection& k = *c.connection;
      if (layer != (c.to_right ? k.left_floor : k.right_floor)) continue;  // it passes above or below
      layer = c.to_right ? k.right_floor : k.left_floor;
      if (c.along > 0) {
        points.push_back({line[i] + (line[i + 1] - line[i]) * c.along, layer});
      } else {
        points.back().layer = layer;
      }
    }
  }
}

void LayerCuts::addPieces(std::span<const Point> line, std::uint16_t layer, std::vector<LayerPolyline>& pieces) const {
  std::vector<RoutePoint> points;
  cutLine(line, layer, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == 0) {
      pieces.push_back({points[i].layer, {{points[i].at}}});
      continue;
    }
    pieces.back().line.points.push_back(points[i].at);
    if (points[i].layer != points[i - 1].layer && i + 1 < points.size())
      pieces.push_back({points[i].layer, {{points[i].at}}});
  }
}

void LayerCuts::addCell(std::uint32_t h, std::vector<LayerPolygon>& pieces) const {
  Ring ring{map_.origin(h).at, map_.target(h).at, map_.footEnd(h)};
  if (map_.foot(h) != map_.footEnd(h)) ring.push_back(map_.foot(h));
  addRing(h, std::move(ring), pieces);
}

void LayerCuts::addBranches(std::span<const std::uint32_t> corridor, std::vector<LayerPolygon>& pieces) const {
  for (std::size_t i = 0; i + 1 < corridor.size(); ++i) {
    const std::uint32_t before = corridor[i], after = corridor[i + 1];
    const Point at = map_.target(before).at;
    addRing(after, {at, map_.footEnd(before), map_.foot(after)}, pieces);
    const std::uint32_t right_before = CorridorMap::twin(before), right_after = CorridorMap::twin(after);
    addRing(right_after, {at, map_.footEnd(right_after), map_.foot(right_before)}, pieces);
  }
}

void LayerCuts::addRing(std::uint32_t h, Ring ring, std::vector<LayerPolygon>& pieces) const {
  if (isThin(ring)) return;
  if (map_.edge(h).crossing == kNone) {
    pieces.push_back({map_.edge(h).floor, {std::move(ring), {}}});
    return;
  }
  std::vector<Ring> parts{std::move(ring)};
  for (const MapConnection& connection : map_.connections()) {
    if (!connection.open) continue;
    std::vector<Ring> halves;
    for (Ring& part : parts) {
      if (!meets(part, connection.line)) {
        halves.push_back(std::move(part));
        continue;
      }
      for (const bool left : {true, false})
        if (Ring half = halfOf(part, connection.line, left); !isThin(half)) halves.push_back(std::move(half));
    }
    parts = std::move(halves);
  }
  for (Ring& part : parts) pieces.push_back({map_.floorAt(h, middleOf(part)), {std::move(part), {}}});
}

void LayerCuts::sampleArc(std::uint32_t h, double tolerance, std::vector<Point>& points) const {
  const Point from = map_.origin(h).at, to = map_.target(h).at;
  points.push_back(from);
  const bool is_parabola = map_.onWall(h) != map_.onWall(CorridorMap::twin(h));
  if (!is_parabola) {
    points.push_back(to);
    return;
  }
  constexpr int kDepth = 8;
  const std::size_t first = points.size();
  const bool turned = !map_.onWall(h);
  const Parabola parabola{map_, turned ? CorridorMap::twin(h) : h, tolerance};
  parabola.sample(0, turned ? to : from, 1, turned ? from : to, kDepth, points);
  if (turned) {
    std::reverse(points.begin() + static_cast<std::ptrdiff_t>(first), points.end());
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(first));  // the origin again
    points.push_back(to);
  }
}

}  // namespace throng::corridors
