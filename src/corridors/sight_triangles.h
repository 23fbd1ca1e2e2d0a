// The tiles between the feet of the medial axis (see visibility_polygon.cpp), cut into triangles: what lies behind a
// side of a tile is one place away, whatever the map makes of it.
#pragma once

#include <cstdint>
#include <vector>

#include "corridors/corridor_map.h"

namespace throng::corridors {

/// What lies behind a side.
struct Behind {
  enum Kind : std::uint32_t {
    kTriangle = 0,
    kWall = 1u << 30,    ///< the obstacle on the left of a half-edge
    kArc = 2u << 30,     ///< the tile of a half-edge, seen from its origin; not looked up yet
    kVertex = 3u << 30,  ///< the tile of the vertex where a half-edge ends, seen from there; not looked up yet
  };
  std::uint32_t code = kNone;  ///< kNone: nothing, the place itself is on the border of what it sees

  static Behind of(Kind kind, std::uint32_t index) { return {kind | index}; }
  Kind kind() const { return static_cast<Kind>(code & kVertex); }
  std::uint32_t index() const { return code & ~static_cast<std::uint32_t>(kVertex); }
  bool isTriangle() const { return code < kWall; }
  bool operator==(const Behind&) const = default;
};

/// Grows as sight meets new parts of the map; empty again when the map has changed.
class SightTriangles {
 public:
  /// Seen from one of its sides: the corner opposite, and what lies behind the sides on its right and on its left.
  struct Triangle {
    Point apex;
    Behind right, left;
  };

  void use(const CorridorMap& map);
  const Triangle& operator[](std::uint32_t index) const { return triangles_[index]; }
  Behind right(std::uint32_t triangle) { return behind(triangle, &Triangle::right); }
  Behind left(std::uint32_t triangle) { return behind(triangle, &Triangle::left); }
  /// A triangle or a wall.
  Behind find(Behind behind);

 private:
  Behind behind(std::uint32_t triangle, Behind Triangle::*side);
  Behind makeArc(std::uint32_t h);
  Behind makeVertex(std::uint32_t h);

  const MapHalfEdge* edges_ = nullptr;
  std::uint64_t stamp_ = 0;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> of_arc_, of_vertex_;  ///< first triangle seen from a half-edge; kNone: not made yet
};

inline Behind SightTriangles::behind(std::uint32_t triangle, Behind Triangle::*side) {
  const Behind behind = triangles_[triangle].*side;
  if (behind.code < Behind::kArc) [[likely]]
    return behind;
  const Behind found = find(behind);
  return triangles_[triangle].*side = found;  // finding may have moved the triangles
}

}  // namespace throng::corridors
