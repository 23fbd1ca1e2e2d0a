// The height of the ground where it is not a plane: triangles that tile a floor in plan, with a grid over them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "throng/base.h"
#include "throng/mesh.h"
#include "throng/shapes.h"

#include "geometry/uniform_grid.h"

namespace throng::ground {

/// Height and rise of the ground at a place.
struct GroundAt {
  float z = 0;    ///< m
  Vec2 gradient;  ///< m per m along x and y
};

class Ground {
 public:
  Ground() = default;
  explicit Ground(std::span<const std::array<Point3, 3>> triangles);

  bool empty() const { return facets_.empty(); }
  /// On the triangle that the place lies in or, beside all of them, the nearest one within a cell: places that walls
  /// have pushed a hair over the border have a height too. 0 far from everything.
  GroundAt at(Vec2 place) const;
  /// Lines at which the ground bends, in plan: sides of triangles with another slope, or nothing, on the other side.
  std::vector<Segment> bends() const;
  std::size_t bytes() const;

 private:
  /// A triangle in plan, counter-clockwise, and its plane: z + gradient · (place - a).
  struct Facet {
    Vec2 a, b, c;
    float z;
    Vec2 gradient;
  };

  std::vector<Facet> facets_;
  geometry::UniformGrid<float> cells_;
};

}  // namespace throng::ground
