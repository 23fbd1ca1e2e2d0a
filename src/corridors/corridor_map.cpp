#include "corridors/corridor_map.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "corridors/map_builder.h"
#include "geometry/predicates.h"

namespace throng::corridors {

void MapStamp::renew() {
  static std::atomic<std::uint64_t> last{0};
  value_ = ++last;
}

CorridorMap::CorridorMap(const ground::WalkableSpace& space, std::span<const Connection> connections,
                         std::span<const Point> places) {
  MapBuilder(*this).build(space, connections, places);
}

CorridorMap CorridorMap::rebuilt() const {
  CorridorMap map;
  MapBuilder builder(map);
  if (!builder.rebuild(*this))
    throw InputError(
        {Diagnostic{.at = builder.unsoundAt(), .message = "The walls of the map are too close to one another here."}});
  return map;
}

MapStatistics CorridorMap::statistics() const {
  MapStatistics s;
  for (const MapWall& wall : walls_) s.walls += wall.a != kNone;
  for (const MapCorner& corner : corners_) s.corners += corner.wall != kNone;
  std::size_t ends = 0;
  for (const MapVertex& vertex : vertices_) {
    if (vertex.edge == kNone) continue;
    ++s.annotations;
    std::size_t degree = 0;
    std::uint32_t h = vertex.edge;
    do {
      ++degree;
      h = edges_[twin(h)].next;
    } while (h != vertex.edge);
    if (degree == 2) continue;
    ++s.vertices;
    ends += degree;
  }
  s.edges = ends / 2;
  for (const MapHalfEdge& edge : edges_) s.cells += edge.origin != kNone;
  s.bytes = vertices_.capacity() * sizeof(MapVertex) + edges_.capacity() * sizeof(MapHalfEdge) +
            walls_.capacity() * sizeof(MapWall) + corners_.capacity() * sizeof(MapCorner) +
            chains_.capacity() * sizeof(MapChain);
  for (const CellGrid& grid : grids_) s.bytes += grid.bytes();
  return s;
}

namespace {

/// How far `place` is along from→to, in shares of that way, kept between 0 and 1.
double share(Point from, Point to, Point place) {
  const Point way = to - from;
  const double squared = dot(way, way);
  return squared > 0 ? std::clamp(dot(place - from, way) / squared, 0.0, 1.0) : 0.0;
}

}  // namespace

Point CorridorMap::onArc(std::uint32_t h, Point place) const {
  const Site left = edges_[h].site, right = edges_[twin(h)].site;
  const Point from = origin(h).at, to = target(h).at;
  if (!left.isCorner()) {
    const Point foot_a = foot(h), foot_b = footEnd(h);
    const double t = share(foot_a, foot_b, place);
    if (t == 0) return from;
    if (t == 1) return to;
    if (!right.isCorner()) return from + (to - from) * t;
    // As far from the wall as from the corner: |base + n y - corner| = y.
    const Point base = foot_a + (foot_b - foot_a) * t;
    const Point along = normalized(foot_b - foot_a);
    const Point n{along.y,
                  -along.x};  // the obstacle is on the left of the arc, so free space is on the right of the feet
    const Point corner = corners_[right.index()].at;
    const double ahead = dot(n, corner - base);
    return ahead > 0 ? base + n * (lengthSquared(corner - base) / (2 * ahead)) : from + (to - from) * t;
  }
  const Point corner = corners_[left.index()].at;
  const Point d = normalized(place - corner);
  if (d == Point{}) return from;
  if (det(from - corner, d) <= 0 || det(d, to - corner) <= 0) {
    // Beside the cell. Around the end of a wall it may be half a turn wide: then only the direction tells which side.
    return dot(d, normalized(from - corner)) >= dot(d, normalized(to - corner)) ? from : to;
  }
  if (right.isCorner()) {
    const Point way = corners_[right.index()].at - corner;
    const double ahead = dot(d, way);
    return ahead > 0 ? corner + d * (lengthSquared(way) / (2 * ahead)) : from;
  }
  const MapWall& wall = walls_[right.index()];
  const Point a = corners_[wall.a].at;
  const Point along = normalized(corners_[wall.b].at - a);
  const Point n = right.leftSide() ? perpendicular(along) : perpendicular(along) * -1.0;
  return corner + d * (dot(n, corner - a) / (1 - dot(n, d)));
}

Point CorridorMap::narrowest(std::uint32_t h) const {
  const Site left = edges_[h].site, right = edges_[twin(h)].site;
  const MapVertex &from = origin(h), &to = target(h);
  const Point at_ends = from.clearance <= to.clearance ? from.at : to.at;
  if (!left.isCorner() && !right.isCorner()) return at_ends;
  if (left.isCorner() && right.isCorner()) {
    const Point middle = (corners_[left.index()].at + corners_[right.index()].at) * 0.5;
    return dot(middle - from.at, to.at - from.at) > 0 && dot(middle - to.at, from.at - to.at) > 0 ? middle : at_ends;
  }
  const std::uint32_t at_wall = left.isCorner() ? twin(h) : h;
  const Point corner = corners_[(left.isCorner() ? left : right).index()].at;
  const Point a = foot(at_wall), b = footEnd(at_wall);
  const Point way = b - a;
  const double t = dot(corner - a, way), whole = dot(way, way);
  return t > 0 && t < whole ? (corner + a + way * (t / whole)) * 0.5 : at_ends;
}

std::uint16_t CorridorMap::floorAt(std::uint32_t h, Point place) const {
  constexpr int kFloorsInOneCell = 4;  // each pass goes at least one connection further
  std::uint16_t floor = edges_[h].floor;
  const std::uint32_t first = edges_[h].crossing;
  if (first == kNone) return floor;
  const bool several = crossings_[first].next != kNone;
  const Point wall = several ? nearestOn(edges_[h].site, place) : place;
  const auto connects = [&](std::uint32_t c, std::uint16_t to) {
    const MapConnection& k = connections_[crossings_[c].connection];
    return k.left_floor == to || k.right_floor == to;
  };
  const auto hasOther = [&](std::uint32_t than, std::uint16_t to) {
    for (std::uint32_t c = first; c != kNone; c = crossings_[c].next)
      if (c != than && connects(c, to)) return true;
    return false;
  };
  const auto liesThatWay = [&](const Segment& line) {
    if (onWall(h)) return geometry::segmentsIntersect(wall, place, line.a, line.b);
    const Point far = length(line.a - wall) < length(line.b - wall) ? line.b : line.a;
    return dot(place - wall, far - wall) >= 0;
  };
  for (int pass = 0; pass < kFloorsInOneCell; ++pass) {
    const std::uint16_t before = floor;
    for (std::uint32_t c = edges_[h].crossing; c != kNone; c = crossings_[c].next) {
      const MapConnection& k = connections_[crossings_[c].connection];
      if (!connects(c, floor)) continue;
      // A cell meets the line of a connection nowhere but between its ends, so that the side tells the floor. Of two
      // connections of one floor on one straight line it is the one that lies between the place and the wall.
      if (several && hasOther(c, floor) && !liesThatWay(k.line)) continue;
      floor = geometry::orientation(k.line.a, k.line.b, place) >= 0 ? k.left_floor : k.right_floor;
    }
    if (floor == before) break;
  }
  return floor;
}

void CorridorMap::indexConnections() {
  std::vector<Vec2> a, b;
  open_connections_.clear();
  for (std::uint32_t i = 0; i < connections_.size(); ++i) {
    const MapConnection& k = connections_[i];
    if (!k.open) continue;
    open_connections_.push_back(i);
    a.push_back(narrow(k.line.a)), b.push_back(narrow(k.line.b));
  }
  constexpr float kCell = 4;  // m
  connection_grid_ = a.empty() ? geometry::SegmentGrid() : geometry::SegmentGrid(a, b, kCell);
}

void CorridorMap::connectionsNear(Point place, double reach, std::vector<std::uint32_t>& found) const {
  found.clear();
  constexpr double kRounding = 0.01;  // m
  connection_grid_.query(narrow(place), static_cast<float>(reach + kRounding), found);
  for (std::uint32_t& id : found) id = open_connections_[id];
}

namespace {
constexpr double kNoSide = 1e-18;  // m²; shorter sides are corners, and have no direction
/// Sides of a cell, whose corners are the arc's origin and target and the feet of its end and beginning.
constexpr int kChord = 0, kAtTarget = 1, kAtOrigin = 3;
}  // namespace

Located CorridorMap::locate(Point place, std::uint16_t floor) const {
  if (floor >= grids_.size()) return {};
  const Located found = locateOn(place, floor);
  if (found || farFromConnections(place, kOnConnection)) return found;
  // On the line between two floors it takes only rounding to seem to be on the other one.
  for (const MapConnection& k : connections_) {
    if (!k.open || (k.left_floor != floor && k.right_floor != floor)) continue;
    if (geometry::distanceToSegment(place, k.line.a, k.line.b) > kOnConnection) continue;
    if (const Located other = locateOn(place, k.left_floor == floor ? k.right_floor : k.left_floor)) return other;
  }
  return {};
}

Located CorridorMap::locateOn(Point place, std::uint16_t floor) const {
  double best = kTolerance;  // m from the polygon of what is found
  std::uint32_t found = kNone;
  for (const std::uint32_t h : grids_[floor].at(place)) {
    const MapHalfEdge& e = edges_[h];
    const Point corners[4] = {vertices_[e.origin].at, target(h).at, footEnd(h), e.foot};
    int sides = 0, inside = 0;  // sides, and those that the place is clearly inside of
    bool outside = false;
    for (int i = 0; i < 4 && !outside; ++i) {
      const Point side = corners[(i + 1) & 3] - corners[i];
      const double squared = lengthSquared(side);
      if (!(squared > kNoSide)) continue;
      ++sides;
      const double area = det(side, place - corners[i]);
      if (area > 0)
        ++inside;
      else
        outside = area < 0 && area * area > kTolerance * kTolerance * squared;
    }
    if (outside) continue;
    // On a side, near one, or in a cell that is hardly there: how far is it really?
    double distance = 0;
    if (inside < 3 || inside < sides) {
      distance = std::numeric_limits<double>::infinity();
      for (int i = 0; i < 4; ++i)
        distance = std::min(distance, geometry::distanceToSegment(place, corners[i], corners[(i + 1) & 3]));
    }
    if (distance > best || (distance == best && found != kNone)) continue;
    if (e.crossing != kNone && floorAt(h, place) != floor) continue;
    best = distance, found = h;
    if (distance == 0) break;
  }
  if (found == kNone) return {};
  return {nearerSide(found, place)};
}

std::uint32_t CorridorMap::nearerSide(std::uint32_t h, Point place) const {
  // Between the chord and the parabola the other side is nearer.
  const bool curved = edges_[h].site.isCorner() != edges_[twin(h)].site.isCorner();
  return curved && distanceTo(edges_[twin(h)].site, place) < distanceTo(edges_[h].site, place) ? twin(h) : h;
}

Located CorridorMap::locate(Point place, std::uint16_t floor, std::uint32_t probably) const {
  constexpr int kMostCells = 3;  // in a row, the first one included
  std::uint32_t h = probably;
  for (int tries = 0; tries < kMostCells && h < edges_.size(); ++tries) {
    const MapHalfEdge& e = edges_[h];
    if (e.origin == kNone || e.floor != floor || e.crossing != kNone) break;
    const Point corners[4] = {vertices_[e.origin].at, target(h).at, footEnd(h), e.foot};
    int sides = 0, beyond = -1;
    for (int i = 0; i < 4 && beyond < 0; ++i) {
      const Point side = corners[(i + 1) & 3] - corners[i];
      const double squared = lengthSquared(side);
      if (!(squared > kNoSide)) continue;
      const double area = det(side, place - corners[i]);
      if (!(area > 0 && area * area > kTolerance * kTolerance * squared)) beyond = i;
      ++sides;
    }
    // Clearly inside of every side of the cell: then it is in no other, and the search would end here.
    if (beyond < 0 && sides >= 3) return {nearerSide(h, place)};
    // Whoever has left it is mostly in the cell behind the side they are beyond of.
    if (beyond != kChord && beyond != kAtTarget && beyond != kAtOrigin) break;
    h = beyond == kChord ? twin(h) : beyond == kAtTarget ? e.next : e.previous;
  }
  return locate(place, floor);
}

NearestObstacle CorridorMap::nearest(Located where, Point place) const {
  const Site site = edges_[where.cell].site;
  const Point at = nearestOn(site, place);
  return {at, length(place - at), site};
}

Retraction CorridorMap::retract(Located where, Point place) const {
  const Point at = onArc(where.cell, place);
  return {where.cell, at, distanceTo(edges_[where.cell].site, at)};
}

double CorridorMap::clearance(Point place, std::uint16_t floor) const {
  const Located where = locate(place, floor);
  return where ? nearest(where, place).distance : 0;
}

bool CorridorMap::contains(std::uint32_t obstacle) const {
  return obstacle < obstacles_.size() && !obstacles_[obstacle].shape.empty();
}

}  // namespace throng::corridors
