// How near a route comes to walls.
#pragma once

#include <cstdint>
#include <span>

#include "throng/routes.h"

#include "corridors/corridor_map.h"

namespace throng::planning {

/// m; of a route that lies in a corridor (half-edges of the medial axis, in order).
double leastClearance(const corridors::CorridorMap& map, std::span<const std::uint32_t> corridor,
                      std::span<const RoutePoint> route);

/// The same of a route wherever it lies, by looking at all walls.
double leastClearance(const corridors::CorridorMap& map, std::span<const RoutePoint> route);

}  // namespace throng::planning
