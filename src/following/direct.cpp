#include "following/direct.h"

#include <algorithm>

#include "corridors/visibility.h"
#include "following/heading.h"

namespace throng::following {
namespace {

constexpr float kThere = 0.1f;  // m
constexpr float kSlow = 0.2f;   // of the preferred speed

/// Is somebody on the layer of the leg to their way-point i?
bool onLayer(const agents::Crowd& crowd, const corridors::RouteStore& routes, std::uint32_t r, std::uint32_t i) {
  const std::uint16_t layer = routes.layer(crowd.route_start[r] + i);
  return layer == corridors::kAnyLayer || layer == crowd.layer[r];
}

/// Can somebody walk straight to way-point i?
bool inSight(const agents::Crowd& crowd, const corridors::RouteStore& routes, const corridors::CorridorMap& map,
             std::uint32_t r, std::uint32_t i) {
  const std::uint32_t at = crowd.route_start[r] + i;
  const Point from{crowd.x[r], crowd.y[r]}, to{routes.at(at).x, routes.at(at).y};
  const corridors::Located cell = map.locate(from, crowd.layer[r]);
  if (!cell) return true;
  const double fit = std::min<double>(crowd.radius[r], map.nearest(cell, from).distance) * 0.98;
  const corridors::Sight sight = corridors::lookAlong(map, cell, from, to, fit);
  const bool changes = i + 1 < crowd.route_count[r] && routes.layer(at) != routes.layer(at + 1);
  const std::uint16_t layer = routes.layer(at);
  return sight.clear && (layer == corridors::kAnyLayer || layer == sight.floor || changes);
}

/// Has somebody passed the next way-point, which is not the last? Near to it in plan is not enough: one must be on its
/// layer, and the next one in sight, lest one be caught behind the corner that the way-point leads around.
bool passes(const agents::Crowd& crowd, const corridors::RouteStore& routes, const corridors::CorridorMap* map,
            std::uint32_t r, float reach_squared) {
  const std::uint32_t start = crowd.route_start[r];
  const Vec2 here{crowd.x[r], crowd.y[r]};
  const bool changes = routes.layer(start) != routes.layer(start + 1);
  if (changes && onLayer(crowd, routes, r, 1)) return true;
  const float squared = lengthSquared(routes.at(start) - here);
  if (squared > reach_squared || !onLayer(crowd, routes, r, 0)) return false;
  if (map == nullptr || squared < kThere * kThere) return true;
  return inSight(crowd, routes, *map, r, 1);
}

}  // namespace

void followDirect(const FollowInput& input, std::span<const float> parameters, std::span<const std::uint32_t> rows) {
  agents::Crowd& crowd = input.crowd;
  const corridors::RouteStore& routes = input.routes;
  const corridors::CorridorMap* map = input.map;
  const float dt = input.dt;
  const float reach_squared = parameters[0] * parameters[0];
  for (const std::uint32_t r : rows) {
    const float speed = crowd.preferred_speed[r];
    if (crowd.activity[r] != agents::Activity::kWalking) {
      walkOn(crowd, r);
      continue;
    }
    const Vec2 here{crowd.x[r], crowd.y[r]};
    crowd.lost[r] = leftTheUnknown(crowd, map, r);
    Vec2 target{crowd.goal_x[r], crowd.goal_y[r]};
    while (crowd.route_count[r] > 0) {
      target = routes.at(crowd.route_start[r]);
      if (crowd.route_count[r] == 1 || !passes(crowd, routes, map, r, reach_squared)) break;
      ++crowd.route_start[r], --crowd.route_count[r];
    }
    if (crowd.route_count[r] > 0 && !onLayer(crowd, routes, r, 0) && lengthSquared(target - here) < kThere * kThere)
      crowd.lost[r] = 1;
    // Pushed off the way, and now behind a wall.
    const bool stands = crowd.vx[r] * crowd.vx[r] + crowd.vy[r] * crowd.vy[r] < kSlow * kSlow * speed * speed;
    if (map != nullptr && stands && crowd.route_count[r] > 0 &&
        routes.layer(crowd.route_start[r]) != corridors::kAnyLayer && !inSight(crowd, routes, *map, r, 0))
      crowd.lost[r] = 1;
    crowd.target_x[r] = target.x, crowd.target_y[r] = target.y;
    const Vec2 way = target - here;
    const float distance = length(way);
    const float wanted = distance > 0 ? std::min(speed, distance / dt) / distance : 0.0f;
    crowd.preferred_vx[r] = way.x * wanted;
    crowd.preferred_vy[r] = way.y * wanted;
  }
}

}  // namespace throng::following
