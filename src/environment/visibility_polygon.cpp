#include <algorithm>
#include <cmath>

#include "environment/cell_walk.h"
#include "environment/visibility.h"

namespace throng::environment {
namespace {

using Wedge = VisibilityScratch::Wedge;

constexpr std::uint8_t kGap = 4;     // instead of a side: the place itself is on the border of what it sees
constexpr double kSamePlace = 1e-8;  // m

/// Wedges of sight go from cell to cell, the rightmost first, so that what they meet comes out in order. All tests are
/// exact and all rays go through corners of cells, so that neighbouring wedges never overlap or leave a gap.
///
/// Most corners of cells are on the medial axis and block nothing: what passes a corner on its right and what passes it
/// on its left meet again in the cell behind it. There the right one waits for the left one, and they go on as one
/// wedge. Without that, every corner would double the work for all that lies behind it.
class Expansion {
 public:
  Expansion(const CorridorMap& map, Point from, VisibilityScratch& scratch, VisibilityPolygon& out)
      : map_(map), from_(from), scratch_(scratch), out_(out) {}

  bool run(std::uint32_t cell) {
    if (!around(cell)) return false;
    auto &wedges = scratch_.wedges, &waiting = scratch_.waiting;
    waiting.clear();
    // A sound map has far fewer; one with cells that lie over one another must not keep us for ever.
    for (std::size_t left = 1000 + 64 * map_.halfEdges().size(); left > 0; --left) {
      Wedge wedge;
      if (!wedges.empty()) {
        wedge = wedges.back();
        wedges.pop_back();
        const bool ends = wedge.side >= kWallSide && wedge.side != kOriginSide;
        if (!waiting.empty()) {
          Wedge& partner = waiting.back();
          if (!ends && joins(partner, wedge)) {
            wedge.right = partner.right;
            wedge.sides = static_cast<std::uint8_t>(partner.sides + 1);
            waiting.pop_back();
          } else if (ends || wedge.right != partner.left) {  // nothing will come
            wedges.push_back(wedge);
            enter(partner);
            waiting.pop_back();
            continue;
          }
        }
        if (ends) {
          meet(wedge);
          continue;
        }
        if (!mayWait(wedge)) enter(wedge);
      } else if (!waiting.empty()) {
        wedge = waiting.back();
        waiting.pop_back();
        enter(wedge);
      } else {
        break;
      }
    }
    close();
    return true;
  }

 private:
  /// The first wedges: through all sides of the cell that contains the place, or of those that touch it.
  bool around(std::uint32_t cell) {
    scratch_.wedges.clear();
    scratch_.first.clear();
    for (const std::uint32_t h : {cell, CorridorMap::twin(cell)})
      if (inside(h)) {
        addSides(h);
        std::reverse(scratch_.first.begin(), scratch_.first.end());
        scratch_.wedges.swap(scratch_.first);
        return true;
      }
    gatherStar(cell);
    return !scratch_.wedges.empty();
  }

  bool inside(std::uint32_t h) const {
    const auto corner = cellCorners(map_, h);
    for (unsigned i = 0; i < 4; ++i) {
      const Point a = corner[i], b = corner[(i + 1) & 3u];
      if (a != b && sideOf(a, b, from_) <= 0) return false;
    }
    return true;
  }

  bool touches(std::uint32_t h) const {
    const auto corner = cellCorners(map_, h);
    for (unsigned i = 0; i < 4; ++i)
      if (sideOf(corner[i], corner[(i + 1) & 3u], from_) < 0) return false;
    return true;
  }

  /// The sides that the place is not on.
  void addSides(std::uint32_t h) {
    const auto corner = cellCorners(map_, h);
    for (unsigned i = 0; i < 4; ++i) {
      const Point a = corner[i], b = corner[(i + 1) & 3u];
      if (sideOf(a, b, from_) <= 0) continue;
      const CellEntry next = i == kWallSide ? CellEntry{h, kWallSide} : across(map_, h, i);
      scratch_.first.push_back({a, b, next.cell, next.side});
    }
  }

  /// All cells that have the place on their border, and what is seen through their other sides, sorted around the
  /// place.
  void gatherStar(std::uint32_t cell) {
    auto& cells = scratch_.cells;
    cells.assign(1, cell);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (touches(cells[i])) addSides(cells[i]);
      for (const unsigned side : {kChordSide, kTargetSide, kOriginSide}) {
        const Point a = cellCorner(map_, cells[i], side), b = cellCorner(map_, cells[i], side + 1);
        if (geometry::distanceToSegment(from_, a, b) > 2 * CorridorMap::kTolerance) continue;
        const std::uint32_t next = across(map_, cells[i], side).cell;
        if (std::find(cells.begin(), cells.end(), next) == cells.end()) cells.push_back(next);
      }
    }
    auto& first = scratch_.first;
    const auto lower = [&](Point p) { return p.y < from_.y || (p.y == from_.y && p.x < from_.x); };
    std::sort(first.begin(), first.end(), [&](const Wedge& v, const Wedge& w) {
      if (lower(v.right) != lower(w.right)) return lower(w.right);
      const int side = sideOf(from_, v.right, w.right);
      return side != 0 ? side > 0 : std::pair(v.cell, v.side) < std::pair(w.cell, w.side);
    });
    for (std::size_t i = first.size(); i-- > 0;) {
      const Wedge& next = first[i + 1 < first.size() ? i + 1 : 0];
      const Point end = first[i].left, start = next.right;
      if (end != start && !(sideOf(from_, end, start) == 0 && dot(end - from_, start - from_) > 0))
        scratch_.wedges.push_back({from_, from_, cell, kGap});
      scratch_.wedges.push_back(first[i]);
    }
  }

