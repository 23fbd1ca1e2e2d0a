// From floor to floor: whoever walks over a connection's line on one floor goes on from its counterpart on the other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "throng/scene.h"

#include "environment/walkable_space.h"

namespace throng::simulation {

struct Passage {
  std::uint16_t from_floor = 0, to_floor = 0;
  Segment from, to;
};

/// Both ways of every connection.
std::vector<Passage> makePassages(const Scene& scene, const environment::WalkableSpace& space);

/// Where a move on `floor` ends when it leads over a passage.
struct Landing {
  std::uint16_t floor = 0;
  Vec2 place;
  Vec2 motion;  ///< the move as it looks on the new floor
};
/// Nothing when the move stays on its floor. A move that would end behind a wall of the new floor ends at the line.
std::optional<Landing> cross(std::span<const Passage> passages, std::span<const environment::Floor> floors,
                             std::uint16_t floor, Vec2 from, Vec2 to, std::vector<std::uint32_t>& near);

}  // namespace throng::simulation
