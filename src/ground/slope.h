// Hills and stairs as a cost: what rises and falls along a line.
#pragma once

#include "throng/scene.h"

#include "ground/walkable_space.h"

namespace throng::ground {

/// How much a directed line goes up and how much down, in m; both are 0 or more.
struct Climb {
  double up = 0, down = 0;
};

/// Along the straight line a→b over the ground of a floor. Where the ground is not a plane, heights are taken every
/// half metre or closer.
Climb climb(const Floor& floor, Point a, Point b);

/// m of level ground that the rise and fall of a→b are worth, besides the way itself.
inline double slopeCost(const Floor& floor, Point a, Point b, const SlopeCost& cost) {
  if (!cost.any()) return 0;
  const Climb found = climb(floor, a, b);
  return cost.up * found.up + cost.down * found.down;
}

/// What a metre of the directed line a→b costs, a metre of level ground being 1.
inline double slopeFactor(const Floor& floor, Point a, Point b, const SlopeCost& cost) {
  const double whole = length(b - a);
  return whole > 0 ? 1 + slopeCost(floor, a, b, cost) / whole : 1;
}

}  // namespace throng::ground