  /// Does a wedge come into a cell through the side on the left of those through which another one has?
  static bool joins(const Wedge& partner, const Wedge& wedge) {
    return wedge.cell == partner.cell && wedge.right == partner.left && ((wedge.side + 1u) & 3u) == partner.side;
  }

  /// Waits when its left ray goes through the end of its side and the cell's next side can be entered, too.
  bool mayWait(const Wedge& wedge) {
    const unsigned next = (wedge.side + 3u) & 3u;
    if (next == kWallSide || wedge.sides == 3 || wedge.left != cellCorner(map_, wedge.cell, wedge.side) ||
        sideOf(from_, wedge.left, cellCorner(map_, wedge.cell, next)) <= 0)
      return false;
    scratch_.waiting.push_back(wedge);
    return true;
  }

  /// What comes into a cell goes out through its other sides, from right to left: from the right end of the sides it
  /// comes through over the cell's other corners, of which there are two at most, to the left end.
  void enter(const Wedge wedge) {
    const unsigned last = wedge.side + 3u;  // the side that ends at the left end
    if (wedge.sides == 3) return add(wedge, wedge.right, wedge.left, last);
    const Point second = cellCorner(map_, wedge.cell, last);
    const bool second_after_right = sideOf(from_, wedge.right, second) > 0;
    const bool second_before_left = sideOf(from_, wedge.left, second) < 0;
    if (wedge.sides == 2) {
      if (second_before_left) add(wedge, second_after_right ? second : wedge.right, wedge.left, last);
      if (second_after_right) add(wedge, wedge.right, second_before_left ? second : wedge.left, last - 1);
      return;
    }
    const Point first = cellCorner(map_, wedge.cell, last - 1);
    const bool first_after_right = sideOf(from_, wedge.right, first) > 0;
    const bool first_before_left = sideOf(from_, wedge.left, first) < 0;
    // In a cell that rounding has bent, the second corner may lie on the right of the first; no ray takes two ways.
    const bool bent = first_after_right && second_before_left && sideOf(from_, first, second) <= 0;
    if (second_before_left && (!bent || first_before_left))
      add(wedge, bent ? first : second_after_right ? second : wedge.right, wedge.left, last);
    if (first_before_left && second_after_right && !bent)
      add(wedge, first_after_right ? first : wedge.right, second_before_left ? second : wedge.left, last - 1);
    if (first_after_right) add(wedge, wedge.right, first_before_left ? first : wedge.left, last - 2);
  }

  void add(const Wedge& wedge, Point right, Point left, unsigned side) {
    side &= 3u;
    const CellEntry next = side == kWallSide ? CellEntry{wedge.cell, kWallSide} : across(map_, wedge.cell, side);
    scratch_.wedges.push_back({right, left, next.cell, next.side, 1});
  }

  void meet(const Wedge& wedge) {
    if (wedge.side == kGap)
      emit(from_, from_, kNone, map_.floorAt(wedge.cell, from_));
    else
      meetWall(wedge);
  }

  void meetWall(const Wedge& wedge) {
    const MapHalfEdge& edge = map_.edge(wedge.cell);
    if (edge.site.isCorner()) return;
    const Point a = map_.footEnd(wedge.cell), b = edge.foot;
    emit(onRay(wedge.right, a, b), onRay(wedge.left, a, b), edge.site.index(), edge.floor);
  }

  /// Where the ray through a place meets the segment ab, whose ends lie on its right and left.
  Point onRay(Point through, Point a, Point b) const {
    if (through == a || through == b) return through;
    const Point ray = through - from_;
    const double right = -det(ray, a - from_), left = det(ray, b - from_);
    if (right <= 0) return a;
    if (left <= 0) return b;
    return a + (b - a) * (right / (right + left));
  }

  static bool same(Point a, Point b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y) < kSamePlace; }

  void emit(Point start, Point end, std::uint32_t wall, std::uint16_t floor) {
    auto& corners = out_.corners;
    if (corners.empty()) {
      corners.push_back({start, wall, floor});
    } else if (!same(start, end_)) {
      corners.push_back({end_, kNone, floor_});
      corners.push_back({start, wall, floor});
    } else if (corners.back().wall != wall) {
      corners.push_back({start, wall, floor});
    }
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
  Point from_;
  VisibilityScratch& scratch_;
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

}  // namespace throng::environment
