// Moving without going through walls.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/walkable_space.h"

namespace throng::simulation {

/// Where a disc at `from` ends when it is asked to move by `motion`: it stops at walls and slides along them. Whatever
/// is asked for, the centre never touches or crosses a wall segment that it was not already touching; the disc keeps
/// clear of walls by its radius, or by what room it had. `near` is scratch.
Vec2 moveAlongWalls(const ground::Walls& walls, Vec2 from, float radius, Vec2 motion, std::vector<std::uint32_t>& near);

}  // namespace throng::simulation
