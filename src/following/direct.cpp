#include "following/direct.h"

#include <algorithm>

namespace throng::following {

void followDirect(agents::Crowd& crowd, const environment::RouteStore& routes, const environment::CorridorMap*,
                  float dt, std::span<const float> parameters, std::span<const std::uint32_t> rows) {
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
    Vec2 target{crowd.goal_x[r], crowd.goal_y[r]};
    while (crowd.route_count[r] > 0) {
      target = routes.at(crowd.route_start[r]);
      if (crowd.route_count[r] == 1 || lengthSquared(target - here) > reach_squared) break;
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
