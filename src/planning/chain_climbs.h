// How much the ground rises and falls along the chains of the medial axis.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corridors/corridor_map.h"
#include "ground/walkable_space.h"

namespace throng::planning {

class ChainClimbs {
 public:
  ChainClimbs(const corridors::CorridorMap& map, std::span<const ground::Floor> floors);

  /// m up and down together, of a whole chain.
  double of(std::uint32_t chain) const { return chain < whole_.size() ? whole_[chain] : 0; }
  /// Between two places of a chain, m along it, in either order.
  double between(std::uint32_t chain, double from, double to) const;

 private:
  struct Arc {
    double along;   ///< m from the chain's start to where the arc begins
    double before;  ///< m up and down on the chain until there
  };
  double upTo(std::uint32_t chain, double along) const;

  std::vector<Arc> arcs_;             ///< by chain, in its order; then one for its end
  std::vector<std::uint32_t> first_;  ///< by chain, and one more
  std::vector<double> whole_;
};

}  // namespace throng::planning
