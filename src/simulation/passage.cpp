#include "simulation/passage.h"

#include <algorithm>

#include "base/narrowing.h"
#include "geometry/predicates.h"
#include "simulation/contact.h"

namespace throng::simulation {
namespace {

/// On its floor's side of the line somebody has not passed it, and on the line itself not yet. So the two directions of
/// a passage agree about every place, and nobody can be on a floor and behind its border.
bool hasPassed(const Passage& passage, Point p) {
  return passage.side * geometry::orientation(passage.from.a, passage.from.b, p) < 0;
}

/// Whoever has come over the other line may, by rounding, stand this far before this one. m
constexpr double kOnLine = 2.5e-3;

bool crosses(const Passage& passage, Point from, Point to) {
  const Segment& line = passage.from;
  if (passage.side == 0) {
    const bool from_left = geometry::orientation(line.a, line.b, from) >= 0;
    const bool to_left = geometry::orientation(line.a, line.b, to) >= 0;
    return from_left != to_left && geometry::segmentsIntersect(from, to, line.a, line.b);
  }
  if (!hasPassed(passage, to)) return false;
  if (geometry::segmentsIntersect(from, to, line.a, line.b)) return true;
  return hasPassed(passage, from) && geometry::distanceToSegment(from, line.a, line.b) < kOnLine;
}

/// On which side of a line a floor lies, by looking at both: 1 left, -1 right, 0 both or neither.
int sideOf(const ground::Floor& floor, const Segment& line) {
  constexpr double kLook = 0.01;  // m
  const Point n = perpendicular(normalized(line.b - line.a)) * kLook;
  int left = 0, right = 0;
  for (const double share : {0.5, 0.3, 0.7, 0.1, 0.9}) {
    const Point p = line.a + (line.b - line.a) * share;
    left += floor.contains(p + n), right += floor.contains(p - n);
  }
  return left > 0 && right == 0 ? 1 : right > 0 && left == 0 ? -1 : 0;
}

/// The turn that lays the passage's `from` onto its `to`.
Point turned(const Passage& passage, Point d) {
  if (passage.from.a == passage.to.a && passage.from.b == passage.to.b) return d;
  const Point u = normalized(passage.from.b - passage.from.a);
  const Point v = normalized(passage.to.b - passage.to.a);
  return v * dot(u, d) + perpendicular(v) * det(u, d);
}

/// A place before or behind the passage, as it is on the other floor. Nothing is computed where both lines are one.
Point onTheOther(const Passage& passage, Point p) {
  if (passage.from.a == passage.to.a && passage.from.b == passage.to.b) return p;
  return passage.to.a + turned(passage, p - passage.from.a);
}

/// Of all passages of a floor that a move leads over, the first.
const Passage* firstCrossed(std::span<const Passage> passages, std::uint16_t floor, Point from, Point to) {
  const Passage* first = nullptr;
  double least = 0;
  for (const Passage& passage : passages) {
    if (passage.from_floor != floor || !crosses(passage, from, to)) continue;
    const Point along = passage.from.b - passage.from.a;
    const double share = det(passage.from.a - from, along) / det(to - from, along);
    if (first == nullptr || share < least) first = &passage, least = share;
  }
  return first;
}

/// Does a disc of `radius` (0: its centre) that goes straight touch a wall?
bool meetsWall(const ground::Walls& walls, Point from, Vec2 to, float radius, std::vector<std::uint32_t>& near) {
  near.clear();
  walls.grid.query(to, static_cast<float>(length(wide(to) - from)) + radius + 0.01f, near);
  return std::any_of(near.begin(), near.end(), [&](std::uint32_t i) {
    const Point a = wide(walls.a[i]), b = wide(walls.b[i]), end = wide(to);
    if (geometry::segmentsIntersect(from, end, a, b)) return true;
    return radius > 0 &&
           (geometry::distanceToSegment(end, a, b) < radius || geometry::distanceToSegment(from, a, b) < radius ||
            geometry::distanceToSegment(a, from, end) < radius || geometry::distanceToSegment(b, from, end) < radius);
  });
}

}  // namespace

Passages::Passages(std::vector<Passage> passages) : list_(std::move(passages)) {
  std::vector<Vec2> a, b;
  for (const Passage& passage : list_) a.push_back(narrow(passage.from.a)), b.push_back(narrow(passage.from.b));
  constexpr float kCell = 2;  // m
  if (!list_.empty()) grid_ = geometry::SegmentGrid(a, b, kCell);
}

std::vector<Passage> makePassages(const Scene& scene, const ground::WalkableSpace& space) {
  std::vector<Passage> passages;
  for (const Connection& c : scene.connections) {
    const std::uint16_t from = space.floor(c.from_layer), to = space.floor(c.to_layer);
    Segment to_line = c.to;
    int from_side = sideOf(space.floors()[from], c.from), to_side = sideOf(space.floors()[to], c.to);
    // The lines are laid onto one another, first point on first point, and left stays left. Where that leads off the
    // other floor, one line was drawn the other way round.
    if (from_side != 0 && from_side == to_side) std::swap(to_line.a, to_line.b), to_side = -to_side;
    if (from_side == 0) from_side = -to_side;
    if (to_side == 0) to_side = -from_side;
    passages.push_back({from, to, c.from, to_line, from_side});
    passages.push_back({to, from, to_line, c.from, to_side});
  }
  return passages;
}

std::optional<Landing> cross(std::span<const Passage> passages, std::span<const ground::Floor> floors,
                             std::uint16_t floor, Vec2 from, Vec2 to, float radius, std::vector<std::uint32_t>& near) {
  constexpr int kMost = 4;  // passages in one step
  Landing landing{floor, to, to - from};
  Point start = wide(from);  // of the move on the floor of now
  bool any = false;
  for (int i = 0; i < kMost; ++i) {
    const Passage* passage = firstCrossed(passages, landing.floor, start, wide(landing.place));
    if (passage == nullptr) break;
    any = true;
    const Point end = onTheOther(*passage, wide(landing.place)), begin = onTheOther(*passage, start);
    // The line divides the move: what comes after it must keep to the new floor.
    const Point along = passage->to.b - passage->to.a;
    const double share = det(passage->to.a - begin, along) / det(end - begin, along);
    const Point entry = begin + (end - begin) * (share >= 0 && share <= 1 ? share : 0.0);
    const ground::Walls& walls = floors[passage->to_floor].walls;
    Vec2 place = narrow(end);
    if (meetsWall(walls, entry, place, radius, near)) {
      place = moveAlongWalls(walls, narrow(entry), radius, place - narrow(entry), near);
      // Still on the line, or back over it by rounding.
      const Passage& back = passages[static_cast<std::size_t>(passage - passages.data()) ^ 1u];
      if (hasPassed(back, wide(place)) || meetsWall(walls, begin, place, 0, near)) return Landing{floor, from, {}};
    }
    landing = {passage->to_floor, place, narrow(wide(place) - begin)};
    start = entry;
  }
  if (!any) return std::nullopt;
  return landing;
}

std::vector<agents::Link> makeLinks(std::span<const Passage> passages, std::span<const ground::Floor> floors) {
  std::vector<agents::Link> links;
  constexpr double kSamePlace = 2e-3, kLook = 0.01;  // m
  for (std::size_t i = 0; i + 1 < passages.size(); i += 2) {
    const Passage& passage = passages[i];
    const Segment &from = passage.from, &to = passage.to;
    const auto near = [](Point p, Point q) { return length(p - q) < kSamePlace; };
    if (!(near(from.a, to.a) && near(from.b, to.b)) && !(near(from.a, to.b) && near(from.b, to.a))) continue;
    const Point left = (from.a + from.b) * 0.5 + perpendicular(normalized(from.b - from.a)) * kLook;
    const bool from_left = floors[passage.from_floor].contains(left);
    if (from_left == floors[passage.to_floor].contains(left)) continue;
    links.push_back({passage.from_floor, passage.to_floor, from, from_left});
    links.push_back({passage.to_floor, passage.from_floor, from, !from_left});
  }
  return links;
}

}  // namespace throng::simulation
