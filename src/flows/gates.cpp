#include "flows/gates.h"

#include <algorithm>
#include <cmath>

#include "corridors/visibility.h"

namespace throng::flows {
namespace {

using graph::Cylinder;
using graph::GateLeg;
using graph::GatePaths;

/// Way-points nearer than this are passed: nobody has to step onto a point. m
constexpr float kPassed = 0.15f;
/// People look through so many gates, and no farther than this (m).
constexpr int kGatesAhead = 6;
constexpr float kSight = 25;

bool inside(const Cylinder& cylinder, Vec2 place, float margin = 0) {
  const float reach = cylinder.radius + margin;
  return lengthSquared(place - cylinder.centre) <= reach * reach;
}

Vec2 wayPoint(const GateLeg& leg, float p) { return leg.left + (leg.right - leg.left) * p; }

/// On the far side of the gate's line. A gate without width has none.
bool beyond(const GateLeg& leg, Vec2 place) { return dot(perpendicular(leg.right - leg.left), place - leg.left) >= 0; }

/// Does the straight way from a place to another lead through the gate?
bool through(const GateLeg& leg, Vec2 from, Vec2 to) {
  const Vec2 way = to - from;
  return det(way, leg.left - from) > 0 && det(way, leg.right - from) < 0 && beyond(leg, to);
}

struct Progress {
  std::uint32_t path, leg, vertex;
};

}  // namespace

void followGates(agents::Crowd& crowd, const FlowColumns& on, const GatePaths& paths, const corridors::CorridorMap* map,
                 bool far_sighted, std::span<const std::uint32_t> rows) {
  std::uint32_t *path = on.path().data(), *legs = on.leg().data(), *vertex = on.vertex().data();
  float* slope = on.slope().data();
  for (const std::uint32_t r : rows) {
    const Vec2 here{crowd.x[r], crowd.y[r]}, goal{crowd.goal_x[r], crowd.goal_y[r]};
    const float p = crowd.preference[r];
    Progress at{path[r] - 1, legs[r], vertex[r] - 1};
    const GateLeg* gate = paths.next(at.path, at.leg, at.vertex);
    // Across: in the next cylinder and behind the line of the gate. Several at once after a long step.
    for (int crossed = 0; gate && crossed < kGatesAhead; ++crossed) {
      const bool there = inside(paths.cylinder(gate->vertex), here) && beyond(*gate, here);
      if (!there && lengthSquared(wayPoint(*gate, p) - here) > kPassed * kPassed) break;
      at.vertex = gate->vertex;
      ++at.leg;
      gate = paths.next(at.path, at.leg, at.vertex);
    }
    legs[r] = at.leg;
    vertex[r] = at.vertex + 1;

    Vec2 target = gate ? wayPoint(*gate, p) : goal;
    float z = paths.cylinder(at.vertex).z;
    if (gate) z = 0.5f * (z + paths.cylinder(gate->vertex).z);
    if (gate && !inside(paths.cylinder(at.vertex), here) && !inside(paths.cylinder(gate->vertex), here)) {
      const Point from{here.x, here.y}, to{target.x, target.y};
      if (map && !corridors::visible(*map, from, crowd.layer[r], to)) crowd.lost[r] = 1;
    } else if (far_sighted && gate) {
      // Cylinders are convex, so a straight line through all gates on the way never leaves them.
      const GateLeg* crossed[kGatesAhead];
      Progress ahead = at;
      const GateLeg* leg = gate;
      for (int n = 0; leg && n < kGatesAhead; ++n) {
        crossed[n] = leg;
        ahead = {ahead.path, ahead.leg + 1, leg->vertex};
        leg = paths.next(ahead.path, ahead.leg, ahead.vertex);
        const Vec2 next = leg ? wayPoint(*leg, p) : goal;
        if (lengthSquared(next - here) > kSight * kSight) break;
        bool straight = true;
        for (int k = 0; k <= n && straight; ++k) straight = through(*crossed[k], here, next);
        if (!straight) continue;  // a later one may be in line again
        target = next;
        z = paths.cylinder(ahead.vertex).z;
      }
    }
    crowd.target_x[r] = target.x, crowd.target_y[r] = target.y;
    const Vec2 way = target - here;
    const float distance = length(way);
    const Vec2 direction = distance > 1e-4f ? way / distance : Vec2{crowd.heading_x[r], crowd.heading_y[r]};
    crowd.preferred_vx[r] = direction.x * crowd.preferred_speed[r];
    crowd.preferred_vy[r] = direction.y * crowd.preferred_speed[r];
    // For those who are not looked at, and whose feet nobody sees: an even rise to the target.
    slope[r] = distance > 0.5f ? std::clamp((z - crowd.z[r]) / distance, -1.0f, 1.0f) : 0;
  }
}

}  // namespace throng::flows
