// Making a corridor map from walls.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "corridors/corridor_map.h"
#include "corridors/medial_axis.h"
#include "corridors/noding.h"

namespace throng::corridors {

/// Fills an empty map.
class MapBuilder {
 public:
  explicit MapBuilder(CorridorMap& map) : map_(map) {}

  void build(const ground::WalkableSpace& space, std::span<const Connection> connections,
             std::span<const Point> places);
  /// From the walls another map has now. False when that makes no map.
  bool rebuild(const CorridorMap& other);
  /// Where the walls make no map, when they do not.
  Point unsoundAt() const { return unsound_at_; }

  /// The walls of one floor as the diagram takes them.
  static std::vector<AxisWall> axisWalls(const CorridorMap& map, std::uint16_t floor);
  static IntegerGrid gridOf(const CorridorMap& map);
  /// The nearest point of a site; a wall's end when it is that.
  static Point footOf(const CorridorMap& map, Site site, Point place);
  /// Least clearance of an arc; sites, origins and next of both directions must be set.
  static float leastClearance(const CorridorMap& map, std::uint32_t h);
  static std::array<Point, 4> polygon(const CorridorMap& map, std::uint32_t h);
  /// Puts a cell into the grids of the floors it lies on, or takes it out; sets which connections it reaches over.
  static void enter(CorridorMap& map, std::uint32_t h);
  /// All cells, into new grids with the bounds of the old ones.
  static void enterAll(CorridorMap& map);
  static void leave(CorridorMap& map, std::uint32_t h);
  /// The ends of what will be opened are one corner on both floors.
  static void joinCorners(CorridorMap& map, std::span<const std::uint32_t> walls);
  /// Do the cells that the last change has made lie as cells should?
  static bool changeIsSound(const CorridorMap& map);
  static bool cellIsSound(const CorridorMap& map, std::uint32_t h);
  static void setCell(CorridorMap& map, Site site, std::uint32_t cell);
  /// Puts two corners into one ring, or takes one out of its ring (see MapCorner::other).
  static void joinRings(CorridorMap& map, std::uint32_t c, std::uint32_t d);
  static void leaveRing(CorridorMap& map, std::uint32_t c);
  /// f(corner) for a corner and all that are the same.
  template <class F>
  static void forRing(const CorridorMap& map, std::uint32_t c, F&& f) {
    f(c);
    for (std::uint32_t d = map.corners()[c].other; d != kNone && d != c; d = map.corners()[d].other) f(d);
  }
  static void attach(CorridorMap& map, std::uint32_t wall);
  static void detach(CorridorMap& map, std::uint32_t wall);

 private:
  void chooseGrid(const ground::WalkableSpace& space, std::span<const Connection> connections,
                  std::span<const Point> places);
  void findCuts(const ground::WalkableSpace& space);
  void pairClosedWalls();
  void addConnections(const ground::WalkableSpace& space, std::span<const Connection> connections);
  void addFloor(const ground::Floor& floor, std::uint16_t index);
  std::vector<DirectedWall> directedWalls(const ground::Floor& floor, std::uint16_t index) const;
  void addWalls(const std::vector<NodedWall>& pieces, std::uint16_t index);
  void addAxis(std::uint16_t floor);
  bool open(std::uint32_t connection);
  /// How many of those that lie on the borders of two floors could not be opened.
  std::size_t openConnections();
  void fillGrids();

  CorridorMap& map_;
  IntegerGrid grid_;
  bool sound_ = true;                               ///< all cells lie as cells should
  Point unsound_at_;                                ///< where one does not
  std::vector<Rectangle> frames_;                   ///< one per floor
  std::vector<std::vector<Point>> cuts_;            ///< per connection: its ends, and corners of walls on it
  std::vector<std::vector<std::uint32_t>> closed_;  ///< per connection: the walls that stand for it while it is closed
};

/// Chains of arcs between junctions, for the arcs given by their even half-edges: all arcs of the chains that a change
/// has touched, whose chains have been taken out.
void formChains(CorridorMap& map, std::span<const std::uint32_t> arcs);
/// Tells all chains which come next around their ends.
void linkChains(CorridorMap& map);

}  // namespace throng::corridors
