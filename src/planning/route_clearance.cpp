#include "planning/route_clearance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "corridors/layer_cuts.h"
#include "geometry/predicates.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;

/// How near the route comes to the walls beside its corridor. In the polygon of a cell the nearest wall is its own or
/// that of the cell across the axis.
double leastClearanceInCells(const CorridorMap& map, std::span<const std::uint32_t> corridor,
                             std::span<const RoutePoint> route) {
  double least = std::numeric_limits<double>::infinity();
  const auto near = [&](corridors::Site site, Point p, Point q) {
    least = std::min({least, map.distanceTo(site, p), map.distanceTo(site, q)});
    if (site.isCorner()) {
      least = std::min(least, geometry::distanceToSegment(map.corners()[site.index()].at, p, q));
    } else {
      const Segment wall = map.wallSegment(site.index());
      least = std::min({least, geometry::distanceToSegment(wall.a, p, q), geometry::distanceToSegment(wall.b, p, q)});
    }
  };
  for (const std::uint32_t edge : corridor) {
    const std::uint32_t back = CorridorMap::twin(edge);
    const std::array<Point, 6> corners{map.origin(edge).at, map.target(edge).at, map.foot(edge),
                                       map.footEnd(edge),   map.foot(back),      map.footEnd(back)};
    const auto [left, right] =
        std::minmax_element(corners.begin(), corners.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
    const auto [bottom, top] =
        std::minmax_element(corners.begin(), corners.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
    const auto reaches = [&](std::uint16_t layer) {
      if (map.edge(edge).floor == layer || map.edge(back).floor == layer) return true;
      if (map.edge(edge).crossing == corridors::kNone) return false;
      return std::any_of(corners.begin(), corners.end(), [&](Point p) { return map.floorAt(edge, p) == layer; });
    };
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
      const Point p = route[i].at, q = route[i + 1].at;
      if (std::max(p.x, q.x) < left->x || std::min(p.x, q.x) > right->x || std::max(p.y, q.y) < bottom->y ||
          std::min(p.y, q.y) > top->y || !reaches(route[i].layer))
        continue;
      near(map.edge(edge).site, p, q);
      near(map.edge(back).site, p, q);
    }
  }
  return std::isfinite(least) ? least : 0;
}

/// The part of p→q in the box of a ring, as shares of the way; empty when the first is larger.
std::pair<double, double> partInBox(Point p, Point q, const Ring& ring) {
  double from = 0, to = 1;
  const auto narrow = [&](double a, double b, double low, double high) {
    if (a == b) {
      if (a < low || a > high) to = -1;
      return;
    }
    const double s = (low - a) / (b - a), t = (high - a) / (b - a);
    from = std::max(from, std::min(s, t)), to = std::min(to, std::max(s, t));
  };
  Rectangle box{ring[0], ring[0]};
  for (const Point& c : ring) {
    box.min = {std::min(box.min.x, c.x), std::min(box.min.y, c.y)};
    box.max = {std::max(box.max.x, c.x), std::max(box.max.y, c.y)};
  }
  narrow(p.x, q.x, box.min.x, box.max.x);
  narrow(p.y, q.y, box.min.y, box.max.y);
  return {from, to};
}

/// The same where the route passes a branch of the axis: the nearest wall may stand at the branch that it leaves aside.
double leastClearanceAtBranches(const CorridorMap& map, std::span<const std::uint32_t> corridor,
                                std::span<const RoutePoint> route) {
  constexpr double kSpacing = 0.02;  // m
  std::vector<LayerPolygon> branches;
  corridors::LayerCuts(map).addBranches(corridor, branches);
  double least = std::numeric_limits<double>::infinity();
  for (const LayerPolygon& branch : branches)
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
      if (route[i].layer != branch.layer) continue;
      const Point p = route[i].at, way = route[i + 1].at - p;
      const auto [from, to] = partInBox(p, route[i + 1].at, branch.polygon.outer);
      if (from > to) continue;
      const auto samples = static_cast<int>(length(way) * (to - from) / kSpacing) + 1;
      for (int k = 0; k <= samples; ++k)
        if (const double here = map.clearance(p + way * (from + (to - from) * k / samples), branch.layer); here > 0)
          least = std::min(least, here);
    }
  return least;
}

}  // namespace

double leastClearance(const CorridorMap& map, std::span<const std::uint32_t> corridor,
                      std::span<const RoutePoint> route) {
  return std::min(leastClearanceInCells(map, corridor, route), leastClearanceAtBranches(map, corridor, route));
}

double leastClearance(const corridors::CorridorMap& map, std::span<const RoutePoint> route) {
  double least = std::numeric_limits<double>::infinity();
  for (const corridors::MapWall& wall : map.walls()) {
    if (wall.a == corridors::kNone) continue;
    const Segment line{map.corners()[wall.a].at, map.corners()[wall.b].at};
    for (std::size_t i = 1; i < route.size(); ++i)
      if (route[i - 1].layer == wall.floor)
        least = std::min(least, geometry::distanceBetween(line, {route[i - 1].at, route[i].at}));
  }
  return least;
}

}  // namespace throng::planning
