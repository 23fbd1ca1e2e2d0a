// Patches for cells that lie side by side: patterns for their borders, by templates and densities, and walks in all of
// them. Where no walks are found, borders get other patterns and then fewer people, for both their patches.
#pragma once

#include "throng/patch_city.h"

#include "base/parallel.h"
#include "patches/borders.h"

namespace throng::patches {

struct DistrictCell {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  Ring corners;  ///< convex, anticlockwise, m from `at`
  Point at;
  std::uint32_t kind = 0;                ///< template
  std::vector<std::uint32_t> neighbour;  ///< by side: the cell that has it, too, or kNone
  std::vector<Beyond> beyond;            ///< by side; kPatch where there is a neighbour that people can go to
  std::vector<PatchObject> objects;      ///< that are there anyway, m from `at`
  std::uint64_t luck = 0;                ///< what of the template's versions and patterns it gets
};

/// Where the points of patterns come from.
enum class PointsFrom {
  kPatterns,  ///< map.patterns for every kind of border, so that cells of one shape share patches
  kChains,    ///< people followed from cell to cell (border_chains.h), so that walks are better
};

/// Cells in their order become places. `report` gets everything but the free area.
PatchLibrary makeDistrict(const std::vector<DistrictCell>& cells, const PatchMap& map, PointsFrom points,
                          const base::Threads& threads, PatchReport& report);

}  // namespace throng::patches
