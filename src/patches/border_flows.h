// How many people cross which border: as many as are wanted, and as many into every cell as out of it.
#pragma once

#include <cstdint>
#include <vector>

namespace throng::patches {

/// A border between two cells, or between a cell and the world outside, which takes and gives anybody.
struct FlowBorder {
  static constexpr std::uint32_t kWorld = 0xffffffffu;
  std::uint32_t from = 0, to = kWorld;  ///< cells
  int there = 0, back = 0;              ///< people per period from `from` to `to`, and the other way
  int most_there = 0, most_back = 0;    ///< 0 where the type of the border does not allow it
};

/// Changes as few as it can of `there` and `back` until every cell has as many who come as who go. People who come over
/// a one-way border go on over others, as far as these may have more; where they cannot, the one-way border has
/// fewer. Never more than the most, never less than 0.
void balance(std::vector<FlowBorder>& borders, std::uint32_t cells);

}  // namespace throng::patches
