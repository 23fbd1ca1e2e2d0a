// The Steiner-point method on a part of the triangulation: near a way over the grid (JAKLIN 2016, section 4.2). Three
// ways to choose that part.
#pragma once

#include <cstdint>
#include <vector>

#include "planning/weight_grid.h"

namespace throng::planning {

enum class Pruning : std::uint8_t {
  kTriangles,  ///< sides of all triangles that the grid's way meets
  kEdges,      ///< for each cell on it the edges that are nearest to its centre
  kVertices,   ///< all edges at the corners nearest to its bends, and those it crosses
};

struct PruningScratch {
  GridScratch grid;
  RegionWay grid_way;
  std::vector<std::uint8_t> chosen;    ///< by edge
  std::vector<std::uint32_t> touched;  ///< triangles
  SteinerScratch steiner;
};

/// The way over the pruned graph. What its edges leave out is put back in where no way is left: first the edges that
/// the grid's way crosses, then all. No way at all where the grid has none.
void searchPruned(const corridors::CorridorMap& map, const RegionMesh& mesh, const WeightGrid& grid, Pruning pruning,
                  double epsilon, const RegionQuery& query, PruningScratch& scratch, RegionWay& way);

}  // namespace throng::planning
