// What can be seen, and how far one can go straight, in the corridor map (JAKLIN 2016 sections 11.2.5 and 11.3.1): by
// walking from cell to cell. So sight goes over open connections to other floors, and never between floors that merely
// lie above one another.
#pragma once

#include <cstdint>
#include <vector>

#include "corridors/corridor_map.h"
#include "corridors/sight_triangles.h"

namespace throng::corridors {

/// How far a point or a disc gets on its way straight from one place to another.
struct Sight {
  bool clear = false;          ///< all the way
  Point end;                   ///< where it stops: the place aimed at, or where it first meets a wall
  std::uint32_t cell = kNone;  ///< that contains the end; kNone when the start is in no cell
  std::uint16_t floor = 0;     ///< of the end
  Located located() const { return {cell}; }
};

/// Goes straight from a place in `cell` (as locate() gives it) to another one, on whatever floor that lies on then.
/// Radius 0: a point, which must not touch any wall. Radius > 0: a disc, whose centre keeps at least `radius` (m) from
/// all walls, at both ends too. The border of the map of an unbounded floor counts as a wall.
Sight lookAlong(const CorridorMap& map, Located cell, Point from, Point to, double radius = 0);
Sight lookAlong(const CorridorMap& map, Point from, std::uint16_t floor, Point to, double radius = 0);

inline bool visible(const CorridorMap& map, Located cell, Point from, Point to, double radius = 0) {
  return lookAlong(map, cell, from, to, radius).clear;
}
inline bool visible(const CorridorMap& map, Point from, std::uint16_t floor, Point to, double radius = 0) {
  return lookAlong(map, from, floor, to, radius).clear;
}

/// All that can be seen from a place: a polygon that is star-shaped around it.
struct VisibilityPolygon {
  struct Corner {
    Point at;
    std::uint32_t wall = kNone;  ///< on which the edge to the next corner lies; kNone: a line of sight past a corner
    std::uint16_t floor = 0;
  };
  Point from;
  std::uint16_t floor = 0;      ///< of `from`
  std::vector<Corner> corners;  ///< counter-clockwise; empty when the place is in no cell
};

/// Memory that is kept between calls.
struct VisibilityScratch {
  /// A convex piece of free space between the feet of an arc or of a vertex of the medial axis.
  struct Tile {
    std::uint32_t edge;  ///< the arc's even half-edge, or the one that the vertex names
    bool of_vertex;
    bool operator==(const Tile&) const = default;
  };
  /// What is seen between two rays through one side of a tile.
  struct Wedge {
    Point right, left;  ///< corners of tiles that the rays go through
    Behind behind;
  };
  SightTriangles triangles;   ///< of the map looked at last
  std::vector<Wedge> wedges;  ///< still to be looked into; the rightmost last
  std::vector<Wedge> first;   ///< around the place itself
  std::vector<Tile> tiles;
};

/// By expanding wedges from tile to tile (in the manner of Bungiu et al. 2014's triangular expansion), on the
/// triangulation that is the dual of the medial axis. Nothing is allocated once scratch and polygon have grown.
/// Quickest with a scratch that has looked at the same map before: it knows the triangles that were met.
void visibilityPolygon(const CorridorMap& map, Located cell, Point from, VisibilityScratch& scratch,
                       VisibilityPolygon& polygon);

/// The polygon cut at the connections it reaches over, for drawing: one list of polygons per floor.
std::vector<std::vector<Polygon>> perFloor(const CorridorMap& map, const VisibilityPolygon& polygon);

}  // namespace throng::corridors
