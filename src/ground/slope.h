// Hills and stairs as a cost: what rises and falls along a line.
#pragma once

#include <algorithm>
#include <span>

#include "throng/scene.h"

#include "ground/walkable_space.h"

namespace throng::ground {

/// How much a directed line goes up and how much down, in m; both are 0 or more.
struct Climb {
  double up = 0, down = 0;
};

/// Along the straight line a→b over the ground of a floor. Where the ground is not a plane, heights are taken every
/// tenth of a metre or closer.
Climb climb(const Floor& floor, Point a, Point b);

/// Is there any floor that is not level?
inline bool anyHills(std::span<const Floor> floors) {
  return std::any_of(floors.begin(), floors.end(), [](const Floor& floor) {
    return !floor.ground.empty() || floor.slope.x != 0 || floor.slope.y != 0;
  });
}

/// What a metre of height costs on average, up or down. Where somebody starts and where they go says how much more they
/// go up than down, whichever way they take; so this alone says which way is the best, and the rest is endCost().
inline double meanCost(const SlopeCost& cost) { return (cost.up + cost.down) / 2; }
/// What is left of the costs of a way that ends so much higher than it begins, when meanCost() is paid for all height.
inline double endCost(const SlopeCost& cost, double rise) { return (cost.up - cost.down) / 2 * rise; }

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
