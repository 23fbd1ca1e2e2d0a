// Where along the route now: the table of followers. A follower turns a route into a preferred velocity.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "throng/models.h"

#include "agents/crowd.h"
#include "environment/route_store.h"

namespace throng::following {

/// Writes preferred_vx/vy and target_x/y of the given rows, and moves route_start on past way-points that are behind.
/// May be called for several sets of rows at once.
using Follow = void (*)(agents::Crowd& crowd, const environment::RouteStore& routes, float dt,
                        std::span<const float> parameters, std::span<const std::uint32_t> rows);

struct Follower {
  ModelInfo info;
  Follow follow;
};

std::span<const Follower> followers();
/// Null for an unknown name.
const Follower* findFollower(std::string_view name);

}  // namespace throng::following
