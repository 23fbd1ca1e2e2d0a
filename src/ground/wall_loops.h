// From the borders of free space to chained wall segments.
#pragma once

#include <vector>

#include "throng/scene.h"

#include "ground/walkable_space.h"

namespace throng::ground {

/// Chains the lines into loops (see Walls). What lies on a passage (within 1 mm) is left out; the rest of a ring that
/// was cut becomes a sheet, so that it still ends in corners people can walk around. Sheets that share an end are
/// chained around that end, each loop following one side.
Walls buildWalls(const WallLines& lines, const std::vector<Segment>& passages);

/// Chains directed walls, solid on the left and free space on the right, that share nothing but ends. A wall that is
/// free on both sides comes in both directions. Where nothing goes on (at a passage), the chain turns back like a
/// sheet.
Walls chainWalls(std::vector<Segment> walls);

/// With the walls near the border of a wrapped floor a second time beyond the opposite border, where people who come
/// near it meet them.
Walls withImages(Walls walls, const Rectangle& wrap);

}  // namespace throng::ground
