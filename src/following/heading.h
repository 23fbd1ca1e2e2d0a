// The preferred velocity that all followers end with.
#pragma once

#include <algorithm>
#include <cstdint>

#include "agents/crowd.h"
#include "base/narrowing.h"

namespace throng::following {

/// Of somebody who is not on the way to a goal: they stand, or walk on in one direction.
inline void walkOn(agents::Crowd& crowd, std::uint32_t r) {
  const float walk = crowd.activity[r] == agents::Activity::kHeading ? crowd.preferred_speed[r] : 0.0f;
  crowd.preferred_vx[r] = crowd.goal_x[r] * walk;
  crowd.preferred_vy[r] = crowd.goal_y[r] * walk;
}

/// Straight towards a place; at the end of the route slower for the last step, so as not to overshoot.
inline void walkTowards(agents::Crowd& crowd, std::uint32_t r, Point place, bool end, float dt) {
  const Vec2 way = narrow(place - Point{crowd.x[r], crowd.y[r]});
  const float distance = length(way);
  const float speed = crowd.preferred_speed[r];
  const float wanted = distance > 0 ? (end ? std::min(speed, distance / dt) : speed) / distance : 0.0f;
  crowd.preferred_vx[r] = way.x * wanted;
  crowd.preferred_vy[r] = way.y * wanted;
}

}  // namespace throng::following
