// The explicit corridor map (ECM; Geraerts 2010, van Toll et al. 2011 and 2012, JAKLIN 2016 chapter 11): the medial
// axis of free space with the nearest obstacle points of both sides at every event point. It is built exactly, from the
// Voronoi diagram of the wall segments, covers several floors, and can be changed in place.
//
// The medial axis is a planar graph kept as half-edges; 2k and 2k+1 are the two directions of one arc. An arc is a
// straight segment (between two walls or two corners) or a piece of a parabola (between a wall and a corner), with one
// nearest wall or corner on either side for all its length. Every half-edge owns one cell: what lies between its arc
// and the obstacle on its left. So cells tile free space, each knows its nearest obstacle, and none has more than four
// sides:
//
//        foot(h) ------ obstacle ------ foot(next)        h = arc from origin(h) to origin(twin)
//           |            cell             |
//        origin(h) ---- arc  h --->  origin(twin(h))
//
// Walking from cell to cell uses the chord instead of a parabola: the polygon (origin, target, footEnd, foot) is
// convex, and those polygons tile free space too. A place in the polygon of h has its nearest obstacle on the left of h
// or of twin(h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/scene.h"

#include "base/narrowing.h"
#include "corridors/cell_grid.h"
#include "geometry/predicates.h"
#include "ground/walkable_space.h"

namespace throng::corridors {

inline constexpr std::uint32_t kNone = 0xffffffffu;

/// The nearest obstacle of an arc's side: a wall (one of its two sides) or a corner.
struct Site {
  std::uint32_t code = kNone;

