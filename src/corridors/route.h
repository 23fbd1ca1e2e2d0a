// The way somebody means to take: planners write it, followers read it.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/base.h"

namespace throng::corridors {

/// Of a way that nobody has looked up on the map: whatever layer one is on.
inline constexpr std::uint16_t kAnyLayer = 0xffff;

/// The straight way to `at`, from the way-point before, lies on one layer: layers change at way-points only.
struct WayPoint {
  Vec2 at;
  std::uint16_t layer = kAnyLayer;
  bool operator==(const WayPoint&) const = default;
};

/// Way-points in order, the last one being the goal.
using Route = std::vector<WayPoint>;

}  // namespace throng::corridors
