#include "simulation/contact.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/narrowing.h"
#include "geometry/predicates.h"

namespace throng::simulation {
namespace {

struct Hit {
  double time = 1;  ///< share of the motion
  Point normal;     ///< from the wall to the centre at contact
  bool found = false;
};

/// Approach slower than this share of the motion's length counts as parallel: it is rounding, not intent.
constexpr double kParallel = 1e-6;

/// Earliest contact of a point moving from `p` by `motion` with the point `e` grown by `reach`.
void hitCorner(Point p, Point motion, double length, Point e, double reach, Hit& hit) {
  const Point d = p - e;
  const double approach = dot(d, motion);
  const double distance = std::sqrt(lengthSquared(d));
  if (distance == 0 || approach >= -kParallel * length * distance) return;
  const double a = lengthSquared(motion);
  const double c = lengthSquared(d) - reach * reach;
  const double root = approach * approach - a * c;
  if (root < 0) return;
  const double t = std::max(0.0, (-approach - std::sqrt(root)) / a);
  if (t >= hit.time) return;
  hit = {t, normalized(d + motion * t), true};
}

/// The same with the segment a→b grown by `reach`: its two sides and its two ends.
void hitSegment(Point p, Point motion, double length, Point a, Point b, double radius, Hit& hit) {
  const double reach = std::min(radius, geometry::distanceToSegment(p, a, b));
  const Point along = normalized(b - a);
  Point normal = perpendicular(along);
  double height = dot(normal, p - a);
  if (height < 0) normal = -normal, height = -height;
  const double approach = -dot(normal, motion);
  if (height > 0 && approach > kParallel * length) {
    const double t = std::max(0.0, (height - reach) / approach);
    const double at = dot(along, p + motion * t - a);
    if (t < hit.time && at >= 0 && at <= dot(along, b - a)) {
      hit = {t, normal, true};
      return;
    }
  }
  hitCorner(p, motion, length, a, reach, hit);
  hitCorner(p, motion, length, b, reach, hit);
}

bool crosses(const ground::Walls& walls, const std::vector<std::uint32_t>& near, Vec2 from, Vec2 to) {
  return std::any_of(near.begin(), near.end(), [&](std::uint32_t i) {
    return geometry::segmentsIntersect(wide(from), wide(to), wide(walls.a[i]), wide(walls.b[i]));
  });
}

}  // namespace

Vec2 moveAlongWalls(const ground::Walls& walls, Vec2 from, float radius, Vec2 motion,
                    std::vector<std::uint32_t>& near) {
  constexpr int kSlides = 4;      // a corner takes two; more only in acute niches, where stopping is right
  constexpr double kSkin = 1e-5;  // m; contact is made this much before the wall
  const float range = length(motion) + radius + 0.01f;
  if (walls.size() == 0 || walls.grid.nothingNear(from, range)) return from + motion;
  near.clear();
  walls.grid.query(from, range, near);
  if (near.empty()) return from + motion;

  // The way is a chain of straight legs, one per slide.
  Point p = wide(from);
  Point rest = wide(motion);
  std::array<Vec2, kSlides> stops;
  int legs = 0;
  while (legs < kSlides) {
    const double length = std::sqrt(lengthSquared(rest));
    if (length == 0) break;
    Hit hit;
    for (const std::uint32_t i : near) hitSegment(p, rest, length, wide(walls.a[i]), wide(walls.b[i]), radius, hit);
    p += hit.found ? rest * std::max(0.0, hit.time - kSkin / length) : rest;
    stops[static_cast<std::size_t>(legs++)] = {static_cast<float>(p.x), static_cast<float>(p.y)};
    if (!hit.found) break;
    rest = rest * (1 - hit.time);
    rest -= hit.normal * std::min(0.0, dot(rest, hit.normal));
  }

  // A person is seen to go straight from where they were to where they are. That line must not cross a wall either: not
  // where the way bends round a corner, and not through rounding (this test has none). Standing still is always right.
  while (legs > 0) {
    const Vec2 to = stops[static_cast<std::size_t>(--legs)];
    if (!crosses(walls, near, from, to)) return to;
  }
  return from;
}

}  // namespace throng::simulation
