// The lines of a corridor map that lie on one layer: cut where they reach over connections.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/shapes.h"

#include "corridors/corridor_map.h"

namespace throng::views {

/// The medial axis; parabolas as lines that are at most `tolerance` (m) off. Throws InputError unless that is more
/// than 0.
std::vector<Polyline> axisOf(const corridors::CorridorMap& map, std::uint16_t layer, double tolerance = 0.02);
/// From each annotated point of the axis to its nearest walls; the borders of the cells.
std::vector<Segment> spokesOf(const corridors::CorridorMap& map, std::uint16_t layer);
/// The lines on which people change from this layer to another one.
std::vector<Segment> passagesOf(const corridors::CorridorMap& map, std::uint16_t layer);

}  // namespace throng::views
