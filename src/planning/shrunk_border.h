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
  bool wide = false;  ///< nothing else is near: it may be drawn with fewer corners
};

/// `radius` m. Circles become polygons around them, with as few corners as keep within a tenth of the radius from them,
/// and next to nothing from them where the passage is narrow.
std::vector<BorderLine> shrunkBorder(const corridors::CorridorMap& map, double radius);
/// The same lines with fewer corners: of those that turn left, round what stands there, some are left out and their
/// neighbours made longer until they meet, nowhere farther than `most` m from what was there.
std::vector<BorderLine> withFewerCorners(const std::vector<BorderLine>& lines, double most);

}  // namespace throng::planning
