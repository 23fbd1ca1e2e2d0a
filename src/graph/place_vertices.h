// Where the places of a scene are in its navigation graph.
#pragma once

#include <cstdint>
#include <string>

#include "throng/scene.h"

#include "graph/navigation_graph.h"

namespace throng::graph {

/// The vertex of a place of the scene that the graph was made from; kNone when no body gets there. Throws InputError
/// for a name that the scene does not know.
std::uint32_t vertexOf(const NavigationGraph& graph, const Scene& scene, const std::string& place);

}  // namespace throng::graph
