#include "corridors/map_change.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/lists.h"
#include "corridors/map_builder.h"
#include "geometry/predicates.h"

namespace throng::corridors {
namespace {

constexpr double kTie = 1e-8;         // m; distances that differ by less may be the same
constexpr double kSame = 1e-7;        // m; vertices this near to one another may be the same
constexpr double kAlmostSame = 1e-3;  // m; where obstacles are almost equally near, vertices may be this far off

}  // namespace

MapChange::MapChange(CorridorMap& map) : map_(map) {}

bool MapChange::polygonMeetsInside(const std::array<Point, 4>& polygon, const Segment& line) {
  // What the polygon leaves of the line (Cyrus and Beck 1978) must have a length, inside and not on a side.
  double from = 0, to = 1;
  const Point way = line.b - line.a;
  constexpr double kInside = 1e-6;  // m
  for (int i = 0; i < 4; ++i) {
    const Point side = polygon[(i + 1) & 3] - polygon[i];
    const double size = length(side);
    if (size == 0) continue;
    const double start = det(side, line.a - polygon[i]) / size - kInside, change = det(side, way) / size;
    if (change == 0) {
      if (start < 0) return false;
    } else if (change > 0) {
      from = std::max(from, -start / change);
    } else {
      to = std::min(to, -start / change);
    }
  }
  return (to - from) * length(way) > kInside;
}

// --- which obstacles are concerned ----------------------------------------------------------------------------------

void MapChange::mark(std::span<const std::uint32_t> removed, std::span<const std::uint32_t> added) {
  removed_.assign(removed.begin(), removed.end());
  added_.assign(added.begin(), added.end());
  wall_mark_.assign(map_.walls_.size(), 0);
  corner_mark_.assign(map_.corners_.size(), 0);
  arc_seen_.assign(map_.edges_.size() / 2, 0);
  arc_side_.assign(map_.edges_.size() / 2, 0);
  arcs_.clear(), walls_.clear(), ends_.clear(), pieces_.clear(), dropped_.clear(), renamed_.clear(), fresh_.clear();
  for (const std::uint32_t w : removed) wall_mark_[w] = kGoes;
  for (const std::uint32_t w : added) wall_mark_[w] = kComes;
  // A corner goes with its last wall, and comes with its first.
  const auto markCorner = [&](std::uint32_t c, std::uint8_t how) {
    for (std::uint32_t w = map_.corners_[c].wall; w != kNone;) {
      if (wall_mark_[w] != how) return;
      w = map_.walls_[w].a == c ? map_.walls_[w].next_at_a : map_.walls_[w].next_at_b;
    }
    corner_mark_[c] = how;
  };
  for (const std::uint32_t w : removed) markCorner(map_.walls_[w].a, kGoes), markCorner(map_.walls_[w].b, kGoes);
  for (const std::uint32_t w : added) markCorner(map_.walls_[w].a, kComes), markCorner(map_.walls_[w].b, kComes);
}

bool MapChange::goes(Site site) const { return (site.isCorner() ? corner_mark_ : wall_mark_)[site.index()] == kGoes; }

bool MapChange::comes(Site site) const {
  const auto& marks = site.isCorner() ? corner_mark_ : wall_mark_;
  return site.index() < marks.size() && marks[site.index()] == kComes;
}

/// A corner that several floors share has one name: the lower, of those that stay.
Site MapChange::canonical(Site site) const {
  if (!site.isCorner() || site.index() >= map_.corners_.size()) return site;
  if (map_.corners_[site.index()].other == kNone) return site;
  std::uint32_t lowest = kNone, lowest_staying = kNone;
  MapBuilder::forRing(map_, site.index(), [&](std::uint32_t c) {
    lowest = std::min(lowest, c);
    if (corner_mark_[c] != kGoes) lowest_staying = std::min(lowest_staying, c);
  });
  return Site::corner(lowest_staying != kNone ? lowest_staying : lowest);
}

void MapChange::push(std::uint32_t h, std::uint8_t side) {
  if (arc_seen_[h >> 1]) return;
  arc_seen_[h >> 1] = 1;
  arc_side_[h >> 1] = side;
  arcs_.push_back(h & ~1u);
}

void MapChange::seed() {
  for (const std::uint32_t w : removed_)
    for (const std::uint32_t cell : {map_.walls_[w].left_cell, map_.walls_[w].right_cell})
      if (cell != kNone) push(cell, map_.walls_[w].floor == left_floor_ ? kLeft : kRight);
  for (const std::uint32_t w : added_) {
    const Segment s = map_.wallSegment(w);
    for (const Point p : {s.a, (s.a + s.b) * 0.5, s.b})
      if (const Located at = map_.locate(p, map_.walls_[w].floor)) push(at.cell);
  }
}

/// To the inside of walls and to corners that bear this mark. (A corner that stays is as near as it was.)
double MapChange::distanceToMarked(Point p, std::span<const std::uint32_t> walls, std::uint8_t mark) const {
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t w : walls) {
    const Segment s = map_.wallSegment(w);
    const double t = dot(p - s.a, s.b - s.a), whole = lengthSquared(s.b - s.a);
    const double slack = kTie * std::sqrt(whole);
    const double side = det(s.b - s.a, p - s.a);  // seen from its solid side, a wall is not there
    const bool seen = std::abs(side) <= slack || (side > 0 ? map_.walls_[w].left_free : map_.walls_[w].right_free);
    if (seen && t > -slack && t < whole + slack) least = std::min(least, geometry::distanceToSegment(p, s.a, s.b));
    for (const std::uint32_t c : {map_.walls_[w].a, map_.walls_[w].b})
      if (corner_mark_[c] == mark) least = std::min(least, length(p - map_.corners_[c].at));
  }
  return least;
}

