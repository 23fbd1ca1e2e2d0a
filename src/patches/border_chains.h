// Points on borders that lead on from one another. Patterns whose points are drawn at random know nothing of each
// other: in a small cell, whoever comes in finds no way out at the right time and has to waste it. Here people are
// followed in thought through all cells, and cross every border when they get there.
#pragma once

#include "throng/patches.h"

namespace throng::patches {

inline constexpr double kUsualSpeed = 1.3;   ///< m/s, at which people are followed from cell to cell
inline constexpr double kSpareWidth = 0.03;  ///< m more than a body that those who cross have

struct ChainBorder {
  static constexpr std::uint32_t kWorld = 0xffffffffu;
  std::uint32_t cell = 0, side = 0;        ///< whose first corner it begins at
  std::uint32_t other = kWorld, back = 0;  ///< the cell on the other side, and its side
  PatternType type;                        ///< as `cell` sees it
  int in = 0, out = 0;                     ///< people per period, of `cell`
};

/// Patterns of borders as their first cells see them. Every cell has as many who come as who go. `shapes`: of cells, in
/// their places. There may be fewer points than wanted where borders have no room for them.
std::vector<PatchPattern> chainPatterns(const std::vector<ChainBorder>& borders,
                                        const std::vector<PatchDefinition>& shapes, double period, std::uint64_t seed);

}  // namespace throng::patches
