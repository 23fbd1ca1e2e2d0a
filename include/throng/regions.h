// Regions of a scene in numbers: ground of different types, as it counts (docs/regions.md).
#pragma once

#include <string>
#include <vector>

#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// How much ground is of a type.
struct RegionArea {
  std::string type;
  double area = 0;  ///< m² in plan, on all layers, as overlaps leave it
};

/// Types in the order of their appearance.
std::vector<RegionArea> regionAreas(const Scene& scene);

}  // namespace throng
#pragma GCC visibility pop
