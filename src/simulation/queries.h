// Questions about people that need an index of their own, made when one is first asked after a change.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "agents/neighbour_index.h"
#include "step/context.h"

namespace throng::simulation {

class Queries {
 public:
  const agents::NeighbourIndex& index(const step::StepContext& context, float range);
  AgentId find(const step::StepContext& context, std::uint32_t person);
  /// People have moved, come or gone.
  void forget() { index_ready_ = numbers_ready_ = false; }

 private:
  agents::NeighbourIndex index_;
  std::vector<std::pair<std::uint32_t, AgentId>> numbers_;  ///< people by number
  bool index_ready_ = false, numbers_ready_ = false;
  float range_ = 0;
};

}  // namespace throng::simulation
