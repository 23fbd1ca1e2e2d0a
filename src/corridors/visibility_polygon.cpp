#include <algorithm>
#include <cmath>

#include "corridors/cell_walk.h"
#include "corridors/visibility.h"

namespace throng::corridors {
namespace {

using Tile = VisibilityScratch::Tile;
using Wedge = VisibilityScratch::Wedge;

constexpr double kSamePlace = 1e-8;  // m

/// Wedges of sight go from tile to tile, the rightmost first, so that what they meet comes out in order.
///
/// The tiles are not the map's cells but the hulls of the feet: of those of one vertex of the medial axis (its largest
/// empty disc touches the obstacles there), and of those of all places on one arc. They tile free space just as the
/// triangles of a Delaunay triangulation do, whose dual the medial axis is: over the plane, lifted to a paraboloid,
/// they are the faces below the hull of all obstacles. All their corners are on obstacles, so that only what blocks
/// sight divides a wedge. The tile of an arc lies between a portal at its origin, a portal at its target and what the
/// feet run along on either side; it has no area where those are two corners. The tile of a vertex has one portal for
/// every arc; where two arcs meet it has no area, and there is nothing to do.
///
///                left0 ------ obstacle ------ left1
///          origin  |                            |  target        left0 = foot(h), left1 = foot(next(h))
///         (portal) |           arc h --->       | (portal)       right1 = foot(twin(h))
///               right0 ------ obstacle ----- right1              right0 = foot(next(twin(h)))
///
/// All tests are exact and all rays go through corners of tiles, which are handled as if they were cut into triangles.
/// So neighbouring wedges never overlap or leave a gap, even where rounding has turned a tile inside out.
class Expansion {
 public:
  Expansion(const CorridorMap& map, Point from, VisibilityScratch& scratch, VisibilityPolygon& out)
      : map_(map),
        edges_(map.halfEdges().data()),
        from_(from),
        scratch_(scratch),
        triangles_(scratch.triangles),
        out_(out) {}

  bool run(std::uint32_t cell) {
    if (!around(cell)) return false;
    triangles_.use(map_);
    // A sound map has far fewer; one with tiles that lie over one another must not keep us for ever.
    std::size_t steps_left = 1000 + 64 * map_.halfEdges().size();
    auto& wedges = scratch_.wedges;
    while (!wedges.empty() && steps_left > 0) {
      const Wedge wedge = wedges.back();
      wedges.pop_back();
      if (wedge.behind == Behind{}) {
        emit(from_, from_, kNone, map_.floorAt(cell, from_));
      } else {
        follow(wedge, steps_left);
      }
    }
    close();
    return true;
  }

 private:
  /// From the place through a corner of a tile.
  struct Ray {
    Point at, way;
    double sure;  ///< twice the area of a triangle with the way: from here on, rounding does not matter
  };

  Ray rayTo(Point at) const {
    const Point way = at - from_;
    return {at, way, kSureOfSide * (std::abs(way.x) + std::abs(way.y))};
  }

  /// Side of p to a ray, exactly: positive left, 0 on it, negative right.
  double sideOfRay(const Ray& ray, Point p) const {
    const double area = det(ray.way, p - from_);
    if (std::abs(area) > ray.sure) [[likely]]
      return area;
    return p == ray.at ? 0 : geometry::orientation(from_, ray.at, p);
  }
  bool onLeft(Point p, const Ray& ray) const { return sideOfRay(ray, p) > 0; }
  bool onRight(Point p, const Ray& ray) const { return sideOfRay(ray, p) < 0; }

  // --- from tile to tile -------------------------------------------------------------------------------------------

  /// From triangle to triangle up to a wall; what is seen on the left of a corner on the way is left for later.
  void follow(const Wedge& wedge, std::size_t& steps_left) {
    Ray right = rayTo(wedge.right), left = rayTo(wedge.left);
    Behind behind = triangles_.find(wedge.behind);
    for (; behind.isTriangle() && steps_left > 0; --steps_left) {
      const std::uint32_t triangle = behind.index();
      const Point apex = triangles_[triangle].apex;
      if (!onLeft(apex, right)) {
        behind = triangles_.left(triangle);
        continue;
      }
      behind = triangles_.right(triangle);
      if (!onRight(apex, left)) continue;
      const Behind later = triangles_.left(triangle);
      if (behind.isTriangle()) {
        scratch_.wedges.push_back({apex, left.at, later});
        left = rayTo(apex);
      } else {
        meetWall(behind.index(), right.at, apex);
        right = rayTo(apex);
        behind = later;
      }
    }
    if (!behind.isTriangle()) meetWall(behind.index(), right.at, left.at);
  }

  // --- where it begins ---------------------------------------------------------------------------------------------

