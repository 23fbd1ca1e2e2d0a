// Places with weighted regions after those of Jaklin's chapters 6 and 7: sizes and weights are those of the text,
// shapes are ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "throng/scene.h"

namespace throng::papers {

/// "suburb": 100 m × 100 m of road, pavements, gardens with houses and trees, paths to the houses, and a lake.
Scene suburbScene();
/// "car-puddle" (Figure 7.10): 20 m × 20 m with two parked cars and a puddle between them.
Scene carPuddleScene();
/// "abstractRegions16x16": 256 tiles of 50 m × 50 m in regions of six types, without obstacles.
Scene abstractRegionsScene();
/// The same place turned by an angle (rad) around its origin.
Scene turned(Scene scene, double angle);

/// The planner that routes in such places are planned with.
std::string regionPlanner();

}  // namespace throng::papers
