// Where along the route now: the table of followers. A follower turns a route into a preferred velocity.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "throng/models.h"

#include "agents/crowd.h"
#include "base/registry.h"
#include "corridors/corridor_map.h"
#include "corridors/route_store.h"
#include "ground/region_borders.h"
#include "ground/region_weights.h"

namespace throng::following {

/// What followers know about the world.
struct FollowInput {
  agents::Crowd& crowd;
  const corridors::RouteStore& routes;
  const corridors::CorridorMap* map = nullptr;  ///< may be null for followers that do not need one
  float dt = 0.1f;                              ///< s
  /// The cell of the map in which each row was found last, to look there first; null: nothing is remembered.
  std::uint32_t* cells = nullptr;
  /// What else is remembered by row, on maps of one floor; null elsewhere. None of it changes what comes out.
  struct Memory {
    /// Around the straight way from here to the attraction point nothing stands nearer than `free` (m). 0: not known;
    /// negative: not enough to be of use.
    float *from_x, *from_y, *free;
    float* room;  ///< see agents::kRoom
  };
  const Memory* memory = nullptr;
  const ground::Regions* regions = nullptr;         ///< null: no ground is of any type
  const ground::PeoplesWeights* weights = nullptr;  ///< null: nobody minds
  /// Where MIRAN is; null where nobody follows by it.
  struct Miran {
    float *reference_x, *reference_y;      ///< m
    std::uint32_t* behind;                 ///< see agents::kBehind
    const ground::RegionBorders* borders;  ///< of the regions
  };
  const Miran* miran = nullptr;

  /// What ground costs somebody per metre, by ground::RegionType; empty: all is alike. In `room` where it is theirs
  /// alone.
  std::span<const float> weightsOf(std::uint32_t row, ground::RegionWeights& room) const {
    if (weights == nullptr) return {};
    return weights->of(crowd.profile[row], crowd.person[row], room);
  }

  corridors::Located locate(std::uint32_t row) const {
    const Point here{crowd.x[row], crowd.y[row]};
    if (!cells) return map->locate(here, crowd.layer[row]);
    const corridors::Located found = map->locate(here, crowd.layer[row], cells[row]);
    cells[row] = found.cell;
    return found;
  }
};

/// Writes preferred_vx/vy and target_x/y of the given rows, moves route_start on past way-points that are behind, and
/// sets `lost` for those who cannot get back to their route. May be called for several sets of rows at once.
using Follow = void (*)(const FollowInput& input, std::span<const float> parameters,
                        std::span<const std::uint32_t> rows);

/// Was off the map when planning, so that the way leads straight to the goal, and is on the map now?
inline bool leftTheUnknown(const agents::Crowd& crowd, const corridors::CorridorMap* map, std::uint32_t row) {
  return map != nullptr && crowd.route_state[row] == agents::RouteState::kStraight &&
         map->locate({crowd.x[row], crowd.y[row]}, crowd.layer[row]);
}

struct Follower {
  ModelInfo info;
  Follow follow;
  bool needs_map = false;
  bool keeps_reference = false;  ///< needs FollowInput::miran
};

base::Registry<Follower>& followers();
/// Null for an unknown name.
const Follower* findFollower(std::string_view name);

}  // namespace throng::following
