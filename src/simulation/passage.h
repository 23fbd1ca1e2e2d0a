// From floor to floor: whoever walks over a connection's line on one floor goes on from its counterpart on the other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "throng/scene.h"

#include "agents/link_zones.h"
#include "ground/walkable_space.h"

namespace throng::simulation {

struct Passage {
  std::uint16_t from_floor = 0, to_floor = 0;
  Segment from, to;
  /// Where the floor that one comes from is: 1 on the left of `from`, -1 on the right, 0 on both sides.
  int side = 0;
};

/// Passages with a grid over their lines, so that hundreds of them cost those who are elsewhere nothing.
class Passages {
 public:
  Passages() = default;
  explicit Passages(std::vector<Passage> passages);
  bool empty() const { return list_.empty(); }
  std::span<const Passage> list() const { return list_; }
  /// True when none can be crossed by a move that ends within `reach` of `place`.
  bool nothingNear(Vec2 place, float reach) const { return grid_.nothingNear(place, reach); }

 private:
  std::vector<Passage> list_;
  geometry::SegmentGrid grid_;
};

/// Both ways of every connection.
std::vector<Passage> makePassages(const Scene& scene, const ground::WalkableSpace& space);

/// Both directions of every connection whose lines are one place in plan, with the floors on either side of it: over
/// these people of two floors see one another.
std::vector<agents::Link> makeLinks(std::span<const Passage> passages, std::span<const ground::Floor> floors);

/// Where a move on `floor` ends when it leads over a passage.
struct Landing {
  std::uint16_t floor = 0;
  Vec2 place;
  Vec2 motion;  ///< the move as it looks on the new floor
};
/// Nothing when the move stays on its floor. After the line it slides along the walls of the new floor as a disc of
/// `radius`, over as many passages as it meets. A move that nothing is left of ends where it began.
std::optional<Landing> cross(std::span<const Passage> passages, std::span<const ground::Floor> floors,
                             std::uint16_t floor, Vec2 from, Vec2 to, float radius, std::vector<std::uint32_t>& near);

}  // namespace throng::simulation
