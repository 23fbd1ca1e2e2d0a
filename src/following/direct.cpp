#include "following/direct.h"

#include <algorithm>

namespace throng::following {

void followDirect(agents::Crowd& crowd, const environment::RouteStore& routes, const environment::CorridorMap* map,
                  float dt, std::span<const float> parameters, std::span<const std::uint32_t> rows) {
  constexpr float kThere = 0.1f;  // m
  const float reach_squared = parameters[0] * parameters[0];
  for (const std::uint32_t r : rows) {
    const float speed = crowd.preferred_speed[r];
    if (crowd.activity[r] != agents::Activity::kWalking) {
      const float walk = crowd.activity[r] == agents::Activity::kHeading ? speed : 0.0f;
      crowd.preferred_vx[r] = crowd.goal_x[r] * walk;
      crowd.preferred_vy[r] = crowd.goal_y[r] * walk;
      continue;
    }
    const Vec2 here{crowd.x[r], crowd.y[r]};
    // A way-point of another layer is near in plan only: below it or above it nobody passes it.
    const auto layerOf = [&](std::uint32_t i) {
      const std::uint16_t layer = routes.layer(crowd.route_start[r] + i);
      return layer == environment::kAnyLayer ? crowd.layer[r] : layer;
    };
    crowd.lost[r] = leftTheUnknown(crowd, map, r);
    Vec2 target{crowd.goal_x[r], crowd.goal_y[r]};
    while (crowd.route_count[r] > 0) {
      target = routes.at(crowd.route_start[r]);
      const bool last = crowd.route_count[r] == 1;
      const bool changes = !last && layerOf(0) != layerOf(1);  // lies on a straight way from layer to layer
      if (!changes && lengthSquared(target - here) > reach_squared) break;
      if (!changes && layerOf(0) != crowd.layer[r]) {
        if (lengthSquared(target - here) < kThere * kThere) crowd.lost[r] = 1;
        break;
      }
      if (last) break;
      ++crowd.route_start[r], --crowd.route_count[r];
    }
    crowd.target_x[r] = target.x, crowd.target_y[r] = target.y;
    const Vec2 way = target - here;
    const float distance = length(way);
    const float wanted = distance > 0 ? std::min(speed, distance / dt) / distance : 0.0f;
    crowd.preferred_vx[r] = way.x * wanted;
    crowd.preferred_vy[r] = way.y * wanted;
  }
}

}  // namespace throng::following
