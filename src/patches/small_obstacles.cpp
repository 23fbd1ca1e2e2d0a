#include "patches/small_obstacles.h"

#include <algorithm>
#include <numeric>

#include "geometry/boxes.h"
#include "geometry/predicates.h"

namespace throng::patches {
namespace {

constexpr double kThin = 0.02;   ///< m; what a wall without thickness becomes
constexpr double kApart = 2e-3;  ///< m; least length of a side of an object

double across(const Ring& ring) {
  double most = 0;
  for (const Point p : ring)
    for (const Point q : ring) most = std::max(most, length(p - q));
  return most;
}

/// Anticlockwise (Andrew 1979).
Ring hullOf(Ring points) {
  std::sort(points.begin(), points.end(), [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  Ring hull;
  for (const bool upper : {false, true}) {
    const std::size_t from = hull.size();
    const auto add = [&](Point p) {
      while (hull.size() >= from + 2 && geometry::orientation(hull[hull.size() - 2], hull.back(), p) <= 0)
        hull.pop_back();
      hull.push_back(p);
    };
    upper ? std::for_each(points.rbegin(), points.rend(), add) : std::for_each(points.begin(), points.end(), add);
    hull.pop_back();  // the first of the other half
  }
  return hull;
}

/// The numbers of walls that touch one another, group by group.
std::vector<std::vector<std::size_t>> groupsOf(const std::vector<Segment>& walls) {
  std::vector<std::size_t> group(walls.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  std::vector<std::size_t> order(walls.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto box = [&](std::size_t i) { return geometry::grown(geometry::boxOf(walls[i]), kApart); };
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return box(i).min.x < box(j).min.x; });
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t l = k + 1; l < order.size() && box(order[l]).min.x <= box(order[k]).max.x; ++l)
      if (geometry::distanceBetween(walls[order[k]], walls[order[l]]) < kApart) group[find(order[k])] = find(order[l]);
  std::vector<std::vector<std::size_t>> groups(walls.size());
  for (std::size_t i = 0; i < walls.size(); ++i) groups[find(i)].push_back(i);
  return groups;
}

/// Does a wall touch the border of the area?
bool touches(const std::vector<Polygon>& area, const Segment& wall) {
  const Rectangle box = geometry::grown(geometry::boxOf(wall), kApart);
  const auto ring = [&](const Ring& r) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      const Segment side{r[i], r[(i + 1) % r.size()]};
      if (geometry::overlap(box, geometry::boxOf(side)) && geometry::distanceBetween(side, wall) < kApart) return true;
    }
    return false;
  };
  return std::any_of(area.begin(), area.end(), [&](const Polygon& polygon) {
    return ring(polygon.outer) || std::any_of(polygon.holes.begin(), polygon.holes.end(), ring);
  });
}

}  // namespace

Ring withoutShortSides(const Ring& ring) {
  Ring kept;
  for (const Point p : ring)
    if (kept.empty() || length(p - kept.back()) > kApart) kept.push_back(p);
  while (kept.size() > 1 && length(kept.front() - kept.back()) <= kApart) kept.pop_back();
  for (std::size_t i = 0; i < kept.size() && kept.size() > 3;) {
    const std::size_t n = kept.size();
    const bool straight = geometry::distanceToSegment(kept[i], kept[(i + n - 1) % n], kept[(i + 1) % n]) < 1e-6;
    straight ? static_cast<void>(kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i))) : static_cast<void>(++i);
  }
  return kept;
}

std::vector<PatchObject> takeSmallObstacles(std::vector<Polygon>& area, std::vector<Segment>& walls, double most) {
  std::vector<PatchObject> objects;
  // Walls first, as long as what they may touch is there.
  std::vector<char> taken(walls.size());
  for (const auto& group : groupsOf(walls)) {
    Ring ends;
    bool is_alone = true;
    for (const std::size_t i : group) {
      ends.push_back(walls[i].a), ends.push_back(walls[i].b);
      is_alone = is_alone && !touches(area, walls[i]);
    }
    if (group.empty() || !is_alone || across(ends) > most) continue;
    Ring around;
    for (const std::size_t i : group) {
      const Point along = normalized(walls[i].b - walls[i].a) * (0.5 * kThin), side = perpendicular(along);
      for (const Point p : {walls[i].a - along, walls[i].b + along})
        around.push_back(p - side), around.push_back(p + side);
      taken[i] = 1;
    }
    objects.push_back({"wall", withoutShortSides(hullOf(around))});
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < walls.size(); ++i)
    if (!taken[i]) walls[kept++] = walls[i];
  walls.resize(kept);
  for (Polygon& polygon : area)
    std::erase_if(polygon.holes, [&](const Ring& hole) {
      if (across(hole) > most) return false;
      // What is free inside something small is nobody's.
      for (const Polygon& other : area)
        if (&other != &polygon && geometry::contains(hole, other.outer[0])) return false;
      objects.push_back({"obstacle", withoutShortSides(hullOf(hole))});
      return true;
    });
  return objects;
}

}  // namespace throng::patches
