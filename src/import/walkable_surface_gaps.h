// Why surfaces are not connected.
#pragma once

#include <string>

#include "import/walkable_surface_cells.h"

namespace throng::import {

/// A surface that cannot be reached from the largest one.
struct SeparateSurface {
  std::uint32_t layer = 0;  ///< most of it
  double area = 0;          ///< m²
  double height = 0;        ///< m, on average
  std::string reason;       ///< as far as it can be told: what is in the way where it comes nearest to another
};

/// From large to small. `layer` says for every cell which layer it is in; kNone: left out.
std::vector<SeparateSurface> separateSurfaces(const Cells& cells, const std::vector<std::uint32_t>& layer,
                                              const Walkability& walkability);

}  // namespace throng::import
