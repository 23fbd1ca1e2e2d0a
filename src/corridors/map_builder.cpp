#include "corridors/map_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <tuple>

#include "base/lists.h"
#include "base/stopwatch.h"
#include "corridors/map_change.h"
#include "geometry/boxes.h"
#include "geometry/predicates.h"

namespace throng::corridors {
namespace {

constexpr double kFinest = 0x1p-20;  // m; about a micrometre
constexpr double kSamePlace = 2e-3;  // m; walls are cut this exactly where a connection passes
// Tags of lines; a connection's number is added to the last.
constexpr std::uint32_t kRing = 0, kFrame = 1, kSheet = 2, kConnection = 3;

constexpr double kGridMargin = 1;  // m; a connection's cells reach over the border

bool near(Point p, Point q) { return length(p - q) < kSamePlace; }

/// Everything a floor has, with room around it where it has no border.
Rectangle frameOf(const ground::Floor& floor, std::span<const Point> places) {
  if (floor.wrap) return *floor.wrap;
  constexpr double kRoom = 20;  // m
  Rectangle r = geometry::kEmptyBox;
  for (const Ring& ring : floor.lines.rings) geometry::include(r, geometry::boxOf(ring));
  for (const Segment& sheet : floor.lines.sheets) geometry::include(r, geometry::boxOf(sheet));
  if (!floor.bounded) geometry::include(r, geometry::boxOf(places));
  if (geometry::isEmpty(r)) r = {{0, 0}, {0, 0}};
  const Point size = r.max - r.min;
  const double room = floor.bounded ? 0 : kRoom + 0.25 * std::max(size.x, size.y);
  return geometry::grown(r, room);
}

/// Which sides of a line are free: left, right.
std::pair<bool, bool> freeSides(const ground::Floor& floor, Point a, Point b, double distance) {
  const Point middle = (a + b) * 0.5, n = perpendicular(normalized(b - a)) * distance;
  return {floor.contains(middle + n), floor.contains(middle - n)};
}

}  // namespace

void MapBuilder::build(const ground::WalkableSpace& space, std::span<const Connection> connections,
                       std::span<const Point> places) {
  constexpr int kAttempts = 40, kOpenings = 32;
  chooseGrid(space, connections, places);
  const Point whole_metres = grid_.origin;
  CorridorMap best;
  std::size_t least = std::numeric_limits<std::size_t>::max();  // connections that could not be opened in it
  int openings = 0;
  for (int attempt = 0; attempt < kAttempts && openings < kOpenings && least > 0; ++attempt) {
    // Walls that differ by the spacing of the grid may be more than the diagram's arithmetic can tell apart. On a grid
    // of twice the spacing they fall together.
    if (attempt > 0) {
      map_ = CorridorMap();
      closed_.clear();
      // Some shifts are tried on one grid before the next.
      constexpr int kShifts = 4;
      if (!sound_ || openings % kShifts == 0) grid_.resolution *= 2;
      // Between the places of the grid before: corners are rounded differently. Thirty-seconds of the grid, in an order
      // that spreads them over it, so that numbers stay exact.
      const auto part = [&](int factor) { return (openings * factor % 32) / 32.0 * grid_.resolution; };
      grid_.origin = whole_metres + Point{part(13), part(21)};
    }
    map_.resolution_ = grid_.resolution, map_.origin_ = grid_.origin;
    sound_ = true;
    addConnections(space, connections);
    findCuts(space);
    for (std::uint16_t i = 0; i < space.floors().size() && sound_; ++i) addFloor(space.floors()[i], i);
    if (!sound_) continue;
    // Two floors may also fail to be joined for how their corners are rounded.
    ++openings;
    const std::size_t failed = openConnections();
    if (failed < least) best = std::move(map_), least = failed;
  }
  if (openings == 0)
    throw InputError({Diagnostic{.at = unsound_at_,
                                 .message = "Walls are too close to one another here to make a map of "
                                            "them; move them apart, or onto one another."}});
  map_ = std::move(best);
}

bool MapBuilder::rebuild(const CorridorMap& other) {
  map_.origin_ = other.origin_, map_.resolution_ = other.resolution_;
  grid_ = gridOf(other);
  map_.walls_ = other.walls_, map_.corners_ = other.corners_;
  map_.free_walls_ = other.free_walls_, map_.free_corners_ = other.free_corners_;
  map_.connections_ = other.connections_;
  map_.obstacles_ = other.obstacles_, map_.next_order_ = other.next_order_;
  map_.revision_ = other.revision_;
  for (MapWall& wall : map_.walls_) wall.left_cell = wall.right_cell = kNone;
  closed_.resize(map_.connections_.size());
  for (std::size_t i = 0; i < map_.connections_.size(); ++i) {
    MapConnection& k = map_.connections_[i];
    for (const MapWall& wall : k.closed) {
      const auto id = static_cast<std::uint32_t>(map_.walls_.size());
      map_.walls_.push_back(wall);
      map_.walls_.back().left_cell = map_.walls_.back().right_cell = kNone;
      attach(map_, id);
      closed_[i].push_back(id);
    }
    k.open = !k.closed.empty();
    k.closed.clear(), k.parts.clear();
  }
  for (const CellGrid& grid : other.grids_) {
    const Point margin{kGridMargin, kGridMargin};
    frames_.push_back({grid.bounds().min + margin, grid.bounds().max - margin});
  }
  for (std::uint16_t i = 0; i < frames_.size() && sound_; ++i) addAxis(i);
  if (sound_) openConnections();
  return sound_;
}

void MapBuilder::chooseGrid(const ground::WalkableSpace& space, std::span<const Connection> connections,
                            std::span<const Point> places) {
  for (const ground::Floor& floor : space.floors()) frames_.push_back(frameOf(floor, places));
  Rectangle all = frames_.front();
  for (const Rectangle& r : frames_) geometry::include(all, r);
  for (const Connection& c : connections)
    for (const Segment& line : {c.from, c.to}) geometry::include(all, geometry::boxOf(line));
  const Point middle = (all.min + all.max) * 0.5;
  grid_.origin = {std::round(middle.x), std::round(middle.y)};
  const double reach = std::max(all.max.x - all.min.x, all.max.y - all.min.y) / 2 + 2;
  grid_.resolution = kFinest;
  while (reach / grid_.resolution > IntegerGrid::kReach) grid_.resolution *= 2;
  constexpr double kCoarsest = 1e-3;  // m
  if (!(grid_.resolution <= kCoarsest))
    throw InputError(fmt::format("The scene is {:.4g} m wide; a map reaches over {:.4g} m at most.", 2 * reach,
                                 2 * IntegerGrid::kReach * kCoarsest));
}

void MapBuilder::addConnections(const ground::WalkableSpace& space, std::span<const Connection> connections) {
  for (const Connection& c : connections) {
    const std::uint16_t from = space.floor(c.from_layer), to = space.floor(c.to_layer);
    MapConnection k;
    k.line = {grid_.point(grid_.round(c.from.a)), grid_.point(grid_.round(c.from.b))};
    const bool same =
        (near(c.from.a, c.to.a) && near(c.from.b, c.to.b)) || (near(c.from.a, c.to.b) && near(c.from.b, c.to.a));
    constexpr double kLook = 0.01;  // m
    const auto [from_left, from_right] = freeSides(space.floors()[from], k.line.a, k.line.b, kLook);
    const auto [to_left, to_right] = freeSides(space.floors()[to], k.line.a, k.line.b, kLook);
    k.open = same && from != to && from_left != from_right && to_left != to_right && from_left != to_left;
    k.left_floor = from_left ? from : to;
    k.right_floor = from_left ? to : from;
    map_.connections_.push_back(k);
  }
  closed_.resize(map_.connections_.size());
}

/// A connection may be covered in part, on either floor: it is cut at all corners that lie on it, so that what is a
/// border on both floors can be told.
void MapBuilder::findCuts(const ground::WalkableSpace& space) {
  cuts_.resize(map_.connections_.size());
  for (std::size_t i = 0; i < map_.connections_.size(); ++i) {
    const MapConnection& k = map_.connections_[i];
    std::vector<Point>& cuts = cuts_[i];
    cuts = {k.line.a, k.line.b};
    if (!k.open) continue;
    const auto add = [&](Point p) {
      const bool there = std::any_of(cuts.begin(), cuts.end(), [&](Point c) { return near(c, p); });
      if (!there && geometry::distanceToSegment(p, k.line.a, k.line.b) < kSamePlace)
        cuts.push_back(grid_.point(grid_.round(geometry::nearestOnSegment(p, k.line.a, k.line.b))));
    };
    for (const std::uint16_t f : {k.left_floor, k.right_floor}) {
      for (const Ring& ring : space.floors()[f].lines.rings) std::for_each(ring.begin(), ring.end(), add);
      for (const Segment& sheet : space.floors()[f].lines.sheets) add(sheet.a), add(sheet.b);
    }
    std::sort(cuts.begin(), cuts.end(), [&](Point p, Point q) {
      return dot(p - k.line.a, k.line.b - k.line.a) < dot(q - k.line.a, k.line.b - k.line.a);
    });
  }
}

/// Only what is a wall on both floors is opened.
void MapBuilder::pairClosedWalls() {
  for (auto& walls : closed_) {
    const auto ends = [&](std::uint32_t w) {
      const Segment s = map_.wallSegment(w);
      const std::pair a(s.a.x, s.a.y), b(s.b.x, s.b.y);
      return a < b ? std::pair(a, b) : std::pair(b, a);
    };
    std::vector<std::uint32_t> both;
    for (const std::uint32_t w : walls)
      if (std::any_of(walls.begin(), walls.end(), [&](std::uint32_t other) {
            // Both have their corners in the same order.
            return map_.walls_[other].floor != map_.walls_[w].floor && ends(other) == ends(w) &&
                   map_.walls_[other].left_free != map_.walls_[w].left_free;
          }))
        both.push_back(w);
    walls = std::move(both);
  }
}

std::vector<DirectedWall> MapBuilder::directedWalls(const ground::Floor& floor, std::uint16_t index) const {
  std::vector<DirectedWall> walls;
  std::vector<Point> ends;  // of connections on this floor: walls that pass there do so exactly
  for (std::size_t i = 0; i < map_.connections_.size(); ++i) {
    const MapConnection& k = map_.connections_[i];
    if (!k.open || (k.left_floor != index && k.right_floor != index)) continue;
    for (std::size_t c = 0; c < cuts_[i].size(); ++c) {
      ends.push_back(cuts_[i][c]);
      if (c > 0)
        walls.push_back(
            {grid_.round(cuts_[i][c - 1]), grid_.round(cuts_[i][c]), kConnection + static_cast<std::uint32_t>(i)});
    }
  }
  const auto placed = [&](Point p) {
    for (const Point end : ends)
      if (near(p, end)) return end;
    return p;
  };
  const auto add = [&](Point a, Point b, std::uint32_t tag) {
    a = placed(a), b = placed(b);
    std::vector<std::pair<double, Point>> on_the_way;
    for (const Point end : ends)
      if (end != a && end != b && geometry::distanceToSegment(end, a, b) < kSamePlace)
        on_the_way.emplace_back(dot(end - a, b - a), end);
    std::sort(on_the_way.begin(), on_the_way.end(), [](const auto& s, const auto& t) { return s.first < t.first; });
    for (const auto& [along, end] : on_the_way) {
      walls.push_back({grid_.round(a), grid_.round(end), tag});
      a = end;
    }
    walls.push_back({grid_.round(a), grid_.round(b), tag});
  };
  for (const Ring& ring : floor.lines.rings)
    for (std::size_t i = 0; i < ring.size(); ++i) add(ring[i], ring[(i + 1) % ring.size()], kRing);
  for (const Segment& sheet : floor.lines.sheets) add(sheet.a, sheet.b, kSheet);
  if (!floor.bounded || floor.wrap) {
    const Rectangle& r = frames_[index];
    const Point c[4] = {r.min, {r.min.x, r.max.y}, r.max, {r.max.x, r.min.y}};  // clockwise: free space is inside
    for (int i = 0; i < 4; ++i) add(c[i], c[(i + 1) & 3], kFrame);
  }
  return walls;
}

void MapBuilder::addFloor(const ground::Floor& floor, std::uint16_t index) {
  base::Stopwatch watch;
  bool split = false;
  const auto pieces = noded(directedWalls(floor, index), grid_, &split);
  addWalls(withFreeSides(pieces, kSheet, split), index);
  map_.times_.noding += watch.lap();
  addAxis(index);
}

void MapBuilder::addWalls(const std::vector<NodedWall>& pieces, std::uint16_t index) {
  std::vector<IntegerGrid::Place> places;
  for (const NodedWall& w : pieces) places.push_back(w.a), places.push_back(w.b);
  base::sortUnique(places);
  const auto first_corner = static_cast<std::uint32_t>(map_.corners_.size());
  for (const auto& p : places) map_.corners_.push_back({grid_.point(p), index, kNone, kNone});
  const auto corner = [&](const IntegerGrid::Place& p) {
    return first_corner +
           static_cast<std::uint32_t>(std::lower_bound(places.begin(), places.end(), p) - places.begin());
  };
  for (const NodedWall& w : pieces) {
    // A connection is a wall, until it is opened, where it lies on the border of the floor.
    if (w.tag >= kConnection && w.left_free == w.right_free) continue;
    const auto id = static_cast<std::uint32_t>(map_.walls_.size());
    MapWall wall;
    wall.a = corner(w.a), wall.b = corner(w.b), wall.floor = index;
    wall.left_free = w.left_free, wall.right_free = w.right_free, wall.frame = w.tag == kFrame;
    map_.walls_.push_back(wall);
    attach(map_, id);
    if (w.tag >= kConnection) closed_[w.tag - kConnection].push_back(id);
  }
  for (std::uint32_t c = first_corner; c < map_.corners_.size(); ++c)
    if (map_.corners_[c].wall == kNone) map_.free_corners_.push_back(c);
}

void MapBuilder::attach(CorridorMap& map, std::uint32_t id) {
  MapWall& wall = map.walls_[id];
  wall.next_at_a = map.corners_[wall.a].wall, map.corners_[wall.a].wall = id;
  wall.next_at_b = map.corners_[wall.b].wall, map.corners_[wall.b].wall = id;
}

void MapBuilder::detach(CorridorMap& map, std::uint32_t id) {
  for (const std::uint32_t corner : {map.walls_[id].a, map.walls_[id].b}) {
    std::uint32_t* link = &map.corners_[corner].wall;
    while (*link != id) {
      MapWall& other = map.walls_[*link];
      link = other.a == corner ? &other.next_at_a : &other.next_at_b;
    }
    const MapWall& wall = map.walls_[id];
    *link = wall.a == corner ? wall.next_at_a : wall.next_at_b;
  }
}

std::vector<AxisWall> MapBuilder::axisWalls(const CorridorMap& map, std::uint16_t floor) {
  std::vector<AxisWall> walls;
  for (std::uint32_t i = 0; i < map.walls_.size(); ++i) {
    const MapWall& w = map.walls_[i];
    if (w.a != kNone && w.floor == floor)
      walls.push_back(AxisWall::of(i, w.a, w.b, map.corners_[w.a].at, map.corners_[w.b].at, w.left_free, w.right_free));
  }
  return walls;
}

IntegerGrid MapBuilder::gridOf(const CorridorMap& map) { return {map.origin_, map.resolution_}; }

void MapBuilder::addAxis(std::uint16_t floor) {
  base::Stopwatch watch;
  const MedialAxis axis = medialAxis(axisWalls(map_, floor), grid_);
  map_.times_.voronoi += watch.lap();
  // Free space is closed all round: an arc that leads to infinity has been taken for free by mistake.
  for (const auto& e : axis.edges) {
    if (e.origin != kNone && e.next != kNone) continue;
    sound_ = false;
    unsound_at_ = e.site.isCorner() ? map_.corners_[e.site.index()].at : map_.wallSegment(e.site.index()).a;
    return;
  }
  const auto vertex0 = static_cast<std::uint32_t>(map_.vertices_.size());
  const auto edge0 = static_cast<std::uint32_t>(map_.edges_.size());
  for (const auto& v : axis.vertices) map_.vertices_.push_back({v.at, v.clearance, kNone});
  for (const auto& e : axis.edges) {
    const auto h = static_cast<std::uint32_t>(map_.edges_.size());
    MapHalfEdge edge;
    edge.origin = vertex0 + e.origin;
    edge.next = edge0 + e.next;
    edge.site = e.site;
    edge.floor = floor;
    edge.foot = footOf(map_, e.site, map_.vertices_[edge.origin].at);
    map_.vertices_[edge.origin].edge = h;
    setCell(map_, e.site, h);
    map_.edges_.push_back(edge);
  }
  for (std::uint32_t h = edge0; h < map_.edges_.size(); ++h) map_.edges_[map_.edges_[h].next].previous = h;
  for (std::uint32_t h = edge0; h < map_.edges_.size(); h += 2)
    map_.edges_[h].least_clearance = map_.edges_[h + 1].least_clearance = leastClearance(map_, h);
  for (std::uint32_t h = edge0; h < map_.edges_.size() && sound_; ++h) {
    sound_ = cellIsSound(map_, h);
    if (!sound_) unsound_at_ = map_.edges_[h].foot;
  }
  map_.times_.assembly += watch.lap();
}

void MapBuilder::setCell(CorridorMap& map, Site site, std::uint32_t cell) {
  if (site.isCorner()) return;
  MapWall& wall = map.walls_[site.index()];
  (site.leftSide() ? wall.left_cell : wall.right_cell) = cell;
}

Point MapBuilder::footOf(const CorridorMap& map, Site site, Point place) {
  const Point foot = map.nearestOn(site, place);
  if (site.isCorner()) return foot;
  constexpr double kAtEnd = 1e-9;  // m; the cells on both sides of a wall's end must agree on where it is
  const Segment s = map.wallSegment(site.index());
  return length(foot - s.a) < kAtEnd ? s.a : length(foot - s.b) < kAtEnd ? s.b : foot;
}

float MapBuilder::leastClearance(const CorridorMap& map, std::uint32_t h) {
  return static_cast<float>(map.distanceTo(map.edges_[h].site, map.narrowest(h)));
}

std::array<Point, 4> MapBuilder::polygon(const CorridorMap& map, std::uint32_t h) {
  return {map.origin(h).at, map.target(h).at, map.footEnd(h), map.foot(h)};
}

void MapBuilder::joinRings(CorridorMap& map, std::uint32_t c, std::uint32_t d) {
  bool joined = false;
  forRing(map, c, [&](std::uint32_t e) { joined |= e == d; });
  if (joined) return;
  const auto next = [&](std::uint32_t e) { return map.corners_[e].other == kNone ? e : map.corners_[e].other; };
  const std::uint32_t after_c = next(c), after_d = next(d);
  map.corners_[c].other = after_d, map.corners_[d].other = after_c;
}

void MapBuilder::leaveRing(CorridorMap& map, std::uint32_t c) {
  if (map.corners_[c].other == kNone) return;
  std::uint32_t before = c;
  while (map.corners_[before].other != c) before = map.corners_[before].other;
  map.corners_[before].other = map.corners_[c].other == before ? kNone : map.corners_[c].other;
  map.corners_[c].other = kNone;
}

void MapBuilder::joinCorners(CorridorMap& map, std::span<const std::uint32_t> walls) {
  for (const std::uint32_t w : walls)
    for (const std::uint32_t other : walls) {
      if (map.walls_[w].floor >= map.walls_[other].floor) continue;
      for (const std::uint32_t c : {map.walls_[w].a, map.walls_[w].b})
        for (const std::uint32_t d : {map.walls_[other].a, map.walls_[other].b})
          if (map.corners_[c].at == map.corners_[d].at) joinRings(map, c, d);
    }
}

/// The diagram is made with rounded numbers; where walls are a few roundings apart, its parts may come out in a wrong
/// order.
bool MapBuilder::cellIsSound(const CorridorMap& map, std::uint32_t h) {
  const double close = map.resolution_ / 4;
  const MapHalfEdge& e = map.edges_[h];
  const auto cell = polygon(map, h);
  double area = 0, around = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    area += det(cell[i] - cell[0], cell[(i + 1) & 3] - cell[0]) / 2;
    around += length(cell[(i + 1) & 3] - cell[i]);
  }
  if (area < -close * around) return false;
  for (const MapVertex& v : {map.origin(h), map.target(h)})
    if (!(std::abs(map.distanceTo(e.site, v.at) - v.clearance) < close)) return false;
  if (e.site.isCorner()) return true;
  const MapWall& wall = map.walls_[e.site.index()];
  return e.site.leftSide() ? wall.left_free : wall.right_free;
}

