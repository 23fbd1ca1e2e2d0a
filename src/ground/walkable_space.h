// Where people can walk, as the step needs it: the free area of each layer and the wall segments around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/scene.h"

#include "base/narrowing.h"
#include "geometry/polygon_index.h"
#include "geometry/segment_grid.h"
#include "ground/ground.h"

namespace throng::ground {

/// Wall segments a→b with solid on the left and free space on the right, chained into loops: next[i] starts where i
/// ends. A wall without thickness is a loop that goes there and comes back.
struct Walls {
  std::vector<Vec2> a, b;
  std::vector<Vec2> direction;  ///< unit vector a→b
  std::vector<std::uint32_t> next, previous;
  std::vector<std::uint8_t> convex;  ///< the solid's corner at a is convex (or straight)
  geometry::SegmentGrid grid;

  std::size_t size() const { return a.size(); }
};

/// What walls are made of, before they are cut at passages and rounded to 32 bits.
struct WallLines {
  std::vector<Ring> rings;      ///< solid on the left, free space on the right
  std::vector<Segment> sheets;  ///< without thickness, closed to both sides
};

struct Floor {
  std::string name;
  bool bounded = false;           ///< false: the whole plane is walkable except the obstacles
  std::vector<Polygon> free;      ///< walkable minus obstacles (bounded), or empty
  std::vector<Polygon> solid;     ///< obstacles minus openings, merged
  geometry::PolygonIndex index;   ///< of `free` (bounded) or `solid`; empty in a floor put together by hand
  WallLines lines;                ///< the walls, without passages
  std::vector<Polygon> inserted;  ///< obstacles that came while people walk
  Walls walls;
  double elevation = 0;
  Point slope;
  Ground ground;          ///< where it is not the plane of elevation and slope
  float wall_height = 3;  ///< m: of walls and obstacles, for what people see
  /// A floor that wraps is bounded by this rectangle but has no wall there; what its walkable area leaves out of the
  /// rectangle is solid.
  std::optional<Rectangle> wrap;

  /// May somebody stand with their centre here?
  bool contains(Point place) const;
  /// Distance to the nearest wall segment, at most `limit`.
  double clearance(Point place, double limit) const;
  float height(Vec2 place) const { return groundAt(place).z; }
  GroundAt groundAt(Vec2 place) const {
    if (!ground.empty()) return ground.at(place);
    return {static_cast<float>(elevation + slope.x * place.x + slope.y * place.y), narrow(slope)};
  }
};

/// The floors of a scene. Where a connection lies on a wall, on either of its layers, the wall is left out: a passage.
class WalkableSpace {
 public:
  explicit WalkableSpace(const Scene& scene);

  const std::vector<Floor>& floors() const { return floors_; }
  /// The walls as they are now, after something came or went.
  void setWalls(std::uint16_t floor, Walls walls) { floors_[floor].walls = std::move(walls); }
  /// Solid for those who look for a place to stand, besides what the scene says; convex.
  void setObstacles(std::uint16_t floor, std::vector<Polygon> obstacles) {
    floors_[floor].inserted = std::move(obstacles);
  }
  /// Index of a layer by name; the first for an empty name. Throws InputError for an unknown one.
  std::uint16_t floor(std::string_view name) const;
  std::uint16_t floor(LayerId id) const;

 private:
  std::vector<Floor> floors_;
};

}  // namespace throng::ground