  Tile tileOfArc(std::uint32_t h) const { return {h & ~1u, false}; }
  Tile tileOfVertex(std::uint32_t arriving) const { return {map_.target(arriving).edge, true}; }
  Tile tileBehind(const Wedge& side) const {
    const std::uint32_t h = side.behind.index();
    return side.behind.kind() == Behind::kVertex ? tileOfVertex(h) : tileOfArc(h);
  }

  /// Calls `visit` with every side of a tile, counter-clockwise, as a wedge through all of it.
  template <class Visit>
  void forSides(Tile tile, Visit&& visit) const {
    std::uint32_t h = tile.edge;
    if (!tile.of_vertex) {
      const std::uint32_t twin = CorridorMap::twin(h);
      const Point left0 = map_.foot(h), left1 = map_.footEnd(h), right0 = map_.footEnd(twin), right1 = map_.foot(twin);
      visit(Wedge{right0, right1, Behind::of(Behind::kWall, twin)});
      visit(Wedge{right1, left1, Behind::of(Behind::kVertex, h)});
      visit(Wedge{left1, left0, Behind::of(Behind::kWall, h)});
      visit(Wedge{left0, right0, Behind::of(Behind::kVertex, twin)});
      return;
    }
    do {
      visit(Wedge{map_.footEnd(CorridorMap::twin(h)), map_.foot(h), Behind::of(Behind::kArc, h)});
      h = CorridorMap::twin(edges_[h].previous);
    } while (h != tile.edge);
  }

  /// The first wedges: through all sides of the tile that contains the place, or of those that touch it.
  bool around(std::uint32_t cell) {
    const Tile tile = tileAt(cell);
    bool inside = true;
    scratch_.wedges.clear();
    forSides(tile, [&](const Wedge& side) {
      if (side.right == side.left) return;
      inside = inside && sideOf(side.right, side.left, from_) > 0;
      scratch_.wedges.push_back(side);
    });
    if (inside && scratch_.wedges.size() > 2) {
      std::reverse(scratch_.wedges.begin(), scratch_.wedges.end());
      return true;
    }
    gatherStar(tile);
    return !scratch_.wedges.empty();
  }

  /// The tile that contains the place: from that of its cell's arc through portals that have the place behind them. Of
  /// the discs there, one contains the place; each step leads to discs of which it is farther inside (its power is
  /// less), so that no wall comes between and no tile comes twice, but for rounding.
  Tile tileAt(std::uint32_t cell) const {
    constexpr int kMost = 1000;
    Tile tile = tileOfArc(cell);
    for (int i = 0; i < kMost; ++i) {
      Tile next = tile;
      forSides(tile, [&](const Wedge& side) {
        if (next == tile && side.behind.kind() != Behind::kWall && sideOf(side.right, side.left, from_) < 0)
          next = tileBehind(side);
      });
      if (next == tile) break;
      tile = next;
    }
    return tile;
  }

  /// All tiles that have the place on their border, and what is seen through their other sides, sorted around the
  /// place.
  void gatherStar(Tile tile) {
    auto& tiles = scratch_.tiles;
    auto& first = scratch_.first;
    tiles.assign(1, tile);
    first.clear();
    scratch_.wedges.clear();
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const Tile here = tiles[i];
      bool touches = true;
      forSides(here, [&](const Wedge& side) {
        touches = touches && sideOf(side.right, side.left, from_) >= 0;
        if (side.behind.kind() == Behind::kWall ||
            geometry::distanceToSegment(from_, side.right, side.left) > 2 * CorridorMap::kTolerance)
          return;
        const Tile next = tileBehind(side);
        if (std::find(tiles.begin(), tiles.end(), next) == tiles.end()) tiles.push_back(next);
      });
      if (!touches) continue;
      forSides(here, [&](const Wedge& side) {
        if (sideOf(side.right, side.left, from_) > 0) first.push_back(side);
      });
    }
    const auto lower = [&](Point p) { return p.y < from_.y || (p.y == from_.y && p.x < from_.x); };
    std::sort(first.begin(), first.end(), [&](const Wedge& v, const Wedge& w) {
      if (lower(v.right) != lower(w.right)) return lower(w.right);
      const int side = sideOf(from_, v.right, w.right);
      return side != 0 ? side > 0 : v.behind.code < w.behind.code;
    });
    for (std::size_t i = first.size(); i-- > 0;) {
      const Wedge& next = first[i + 1 < first.size() ? i + 1 : 0];
      const Point end = first[i].left, start = next.right;
      if (end != start && !(sideOf(from_, end, start) == 0 && dot(end - from_, start - from_) > 0))
        scratch_.wedges.push_back({from_, from_, Behind{}});
      scratch_.wedges.push_back(first[i]);
    }
  }