bool MapBuilder::changeIsSound(const CorridorMap& map) {
  return std::all_of(map.changed_.begin(), map.changed_.end(), [&](std::uint32_t h) { return cellIsSound(map, h); });
}

bool MapBuilder::open(std::uint32_t connection) {
  MapConnection& k = map_.connections_[connection];
  k.open = k.open && !closed_[connection].empty() && MapChange(map_).openConnection(connection, closed_[connection]);
  return !map_.connections_[connection].open || changeIsSound(map_);
}

std::size_t MapBuilder::openConnections() {
  base::Stopwatch watch;
  pairClosedWalls();
  std::size_t wanted = 0, opened = 0;
  for (std::size_t i = 0; i < closed_.size(); ++i) wanted += map_.connections_[i].open && !closed_[i].empty();
  for (const auto& walls : closed_) joinCorners(map_, walls);
  const CorridorMap closed = map_.connections_.empty() ? CorridorMap() : map_;
  bool sound = true;
  for (std::uint32_t i = 0; i < map_.connections_.size() && sound; ++i) sound = open(i);
  if (!sound) {
    // Floors that are free on both sides of a connection cannot be joined there. That one stays closed.
    map_ = closed;
    for (std::uint32_t i = 0; i < map_.connections_.size(); ++i) {
      CorridorMap before = map_;
      if (open(i)) continue;
      map_ = std::move(before);
      map_.connections_[i].open = false;
    }
  }
  map_.times_.layers += watch.lap();
  std::vector<std::uint32_t> arcs;
  for (std::uint32_t h = 0; h < map_.edges_.size(); h += 2)
    if (map_.edges_[h].origin != kNone) arcs.push_back(h);
  formChains(map_, arcs);
  map_.times_.chains += watch.lap();
  fillGrids();
  map_.indexConnections();
  map_.times_.grid += watch.lap();
  for (const MapConnection& k : map_.connections_) opened += k.open;
  return wanted - opened;
}

