// MapChange, second half: carrying a change out.
#include <algorithm>
#include <functional>

#include "base/lists.h"
#include "corridors/map_builder.h"
#include "corridors/map_change.h"
#include "corridors/noding.h"
#include "geometry/predicates.h"

namespace throng::corridors {

namespace {

/// Two axes that know nothing of one another.
void append(MedialAxis& axis, const MedialAxis& more) {
  const auto vertex0 = static_cast<std::uint32_t>(axis.vertices.size());
  const auto edge0 = static_cast<std::uint32_t>(axis.edges.size());
  axis.vertices.insert(axis.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (MedialAxis::HalfEdge e : more.edges) {
    if (e.origin != kNone) e.origin += vertex0;
    if (e.next != kNone) e.next += edge0;
    axis.edges.push_back(e);
  }
}

}  // namespace

void MapChange::findConcerned(std::span<const std::uint32_t> removed, std::span<const std::uint32_t> added) {
  mark(removed, added);
  seed();
  grow();
  addArcsOfDropped();
  collectWalls();
}

/// A change goes over a connection only where free discs lie on the line.
std::vector<std::uint32_t> MapChange::connectionsReached() const {
  std::vector<std::uint8_t> on_floor(map_.grids_.size(), 0);
  for (const std::uint32_t arc : arcs_) on_floor[map_.edges_[arc].floor] = on_floor[map_.edges_[arc ^ 1].floor] = 1;
  std::vector<std::uint32_t> reached;
  for (std::uint32_t k = 0; k < map_.connections_.size(); ++k) {
    const MapConnection& connection = map_.connections_[k];
    if (!connection.open || !on_floor[connection.left_floor] || !on_floor[connection.right_floor]) continue;
    const bool met = std::any_of(arcs_.begin(), arcs_.end(), [&](std::uint32_t arc) {
      for (const std::uint32_t h : {arc, arc ^ 1})
        for (const Segment& part : connection.parts)
          if (geometry::distanceToSegment(map_.origin(h).at, part.a, part.b) <= map_.origin(h).clearance) return true;
      return false;
    });
    if (met) reached.push_back(k);
  }
  return reached;
}

bool MapChange::replace(std::span<const std::uint32_t> removed, std::span<const std::uint32_t> added) {
  findConcerned(removed, added);
  const std::uint16_t floor = map_.walls_[(added.empty() ? removed : added)[0]].floor;
  for (const std::uint32_t arc : arcs_)
    if (map_.edges_[arc].floor != floor || map_.edges_[arc ^ 1].floor != floor) return false;
  if (arcs_.empty()) return false;
  // Corners at the ends of a connection have walls of its other floor too.
  std::erase_if(walls_, [&](std::uint32_t w) { return map_.walls_[w].floor != floor; });
  axis_ = medialAxis(plainWalls(), MapBuilder::gridOf(map_));
  if (!fit()) return false;
  commit();
  return true;
}

bool MapChange::openConnection(std::uint32_t connection, std::span<const std::uint32_t> closed) {
  left_floor_ = map_.connections_[connection].left_floor;
  findConcerned(closed, {});
  labelWalls();
  axis_ = medialAxis(foldedWalls(map_.connections_[connection]), MapBuilder::gridOf(map_));
  if (!fit()) return false;
  MapConnection& k = map_.connections_[connection];
  for (const std::uint32_t w : closed) {
    k.closed.push_back(map_.walls_[w]);
    if (map_.walls_[w].floor == k.left_floor) k.parts.push_back(map_.wallSegment(w));
  }
  k.open = true;
  keep_corners_ = true;  // for when it is closed again
  commit();
  keep_corners_ = false;
  return true;
}

bool MapChange::closeConnection(std::uint32_t connection, std::vector<std::uint32_t>& closed) {
  MapConnection& k = map_.connections_[connection];
  closed.clear();
  for (const MapWall& wall : k.closed) {
    const std::uint32_t id = map_.newWall();
    map_.walls_[id] = wall;
    map_.walls_[id].left_cell = map_.walls_[id].right_cell = kNone;
    MapBuilder::attach(map_, id);
    closed.push_back(id);
  }
  findConcerned({}, closed);
  // Once it is closed, nothing of one floor is near to anything of the other: each has an axis of its own.
  const std::vector<std::uint32_t> all = std::move(walls_);
  axis_ = {};
  bool fits = true;
  for (const std::uint16_t floor : {k.left_floor, k.right_floor}) {
    walls_.clear();
    for (const std::uint32_t w : all) {
      if (map_.walls_[w].floor == floor) walls_.push_back(w);
      fits = fits && (map_.walls_[w].floor == k.left_floor || map_.walls_[w].floor == k.right_floor);
    }
    append(axis_, medialAxis(plainWalls(), MapBuilder::gridOf(map_)));
  }
  if (!fits || !fit()) {
    for (const std::uint32_t id : closed) {
      MapBuilder::detach(map_, id);
      map_.walls_[id] = MapWall{};
      map_.free_walls_.push_back(id);
    }
    closed.clear();
    return false;
  }
  k.open = false;
  k.closed.clear(), k.parts.clear();
  commit();
  // Each floor has corners of its own again, but where another connection goes on.
  for (const std::uint32_t id : closed)
    for (const std::uint32_t c : {map_.walls_[id].a, map_.walls_[id].b}) {
      const bool shared =
          std::any_of(map_.connections_.begin(), map_.connections_.end(), [&](const MapConnection& other) {
            return std::any_of(other.closed.begin(), other.closed.end(),
                               [&](const MapWall& wall) { return wall.a == c || wall.b == c; });
          });
      if (!shared) MapBuilder::leaveRing(map_, c);
    }
  return true;
}

/// The side of a connection on which a wall lies: the one from which it was found, since a floor may come back behind
/// another connection. One of a floor that is neither of the connection's two, but near through another connection that
/// is open already, lies on its floor's side of that one.
MapChange::HalfPlane MapChange::halfPlaneOf(std::uint32_t wall, const MapConnection& connection) const {
  const std::uint16_t floor = map_.walls_[wall].floor;
  const MapConnection* nearest = &connection;
  if (floor != connection.left_floor && floor != connection.right_floor) {
    double least = std::numeric_limits<double>::infinity();
    for (const MapConnection& other : map_.connections_) {
      if (!other.open || other.parts.empty() || (other.left_floor != floor && other.right_floor != floor)) continue;
      const double off = geometry::distanceOfEnds(other.line, connection.line);
      if (off < least) least = off, nearest = &other;
    }
  }
  if (nearest == &connection) return {connection.line, wall_side_[wall] == kLeft ? 1.0 : -1.0};
  return {nearest->line, floor == nearest->left_floor ? 1.0 : -1.0};
}

/// The walls around a connection, each floor's on its own side of the line only: near the line the two floors lie side
/// by side, but elsewhere they may overlap in plan. A disc that is free and reaches over the line meets it between the
/// connection's ends, so what is cut off cannot be nearest to any place that changes.
std::vector<AxisWall> MapChange::foldedWalls(const MapConnection& connection) const {
  const IntegerGrid grid = MapBuilder::gridOf(map_);
  std::vector<DirectedWall> parts;
  for (const std::uint32_t i : walls_) {
    const MapWall& wall = map_.walls_[i];
    const HalfPlane half = halfPlaneOf(i, connection);
    Point p = map_.corners_[wall.a].at, q = map_.corners_[wall.b].at;
    const double at_p = half.depth(p), at_q = half.depth(q);
    const double p_on_line = half.tolerance(p, grid.resolution), q_on_line = half.tolerance(q, grid.resolution);
    const bool p_out = at_p < -p_on_line, q_out = at_q < -q_on_line;
    if (p_out && q_out) continue;
    if ((p_out || q_out) && at_p <= p_on_line && at_q <= q_on_line) continue;  // touches the line, leads away
    if (p_out) p = p + (q - p) * (at_p / (at_p - at_q));
    if (q_out) q = q + (p - q) * (at_q / (at_q - at_p));
    parts.push_back({grid.round(p), grid.round(q), i});
  }
  parts = noded(std::move(parts), grid);

  // Names of the corners; what was cut off ends in corners without a name.
  std::vector<std::pair<IntegerGrid::Place, std::uint32_t>> names;
  for (const std::uint32_t i : walls_)
    for (const std::uint32_t c : {map_.walls_[i].a, map_.walls_[i].b})
      names.emplace_back(grid.round(map_.corners_[c].at), canonical(Site::corner(c)).index());
  std::sort(names.begin(), names.end());
  std::uint32_t nameless = static_cast<std::uint32_t>(map_.corners_.size());
  const auto name = [&](const IntegerGrid::Place& p) {
    const auto at = std::lower_bound(names.begin(), names.end(), std::pair(p, 0u));
    if (at != names.end() && at->first == p) return at->second;
    names.insert(at, {p, nameless});
    return nameless++;
  };
  std::vector<AxisWall> walls;
  for (const DirectedWall& part : parts) {
    const MapWall& wall = map_.walls_[part.tag];
    AxisWall w = AxisWall::of(part.tag, name(part.a), name(part.b), grid.point(part.a), grid.point(part.b),
                              wall.left_free, wall.right_free);
    // Walls of both floors in one place become one, with a side for each floor.
    const auto same = std::find_if(walls.begin(), walls.end(), [&](const AxisWall& other) {
      return (other.a == w.a && other.b == w.b) || (other.a == w.b && other.b == w.a);
    });
    if (same == walls.end()) {
      walls.push_back(w);
      continue;
    }
    if (same->a != w.a) std::swap(w.left, w.right), std::swap(w.left_free, w.right_free);
    if (w.left_free && !same->left_free) same->left = w.left, same->left_free = true;
    if (w.right_free && !same->right_free) same->right = w.right, same->right_free = true;
  }
  return walls;
}

void MapChange::commit() {
  ++map_.revision_;
  map_.stamp_.renew();
  nameArcs();
  takeOut();
  makeVertices();
  for (Piece& piece : pieces_)
    if (!piece.unchanged) makeArc(piece);
  link();
  finish();
  updateChains();
  map_.changed_ = fresh_;
}

/// Which old arcs go on: as they are, or with another end.
void MapChange::nameArcs() {
  arc_seen_.assign(map_.edges_.size() / 2, 0);  // now: 1 unchanged, 2 goes on
  for (Piece& piece : pieces_) {
    piece.unchanged = piece.from.stays && piece.to.stays && piece.from.half == piece.to.half;
    if (piece.unchanged) piece.half = piece.from.half, arc_seen_[piece.half >> 1] = 1;
  }
  for (Piece& piece : pieces_)
    for (const End* end : {&piece.from, &piece.to})
      if (end->stays && piece.half == kNone && arc_seen_[end->half >> 1] == 0)
        piece.half = end->half, arc_seen_[end->half >> 1] = 2;
}

void MapChange::takeOut() {
  touched_chains_.clear();
  for (const std::uint32_t arc : arcs_) {
    if (arc_seen_[arc >> 1] == 1) continue;
    touched_chains_.push_back(map_.edges_[arc].chain);
    for (const std::uint32_t h : {arc, arc ^ 1})
      if (!map_.grids_.empty()) MapBuilder::leave(map_, h);
  }
  for (const Piece& piece : pieces_)
    for (const End* end : {&piece.from, &piece.to}) {
      if (piece.unchanged || !end->stays) continue;
      const std::uint32_t out = end->starts ? end->half : end->half ^ 1;
      renamed_.push_back({out, kNone, map_.edges_[out].previous, map_.edges_[out ^ 1].next});
    }
  for (const std::uint32_t arc : arcs_) {
    if (arc_seen_[arc >> 1] == 1) continue;
    for (const std::uint32_t h : {arc, arc ^ 1}) {
      const Site site = map_.edges_[h].site;
      if (site.isCorner()) continue;
      MapWall& wall = map_.walls_[site.index()];
      std::uint32_t& cell = site.leftSide() ? wall.left_cell : wall.right_cell;
      if (cell == h) cell = kNone;
    }
    if (arc_seen_[arc >> 1] == 2) continue;
    map_.edges_[arc] = map_.edges_[arc ^ 1] = MapHalfEdge{};
    map_.free_edges_.push_back(arc);
  }
  for (const std::uint32_t v : dropped_) {
    map_.vertices_[v] = MapVertex{};
    map_.free_vertices_.push_back(v);
  }
  // The smallest free number is taken first.
  std::sort(map_.free_edges_.begin(), map_.free_edges_.end(), std::greater<>());
  std::sort(map_.free_vertices_.begin(), map_.free_vertices_.end(), std::greater<>());
}

void MapChange::makeVertices() {
  vertex_of_axis_.assign(axis_.vertices.size(), kNone);
  out_of_axis_.assign(axis_.edges.size(), kNone);
  for (std::uint32_t v = 0; v < axis_.vertices.size(); ++v) {
    if (!vertex_new_[v]) continue;
    if (map_.free_vertices_.empty()) {
      map_.free_vertices_.push_back(static_cast<std::uint32_t>(map_.vertices_.size()));
      map_.vertices_.emplace_back();
    }
    vertex_of_axis_[v] = map_.free_vertices_.back();
    map_.free_vertices_.pop_back();
    map_.vertices_[vertex_of_axis_[v]] = {axis_.vertices[v].at, axis_.vertices[v].clearance, kNone};
  }
}

void MapChange::makeArc(Piece& piece) {
  if (piece.half == kNone) {
    if (map_.free_edges_.empty()) {
      map_.free_edges_.push_back(static_cast<std::uint32_t>(map_.edges_.size()));
      map_.edges_.resize(map_.edges_.size() + 2);
    }
    piece.half = map_.free_edges_.back();
    map_.free_edges_.pop_back();
  }
  const std::uint32_t h = piece.half;
  const End& named = piece.from.stays || !piece.to.stays ? piece.from : piece.to;
  for (const End* end : {&piece.from, &piece.to}) {
    const std::uint32_t old_out = end->starts ? end->half : end->half ^ 1, out = end->starts ? h : h ^ 1;
    MapHalfEdge& edge = map_.edges_[out];
    edge = MapHalfEdge{};
    edge.site = end->starts ? named.left : named.right;
    edge.floor = edge.site.isCorner() ? map_.corners_[edge.site.index()].floor : map_.walls_[edge.site.index()].floor;
    if (end->stays) {
      edge.origin = end->vertex;
      for (Renamed& r : renamed_)
        if (r.old_out == old_out) r.new_out = out;
    } else {
      edge.origin = vertex_of_axis_[end->vertex];
      out_of_axis_[old_out] = out;
    }
    map_.vertices_[edge.origin].edge = out;
    edge.foot = MapBuilder::footOf(map_, edge.site, map_.vertices_[edge.origin].at);
    MapBuilder::setCell(map_, edge.site, out);
    fresh_.push_back(out);
  }
}

std::uint32_t MapChange::renamed(std::uint32_t old_out) const {
  for (const Renamed& r : renamed_)
    if (r.old_out == old_out) return r.new_out;
  return old_out;
}

/// Around a new vertex the order is that of the small axis; around one that stays it is what it was.
void MapChange::link() {
  const auto follow = [&](std::uint32_t h, std::uint32_t next) {
    map_.edges_[h].next = next;
    map_.edges_[next].previous = h;
  };
  for (std::uint32_t e = 0; e < axis_.edges.size(); ++e)
    if (out_of_axis_[e ^ 1] != kNone) follow(out_of_axis_[e ^ 1] ^ 1, out_of_axis_[axis_.edges[e].next]);
  for (const Renamed& r : renamed_) {
    follow(renamed(r.old_previous ^ 1) ^ 1, r.new_out);
    follow(r.new_out ^ 1, renamed(r.old_twin_next));
  }
}

void MapChange::finish() {
  for (const std::uint32_t h : fresh_)
    map_.edges_[h].least_clearance = map_.edges_[h ^ 1].least_clearance = MapBuilder::leastClearance(map_, h);
  if (!map_.grids_.empty())
    for (const std::uint32_t h : fresh_) MapBuilder::enter(map_, h);
  for (const std::uint32_t w : removed_) {
    MapBuilder::detach(map_, w);
    for (const std::uint32_t c : {map_.walls_[w].a, map_.walls_[w].b}) {
      if (corner_mark_[c] != kGoes || map_.corners_[c].wall != kNone) continue;
      corner_mark_[c] = 0;
      if (keep_corners_) continue;
      MapBuilder::leaveRing(map_, c);
      map_.free_corners_.push_back(c);
    }
    map_.walls_[w] = MapWall{};
    map_.free_walls_.push_back(w);
  }
  std::sort(map_.free_walls_.begin(), map_.free_walls_.end(), std::greater<>());
  std::sort(map_.free_corners_.begin(), map_.free_corners_.end(), std::greater<>());
}

/// Takes out the chains that changed and those that meet them, since a junction may have become none or the reverse,
/// and forms them anew.
void MapChange::updateChains() {
  if (map_.chains_.empty()) return;
  std::vector<std::uint32_t> out = touched_chains_;
  base::sortUnique(out);
  const std::vector<std::uint32_t> touched = out;
  const auto addAround = [&](std::uint32_t v) {
    if (map_.vertices_[v].edge == kNone) return;
    std::uint32_t h = map_.vertices_[v].edge;
    do {
      if (map_.edges_[h].chain != kNone) out.push_back(map_.edges_[h].chain);
      h = map_.edges_[h ^ 1].next;
    } while (h != map_.vertices_[v].edge);
  };
  for (const std::uint32_t c : touched) addAround(map_.chains_[c].a), addAround(map_.chains_[c].b);
  for (const std::uint32_t h : fresh_) addAround(map_.edges_[h].origin);
  base::sortUnique(out);

  // Everything of those chains that is left is connected with what is new.
  std::vector<std::uint32_t> arcs;
  std::vector<std::uint8_t> seen(map_.edges_.size() / 2, 0);
  const auto visit = [&](std::uint32_t h) {
    const std::uint32_t chain = map_.edges_[h].chain;
    if (seen[h >> 1] || (chain != kNone && !std::binary_search(out.begin(), out.end(), chain))) return;
    seen[h >> 1] = 1;
    arcs.push_back(h & ~1u);
  };
  const auto visitAround = [&](std::uint32_t v) {
    if (map_.vertices_[v].edge == kNone) return;
    std::uint32_t h = map_.vertices_[v].edge;
    do {
      visit(h);
      h = map_.edges_[h ^ 1].next;
    } while (h != map_.vertices_[v].edge);
  };
  for (const std::uint32_t h : fresh_) visit(h);
  for (const std::uint32_t c : out) visitAround(map_.chains_[c].a), visitAround(map_.chains_[c].b);
  for (std::size_t i = 0; i < arcs.size(); ++i)
    visitAround(map_.edges_[arcs[i]].origin), visitAround(map_.edges_[arcs[i] ^ 1].origin);
  for (const std::uint32_t arc : arcs) map_.edges_[arc].chain = map_.edges_[arc ^ 1].chain = kNone;
  for (const std::uint32_t c : out) {
    map_.chains_[c] = MapChain{};
    map_.free_chains_.push_back(c);
  }
  std::sort(map_.free_chains_.begin(), map_.free_chains_.end(), std::greater<>());
  std::sort(arcs.begin(), arcs.end());
  formChains(map_, arcs);
}

}  // namespace throng::corridors
