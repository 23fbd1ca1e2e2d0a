// Changing a corridor map in place (van Toll, Cook and Geraerts 2012).
//
// A change takes walls out and puts walls in. Only places whose nearest obstacle was one of the former or is one of the
// latter see a change. Their new neighbourhood is found from the walls around them alone, as a small medial axis, and
// glued to what stays: an arc that leads out of the changed region goes on as the old arc between the same two
// obstacles did.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "corridors/corridor_map.h"
#include "corridors/medial_axis.h"

namespace throng::corridors {

class MapChange {
 public:
  explicit MapChange(CorridorMap& map);

  /// Takes out `removed` and puts in `added`, which are in the map's list of walls already. False when the pieces do
  /// not fit together (coordinates too near to one another): nothing has changed then.
  bool replace(std::span<const std::uint32_t> removed, std::span<const std::uint32_t> added);
  /// The open connections that the last change would have reached over. They must be closed for it, and opened again.
  std::vector<std::uint32_t> connectionsReached() const;
  /// Takes out the walls that stand for a closed connection, and joins the two floors there. False as above.
  bool openConnection(std::uint32_t connection, std::span<const std::uint32_t> closed);
  /// The reverse; `closed` gets the walls.
  bool closeConnection(std::uint32_t connection, std::vector<std::uint32_t>& closed);

  /// True when the line passes through the polygon, and not along its border only.
  static bool polygonMeetsInside(const std::array<Point, 4>& polygon, const Segment& line);

 private:
  static constexpr std::uint8_t kGoes = 1, kComes = 2;  // marks of walls and corners
  static constexpr std::uint8_t kLeft = 1, kRight = 2;  // sides of a connection

  /// An end of an arc between two obstacles: a vertex that stays or one of the small medial axis.
  struct End {
    double along;          ///< where on the bisector
    bool starts;           ///< the arc begins here (with the pair's first obstacle on its left), or ends
    bool stays;            ///< an old vertex
    std::uint32_t half;    ///< old or new half-edge with the first obstacle on its left
    Site first, second;    ///< of the pair, by the names of corners that floors share
    Site left, right;      ///< the same by their own names
    std::uint32_t vertex;  ///< of the map if it stays, else of the small axis
  };
  struct Piece {
    End from, to;
    std::uint32_t half = kNone;  ///< what it becomes: half-edge with the first obstacle on its left
    bool unchanged = false;
  };

  // Which obstacles are concerned.
  void findConcerned(std::span<const std::uint32_t> removed, std::span<const std::uint32_t> added);
  void mark(std::span<const std::uint32_t> removed, std::span<const std::uint32_t> added);
  bool goes(Site site) const;
  bool comes(Site site) const;
  Site canonical(Site site) const;
  void seed();
  void grow();
  bool inConflict(std::uint32_t h) const;
  double distanceToMarked(Point p, std::span<const std::uint32_t> walls, std::uint8_t mark) const;
  void push(std::uint32_t h, std::uint8_t side = 0);
  void labelWalls();
  bool isDropped(std::uint32_t vertex) const;
  void addArcsOfDropped();
  void collectWalls();
  void addWall(std::uint32_t wall);
  std::vector<AxisWall> plainWalls() const;
  struct HalfPlane {
    Segment line;
    double side;  ///< 1: left of a→b, -1: right

    /// m inside of it.
    double depth(Point p) const { return side * det(normalized(line.b - line.a), p - line.a); }
    /// What counts as on the line: its ends are rounded, and beside them that tells the more the farther away one is.
    double tolerance(Point p, double resolution) const {
      return resolution * (4 + 2 * length(p - line.a) / length(line.b - line.a));
    }
  };
  HalfPlane halfPlaneOf(std::uint32_t wall, const MapConnection& connection) const;
  std::vector<AxisWall> foldedWalls(const MapConnection& connection) const;

  // Fitting the new pieces to the old.
  bool fit();
  bool isNew(std::uint32_t vertex, std::span<const Site> sites) const;
  double along(Site first, Site second, Point p) const;
  void addEnd(std::uint32_t half, bool starts, bool stays);
  bool pairUp();

  // Carrying it out (map_splice.cpp).
  void commit();
  void nameArcs();
  void takeOut();
  void makeVertices();
  void makeArc(Piece& piece);
  std::uint32_t renamed(std::uint32_t old_out) const;
  void link();
  void finish();
  void updateChains();

  CorridorMap& map_;
  std::vector<std::uint32_t> removed_, added_;
  std::uint16_t left_floor_ = 0;  ///< of the connection that is opened
  std::vector<std::uint8_t> wall_mark_, corner_mark_;
  std::vector<std::uint8_t> arc_seen_;
  /// Of the connection that is opened: kLeft or kRight where the growth came from there, else 0.
  std::vector<std::uint8_t> arc_side_, wall_side_;
  std::vector<std::uint32_t> arcs_;   ///< even half-edges that may change
  std::vector<std::uint32_t> walls_;  ///< for the small medial axis
  MedialAxis axis_;
  std::vector<std::uint8_t> vertex_new_;  ///< per vertex of axis_
  std::vector<std::uint32_t> dropped_;    ///< old vertices
  std::vector<End> ends_;
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> out_of_axis_;     ///< per half-edge of axis_ that leaves a new vertex: what it has become
  std::vector<std::uint32_t> vertex_of_axis_;  ///< per vertex of axis_
  /// The arc that leaves a vertex that stays, before and after.
  struct Renamed {
    std::uint32_t old_out, new_out;
    std::uint32_t old_previous, old_twin_next;  ///< how it was linked
  };
  std::vector<Renamed> renamed_;
  std::vector<std::uint32_t> fresh_;           ///< half-edges made or changed
  std::vector<std::uint32_t> touched_chains_;  ///< of arcs that changed or went
  bool keep_corners_ = false;
};

}  // namespace throng::corridors
