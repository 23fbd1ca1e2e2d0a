// On which layers a route lies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corridors/corridor_map.h"
#include "corridors/route.h"

namespace throng::planning {

/// Room for tellLayers; one per thread.
struct LayerScratch {
  std::vector<std::uint32_t> connections;  ///< near the leg
};

/// The way-points after the first of `points`, with the layer of every leg; there is one more wherever the route leads
/// over a connection. `layer` is that of the first point.
void tellLayers(const corridors::CorridorMap& map, std::span<const Point> points, std::uint16_t layer,
                LayerScratch& scratch, corridors::Route& route);

}  // namespace throng::planning