  // --- what is met -------------------------------------------------------------------------------------------------

  /// Between two rays lies the obstacle on the left of h.
  void meetWall(std::uint32_t h, Point right, Point left) {
    const MapHalfEdge& edge = edges_[h];
    if (edge.site.isCorner()) return;
    const Point a = map_.footEnd(h), b = edge.foot;
    emit(onRay(right, a, b), onRay(left, a, b), edge.site.index(), edge.floor);
  }

  /// Where the ray through a place meets the segment ab, whose ends lie on its right and left; exactly an end where the
  /// ray goes through that.
  Point onRay(Point through, Point a, Point b) const {
    const Point ray = through - from_;
    const double right = -det(ray, a - from_), left = det(ray, b - from_);
    if (right <= 0) return a;
    if (left <= 0) return b;
    return a + (b - a) * (right / (right + left));
  }

  static bool same(Point a, Point b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y) < kSamePlace; }

  void emit(Point start, Point end, std::uint32_t wall, std::uint16_t floor) {
    auto& corners = out_.corners;
    const bool first = corners.empty(), gap = !first && !same(start, end_);
    if (gap) corners.push_back({end_, kNone, floor_});
    // Once, so that it is made part of the loop.
    if (first || gap || corners.back().wall != wall) corners.push_back({start, wall, floor});
    end_ = end;
    floor_ = floor;
  }

  void close() {
    auto& corners = out_.corners;
    if (corners.empty()) return;
    if (!same(end_, corners.front().at)) {
      corners.push_back({end_, kNone, floor_});
    } else if (corners.size() > 1 && corners.front().wall == corners.back().wall && corners.front().wall != kNone) {
      corners.front() = corners.back();  // the same wall, begun at an arbitrary place
      corners.pop_back();
    }
  }

  const CorridorMap& map_;
  const MapHalfEdge* edges_;
  Point from_;
  VisibilityScratch& scratch_;
  SightTriangles& triangles_;
  VisibilityPolygon& out_;
  Point end_;  ///< of the last edge
  std::uint16_t floor_ = 0;
};

/// Cuts what is seen at the connections it reaches over.
class FloorCuts {
 public:
  FloorCuts(const CorridorMap& map, const VisibilityPolygon& polygon)
      : map_(map), polygon_(polygon), pieces_(map.floors()) {}

