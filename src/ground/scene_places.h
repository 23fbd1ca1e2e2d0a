// Where the people of a scene start and go.
#pragma once

#include <vector>

#include "throng/scene.h"

namespace throng::ground {

/// Starts, goals and obstacles that will come: the map of a floor without a border must reach at least that far. Only
/// finite places.
std::vector<Point> placesOf(const Scene& scene);

}  // namespace throng::ground