/// May something on the arc be nearer to what is added than to its own obstacles? When any place of a cell is, the
/// place of the arc straight away from the cell's obstacle is too, so that asking for arcs is enough.
bool MapChange::inConflict(std::uint32_t h) const {
  if (goes(map_.edges_[h].site) || goes(map_.edges_[h ^ 1].site)) return true;
  if (added_.empty()) return false;
  const MapVertex &from = map_.origin(h), &to = map_.target(h);
  const std::uint32_t at_wall = map_.onWall(h) ? h : h ^ 1;
  double bulge = 0;  // of the arc over its chord; the farthest place of a parabola is above the middle of its base
  if (map_.onWall(at_wall) && !map_.onWall(at_wall ^ 1)) {
    const Point middle = (map_.foot(at_wall) + map_.footEnd(at_wall)) * 0.5;
    bulge = length(map_.onArc(at_wall, middle) - (from.at + to.at) * 0.5);
  }
  const double reach = std::max(from.clearance, to.clearance) + bulge + kTie;
  for (const std::uint32_t w : added_) {
    const Segment s = map_.wallSegment(w);
    if (geometry::distanceBetween({from.at, to.at}, s) <= reach) return true;
  }
  return false;
}

void MapChange::grow() {
  const std::size_t seeds = arcs_.size();
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    const std::uint32_t arc = arcs_[i];
    if (i >= seeds && !inConflict(arc)) {
      arc_seen_[arc >> 1] = 2;  // looked at, and not concerned
      continue;
    }
    for (const std::uint32_t h : {arc, arc ^ 1}) {
      push(map_.edges_[h].next, arc_side_[arc >> 1]);
      push(map_.edges_[h].previous, arc_side_[arc >> 1]);
    }
  }
  std::erase_if(arcs_, [&](std::uint32_t arc) { return arc_seen_[arc >> 1] == 2; });
  for (const std::uint32_t arc : arcs_) arc_seen_[arc >> 1] = 3;
}

bool MapChange::isDropped(std::uint32_t v) const {
  const std::uint32_t first = map_.vertices_[v].edge;
  std::uint32_t h = first;
  do {
    if (goes(map_.edges_[h].site) || goes(map_.edges_[h ^ 1].site)) return true;
    h = map_.edges_[h ^ 1].next;
  } while (h != first);
  return distanceToMarked(map_.vertices_[v].at, added_, kComes) <= map_.vertices_[v].clearance + kTie;
}

/// An arc that leads away from a vertex that is dropped will begin elsewhere.
void MapChange::addArcsOfDropped() {
  std::vector<std::uint8_t> seen(map_.vertices_.size(), 0);
  for (std::size_t i = 0; i < arcs_.size(); ++i)
    for (const std::uint32_t end : {arcs_[i], arcs_[i] ^ 1}) {
      const std::uint32_t v = map_.edges_[end].origin;
      if (seen[v]) continue;
      seen[v] = 1;
      if (!isDropped(v)) continue;
      dropped_.push_back(v);
      const std::uint32_t first = map_.vertices_[v].edge;
      std::uint32_t h = first;
      do {
        if (arc_seen_[h >> 1] != 3) {
          arc_seen_[h >> 1] = 3;
          arc_side_[h >> 1] = arc_side_[arcs_[i] >> 1];
          arcs_.push_back(h & ~1u);
        }
        h = map_.edges_[h ^ 1].next;
      } while (h != first);
    }
  std::sort(dropped_.begin(), dropped_.end());
  std::sort(arcs_.begin(), arcs_.end());
}

