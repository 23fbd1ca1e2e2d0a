// What the corridor map of a scene looks like.
#pragma once

#include <string_view>
#include <vector>

#include "throng/routes.h"
#include "throng/views.h"

#include "corridors/named_map.h"

namespace throng::views {

/// The medial axis, the nearest walls of its points, and the passages between layers. After addClearance(), if both
/// are wanted.
void addCorridorMap(Overlay& overlay, const corridors::NamedMap& map);
/// Distance to the nearest wall, as a number for every place. The map must live as long as the overlay.
void addClearance(Overlay& overlay, const corridors::NamedMap& map);
/// Routes of `count` people of each population, in its colour, who like to keep different distances from walls.
void addRoutes(Overlay& overlay, const corridors::NamedMap& map, const Scene& scene, int count);
/// What can be seen from some places on a layer or, when there are none, from where a few people start. Throws
/// InputError for a place that is not walkable.
void addVisibility(Overlay& overlay, const corridors::NamedMap& map, const Scene& scene,
                   const std::vector<Point>& places, LayerId layer);
/// The answer to a request, with its corridor and its path on the medial axis.
void addRoute(Overlay& overlay, const corridors::NamedMap& map, const RouteRequest& request, const RouteResult& route);

}  // namespace throng::views
