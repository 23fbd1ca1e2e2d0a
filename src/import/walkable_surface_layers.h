// Cells put into layers that do not lie above themselves.
#pragma once

#include "import/walkable_surface.h"
#include "import/walkable_surface_cells.h"

namespace throng::import {

struct Layering {
  std::vector<std::uint32_t> layer;  ///< per cell; kNone: left out
  std::uint32_t layers = 0;
  double area = 0, dropped_area = 0;  ///< m²

  /// Surfaces that hang together and are smaller than `least_area` are left out, and those without a seed where there
  /// are seeds.
  Layering(const Cells& cells, double least_area, const std::vector<SurfaceSeed>& seeds);
};

}  // namespace throng::import
