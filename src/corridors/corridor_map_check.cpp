#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "corridors/cell_walk.h"
#include "corridors/map_builder.h"

namespace throng::corridors {
namespace {

constexpr double kClose = 1e-6;              // m; how exactly feet and clearances hold
constexpr double kFarthest = 1e8;            // m
constexpr double kMostUnits = 2147483647.0;  // of the resolution, from the origin

bool sane(Point p) { return std::abs(p.x) <= kFarthest && std::abs(p.y) <= kFarthest; }

}  // namespace

/// Goes through everything once; the first thing that is wrong ends it.
class MapCheck {
 public:
  explicit MapCheck(const CorridorMap& map) : map_(map) {}

  std::string run() {
    const bool fine = frame() && corners() && walls() && cornerLists() && vertices() && halfEdges() && shapes() &&
                      orbits() && chains() && connections() && freeLists() && obstacles();
    return fine ? std::string() : wrong_;
  }

 private:
  template <class... Values>
  bool fail(fmt::format_string<Values...> text, Values&&... values) {
    wrong_ = fmt::format(text, std::forward<Values>(values)...);
    return false;
  }

  bool frame() {
    if (map_.edges_.empty() && map_.walls_.empty()) return true;
    int exponent = 0;
    if (!(map_.resolution_ > 0 && map_.resolution_ <= 1) || std::frexp(map_.resolution_, &exponent) != 0.5)
      return fail("the resolution is {} m; it must be a power of two", map_.resolution_);
    if (!sane(map_.origin_)) return fail("the origin is not a place");
    if (map_.floors() == 0 || map_.floors() > 0xffff) return fail("there are {} floors", map_.floors());
    if (map_.edges_.size() % 2 != 0) return fail("there are {} half-edges, an odd number", map_.edges_.size());
    return true;
  }

  // --- walls and corners ---------------------------------------------------------------------------------------------

  bool onGrid(double x, double origin) const {
    const double units = (x - origin) / map_.resolution_;
    return std::abs(units) <= kMostUnits && units == std::floor(units);
  }

  bool isGridPlace(Point p) const { return sane(p) && onGrid(p.x, map_.origin_.x) && onGrid(p.y, map_.origin_.y); }

  bool usedCorner(std::uint32_t c) const { return c < map_.corners_.size() && map_.corners_[c].wall != kNone; }
  bool usedWall(std::uint32_t w) const { return w < map_.walls_.size() && map_.walls_[w].a != kNone; }
  bool usedVertex(std::uint32_t v) const { return v < map_.vertices_.size() && map_.vertices_[v].edge != kNone; }
  bool usedEdge(std::uint32_t h) const { return h < map_.edges_.size() && map_.edges_[h].origin != kNone; }
  bool usedChain(std::uint32_t c) const { return c < map_.chains_.size() && map_.chains_[c].first != kNone; }

  bool corners() {
    for (std::uint32_t i = 0; i < map_.corners_.size(); ++i) {
      const MapCorner& c = map_.corners_[i];
      if (c.wall == kNone) continue;
      if (!usedWall(c.wall)) return fail("corner {} has wall {}, which is not in use", i, c.wall);
      if (c.floor >= map_.floors()) return fail("corner {} is on floor {}", i, c.floor);
      if (!isGridPlace(c.at)) return fail("corner {} at ({}, {}) is not on the grid", i, c.at.x, c.at.y);
      if (c.other == kNone) continue;
      // The other may be kept for a connection that can be closed again, without walls of its own.
      std::uint32_t next = c.other;
      for (std::size_t steps = 0; next != i; ++steps, next = map_.corners_[next].other) {
        if (next >= map_.corners_.size() || steps > map_.floors() || c.other == i)
          return fail("corner {} is the same as corner {}, but not the other way round", i, c.other);
        if (map_.corners_[next].at != c.at) return fail("corners {} and {} are not in the same place", i, next);
      }
    }
    return true;
  }

  bool walls() {
    for (std::uint32_t i = 0; i < map_.walls_.size(); ++i) {
      const MapWall& w = map_.walls_[i];
      if (w.a == kNone) continue;
      if (!usedCorner(w.a) || !usedCorner(w.b) || map_.corners_[w.a].at == map_.corners_[w.b].at)
        return fail("wall {} is between corners {} and {}", i, w.a, w.b);
      if (w.floor >= map_.floors() || map_.corners_[w.a].floor != w.floor || map_.corners_[w.b].floor != w.floor)
        return fail("wall {} and its corners are on different floors", i);
      if (!w.left_free && !w.right_free) return fail("wall {} has no free side", i);
      for (const bool left : {true, false}) {
        const std::uint32_t cell = left ? w.left_cell : w.right_cell;
        if (cell != kNone && (!usedEdge(cell) || map_.edges_[cell].site != Site::wall(i, left)))
          return fail("wall {} names cell {}, which is not on that side of it", i, cell);
      }
    }
    return true;
  }

