// Places to stand: for every triangle of the plan, the heights at which somebody may stand, and which of them one can
// step to from which.
#pragma once

#include "import/walkable_surface_noding.h"

namespace throng::import {

/// One triangle of the plan at one height: the part of a face of the ground that is free.
struct Cell {
  std::uint32_t triangle = 0;
  std::uint32_t face = 0;
  std::array<std::uint32_t, 3> link{kNone, kNone, kNone};  ///< the cell one steps to over each side
};

struct Cells {
  const Faces* faces = nullptr;
  const Triangulation* plan = nullptr;
  double step = 0;                   ///< m; the greatest difference of height that is stepped over
  std::vector<Cell> cells;           ///< by triangle, then from low to high
  std::vector<std::uint32_t> first;  ///< per triangle, into cells; one more at the end

  Cells(const Faces& faces, const PlanGraph& graph, const Triangulation& plan, const Walkability& walkability,
        const base::Threads& threads);

  Point corner(const Cell& cell, std::size_t i) const {
    return faces->grid.point(plan->spot(plan->triangles()[cell.triangle].v[i]));
  }
  double heightAt(const Cell& cell, Point p) const { return faces->faces[cell.face].plane.at(p); }
  Point centre(const Cell& cell) const { return (corner(cell, 0) + corner(cell, 1) + corner(cell, 2)) / 3.0; }
  double area(const Cell& cell) const;
  /// The middle of a side.
  Point middle(const Cell& cell, std::size_t i) const { return (corner(cell, i) + corner(cell, (i + 1) % 3)) * 0.5; }
};

}  // namespace throng::import
