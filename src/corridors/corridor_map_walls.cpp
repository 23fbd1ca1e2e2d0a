#include "corridors/corridor_map.h"
#include "ground/wall_loops.h"

namespace throng::corridors {

ground::Walls CorridorMap::wallsOf(std::uint16_t floor) const {
  std::vector<Segment> directed;
  for (const MapWall& wall : walls_) {
    if (wall.a == kNone || wall.floor != floor || wall.frame) continue;
    const Point a = corners_[wall.a].at, b = corners_[wall.b].at;
    if (wall.right_free) directed.push_back({a, b});
    if (wall.left_free) directed.push_back({b, a});
  }
  return ground::chainWalls(std::move(directed));
}

}  // namespace throng::corridors
