// Routes as programs ask for them: layers by name, answered with numbers and, where there is no way, with a reason.
#pragma once

#include <vector>

#include "throng/routes.h"

#include "corridors/named_map.h"
#include "planning/planners.h"

namespace throng::planning {

/// The ground of a map, where it is of several types.
struct GroundOfMap {
  const ground::Regions* regions = nullptr;   ///< null: all alike
  RegionMaps* maps = nullptr;                 ///< null: each thread's own
  std::span<const ground::Floor> hills = {};  ///< all floors, where they are not level
};

/// Checked. Throws InputError for what makes no sense.
RouteQuery queryOf(const corridors::NamedMap& map, const RouteRequest& request);
RouteResult planRoute(const corridors::NamedMap& map, const RouteRequest& request, const GroundOfMap& ground = {});
/// Only the points of that. True when the goal can be reached. Allocates nothing once `points` and the thread's own
/// memory have grown.
bool routePoints(const corridors::NamedMap& map, const RouteRequest& request, std::vector<RoutePoint>& points,
                 const GroundOfMap& ground = {});
/// The cells around the same route, and its path on the medial axis.
RouteCorridor corridorOf(const corridors::NamedMap& map, const RouteRequest& request);

}  // namespace throng::planning
