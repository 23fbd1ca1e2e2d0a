// What the corridor map of a scene looks like: overlays for pictures.
#pragma once

#include <string>
#include <vector>

#include "throng/draw.h"
#include "throng/navigation.h"
#include "throng/navigation_graph.h"

namespace throng::app {

/// The medial axis, the nearest walls of its points, and the passages between layers. After addClearance(), if both
/// are wanted.
void addCorridorMap(Overlay& overlay, const NavigationMap& map);
/// Distance to the nearest wall as colours. The map must live as long as the overlay.
void addClearance(Overlay& overlay, const NavigationMap& map);
/// Routes of `count` people of each population, in its colour, who like to keep different distances from walls.
void addRoutes(Overlay& overlay, const NavigationMap& map, const Scene& scene, int count);
/// What can be seen from some places on a layer or, when there are none, from where a few people start.
void addVisibility(Overlay& overlay, const NavigationMap& map, const Scene& scene, const std::vector<Point>& places,
                   const std::string& layer);

/// Cylinders in the colour of what they are connected with, gates, and thin lines from centre to centre.
void addNavigationGraph(Overlay& overlay, const NavigationGraph& graph);
/// The paths of the scene's flows, in the colours of their people, and the places they join.
void addFlows(Overlay& overlay, const NavigationGraph& graph, const Scene& scene);
/// The level of every cylinder, and the cameras that it follows from.
void addLevels(Overlay& overlay, const NavigationGraph& graph, const Scene& scene);

/// A route with its corridor and its path on the medial axis.
void addPlan(Overlay& overlay, const NavigationMap& map, const RouteRequest& request, const RouteResult& route);

/// "x,y" as a place; throws InputError that says what the option was given.
Point placeOf(const std::string& text, const std::string& option);

}  // namespace throng::app