  bool cornerLists() {
    std::size_t ends = 0, listed = 0;
    for (const MapWall& w : map_.walls_) ends += w.a != kNone ? 2 : 0;
    for (std::uint32_t c = 0; c < map_.corners_.size(); ++c)
      for (std::uint32_t w = map_.corners_[c].wall; w != kNone;) {
        if (!usedWall(w) || (map_.walls_[w].a != c && map_.walls_[w].b != c))
          return fail("corner {} lists wall {}, which does not end there", c, w);
        if (++listed > ends) return fail("the list of walls at corner {} goes in circles", c);
        w = map_.walls_[w].a == c ? map_.walls_[w].next_at_a : map_.walls_[w].next_at_b;
      }
    return listed == ends || fail("corners list {} ends of walls, there are {}", listed, ends);
  }

  // --- the medial axis -----------------------------------------------------------------------------------------------

  bool vertices() {
    for (std::uint32_t i = 0; i < map_.vertices_.size(); ++i) {
      const MapVertex& v = map_.vertices_[i];
      if (v.edge == kNone) continue;
      if (!usedEdge(v.edge) || map_.edges_[v.edge].origin != i)
        return fail("vertex {} has half-edge {}, which does not begin there", i, v.edge);
      if (!sane(v.at) || !(v.clearance >= 0 && v.clearance <= kFarthest))
        return fail("vertex {} is at ({}, {}) with clearance {}", i, v.at.x, v.at.y, v.clearance);
    }
    return true;
  }

  bool site(std::uint32_t h) {
    const MapHalfEdge& e = map_.edges_[h];
    const std::uint32_t index = e.site.index();
    if (e.floor >= map_.floors()) return fail("half-edge {} is on floor {}", h, e.floor);
    if (e.site.isCorner()) {
      bool of_other_floor = false;  // one of the ring, which was looked at with the corners
      if (index < map_.corners_.size())
        MapBuilder::forRing(map_, index, [&](std::uint32_t c) { of_other_floor |= map_.corners_[c].floor == e.floor; });
      if (e.site.leftSide() || !usedCorner(index) || (map_.corners_[index].floor != e.floor && !of_other_floor))
        return fail("half-edge {} has corner {} on its left, which is not in use on its floor", h, index);
      return true;
    }
    if (!usedWall(index) || map_.walls_[index].floor != e.floor)
      return fail("half-edge {} has wall {} on its left, which is not in use on its floor", h, index);
    const MapWall& w = map_.walls_[index];
    return (e.site.leftSide() ? w.left_free : w.right_free) ||
           fail("half-edge {} is on the side of wall {} that is not free", h, index);
  }

  bool halfEdges() {
    for (std::uint32_t h = 0; h < map_.edges_.size(); ++h) {
      const MapHalfEdge &e = map_.edges_[h], &twin = map_.edges_[h ^ 1u];
      if (e.origin == kNone) {
        if (twin.origin != kNone) return fail("half-edge {} is in use and its twin is not", h ^ 1u);
        continue;
      }
      if (!usedVertex(e.origin)) return fail("half-edge {} begins at vertex {}, which is not in use", h, e.origin);
      if (!usedEdge(e.next) || map_.edges_[e.next].previous != h)
        return fail("half-edge {} is followed by {}, but not the other way round", h, e.next);
      if (!usedEdge(e.previous) || map_.edges_[e.previous].next != h)
        return fail("half-edge {} follows {}, but not the other way round", h, e.previous);
      if (map_.edges_[e.next].origin != twin.origin)
        return fail("half-edge {} ends where {}, which follows it, does not begin", h, e.next);
      if (!site(h)) return false;
      if (!sane(e.foot)) return fail("half-edge {} has no foot", h);
      if (!(e.least_clearance >= 0) || e.least_clearance != twin.least_clearance)
        return fail("half-edge {} and its twin have clearances {} and {}", h, e.least_clearance, twin.least_clearance);
    }
    return true;
  }

