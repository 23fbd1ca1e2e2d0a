// Which way: the table of planners.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "throng/models.h"

#include "environment/route.h"
#include "environment/walkable_space.h"

namespace throng::planning {

struct Request {
  Vec2 from, to;
  std::uint16_t layer = 0;
  float radius = 0.25f;  ///< m
};

/// Fills `route` with way-points from after `from` to `to`, both ends as asked for.
using Plan = void (*)(const Request& request, std::span<const environment::Floor> floors,
                      std::span<const float> parameters, environment::Route& route);

struct Planner {
  ModelInfo info;
  Plan plan;
};

std::span<const Planner> planners();
/// Null for an unknown name.
const Planner* findPlanner(std::string_view name);

}  // namespace throng::planning
