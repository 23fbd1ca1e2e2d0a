// What the navigation graph of a scene looks like.
#pragma once

#include <cstdint>
#include <span>

#include "throng/views.h"

#include "graph/navigation_graph.h"

namespace throng::views {

/// Cylinders in the colour of what they are connected with, gates, and thin lines from centre to centre.
void addNavigationGraph(Overlay& overlay, const graph::NavigationGraph& graph);
/// The paths of the scene's flows, in the colours of their people, and the places they join.
void addFlows(Overlay& overlay, const graph::NavigationGraph& graph, const Scene& scene);
/// The level of every cylinder (`level`: by vertex), and the cameras that it follows from.
void addLevels(Overlay& overlay, const graph::NavigationGraph& graph, std::span<const std::uint8_t> level,
               const LevelSettings& settings);

}  // namespace throng::views