  /// Every cell is where it should be.
  bool shapes() {
    double covered = 0, border = 0, room = 0;
    for (std::uint32_t h = 0; h < map_.edges_.size(); ++h) {
      const MapHalfEdge& e = map_.edges_[h];
      if (e.origin == kNone) continue;
      if (length(e.foot - map_.nearestOn(e.site, e.foot)) > kClose)
        return fail("the foot of half-edge {} at ({}, {}) is not on its obstacle", h, e.foot.x, e.foot.y);
      const MapVertex& from = map_.origin(h);
      if (std::abs(length(from.at - e.foot) - from.clearance) > kClose)
        return fail("the foot of half-edge {} is {} m from its origin, where the clearance is {} m", h,
                    length(from.at - e.foot), from.clearance);
      for (const MapVertex& v : {from, map_.target(h)})
        if (std::abs(map_.distanceTo(e.site, v.at) - v.clearance) > kClose)
          return fail("half-edge {}: its vertex at ({}, {}) is {} m from the obstacle, with a clearance of {} m", h,
                      v.at.x, v.at.y, map_.distanceTo(e.site, v.at), v.clearance);
      const auto corner = cellCorners(map_, h);
      double area = 0, around = 0;
      for (unsigned i = 0; i < 4; ++i) {
        area += det(corner[i] - corner[0], corner[(i + 1) & 3u] - corner[0]) / 2;
        around += length(corner[(i + 1) & 3u] - corner[i]);
      }
      if (area < -kClose * around)
        return fail("the cell of half-edge {} at ({}, {}) is turned inside out", h, corner[0].x, corner[0].y);
      covered += area;
      border += around;
    }
    for (const CellGrid& grid : map_.grids_) {
      const Point size = grid.bounds().max - grid.bounds().min;
      room += size.x * size.y;
    }
    return covered <= room + kClose * (room + border) || fail("cells cover {} m², the floors have {}", covered, room);
  }

  /// Every half-edge is found from the vertex where it begins.
  bool orbits() {
    std::size_t used = 0, found = 0;
    for (const MapHalfEdge& e : map_.edges_) used += e.origin != kNone;
    for (const MapVertex& v : map_.vertices_) {
      if (v.edge == kNone) continue;
      std::uint32_t h = v.edge;
      do {
        ++found;
        h = map_.edges_[CorridorMap::twin(h)].next;
      } while (h != v.edge && found <= used);
    }
    return found == used || fail("from vertices {} half-edges are found, there are {}", found, used);
  }

  bool chains() {
    for (std::uint32_t i = 0; i < map_.chains_.size(); ++i) {
      const MapChain& c = map_.chains_[i];
      if (c.first == kNone) continue;
      for (const std::uint32_t h : {c.first, c.last})
        if (!usedEdge(h) || map_.edges_[h].chain != i || !map_.edges_[h].forward)
          return fail("chain {} begins or ends with half-edge {}, which is not part of it", i, h);
      if (map_.edges_[c.first].origin != c.a || map_.edges_[CorridorMap::twin(c.last)].origin != c.b)
        return fail("chain {} does not go from vertex {} to vertex {}", i, c.a, c.b);
      if (!(c.length >= 0 && c.length <= kFarthest) || !(c.least_clearance >= 0))
        return fail("chain {} has length {} and clearance {}", i, c.length, c.least_clearance);
    }
    std::size_t arcs = 0, chained = 0;
    for (std::uint32_t h = 0; h < map_.edges_.size(); ++h) {
      const MapHalfEdge& e = map_.edges_[h];
      if (e.origin == kNone) continue;
      const MapHalfEdge& twin = map_.edges_[CorridorMap::twin(h)];
      if (!usedChain(e.chain) || twin.chain != e.chain || twin.forward == e.forward)
        return fail("half-edge {} is in chain {}, its twin in {}", h, e.chain, twin.chain);
      const float most = map_.chains_[e.chain].length * 1.0001f + 1e-3f;
      if (!(e.along >= -1e-3f && e.along <= most)) return fail("half-edge {} is {} m along its chain", h, e.along);
      arcs += e.forward;
    }
    // Every chain leads from its first arc to its last, and no arc is left over.
    for (std::uint32_t i = 0; i < map_.chains_.size(); ++i) {
      if (map_.chains_[i].first == kNone) continue;
      for (std::uint32_t h = map_.chains_[i].first; ++chained <= arcs && h != map_.chains_[i].last;) {
        h = following(h);
        if (h == kNone) return fail("chain {} breaks off", i);
      }
    }
    return chained == arcs || fail("chains have {} arcs, there are {}", chained, arcs);
  }

  /// The half-edge that goes on in the same chain.
  std::uint32_t following(std::uint32_t h) const {
    std::uint32_t way = map_.edges_[h].next;
    for (; way != CorridorMap::twin(h); way = map_.edges_[CorridorMap::twin(way)].next)
      if (map_.edges_[way].chain == map_.edges_[h].chain && map_.edges_[way].forward) return way;
    return kNone;
  }

