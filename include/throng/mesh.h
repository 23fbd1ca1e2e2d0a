// A place in three dimensions, as modelling programs describe it: triangles with materials. Metres, z up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "throng/base.h"
#include "throng/shapes.h"

#pragma GCC visibility push(default)
namespace throng {

/// m; z points up.
struct Point3 {
  double x = 0, y = 0, z = 0;
  bool operator==(const Point3&) const = default;
};

/// Triangles, with what they are painted with.
struct Mesh {
  using Corners = std::array<std::uint32_t, 3>;
  /// What triangles are painted with.
  struct Material {
    std::string name;
    std::uint32_t rgb = 0xb0b0b0;  ///< 0xRRGGBB
  };

  std::vector<Point3> vertices;         ///< m; x east, y north, z up
  std::vector<Corners> triangles;       ///< counter-clockwise seen from outside; nothing depends on that
  std::vector<std::uint32_t> material;  ///< of each triangle, an index into materials; empty: none has one
  std::vector<std::uint32_t> object;    ///< of each triangle, an index into objects; empty: none has one
  std::vector<Material> materials;
  std::vector<std::string> objects;  ///< names of the parts

  std::array<Point3, 3> corners(std::size_t triangle) const {
    const Corners& c = triangles[triangle];
    return {vertices[c[0]], vertices[c[1]], vertices[c[2]]};
  }
};

/// What a person of a given body can walk on.
struct Walkability {
  double max_slope = 40;      ///< degrees; steeper ground is a wall
  double step_height = 0.3;   ///< m; lower things are stepped over, higher ones are walls
  double body_height = 1.8;   ///< m of free space above the ground
  double body_radius = 0.25;  ///< m; for the navigation graph: nothing narrower than twice this is passed
  /// Nobody walks on ground of these materials ("water").
  std::vector<std::string> unwalkable_materials;
};

}  // namespace throng
#pragma GCC visibility pop
