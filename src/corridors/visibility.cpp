#include "corridors/visibility.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "corridors/cell_walk.h"

namespace throng::corridors {
namespace {

/// One straight way through the map. A corner of a cell is on its left or not; those on the line itself count as on the
/// right, which is the same as moving the line to its left by less than any distance. So it never runs through a corner
/// or along a side, it leaves every cell it enters through one side, and no cell can be left the way it was entered.
class StraightWalk {
 public:
  StraightWalk(const CorridorMap& map, Point from, Point to, double radius)
      : map_(map), from_(from), to_(to), way_(to - from), radius_(radius) {
    sure_ = kSureOfSide * (std::abs(way_.x) + std::abs(way_.y));
  }

  Sight run(std::uint32_t cell) {
    if (from_ == to_) return stay(cell);
    cell_ = cell;
    if (!startsIn(cell, true)) {
      if (startsIn(CorridorMap::twin(cell), true)) {
        cell_ = CorridorMap::twin(cell);
      } else if (!searchStart(cell)) {
        return end(false, from_);  // in a wall
      }
    }
    std::size_t steps = 0;
    for (Point before = from_;;) {
      const Corner first = look(cellCorner(map_, cell_, side_ + 2u)),
                   second = look(cellCorner(map_, cell_, side_ + 3u));
      const unsigned exit = (first.left ? side_ + 1u : second.left ? side_ + 2u : side_ + 3u) & 3u;
      const Corner& right = first.left ? right_ : second.left ? first : second;
      const Corner& left = first.left ? first : second.left ? second : left_;
      const bool arrives = sideOf(right.at, left.at, to_) >= 0;
      if (radius_ > 0) {
        const Point after = arrives ? to_ : crossing(right, left);
        if (const auto stop = tooNear(before, after)) return end(false, *stop);
        before = after;
      } else if ((near_ || first.near || second.near) && touches()) {
        return end(false, nearestOnWay());
      }
      near_ = false;
      if (arrives) return exit == kWallSide && radius_ == 0 && touches() ? end(false, to_) : end(true, to_);
      if (exit == kWallSide) return end(false, crossing(right, left));
      if (++steps > map_.halfEdges().size()) return withoutMap();
      const Corner new_left = left;
      right_ = right;
      left_ = new_left;
      const CellEntry next = across(map_, cell_, exit);
      cell_ = next.cell;
      side_ = next.side;
    }
  }

 private:
  struct Corner {
    Point at;
    double area = 0;  ///< twice, with the way
    bool left = false;
    bool near = false;  ///< so near to the line that rounding matters
  };

  Corner look(Point at) const {
    const double area = det(way_, at - from_);
    if (area > sure_) return {at, area, true, false};
    if (area < -sure_) return {at, area, false, false};
    return {at, area, geometry::orientation(from_, to_, at) > 0, true};
  }

  /// Does the way begin in this cell? Then that becomes the state: the cell is entered through the side behind.
  /// `surely`: false also for places on the border.
  bool startsIn(std::uint32_t cell, bool surely) {
    std::array<Corner, 4> corner;
    for (unsigned i = 0; i < 4; ++i) corner[i] = look(cellCorner(map_, cell, i));
    int behind = -1, ahead = -1;
    for (int i = 0; i < 4; ++i) {
      const bool here = corner[static_cast<unsigned>(i)].left, there = corner[static_cast<unsigned>(i + 1) & 3u].left;
      if (here && !there) behind = i;
      if (!here && there) ahead = i;
    }
    if (behind < 0) return false;
    for (const int side : {behind, ahead}) {
      const Point a = corner[static_cast<unsigned>(side)].at, b = corner[static_cast<unsigned>(side + 1) & 3u].at;
      if (surely) {
        const Point d = b - a;
        if (!(det(d, from_ - a) > kSureOfSide * (std::abs(d.x) + std::abs(d.y)))) return false;
      } else if (sideOf(a, b, from_) < 0) {
        return false;
      }
    }
    side_ = static_cast<std::uint8_t>(behind);
    left_ = corner[static_cast<unsigned>(behind)];
    right_ = corner[static_cast<unsigned>(behind + 1) & 3u];
    cell_ = cell;
    near_ = !surely || left_.near || right_.near;
    return true;
  }

  /// A place on the border of cells: one of those around it is the one that the way begins in.
  bool searchStart(std::uint32_t cell) {
    constexpr std::size_t kMost = 64;
    std::array<std::uint32_t, kMost> found{cell};
    std::size_t count = 1;
    for (std::size_t i = 0; i < count; ++i) {
      if (startsIn(found[i], false)) return true;
      for (const unsigned side : {kChordSide, kTargetSide, kOriginSide}) {
        const Point a = cellCorner(map_, found[i], side), b = cellCorner(map_, found[i], side + 1);
        if (geometry::distanceToSegment(from_, a, b) > 2 * CorridorMap::kTolerance) continue;
        const std::uint32_t next = across(map_, found[i], side).cell;
        if (count < kMost && std::find(found.begin(), found.begin() + count, next) == found.begin() + count)
          found[count++] = next;
      }
    }
    cell_ = cell;
    return false;
  }

  Point crossing(const Corner& right, const Corner& left) const {
    const double span = left.area - right.area;
    return span > 0 ? right.at + (left.at - right.at) * std::clamp(-right.area / span, 0.0, 1.0) : right.at;
  }

