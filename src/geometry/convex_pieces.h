// Areas as convex pieces.
#pragma once

#include <vector>

#include "throng/shapes.h"

namespace throng::geometry {

/// Cuts polygons into convex pieces, anticlockwise and without straight corners, that share no inner point: triangles,
/// joined while the result is convex (Hertel & Mehlhorn 1983). What is smaller than `smallest` (m²) or does not turn
/// left everywhere by rounding is left out.
std::vector<Ring> convexPieces(const std::vector<Polygon>& polygons, double smallest = 1e-6);

}  // namespace throng::geometry