/// On which side of the connection that is opened walls are: the floor alone does not tell where a third floor is near,
/// or the same floor comes back behind another connection.
void MapChange::labelWalls() {
  constexpr std::uint8_t kBoth = kLeft | kRight;
  wall_side_.assign(map_.walls_.size(), 0);
  for (const std::uint32_t arc : arcs_)
    for (const std::uint32_t h : {arc, arc ^ 1})
      if (const Site site = map_.edges_[h].site; !site.isCorner())
        wall_side_[site.index()] = static_cast<std::uint8_t>(wall_side_[site.index()] | arc_side_[arc >> 1]);
  for (std::uint32_t w = 0; w < wall_side_.size(); ++w)
    if (wall_side_[w] == 0 || wall_side_[w] == kBoth)
      wall_side_[w] = map_.walls_[w].floor == left_floor_ ? kLeft : kRight;
}

void MapChange::addWall(std::uint32_t wall) {
  if (wall_mark_[wall] == kGoes) return;
  walls_.push_back(wall);
}

void MapChange::collectWalls() {
  const auto addCorner = [&](std::uint32_t c) {
    MapBuilder::forRing(map_, c, [&](std::uint32_t corner) {
      for (std::uint32_t w = map_.corners_[corner].wall; w != kNone;) {
        addWall(w);
        w = map_.walls_[w].a == corner ? map_.walls_[w].next_at_a : map_.walls_[w].next_at_b;
      }
    });
  };
  for (const std::uint32_t arc : arcs_)
    for (const std::uint32_t h : {arc, arc ^ 1}) {
      const Site site = map_.edges_[h].site;
      if (site.isCorner())
        addCorner(site.index());
      else
        addWall(site.index());
    }
  for (const auto* list : {&removed_, &added_})
    for (const std::uint32_t w : *list) addCorner(map_.walls_[w].a), addCorner(map_.walls_[w].b);
  base::sortUnique(walls_);
}

std::vector<AxisWall> MapChange::plainWalls() const {
  std::vector<AxisWall> walls;
  for (const std::uint32_t i : walls_) {
    const MapWall& w = map_.walls_[i];
    walls.push_back(AxisWall::of(i, w.a, w.b, map_.corners_[w.a].at, map_.corners_[w.b].at, w.left_free, w.right_free));
  }
  return walls;
}

// --- fitting the new pieces to the old ------------------------------------------------------------------------------

/// Where a place is on the way between two obstacles when the first is on the left.
double MapChange::along(Site first, Site second, Point p) const {
  const auto onWall = [&](Site site, bool on_the_left) {
    const Segment s = map_.wallSegment(site.index());
    const double distance = dot(p - s.a, normalized(s.b - s.a));
    return on_the_left != site.leftSide() ? distance : -distance;
  };
  if (!first.isCorner()) return onWall(first, true);
  if (!second.isCorner()) return onWall(second, false);
  const Point w = map_.corners_[first.index()].at - map_.corners_[second.index()].at;
  return dot(p, normalized(Point{w.y, -w.x}));
}

/// Is this vertex of the small axis one of the map's now? It is when it belongs to something new, or lies where
/// something nearer has gone.
bool MapChange::isNew(std::uint32_t v, std::span<const Site> sites) const {
  const MedialAxis::Vertex& vertex = axis_.vertices[v];
  const double gone = distanceToMarked(vertex.at, removed_, kGoes);
  if (gone > vertex.clearance + kTie) return false;
  if (gone < vertex.clearance - kTie) return true;
  // As near as what has gone: on the border of what changes. Then it stands where one is that stays, or takes the place
  // of one that has gone. Walls that go on straight are bent a little by rounding, and where that makes a vertex is off
  // by the more the farther it is from them.
  for (const std::uint32_t arc : arcs_)
    for (const std::uint32_t h : {arc, arc ^ 1})
      if (length(map_.origin(h).at - vertex.at) <= kSame &&
          !std::binary_search(dropped_.begin(), dropped_.end(), map_.edges_[h].origin))
        return false;
  double shortest = std::numeric_limits<double>::infinity();
  for (const std::uint32_t w : removed_) {
    const Segment s = map_.wallSegment(w);
    shortest = std::min(shortest, length(s.b - s.a));
  }
  const double same = kSame + 4 * map_.resolution_ * vertex.clearance / shortest;
  // Where four obstacles are almost equally near, it lies farther off than that: then the arc that has lost its end
  // there, and has it here again, tells.
  const auto has = [&](std::uint32_t h) {
    return std::find(sites.begin(), sites.end(), canonical(map_.edges_[h].site)) != sites.end();
  };
  for (const std::uint32_t old : dropped_) {
    const double apart = length(map_.vertices_[old].at - vertex.at);
    if (apart > std::max(same, kAlmostSame)) continue;
    const std::uint32_t first = map_.vertices_[old].edge;
    std::uint32_t h = first;
    do {
      if (apart <= same ? has(h) || has(h ^ 1) : has(h) && has(h ^ 1)) return true;
      h = map_.edges_[h ^ 1].next;
    } while (h != first);
  }
  return false;
}