  /// Does the whole way share a point with the wall or corner of the cell?
  bool touches() const {
    const Site site = map_.edge(cell_).site;
    if (site.isCorner()) {
      const Point at = map_.corners()[site.index()].at;
      return geometry::segmentsIntersect(from_, to_, at, at);
    }
    const Segment wall = map_.wallSegment(site.index());
    return geometry::segmentsIntersect(from_, to_, wall.a, wall.b);
  }

  /// Where a way that touches the cell's wall or corner does so first.
  Point nearestOnWay() const {
    const Site site = map_.edge(cell_).site;
    if (site.isCorner()) return map_.corners()[site.index()].at;
    const Segment wall = map_.wallSegment(site.index());
    const Corner a = look(wall.a), b = look(wall.b);
    if (!a.near && !b.near) return a.left ? crossing(b, a) : crossing(a, b);
    const bool a_first = dot(wall.a - from_, way_) < dot(wall.b - from_, way_);
    return geometry::nearestOnSegment(a.near && (a_first || !b.near) ? wall.a : wall.b, from_, to_);
  }

  /// Where the disc first comes too near to an obstacle on its way through the cell. Nearest is what the cell belongs
  /// to, or, beyond a parabola that its chord cuts off, the corner on the other side.
  std::optional<Point> tooNear(Point before, Point after) const {
    const Site own = map_.edge(cell_).site, other = map_.edge(CorridorMap::twin(cell_)).site;
    if (own.isCorner()) return tooNearCorner(own, before, after);
    std::optional<Point> stop = tooNearWall(own, before, after);
    if (other.isCorner())
      if (const auto earlier = tooNearCorner(other, before, stop ? *stop : after)) stop = earlier;
    return stop;
  }

  std::optional<Point> tooNearWall(Site site, Point before, Point after) const {
    // Every place of the cell is nearest to a place between the wall's ends, so the distance is that from its line.
    const Segment wall = map_.wallSegment(site.index());
    const Point along = site.leftSide() ? wall.b - wall.a : wall.a - wall.b;
    const double first = det(along, before - wall.a), second = det(along, after - wall.a);
    const double least = std::min(first, second), squared = lengthSquared(along);
    if (least >= 0 && least * least >= radius_ * radius_ * squared) return std::nullopt;
    const double limit = radius_ * std::sqrt(squared);
    if (first <= limit || first <= second) return before;
    return before + (after - before) * std::clamp((first - limit) / (first - second), 0.0, 1.0);
  }

  std::optional<Point> tooNearCorner(Site site, Point before, Point after) const {
    const Point corner = map_.corners()[site.index()].at;
    const double squared = radius_ * radius_;
    const Point first = before - corner;
    if (lengthSquared(first) < squared) return before;
    if (dot(first, way_) >= 0) return std::nullopt;
    const double passing = det(way_, first), whole = lengthSquared(way_);
    if (passing * passing >= squared * whole) return std::nullopt;
    if (dot(after - corner, way_) < 0 && lengthSquared(after - corner) >= squared) return std::nullopt;
    const double back = std::sqrt(squared - passing * passing / whole), length = std::sqrt(whole);
    return before + way_ * (std::max(0.0, -dot(first, way_) / length - back) / length);
  }

  Sight end(bool clear, Point at) const {
    std::uint32_t cell = cell_;
    const Site own = map_.edge(cell).site, other = map_.edge(CorridorMap::twin(cell)).site;
    if (own.isCorner() != other.isCorner() && map_.distanceTo(other, at) < map_.distanceTo(own, at))
      cell = CorridorMap::twin(cell);
    return {clear, at, cell, map_.floorAt(cell, at)};
  }

  Sight stay(std::uint32_t cell) {
    cell_ = cell;
    const double clearance = map_.nearest({cell}, from_).distance;
    return end(radius_ > 0 ? clearance >= radius_ : clearance > 0, from_);
  }

  /// What the walls themselves say, should the walk ever go in circles in a map that is not as it should be.
  Sight withoutMap() const {
    const std::uint16_t floor = map_.floorAt(cell_, from_);
    for (std::size_t i = 0; i < map_.walls().size(); ++i) {
      const MapWall& wall = map_.walls()[i];
      if (wall.a == kNone || wall.floor != floor) continue;
      const double distance = geometry::distanceBetween({from_, to_}, map_.wallSegment(static_cast<std::uint32_t>(i)));
      if (distance < radius_ || distance == 0) return {false, from_, map_.locate(from_, floor).cell, floor};
    }
    return {true, to_, map_.locate(to_, floor).cell, floor};
  }

  const CorridorMap& map_;
  Point from_, to_, way_;
  double radius_;
  double sure_;
  std::uint32_t cell_ = kNone;
  std::uint8_t side_ = 0;  ///< through which the cell was entered
  Corner right_, left_;    ///< ends of that side
  bool near_ = false;      ///< the first cell: its wall may touch the way where the way enters it
};

}  // namespace

Sight lookAlong(const CorridorMap& map, Located cell, Point from, Point to, double radius) {
  if (!cell) return {false, from, kNone, 0};
  return StraightWalk(map, from, to, radius).run(cell.cell);
}

Sight lookAlong(const CorridorMap& map, Point from, std::uint16_t floor, Point to, double radius) {
  const Located cell = map.locate(from, floor);
  if (!cell) return {false, from, kNone, floor};
  return lookAlong(map, cell, from, to, radius);
}

}  // namespace throng::corridors
