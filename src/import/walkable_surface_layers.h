// Cells put into layers that do not lie above themselves.
#pragma once

#include "import/walkable_surface.h"
#include "import/walkable_surface_chords.h"

namespace throng::import {

struct Layering {
  std::vector<std::uint32_t> layer;  ///< per cell; kNone: left out
  std::uint32_t layers = 0;
  double area = 0, dropped_area = 0;  ///< m²

  /// Of the cells that are kept.
  Layering(const Cells& cells, const PlanGraph& graph, const std::vector<Cut>& cuts, const std::vector<bool>& kept);
};

/// Which cells count: surfaces that are connected and are smaller than `least_area` m² are left out, and those without
/// a seed where there are seeds.
std::vector<bool> keptCells(const Cells& cells, double least_area, const std::vector<SurfaceSeed>& seeds);

}  // namespace throng::import
