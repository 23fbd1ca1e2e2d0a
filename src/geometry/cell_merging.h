// From a plan of lines to convex cells: its constrained Delaunay triangulation, put together again.
#pragma once

#include <vector>

#include "geometry/convex_cells.h"
#include "geometry/triangulation.h"

namespace throng::geometry {

struct CellPlan {
  std::vector<Triangulation::Spot> nodes;  ///< ascending
  std::vector<PlaceEdge> edges;            ///< a < b, ascending; they meet at nodes only
  std::vector<PlaceEdge> walls;            ///< those that nobody passes
  double spacing = 1;                      ///< m
  double side = 8;                         ///< m; cells become about as large as a square of it
};

/// Triangles for which is_inside(a, b, c) holds, put together. Corners are m from the plane's origin.
template <class IsInside>
ConvexCells mergedCells(const CellPlan& plan, const IsInside& is_inside);

/// The same; `inside` by triangle.
ConvexCells mergedCells(const CellPlan& plan, const Triangulation& triangles, const std::vector<char>& inside);

template <class IsInside>
ConvexCells mergedCells(const CellPlan& plan, const IsInside& is_inside) {
  const Triangulation triangles(plan.nodes, plan.edges);
  std::vector<char> inside;
  for (const Triangulation::Triangle& t : triangles.triangles())
    inside.push_back(!triangles.outside(t) &&
                     is_inside(triangles.spot(t.v[0]), triangles.spot(t.v[1]), triangles.spot(t.v[2])));
  return mergedCells(plan, triangles, inside);
}

}  // namespace throng::geometry
