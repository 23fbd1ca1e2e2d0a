// From the borders of free space to chained wall segments.
#pragma once

#include <vector>

#include "throng/scene.h"

#include "environment/walkable_space.h"

namespace throng::environment {

/// What walls are made of, before they are cut at passages and rounded to 32 bits.
struct WallLines {
  std::vector<Ring> rings;      ///< solid on the left, free space on the right
  std::vector<Segment> sheets;  ///< without thickness, closed to both sides
};

/// Chains the lines into loops (see Walls). What lies on a passage (within 1 mm) is left out; the rest of a ring that
/// was cut becomes a sheet, so that it still ends in corners people can walk around. Sheets that share an end are
/// chained around that end, each loop following one side.
Walls buildWalls(const WallLines& lines, const std::vector<Segment>& passages);

}  // namespace throng::environment
