// Where the centre of somebody of a given size can be: the lines at that distance from all walls, taken from the
// corridor map. Between an arc of the medial axis and its nearest obstacle lies one cell, so that within each cell the
// line is a straight one along a wall or a part of a circle around a corner; together they are closed, over connections
// too, and a passage is open exactly where the map says that somebody of that size fits.
#pragma once

#include <cstdint>
#include <vector>

#include "corridors/corridor_map.h"

namespace throng::planning {

/// Free space is on the right of a→b.
struct BorderLine {
  Point a, b;
  std::uint16_t floor = 0;
};

/// `radius` m. Circles become polygons around them, at most 2 % wider at their corners, and next to nothing where the
/// passage is narrow.
std::vector<BorderLine> shrunkBorder(const corridors::CorridorMap& map, double radius);

}  // namespace throng::planning
