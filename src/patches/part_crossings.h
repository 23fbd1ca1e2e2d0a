// Crossings as they were recorded, moved apart as little as it takes for bodies of patches.
#pragma once

#include <optional>
#include <vector>

#include "patches/sides.h"

namespace throng::patches {

/// Somebody who crosses a side, at a time within the period.
struct SideCrossing {
  std::size_t side = 0;
  bool out = false;
  PatchPoint point;
};

/// s for which a walk goes straight on inside a border, at least.
inline constexpr double kStraightOn = 0.22;

/// Moves crossings along their sides and in time until a definition with them passes check(). `patch` has corners,
/// sides without points, and objects. When that cannot be done, the number of the one that is most in the way; nothing
/// when all fit. Times may come to lie outside the period. `straight_on`: s for which people go straight on inside the
/// border and have to have room for that, too.
std::optional<std::size_t> partCrossings(const PatchDefinition& patch, std::vector<SideCrossing>& crossings,
                                         double straight_on);

}  // namespace throng::patches
