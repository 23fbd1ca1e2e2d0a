#include "simulation/passage.h"

#include <algorithm>

#include "geometry/predicates.h"

namespace throng::simulation {
namespace {

Point wide(Vec2 v) { return {v.x, v.y}; }
Vec2 narrow(Point p) { return {static_cast<float>(p.x), static_cast<float>(p.y)}; }

/// Every place is on one side or the other, so that nobody can pass a line by stopping on it.
bool leftOf(const Segment& line, Point p) { return geometry::orientation(line.a, line.b, p) >= 0; }

bool crosses(const Segment& line, Point from, Point to) {
  return leftOf(line, from) != leftOf(line, to) && geometry::segmentsIntersect(from, to, line.a, line.b);
}

/// The turn that lays the passage's `from` onto its `to`.
Point turned(const Passage& passage, Point d) {
  if (passage.from.a == passage.to.a && passage.from.b == passage.to.b) return d;
  const Point u = normalized(passage.from.b - passage.from.a);
  const Point v = normalized(passage.to.b - passage.to.a);
  return v * dot(u, d) + perpendicular(v) * det(u, d);
}

}  // namespace

Passages::Passages(std::vector<Passage> passages) : list_(std::move(passages)) {
  std::vector<Vec2> a, b;
  for (const Passage& passage : list_) a.push_back(narrow(passage.from.a)), b.push_back(narrow(passage.from.b));
  constexpr float kCell = 2;  // m
  if (!list_.empty()) grid_ = geometry::SegmentGrid(a, b, kCell);
}

std::vector<Passage> makePassages(const Scene& scene, const environment::WalkableSpace& space) {
  std::vector<Passage> passages;
  for (const Connection& c : scene.connections) {
    const std::uint16_t from = space.floor(c.from_layer), to = space.floor(c.to_layer);
    passages.push_back({from, to, c.from, c.to});
    passages.push_back({to, from, c.to, c.from});
  }
  return passages;
}

std::optional<Landing> cross(std::span<const Passage> passages, std::span<const environment::Floor> floors,
                             std::uint16_t floor, Vec2 from, Vec2 to, std::vector<std::uint32_t>& near) {
  for (const Passage& passage : passages) {
    if (passage.from_floor != floor || !crosses(passage.from, wide(from), wide(to))) continue;
    const Point motion = turned(passage, wide(to) - wide(from));
    const Point start = passage.to.a + turned(passage, wide(from) - passage.from.a);
    const bool same = motion == wide(to) - wide(from) && passage.from.a == passage.to.a;
    const Vec2 end = same ? to : narrow(start + motion);
    // The line divides the move: what comes after it must keep to the new floor.
    const Point along = passage.to.b - passage.to.a;
    const double share = det(passage.to.a - start, along) / det(motion, along);
    const Point entry = start + motion * std::clamp(share, 0.0, 1.0);
    const environment::Walls& walls = floors[passage.to_floor].walls;
    near.clear();
    walls.grid.query(end, length(to - from) + 0.01f, near);
    const bool blocked = std::any_of(near.begin(), near.end(), [&](std::uint32_t i) {
      return geometry::segmentsIntersect(entry, wide(end), wide(walls.a[i]), wide(walls.b[i]));
    });
    if (blocked) return Landing{floor, from, {}};
    return Landing{passage.to_floor, end, narrow(motion)};
  }
  return std::nullopt;
}

}  // namespace throng::simulation
