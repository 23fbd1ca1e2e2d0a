// Where somebody ends up whose goal cannot be reached: the nearest place to it that can.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "corridors/corridor_map.h"

namespace throng::planning {

struct ReachScratch {
  std::vector<std::uint32_t> seen;  ///< by vertex: the number of the search that reached it
  std::vector<std::uint32_t> open;
  std::uint32_t search = 0;
};

struct ReachablePlace {
  Point at;
  std::uint16_t floor = 0;
  corridors::Located where;  ///< nothing: somebody of this size can be nowhere near the start
};

/// The place nearest to the goal (in plan) of all those that somebody who is at the retraction `from` can get to while
/// keeping `radius` from all obstacles. On the goal's floor when any place there can be reached, else on any floor.
ReachablePlace nearestReachable(const corridors::CorridorMap& map, const corridors::Retraction& from, Point goal,
                                std::uint16_t goal_floor, double radius, ReachScratch& scratch);

/// Of all places of a floor that keep `radius` from all obstacles, whether a way leads there or not, the one nearest to
/// `place` that `allowed` agrees to. Looks at the whole map.
ReachablePlace nearestFree(const corridors::CorridorMap& map, Point place, std::uint16_t floor, double radius,
                           const std::function<bool(Point)>& allowed);

}  // namespace throng::planning
