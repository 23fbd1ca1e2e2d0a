// What can be shown of a navigation map and of a navigation graph. Each function adds its shapes, the keys of their
// legend and a few words to an overlay (throng/views.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "throng/navigation.h"
#include "throng/navigation_graph.h"
#include "throng/views.h"

#pragma GCC visibility push(default)
namespace throng {

/// The medial axis, the nearest walls of its points, and the passages between layers. After addClearance(), if both
/// are wanted.
void addCorridorMap(Overlay& overlay, const NavigationMap& map);
/// Distance to the nearest wall, as a number for every place. The map must live as long as the overlay.
void addClearance(Overlay& overlay, const NavigationMap& map);
/// Routes of `count` people of each population, in its colour, who like to keep different distances from walls.
void addRoutes(Overlay& overlay, const NavigationMap& map, const Scene& scene, int count);
/// What can be seen from some places on a layer or, when there are none, from where a few people start. Throws
/// InputError for a place that is not walkable.
void addVisibility(Overlay& overlay, const NavigationMap& map, const Scene& scene, const std::vector<Point>& places,
                   LayerId layer = {});
/// What people of a scene go to: goals of populations that are points or areas, and the ends of flows; at most `most`.
std::vector<std::string> destinations(const Scene& scene, std::size_t most = 100);
/// m of the shortest way to one of them, in bands of the floor, for people of its population's mean size; of an area to
/// a place in its middle. Throws InputError for another name.
void addPotential(Overlay& overlay, const NavigationMap& map, const Scene& scene, std::string_view destination);
/// A route that plan() gave for a request, with its corridor and its path on the medial axis.
void addRoute(Overlay& overlay, const NavigationMap& map, const RouteRequest& request, const RouteResult& route);

/// Cylinders in the colour of what they are connected with, gates, and thin lines from centre to centre.
void addNavigationGraph(Overlay& overlay, const NavigationGraph& graph);
/// The paths of the scene's flows, in the colours of their people, and the places they join.
void addFlows(Overlay& overlay, const NavigationGraph& graph, const Scene& scene);
/// The level of every cylinder, and the cameras that it follows from.
void addLevels(Overlay& overlay, const NavigationGraph& graph, const Scene& scene);

}  // namespace throng
#pragma GCC visibility pop
