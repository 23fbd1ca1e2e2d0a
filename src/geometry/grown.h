// Areas with a margin around them.
#pragma once

#include <vector>

#include "throng/shapes.h"

namespace throng::geometry {

/// All that is no farther than `by` m from polygons, merged; corners are round, at most 0.5 % of `by` too narrow.
std::vector<Polygon> grown(const std::vector<Polygon>& polygons, double by);

}  // namespace throng::geometry