void MapBuilder::fillGrids() {
  for (const Rectangle& frame : frames_) {
    const Point margin{kGridMargin, kGridMargin};
    map_.grids_.emplace_back(Rectangle{frame.min - margin, frame.max + margin});
  }
  enterAll(map_);
}

void MapBuilder::enterAll(CorridorMap& map) {
  struct Cells {
    std::size_t count = 0;
    double extents = 0;
  };
  std::vector<Cells> cells(map.grids_.size());
  for (std::uint32_t h = 0; h < map.edges_.size(); ++h) {
    if (map.edges_[h].origin == kNone) continue;
    const auto corners = polygon(map, h);
    Point low = corners[0], high = corners[0];
    for (const Point p : corners) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    Cells& on_floor = cells[map.edges_[h].floor];
    ++on_floor.count;
    on_floor.extents += high.x - low.x + high.y - low.y;
  }
  for (std::size_t i = 0; i < cells.size(); ++i)
    map.grids_[i] = CellGrid(map.grids_[i].bounds(), cells[i].count, cells[i].extents);
  for (std::uint32_t h = 0; h < map.edges_.size(); ++h)
    if (map.edges_[h].origin != kNone) enter(map, h);
}

void MapBuilder::enter(CorridorMap& map, std::uint32_t h) {
  const auto cell = polygon(map, h);
  MapHalfEdge& edge = map.edges_[h];
  edge.crossing = kNone;
  if (map.connections_.empty()) return map.grids_[edge.floor].insert(h, cell);
  if (edge.site.isCorner() && map.corners_[edge.site.index()].other != kNone) {
    // A corner of two floors: the cell tells which.
    const Point corner = map.corners_[edge.site.index()].at;
    // Half way round from one end of the arc to the other; that may be half a turn.
    const Point across = normalized(perpendicular(normalized(cell[0] - corner) - normalized(cell[1] - corner)));
    const Point middle = across == Point{} ? (cell[0] + cell[1] + corner) / 3.0
                                           : corner + across * (0.5 * static_cast<double>(edge.least_clearance));
    // Of several connections that end here, such as two on one straight line, it is the one that lies that way.
    const auto isShared = [&](std::uint16_t floor) {
      bool shared = false;
      forRing(map, edge.site.index(), [&](std::uint32_t c) { shared |= map.corners_[c].floor == floor; });
      return shared;
    };
    const MapConnection* nearest = nullptr;
    double best = 0;
    for (const MapConnection& k : map.connections_) {
      if (!k.open || geometry::distanceToSegment(corner, k.line.a, k.line.b) >= 4 * map.resolution_ ||
          !isShared(k.left_floor) || !isShared(k.right_floor))
        continue;
      const Point far = length(k.line.a - corner) < length(k.line.b - corner) ? k.line.b : k.line.a;
      const double towards = dot(middle - corner, normalized(far - corner));
      if (nearest == nullptr || towards > best) nearest = &k, best = towards;
    }
    if (nearest != nullptr)
      edge.floor = geometry::orientation(nearest->line.a, nearest->line.b, middle) >= 0 ? nearest->left_floor
                                                                                        : nearest->right_floor;
    std::uint32_t own = edge.site.index();
    forRing(map, own, [&](std::uint32_t c) {
      if (map.corners_[c].floor == edge.floor && map.corners_[c].wall != kNone) own = c;
    });
    edge.site = Site::corner(own);
  }
  std::vector<std::uint16_t> floors{edge.floor};
  for (std::uint32_t i = 0; i < map.connections_.size(); ++i) {
    const MapConnection& k = map.connections_[i];
    if (!k.open) continue;
    if (std::find(floors.begin(), floors.end(), k.left_floor) == floors.end() &&
        std::find(floors.begin(), floors.end(), k.right_floor) == floors.end())
      continue;
    const auto meets = [&](const Segment& part) { return MapChange::polygonMeetsInside(cell, part); };
    if (!std::any_of(k.parts.begin(), k.parts.end(), meets)) continue;
    map.crossings_.push_back({i, edge.crossing});
    edge.crossing = static_cast<std::uint32_t>(map.crossings_.size() - 1);
    for (const std::uint16_t f : {k.left_floor, k.right_floor})
      if (std::find(floors.begin(), floors.end(), f) == floors.end()) floors.push_back(f);
  }
  for (const std::uint16_t f : floors) map.grids_[f].insert(h, cell);
}

void MapBuilder::leave(CorridorMap& map, std::uint32_t h) {
  const auto cell = polygon(map, h);
  std::vector<std::uint16_t> floors{map.edges_[h].floor};
  for (std::uint32_t c = map.edges_[h].crossing; c != kNone; c = map.crossings_[c].next)
    for (const std::uint16_t f : {map.connections_[map.crossings_[c].connection].left_floor,
                                  map.connections_[map.crossings_[c].connection].right_floor})
      if (std::find(floors.begin(), floors.end(), f) == floors.end()) floors.push_back(f);
  for (const std::uint16_t f : floors) map.grids_[f].remove(h, cell);
  map.edges_[h].crossing = kNone;
}

}  // namespace throng::corridors
