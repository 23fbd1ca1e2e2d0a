// An area cut into convex cells of about one size whose sides lie against each other from corner to corner, or along
// the area's border. Every decision is exact on a grid of some micrometres, to which corners are rounded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/shapes.h"

namespace throng::geometry {

/// Corners nearer than this to the line of two others count as lying on it: rounding moves them by as much. m
inline constexpr double kStraightCorner = 2e-5;

/// Rows and columns of squares that cells are made from.
struct CellLattice {
  Point origin;
  Point axis{1, 0};  ///< of unit length
  double side = 8;   ///< m

  /// In columns and rows.
  Point inSquares(Point p) const { return Point{dot(p - origin, axis), dot(p - origin, perpendicular(axis))} / side; }
  Point at(double column, double row) const {
    return origin + axis * (column * side) + perpendicular(axis) * (row * side);
  }
};

struct ConvexCell {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Side {
    std::uint32_t corner = 0;         ///< where it begins; it ends where the next begins
    std::uint32_t neighbour = kNone;  ///< the cell that has this side, too, the other way round
    bool wall = false;                ///< along the border or a wall
  };
  std::vector<Side> sides;  ///< anticlockwise; at a corner may be a straight angle
};

struct ConvexCells {
  std::vector<Point> corners;  ///< in whole numbers of the grid's spacing, so that differences of them are exact
  std::vector<ConvexCell> cells;

  Ring ring(std::size_t cell) const {
    Ring ring;
    for (const ConvexCell::Side& side : cells[cell].sides) ring.push_back(corners[side.corner]);
    return ring;
  }
};

/// The direction that most of the border runs in, or at right angles to: of unit length, within 45° of the x axis.
Point mainDirection(const std::vector<Polygon>& area);

/// The squares of the lattice that lie in the area and that no wall runs through.
ConvexCells squareCells(const std::vector<Polygon>& area, std::span<const Segment> walls, const CellLattice& lattice);

/// Cells that follow walls. The lattice's lines and, at corners that stick out, the lines that go on from walls cut the
/// area into pieces; the constrained Delaunay triangulation of all that is put together again into convex cells (Hertel
/// & Mehlhorn 1983), best first, up to about the size of a square. What remains too narrow or too small is left out.
ConvexCells convexCells(const std::vector<Polygon>& area, std::span<const Segment> walls, const CellLattice& lattice);

/// The least distance between two parallel lines that hold a convex ring between them, m.
double widthOf(std::span<const Point> ring);

}  // namespace throng::geometry