  static Site wall(std::uint32_t index, bool left_side) { return {index << 2 | (left_side ? 1u : 0u)}; }
  static Site corner(std::uint32_t index) { return {index << 2 | 2u}; }
  bool isCorner() const { return (code & 2u) != 0; }
  bool leftSide() const { return (code & 1u) != 0; }  ///< of a wall: the cell is on the left of a→b
  std::uint32_t index() const { return code >> 2; }
  bool operator==(const Site&) const = default;
};

/// A wall of the map between two corners. A side is free when people can be there.
struct MapWall {
  std::uint32_t a = kNone, b = kNone;  ///< corners; kNone in a slot that is not in use
  std::uint16_t floor = 0;
  bool left_free = false, right_free = false;
  bool frame = false;  ///< the border of the map of an unbounded floor: nothing stands there
  std::uint32_t next_at_a = kNone, next_at_b = kNone;   ///< the corners' lists of walls
  std::uint32_t left_cell = kNone, right_cell = kNone;  ///< one of the cells on each free side
};

struct MapCorner {
  Point at;
  std::uint16_t floor = 0;
  std::uint32_t wall = kNone;  ///< first of the walls that meet here; kNone: not in use
  /// The same corner on a floor behind an open connection. Where several floors share it, as at the newel of a turning
  /// stair, they name one another in a ring.
  std::uint32_t other = kNone;
};

struct MapVertex {
  Point at;
  double clearance = 0;        ///< m to the nearest obstacles; 0 in a corner that the axis runs into
  std::uint32_t edge = kNone;  ///< one outgoing half-edge; kNone: not in use
};

struct MapHalfEdge {
  std::uint32_t origin = kNone;                  ///< vertex; kNone: not in use
  std::uint32_t next = kNone, previous = kNone;  ///< along the same obstacle contour on the left (at a leaf: the twin)
  Site site;                                     ///< nearest obstacle on the left
  Point foot;                                    ///< the point of it that is nearest to the origin
  float least_clearance = 0;                     ///< m, on the whole arc; the same for both directions
  std::uint32_t chain = kNone;
  float along = 0;                 ///< m on the axis from the chain's start to this half-edge's origin
  std::uint16_t floor = 0;         ///< of the site
  bool forward = false;            ///< in the direction of its chain
  std::uint32_t crossing = kNone;  ///< first of the connections that the cell reaches over (see floorAt), or kNone
};

/// Arcs between two junctions of the medial axis (or a dead end). Searching for a way looks at chains only.
struct MapChain {
  std::uint32_t first = kNone, last = kNone;  ///< first and last half-edge, both forward; kNone: not in use
  std::uint32_t a = kNone, b = kNone;         ///< vertices where it begins and ends
  float length = 0;                           ///< m
  float least_clearance = 0;                  ///< m
  bool arm = false;  ///< ends in a corner of clearance 0 at `a`: nobody passes; may begin inside another chain at `b`
  /// The next chain around the junction at `a` and the one at `b`, arms left out: twice its number, and one more when
  /// it ends there. Not for arms.
  std::uint32_t around[2] = {kNone, kNone};
};

/// Where a place is in the map.
struct Located {
  std::uint32_t cell = kNone;  ///< half-edge whose exact cell (up to the arc, not the chord) contains the place
  explicit operator bool() const { return cell != kNone; }
};

/// The nearest obstacle point and how far it is.
struct NearestObstacle {
  Point at;
  double distance = 0;
  Site site;
};

/// Where a place goes when it moves straight away from its nearest obstacle until it meets the medial axis.
struct Retraction {
  std::uint32_t edge = kNone;  ///< half-edge with the place on its left
  Point at;                    ///< on the arc
  double clearance = 0;        ///< there, m
};

struct MapStatistics {
  std::size_t walls = 0, corners = 0;
  std::size_t vertices =
      0;                  ///< places with three or more nearest obstacles, and ends in corners (JAKLIN Table 11.1: V)
  std::size_t edges = 0;  ///< medial-axis edges between those (E)
  std::size_t annotations = 0;  ///< points with nearest-obstacle information (A)
  std::size_t cells = 0;
  std::size_t bytes = 0;
};

/// What making the map took, s.
struct MapBuildTimes {
  double noding = 0, voronoi = 0, assembly = 0, chains = 0, grid = 0, layers = 0;
  double total() const { return noding + voronoi + assembly + chains + grid + layers; }
};

/// A connection as the map knows it: near the line a→b, its left is one floor and its right another.
struct MapConnection {
  std::uint16_t left_floor = 0, right_floor = 0;
  Segment line;
  bool open = false;            ///< false: its lines differ in plan or lie on no border; nobody plans a route over it
  std::vector<Segment> parts;   ///< of the line that are open: where it is the border of both floors
  std::vector<MapWall> closed;  ///< the walls that stand for those when it is closed
};

/// Tells what maps contain apart, in one run of the program: a new number for every map and every change. Copies keep
/// it.
class MapStamp {
 public:
  MapStamp() { renew(); }
  void renew();
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

class CorridorMap {
 public:
  CorridorMap() = default;
  /// From walls and connections as they are now. Throws InputError when the extent is beyond what can be mapped.
  /// `places`: where people start and go; the map of a floor without a border reaches at least that far.
  CorridorMap(const ground::WalkableSpace& space, std::span<const Connection> connections,
              std::span<const Point> places = {});

  // --- what there is -------------------------------------------------------------------------------------------------
  std::span<const MapVertex> vertices() const { return vertices_; }
  std::span<const MapHalfEdge> halfEdges() const { return edges_; }
  std::span<const MapWall> walls() const { return walls_; }
  std::span<const MapCorner> corners() const { return corners_; }
  std::span<const MapChain> chains() const { return chains_; }
  std::span<const MapConnection> connections() const { return connections_; }
  std::size_t floors() const { return grids_.size(); }
  MapStatistics statistics() const;
  const MapBuildTimes& buildTimes() const { return times_; }
  /// Goes up with every change.
  std::uint64_t revision() const { return revision_; }
  /// The same number: the same half-edges. For what is kept about a map elsewhere.
  std::uint64_t stamp() const { return stamp_.value(); }