  // --- the rest ------------------------------------------------------------------------------------------------------

  bool connections() {
    for (std::uint32_t i = 0; i < map_.connections_.size(); ++i) {
      const MapConnection& k = map_.connections_[i];
      if (k.left_floor >= map_.floors() || k.right_floor >= map_.floors() || !sane(k.line.a) || !sane(k.line.b))
        return fail("connection {} joins floors {} and {} of {}", i, k.left_floor, k.right_floor, map_.floors());
      for (const MapWall& w : k.closed)
        if (w.floor >= map_.floors() || w.a >= map_.corners_.size() || w.b >= map_.corners_.size())
          return fail("connection {} stands for a wall between corners {} and {}", i, w.a, w.b);
    }
    std::size_t steps = 0;
    for (std::uint32_t h = 0; h < map_.edges_.size(); ++h)
      for (std::uint32_t c = map_.edges_[h].crossing; c != kNone; c = map_.crossings_[c].next)
        if (c >= map_.crossings_.size() || map_.crossings_[c].connection >= map_.connections_.size() ||
            ++steps > map_.crossings_.size())
          return fail("half-edge {} lists a connection that is not there", h);
    return true;
  }

  template <class Used>
  bool freeList(const std::vector<std::uint32_t>& list, std::size_t size, const Used& used, const char* what) {
    std::vector<bool> seen(size, false);
    for (const std::uint32_t i : list) {
      if (i >= size || used(i) || seen[i]) return fail("{} {} is in the list of free ones", what, i);
      seen[i] = true;
    }
    return true;
  }

  bool freeLists() {
    for (const std::uint32_t h : map_.free_edges_)
      if (h % 2 != 0) return fail("half-edge {} is in the list of free ones, which has even ones only", h);
    return freeList(
               map_.free_corners_, map_.corners_.size(), [&](auto i) { return usedCorner(i); }, "corner") &&
           freeList(
               map_.free_walls_, map_.walls_.size(), [&](auto i) { return usedWall(i); }, "wall") &&
           freeList(
               map_.free_vertices_, map_.vertices_.size(), [&](auto i) { return usedVertex(i); }, "vertex") &&
           freeList(
               map_.free_edges_, map_.edges_.size(), [&](auto i) { return usedEdge(i); }, "half-edge") &&
           freeList(
               map_.free_chains_, map_.chains_.size(), [&](auto i) { return usedChain(i); }, "chain");
  }

  bool obstacles() {
    std::vector<bool> taken(map_.walls_.size(), false), free(map_.walls_.size(), false);
    for (const std::uint32_t w : map_.free_walls_) free[w] = true;
    for (std::size_t i = 0; i < map_.obstacles_.size(); ++i) {
      const CorridorMap::Obstacle& o = map_.obstacles_[i];
      if (o.shape.empty()) continue;
      if (o.floor >= map_.floors() || o.shape.size() < 2 || o.order >= map_.next_order_ ||
          !std::all_of(o.shape.begin(), o.shape.end(), [&](Point p) { return isGridPlace(p); }))
        return fail("obstacle {} has {} corners on floor {}, or not on the grid", i, o.shape.size(), o.floor);
      for (const std::uint32_t w : o.added)
        if (w >= taken.size() || taken[w] || free[w])
          return fail("obstacle {} has wall {}, which is not its own", i, w);
        else
          taken[w] = true;
    }
    // A wall may be one obstacle's and cut by a later one, but only one of them keeps it for later.
    taken.assign(map_.walls_.size(), false);
    for (std::size_t i = 0; i < map_.obstacles_.size(); ++i)
      for (const auto& [id, w] : map_.obstacles_[i].replaced) {
        if (id >= taken.size() || taken[id] || free[id] || usedWall(id) || w.floor >= map_.floors() ||
            !keptCorner(w.a, w.floor) || !keptCorner(w.b, w.floor) || w.a == w.b)
          return fail("obstacle {} keeps wall {}, which is not its own", i, id);
        taken[id] = true;
      }
    return true;
  }

  bool keptCorner(std::uint32_t c, std::uint16_t floor) const {
    return c < map_.corners_.size() && map_.corners_[c].floor == floor && isGridPlace(map_.corners_[c].at) &&
           std::find(map_.free_corners_.begin(), map_.free_corners_.end(), c) == map_.free_corners_.end();
  }

  const CorridorMap& map_;
  std::string wrong_;
};

std::string CorridorMap::check() const { return MapCheck(*this).run(); }

}  // namespace throng::corridors
