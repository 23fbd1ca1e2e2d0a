// The medial axis of free space between walls: the part of their Voronoi diagram that people can stand on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/shapes.h"

#include "corridors/corridor_map.h"
#include "geometry/integer_plane.h"

namespace throng::corridors {

/// Coordinates as whole numbers of `resolution` from `origin`: what Boost.Polygon computes with, and without error.
struct IntegerGrid {
  Point origin;
  double resolution = 1;  ///< m, a power of two
  /// How far from the origin places may be, in whole numbers: differences of two must fit 31 bits.
  static constexpr double kReach = 1.0e9;

  using Place = geometry::GridPlace<std::int64_t>;
  Place round(Point p) const;
  Point point(Place p) const {
    return {origin.x + static_cast<double>(p.x) * resolution, origin.y + static_cast<double>(p.y) * resolution};
  }
};

/// A wall for the diagram. Walls may share ends and must not touch otherwise.
struct AxisWall {
  Site left, right;            ///< what its sides are called
  std::uint32_t a = 0, b = 0;  ///< what its corners are called
  Point from, to;              ///< on the integer grid
  bool left_free = false, right_free = false;

  static AxisWall of(std::uint32_t wall, std::uint32_t a, std::uint32_t b, Point from, Point to, bool left_free,
                     bool right_free) {
    return {Site::wall(wall, true), Site::wall(wall, false), a, b, from, to, left_free, right_free};
  }
};

struct MedialAxis {
  struct Vertex {
    Point at;
    double clearance = 0;  ///< m; exactly 0 in a corner
  };
  /// 2k and 2k+1 are the two directions of one arc.
  struct HalfEdge {
    std::uint32_t origin = kNone;  ///< kNone: it comes from infinity
    std::uint32_t next = kNone;    ///< kNone when its end is at infinity
    Site site;                     ///< nearest wall or corner on the left
  };
  std::vector<Vertex> vertices;
  std::vector<HalfEdge> edges;
};

/// Voronoi diagram by Boost.Polygon, without what lies in solids and without what separates walls from their own ends.
MedialAxis medialAxis(std::span<const AxisWall> walls, const IntegerGrid& grid);

/// The bare diagram, thrown away: what the map's construction is measured against. Returns its number of vertices.
std::size_t bareVoronoi(std::span<const AxisWall> walls, const IntegerGrid& grid);

}  // namespace throng::corridors