  static std::uint32_t twin(std::uint32_t h) { return h ^ 1u; }
  const MapHalfEdge& edge(std::uint32_t h) const { return edges_[h]; }
  const MapVertex& vertex(std::uint32_t v) const { return vertices_[v]; }
  const MapVertex& origin(std::uint32_t h) const { return vertices_[edges_[h].origin]; }
  const MapVertex& target(std::uint32_t h) const { return vertices_[edges_[twin(h)].origin]; }
  /// Nearest points of the left obstacle at both ends of the cell.
  Point foot(std::uint32_t h) const { return edges_[h].foot; }
  Point footEnd(std::uint32_t h) const { return edges_[edges_[h].next].foot; }
  /// True when the side of the cell that lies on the obstacle has a length (a wall, not a corner).
  bool onWall(std::uint32_t h) const { return !edges_[h].site.isCorner(); }
  Segment wallSegment(std::uint32_t wall) const { return {corners_[walls_[wall].a].at, corners_[walls_[wall].b].at}; }

  Point nearestOn(Site site, Point place) const {
    if (site.isCorner()) return corners_[site.index()].at;
    const MapWall& wall = walls_[site.index()];
    return geometry::nearestOnSegment(place, corners_[wall.a].at, corners_[wall.b].at);
  }
  double distanceTo(Site site, Point place) const { return length(place - nearestOn(site, place)); }
  /// The point of the arc whose nearest point on the left obstacle is nearest to where `place` has its own.
  Point onArc(std::uint32_t h, Point place) const;
  /// Length of the arc, m.
  double arcLength(std::uint32_t h) const;
  /// The point of the arc with the least clearance.
  Point narrowest(std::uint32_t h) const;

  // --- questions -----------------------------------------------------------------------------------------------------
  /// The cell that contains a place of free space; nothing in obstacles and outside. Places on borders belong to one of
  /// the cells that touch them. A place within `kTolerance` of free space counts as in it, and one within
  /// `kOnConnection` of a connection as on either of its floors.
  Located locate(Point place, std::uint16_t floor) const;
  /// The same, where the place is probably in that cell (any number will do): quick when it is.
  Located locate(Point place, std::uint16_t floor, std::uint32_t probably) const;
  /// The floor of a place in the cell (exact or chord polygon) of h: the site's own, or the one behind a connection.
  std::uint16_t floorAt(std::uint32_t h, Point place) const;
  /// Indices of all open connections, of whatever floors, that may come within `reach` of a place; ascending. Nothing
  /// is allocated once `found` has grown.
  void connectionsNear(Point place, double reach, std::vector<std::uint32_t>& found) const;
  /// True when nothing within `reach` of a place, on whatever floor, lies on a connection. Quick; may be false although
  /// nothing does.
  bool farFromConnections(Point place, double reach) const {
    return connection_grid_.empty() || connection_grid_.nothingNear(narrow(place), static_cast<float>(reach) * 1.0001f);
  }
  NearestObstacle nearest(Located where, Point place) const;
  Retraction retract(Located where, Point place) const;
  /// Distance to the nearest obstacle; 0 in obstacles and outside.
  double clearance(Point place, std::uint16_t floor) const;

  static constexpr double kTolerance = 2e-6;  // m; twice the spacing of the grid that coordinates are rounded to
  /// m; so near to a connection a place may count to either floor: the connection's two lines differ by up to 2 mm.
  static constexpr double kOnConnection = 2.5e-3;

