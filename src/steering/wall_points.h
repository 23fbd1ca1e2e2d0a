// From where walls push: every place where the distance to them has a local minimum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "ground/walkable_space.h"

namespace throng::steering {

/// visit(normal, distance) for every such place nearer than `reach`: the inside of a segment seen from its free side,
/// or a convex corner that is the nearest point of both its segments (once). `normal` points from the wall to `place`
/// and has unit length; the distance may be 0 on a segment. `found` is scratch.
template <class Visit>
void forEachWallPoint(const ground::Walls& walls, Vec2 place, float reach, std::vector<std::uint32_t>& found,
                      const Visit& visit) {
  if (walls.size() == 0 || walls.grid.nothingNear(place, reach)) return;
  found.clear();
  walls.grid.query(place, reach, found);
  for (const std::uint32_t i : found) {
    const Vec2 from_a = place - walls.a[i];
    const Vec2 direction = walls.direction[i];
    if (dot(from_a, direction) > 0) {
      if (dot(place - walls.b[i], direction) >= 0) continue;
      const float distance = -det(direction, from_a);
      if (distance < 0 || distance >= reach) continue;  // behind it, in the solid, or too far
      visit(Vec2{direction.y, -direction.x}, distance);
    } else {
      if (walls.convex[i] == 0 || dot(from_a, walls.direction[walls.previous[i]]) < 0) continue;
      const float distance = length(from_a);
      if (!(distance > 0) || distance >= reach) continue;
      visit(from_a / distance, distance);
    }
  }
}

/// What is left of a wall's repulsion for somebody who wants to go along `wanted` (unit length, or zero) and whose body
/// passes the place `distance` away along -normal: it pushes aside, not back. Without that nobody would get into a
/// passage hardly wider than themselves: on both sides of it the walls push back. Somebody whom the wall is in the way
/// of by half their radius or more is pushed as it is. Not longer than a unit vector.
inline Vec2 passingPush(Vec2 normal, float distance, float radius, Vec2 wanted) {
  const float back = dot(normal, wanted);
  if (!(back < 0)) return normal;
  const float beside = distance * std::abs(det(wanted, normal));
  const float hindered = std::clamp(2.0f - 2.0f * beside / radius, 0.0f, 1.0f);
  return normal - wanted * (back * (1.0f - hindered));
}

}  // namespace throng::steering
