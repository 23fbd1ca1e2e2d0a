#include "graph/place_vertices.h"

#include <fmt/format.h>

#include "scene/scene_check.h"

namespace throng::graph {

std::uint32_t vertexOf(const NavigationGraph& graph, const Scene& scene, const std::string& name) {
  for (const Place& place : scene.places) {
    if (place.name != name) continue;
    const int layer = scene::layerOf(scene, place);
    return layer < 0 ? corridors::kNone : graph.locate(place.at, static_cast<std::uint16_t>(layer), place.radius);
  }
  throw InputError(fmt::format("There is no place called \"{}\".", name));
}

}  // namespace throng::graph
