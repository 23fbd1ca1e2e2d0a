#include "throng/navigation_views.h"

#include "engine/navigation_graph_state.h"
#include "engine/navigation_state.h"
#include "views/graph_views.h"
#include "views/map_views.h"
#include "views/potential.h"

namespace throng {

void addCorridorMap(Overlay& overlay, const NavigationMap& map) {
  views::addCorridorMap(overlay, stateOf(map).named());
}

void addClearance(Overlay& overlay, const NavigationMap& map) { views::addClearance(overlay, stateOf(map).named()); }

void addRoutes(Overlay& overlay, const NavigationMap& map, const Scene& scene, int count) {
  views::addRoutes(overlay, stateOf(map).named(), scene, count);
}

std::vector<std::string> destinations(const Scene& scene, std::size_t most) { return views::destinations(scene, most); }

void addPotential(Overlay& overlay, const NavigationMap& map, const Scene& scene, std::string_view destination) {
  views::addPotential(overlay, stateOf(map).named(), scene, destination);
}

void addVisibility(Overlay& overlay, const NavigationMap& map, const Scene& scene, const std::vector<Point>& places,
                   LayerId layer) {
  views::addVisibility(overlay, stateOf(map).named(), scene, places, layer);
}

void addRoute(Overlay& overlay, const NavigationMap& map, const RouteRequest& request, const RouteResult& route) {
  views::addRoute(overlay, stateOf(map).named(), request, route);
}

void addNavigationGraph(Overlay& overlay, const NavigationGraph& graph) {
  views::addNavigationGraph(overlay, stateOf(graph).graph);
}

void addFlows(Overlay& overlay, const NavigationGraph& graph, const Scene& scene) {
  views::addFlows(overlay, stateOf(graph).graph, scene);
}

void addLevels(Overlay& overlay, const NavigationGraph& graph, const Scene& scene) {
  views::addLevels(overlay, stateOf(graph).graph, graph.levels(scene.levels), scene.levels);
}

}  // namespace throng
