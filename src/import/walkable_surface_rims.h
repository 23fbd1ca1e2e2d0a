// Walls between parts of a layer that only touch in plan: the top of a box and the floor around it.
#pragma once

#include "throng/scene.h"

namespace throng::import {

/// Where borders of two walkable polygons of a layer lie on one another, nobody can go from the one to the other;
/// whoever merges the polygons would forget that. Adds a wall on every such stretch.
void addRims(Layer& layer);

}  // namespace throng::import