  // --- changes -------------------------------------------------------------------------------------------------------
  /// Adds a convex obstacle (counter-clockwise or clockwise) or, with two points, a wall without thickness. It may
  /// touch and overlap what is there. Returns its id. Throws InputError when it is not convex or leaves the map.
  std::uint32_t insert(std::span<const Point> convex, std::uint16_t floor);
  /// Takes away what insert() returned.
  void remove(std::uint32_t obstacle);
  bool contains(std::uint32_t obstacle) const;
  /// Half-edges that the last change made or changed.
  std::span<const std::uint32_t> changed() const { return changed_; }
  /// How many changes could not be made in place, so that everything was made anew: walls nearer to one another than
  /// the arithmetic tells apart, and changes that reach over a connection.
  std::uint64_t rebuilds() const { return rebuilds_; }
  /// The same map made anew from the walls it has now: what changes are compared with.
  CorridorMap rebuilt() const;
  /// The walls of a floor as chained loops, for moving people.
  ground::Walls wallsOf(std::uint16_t floor) const;

  // --- files ---------------------------------------------------------------------------------------------------------
  /// A sealed archive (base/archive.h).
  std::string save() const;
  /// Throws InputError when it is no map, or a damaged one.
  static CorridorMap load(std::string_view bytes);
  /// Empty when all references hold and every cell is where it should be; else what is wrong. For tests and for load().
  std::string check() const;

 private:
  friend class MapBuilder;
  friend class MapChange;
  friend class MapCheck;
  friend class MapFile;
  friend class ChainFinder;

  /// One change that can be taken back: the walls it put in and those it replaced. The numbers of those are kept for
  /// them.
  struct Obstacle {
    std::vector<Point> shape;  ///< convex and counter-clockwise, or the two ends of a wall; empty: not in use
    std::uint16_t floor = 0;
    std::uint64_t order = 0;  ///< of insertion
    std::vector<std::uint32_t> added;
    std::vector<std::pair<std::uint32_t, MapWall>> replaced;
  };
  /// Takes out and puts in, in place if that works, else by making the map anew.
  using NumberedWalls = std::span<const std::pair<std::uint32_t, MapWall>>;
  void exchange(std::span<const std::uint32_t> removed, NumberedWalls added);
  bool exchangeOver(std::vector<std::uint32_t> connections, std::span<const std::uint32_t> removed,
                    NumberedWalls added);
  std::vector<std::uint32_t> enlist(NumberedWalls added);
  void strike(std::span<const std::uint32_t> ids);
  void dismiss(std::span<const std::uint32_t> removed);
  void makeAnew(std::span<const std::uint32_t> ids, NumberedWalls was);
  void keepAlive(std::vector<std::uint32_t>& changed);
  void indexConnections();
  Located locateOn(Point place, std::uint16_t floor) const;
  /// Of the two cells on either side of an arc, the one whose obstacle is nearer.
  std::uint32_t nearerSide(std::uint32_t h, Point place) const;
  void put(Obstacle& obstacle);
  void take(Obstacle& obstacle);
  std::uint32_t newWall();
  std::uint32_t newCorner(Point at, std::uint16_t floor);

  Point origin_;           ///< whole metres
  double resolution_ = 0;  ///< m; coordinates of corners are origin_ and multiples of it
  std::vector<MapVertex> vertices_;
  std::vector<MapHalfEdge> edges_;
  std::vector<MapWall> walls_;
  std::vector<MapCorner> corners_;
  std::vector<MapChain> chains_;
  std::vector<std::uint32_t> free_vertices_, free_edges_, free_walls_, free_corners_,
      free_chains_;              ///< edges: even ones
  std::vector<CellGrid> grids_;  ///< one per floor
  std::vector<MapConnection> connections_;
  struct Crossing {
    std::uint32_t connection, next;
  };
  std::vector<Crossing> crossings_;
  geometry::SegmentGrid connection_grid_;        ///< over the lines of open connections
  std::vector<std::uint32_t> open_connections_;  ///< in the order of that grid
  std::vector<Obstacle> obstacles_;
  std::uint64_t next_order_ = 0;
  std::vector<std::uint32_t> changed_;
  MapBuildTimes times_;
  std::uint64_t revision_ = 0, rebuilds_ = 0;
  MapStamp stamp_;
};

}  // namespace throng::corridors
