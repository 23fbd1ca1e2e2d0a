// Making a corridor map from walls.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "environment/corridor_map.h"
#include "environment/medial_axis.h"
#include "environment/noding.h"

namespace throng::environment {

/// Fills an empty map.
class MapBuilder {
 public:
  explicit MapBuilder(CorridorMap& map) : map_(map) {}

  void build(const WalkableSpace& space, std::span<const Connection> connections, std::span<const Point> places);
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
  static void leave(CorridorMap& map, std::uint32_t h);
  /// The ends of what will be opened are one corner on both floors.
  static void joinCorners(CorridorMap& map, std::span<const std::uint32_t> walls);
  /// Do the cells that the last change has made lie as cells should?
  static bool changeIsSound(const CorridorMap& map);
  static bool cellIsSound(const CorridorMap& map, std::uint32_t h);
  static void setCell(CorridorMap& map, Site site, std::uint32_t cell);
  static void attach(CorridorMap& map, std::uint32_t wall);
  static void detach(CorridorMap& map, std::uint32_t wall);

 private:
  void chooseGrid(const WalkableSpace& space, std::span<const Connection> connections, std::span<const Point> places);
  void findCuts(const WalkableSpace& space);
  void pairClosedWalls();
  void addConnections(const WalkableSpace& space, std::span<const Connection> connections);
  void addFloor(const Floor& floor, std::uint16_t index);
  std::vector<DirectedWall> directedWalls(const Floor& floor, std::uint16_t index) const;
  void addWalls(const std::vector<NodedWall>& pieces, std::uint16_t index);
  void addAxis(std::uint16_t floor);
  bool open(std::uint32_t connection);
  /// Returns how many lie on the borders of both floors, and could not be opened.
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

}  // namespace throng::environment
