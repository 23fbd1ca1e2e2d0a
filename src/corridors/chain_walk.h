// From arc to arc along a chain of the corridor map.
#pragma once

#include "corridors/corridor_map.h"

namespace throng::corridors {

/// The arc after h, which must not be the last of its chain: past the arms that begin on the way.
inline std::uint32_t nextInChain(const CorridorMap& map, std::uint32_t h) {
  const std::uint32_t chain = map.edge(h).chain;
  std::uint32_t next = map.edge(h).next;
  while (map.edge(next).chain != chain) next = map.edge(CorridorMap::twin(next)).next;
  return next;
}

}  // namespace throng::corridors