  std::vector<std::vector<Polygon>> run() {
    const auto& corners = polygon_.corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Point a = corners[i].at, b = corners[i + 1 < corners.size() ? i + 1 : 0].at;
      if (corners[i].wall != kNone && sideOf(polygon_.from, a, b) > 0) cut(a, b);
    }
    // Begins where nothing is crossed, so that nothing is cut in two there.
    std::size_t start = 0;
    while (start + 1 < slices_.size() && slices_[start].size() > 1) ++start;
    for (std::size_t i = 0; i < slices_.size(); ++i) append(slices_[(start + i) % slices_.size()]);
    if (!open_.empty()) markGap(open_[0].far.front());
    closeTo(0);
    return std::move(pieces_);
  }

 private:
  /// What is seen of one floor between two rays.
  struct Part {
    std::uint16_t floor;
    const MapConnection* entered;  ///< null on the floor one looks from
    Point near_right, near_left, far_right, far_left;
  };
  using Slice = std::vector<Part>;  ///< from near to far
  struct Cut {
    double along;
    const MapConnection* connection;
    bool to_right;
  };
  struct Open {
    std::uint16_t floor;
    const MapConnection* entered;
    Ring near, far;
  };

  /// So nearly that what lies between is not worth drawing, and rounding decides on which side of a connection's end.
  static bool sameDirection(Point p, Point q) { return det(p, q) <= 1e-9 * length(p) * length(q); }

  static Point meet(Point from, Point through, Point a, Point b) {
    const Point ray = through - from, line = b - a;
    const double cross = det(ray, line);
    return cross != 0 ? from + ray * (det(a - from, line) / cross) : through;
  }

  /// In slices between the rays through ends of connections, so that each crosses a connection wholly or not at all.
  void cut(Point a, Point b) {
    const Point from = polygon_.from;
    std::vector<Point> rays{a, b};
    for (const MapConnection& connection : map_.connections())
      for (const Point end : {connection.line.a, connection.line.b})
        if (connection.open && sideOf(from, a, end) > 0 && sideOf(from, end, b) > 0 && sideOf(a, b, end) > 0)
          rays.push_back(end);
    std::sort(rays.begin(), rays.end(), [&](Point p, Point q) { return sideOf(from, p, q) > 0; });
    for (std::size_t i = 1; i < rays.size(); ++i)
      if (!sameDirection(rays[i - 1] - from, rays[i] - from))
        slices_.push_back(slice(meet(from, rays[i - 1], a, b), meet(from, rays[i], a, b)));
  }

  Slice slice(Point a, Point b) const {
    const Point from = polygon_.from, middle = (a + b) * 0.5;
    std::vector<Cut> cuts;
    for (const MapConnection& connection : map_.connections()) {
      const int start = sideOf(connection.line.a, connection.line.b, from);
      const int end = sideOf(connection.line.a, connection.line.b, middle);
      const int first = sideOf(from, middle, connection.line.a), second = sideOf(from, middle, connection.line.b);
      if (!connection.open || start == end || end == 0 || first * second >= 0) continue;
      cuts.push_back(
          {lengthSquared(meet(from, middle, connection.line.a, connection.line.b) - from), &connection, end < 0});
    }
    std::sort(cuts.begin(), cuts.end(), [](const Cut& p, const Cut& q) { return p.along < q.along; });
    Slice parts{{polygon_.floor, nullptr, from, from, a, b}};
    for (const Cut& c : cuts) {
      const MapConnection& k = *c.connection;
      Part& last = parts.back();
      if (last.floor != (c.to_right ? k.left_floor : k.right_floor)) continue;  // above or below it
      last.far_right = meet(from, a, k.line.a, k.line.b);
      last.far_left = meet(from, b, k.line.a, k.line.b);
      parts.push_back({c.to_right ? k.right_floor : k.left_floor, &k, last.far_right, last.far_left, a, b});
    }
    return parts;
  }

  static void push(Ring& ring, Point p) {
    if (ring.empty() || length(ring.back() - p) > kSamePlace) ring.push_back(p);
  }

  /// Goes on with the parts that have come over the same connections as those of the last slice.
  void append(const Slice& slice) {
    std::size_t same = 0;
    while (same < open_.size() && same < slice.size() && open_[same].entered == slice[same].entered) ++same;
    closeTo(same);
    for (std::size_t i = same; i < slice.size(); ++i) open_.push_back({slice[i].floor, slice[i].entered, {}, {}});
    markGap(slice[0].far_right);
    for (std::size_t i = 0; i < slice.size(); ++i) {
      push(open_[i].near, slice[i].near_right), push(open_[i].near, slice[i].near_left);
      push(open_[i].far, slice[i].far_right), push(open_[i].far, slice[i].far_left);
    }
  }

  /// Somebody at a wall does not see all around: there the place itself is a corner.
  void markGap(Point next) {
    Ring& far = open_[0].far;
    if (far.empty()) return;
    const Point before = far.back() - polygon_.from, now = next - polygon_.from;
    const bool same = std::abs(det(before, now)) <= 1e-6 * length(before) * length(now) && dot(before, now) > 0;
    if (!same) far.push_back(polygon_.from);
  }

  void closeTo(std::size_t size) {
    for (; open_.size() > size; open_.pop_back()) {
      Open& part = open_.back();
      Ring ring = std::move(part.far);
      if (part.entered != nullptr)
        for (auto p = part.near.rbegin(); p != part.near.rend(); ++p) push(ring, *p);
      pieces_[part.floor].push_back({std::move(ring), {}});
    }
  }

  const CorridorMap& map_;
  const VisibilityPolygon& polygon_;
  std::vector<Slice> slices_;
  std::vector<Open> open_;  ///< by how many connections have been crossed
  std::vector<std::vector<Polygon>> pieces_;
};

}  // namespace

void visibilityPolygon(const CorridorMap& map, Located cell, Point from, VisibilityScratch& scratch,
                       VisibilityPolygon& polygon) {
  polygon.from = from;
  polygon.floor = 0;
  polygon.corners.clear();
  if (!cell) return;
  polygon.floor = map.floorAt(cell.cell, from);
  // A place that counts as free but lies a little outside looks from a little nearer to its cell's middle.
  const auto corner = cellCorners(map, cell.cell);
  const Point middle = (corner[0] + corner[1] + corner[2] + corner[3]) * 0.25;
  for (double step = CorridorMap::kTolerance; !Expansion(map, polygon.from, scratch, polygon).run(cell.cell);
       step *= 2) {
    const double way = length(middle - from);
    if (way <= step / 2) return;
    polygon.from = from + (middle - from) * std::min(1.0, step / way);
  }
}

std::vector<std::vector<Polygon>> perFloor(const CorridorMap& map, const VisibilityPolygon& polygon) {
  if (polygon.corners.empty()) return std::vector<std::vector<Polygon>>(map.floors());
  return FloorCuts(map, polygon).run();
}

}  // namespace throng::corridors