void MapChange::addEnd(std::uint32_t half, bool starts, bool stays) {
  const auto site = [&](std::uint32_t h) { return stays ? map_.edges_[h].site : axis_.edges[h].site; };
  Site first = canonical(site(half)), second = canonical(site(half ^ 1));
  const std::uint32_t at = starts ? half : half ^ 1;  // half-edge whose origin the end is
  const std::uint32_t vertex = stays ? map_.edges_[at].origin : axis_.edges[at].origin;
  const Point place = stays ? map_.vertices_[vertex].at : axis_.vertices[vertex].at;
  Site left = site(half), right = site(half ^ 1);
  if (second.code < first.code) std::swap(first, second), std::swap(left, right), half ^= 1, starts = !starts;
  ends_.push_back({along(first, second, place), starts, stays, half, first, second, left, right, vertex});
}

bool MapChange::fit() {
  // Vertices.
  vertex_new_.assign(axis_.vertices.size(), 0);
  for (std::uint32_t e = 0; e < axis_.edges.size(); ++e)
    if (axis_.edges[e].origin != kNone && (comes(axis_.edges[e].site) || comes(axis_.edges[e ^ 1].site)))
      vertex_new_[axis_.edges[e].origin] = 1;
  if (!removed_.empty()) {
    std::vector<std::vector<Site>> sites(axis_.vertices.size());
    for (std::uint32_t e = 0; e < axis_.edges.size(); ++e)
      if (axis_.edges[e].origin != kNone)
        for (const std::uint32_t side : {e, e ^ 1})
          sites[axis_.edges[e].origin].push_back(canonical(axis_.edges[side].site));
    for (std::uint32_t v = 0; v < axis_.vertices.size(); ++v)
      if (!vertex_new_[v]) vertex_new_[v] = isNew(v, sites[v]);
  }

  // Arcs of the small axis.
  const auto isNewEnd = [&](std::uint32_t e) {
    return axis_.edges[e].origin != kNone && vertex_new_[axis_.edges[e].origin];
  };
  for (std::uint32_t e = 0; e < axis_.edges.size(); e += 2) {
    const bool from = isNewEnd(e), to = isNewEnd(e ^ 1);
    if (!from && !to) continue;
    for (const std::uint32_t h : {e, e ^ 1}) {
      const Site site = axis_.edges[h].site;
      if (site.isCorner() && site.index() >= map_.corners_.size()) return false;  // where a wall was cut off
    }
    if (comes(axis_.edges[e].site) || comes(axis_.edges[e ^ 1].site)) {
      if (!from || !to) return false;
      const Site left = axis_.edges[e].site, right = axis_.edges[e ^ 1].site;
      const std::uint32_t v = axis_.edges[e].origin, w = axis_.edges[e ^ 1].origin;
      pieces_.push_back(
          {{0, true, false, e, left, right, left, right, v}, {0, false, false, e, left, right, left, right, w}});
      continue;
    }
    if (from) addEnd(e, true, false);
    if (to) addEnd(e, false, false);
  }

  // Old arcs between obstacles that stay.
  for (const std::uint32_t arc : arcs_) {
    if (goes(map_.edges_[arc].site) || goes(map_.edges_[arc ^ 1].site)) continue;
    if (!std::binary_search(dropped_.begin(), dropped_.end(), map_.edges_[arc].origin)) addEnd(arc, true, true);
    if (!std::binary_search(dropped_.begin(), dropped_.end(), map_.edges_[arc ^ 1].origin)) addEnd(arc, false, true);
  }
  return pairUp();
}

bool MapChange::pairUp() {
  const auto key = [](const End& e) { return std::pair(e.first.code, e.second.code); };
  std::sort(ends_.begin(), ends_.end(), [&](const End& s, const End& t) {
    if (key(s) != key(t)) return key(s) < key(t);
    if (s.along != t.along) return s.along < t.along;
    return std::tie(s.starts, s.half) < std::tie(t.starts, t.half);  // one arc ends before the next begins
  });
  for (std::size_t i = 0; i < ends_.size(); i += 2) {
    if (i + 1 >= ends_.size() || key(ends_[i]) != key(ends_[i + 1])) return false;
    // Arcs without length: their two ends may have come in the wrong order.
    if (!ends_[i].starts && ends_[i + 1].starts && ends_[i + 1].along - ends_[i].along < kSame)
      std::swap(ends_[i], ends_[i + 1]);
    if (!ends_[i].starts || ends_[i + 1].starts) return false;
    pieces_.push_back({ends_[i], ends_[i + 1]});
  }
  return true;
}

}  // namespace throng::corridors
