#include "ground/wall_loops.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/narrowing.h"
#include "geometry/boxes.h"
#include "geometry/predicates.h"

namespace throng::ground {
namespace {

constexpr double kOnPassage = 1e-3;  // m; how far a passage may lie from the wall it opens
constexpr float kCell = 2;           // m; about how far people look for walls

/// The parts of a wall that lie on no passage.
std::vector<Segment> withoutPassages(Segment wall, const std::vector<Segment>& passages) {
  std::vector<Segment> parts{wall};
  for (const Segment& passage : passages) {
    const Point along = normalized(passage.b - passage.a);
    const double passage_length = length(passage.b - passage.a);
    std::vector<Segment> left;
    for (const Segment& part : parts) {
      const Point a = part.a - passage.a, b = part.b - passage.a;
      const double from = dot(a, along), to = dot(b, along);
      const double low = std::max(0.0, std::min(from, to)), high = std::min(passage_length, std::max(from, to));
      if (std::abs(det(along, a)) > kOnPassage || std::abs(det(along, b)) > kOnPassage || high - low <= kOnPassage) {
        left.push_back(part);
        continue;
      }
      const auto at = [&](double distance) { return part.a + (part.b - part.a) * ((distance - from) / (to - from)); };
      const double first = from < to ? low : high, second = from < to ? high : low;
      if (std::abs(first - from) > kOnPassage) left.push_back({part.a, at(first)});
      if (std::abs(to - second) > kOnPassage) left.push_back({at(second), part.b});
    }
    parts = std::move(left);
  }
  return parts;
}

/// Corners in 32 bits, without those that fell together.
std::vector<Vec2> roundedRing(const Ring& ring) {
  std::vector<Vec2> corners;
  for (const Point& p : ring)
    if (corners.empty() || corners.back() != narrow(p)) corners.push_back(narrow(p));
  while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
  return corners;
}

void appendLoop(const std::vector<Vec2>& corners, Walls& walls) {
  const std::size_t n = corners.size();
  if (n < 2) return;
  const auto first = static_cast<std::uint32_t>(walls.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto next = static_cast<std::uint32_t>((i + 1) % n), previous = static_cast<std::uint32_t>((i + n - 1) % n);
    const Point before = wide(corners[previous]), a = wide(corners[i]), b = wide(corners[next]);
    walls.a.push_back(corners[i]);
    walls.b.push_back(corners[next]);
    walls.direction.push_back(narrow(normalized(b - a)));
    walls.next.push_back(first + next);
    walls.previous.push_back(first + previous);
    walls.convex.push_back(geometry::orientation(before, a, b) >= 0);
  }
}

/// Walks around sheets that may share ends: a planar graph whose every edge is walked once in each direction.
class SheetLoops {
 public:
  explicit SheetLoops(const std::vector<Segment>& sheets) {
    const auto before = [](Vec2 p, Vec2 q) { return std::pair(p.x, p.y) < std::pair(q.x, q.y); };
    std::vector<std::pair<Vec2, Vec2>> edges;
    for (const Segment& s : sheets) {
      const Vec2 a = narrow(s.a), b = narrow(s.b);
      if (a != b) edges.push_back(before(a, b) ? std::pair(a, b) : std::pair(b, a));
    }
    std::sort(edges.begin(), edges.end(), [&](const auto& e, const auto& f) {
      return e.first == f.first ? before(e.second, f.second) : before(e.first, f.first);
    });
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const auto& [a, b] : edges) {  // 2k and 2k+1 are the two directions of one edge
      edges_.push_back({a, b});
      edges_.push_back({b, a});
    }
    chain();
  }

  void append(Walls& walls) const {
    std::vector<bool> done(edges_.size(), false);
    for (std::uint32_t start = 0; start < edges_.size(); ++start) {
      std::vector<Vec2> corners;
      for (std::uint32_t e = start; !done[e]; e = next_[e]) {
        done[e] = true;
        corners.push_back(edges_[e].from);
      }
      appendLoop(corners, walls);
    }
  }

 private:
  struct Edge {
    Vec2 from, to;
  };

  /// Order around an end, counter-clockwise from +x.
  bool earlierAround(std::uint32_t e, std::uint32_t f) const {
    const Vec2 at = edges_[e].from;
    const auto lower = [&](std::uint32_t i) {
      const Vec2 d = edges_[i].to - at;
      return d.y < 0 || (d.y == 0 && d.x < 0);
    };
    if (lower(e) != lower(f)) return lower(f);
    const int side = geometry::orientation(wide(at), wide(edges_[e].to), wide(edges_[f].to));
    return side != 0 ? side > 0 : e < f;
  }

  /// With free space on the right of u→v, the wall goes on along the edge that comes first when one turns
  /// counter-clockwise from v→u: from the way back, across the free space, to the next wall.
  void chain() {
    std::vector<std::uint32_t> order(edges_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t e, std::uint32_t f) {
      const Vec2 p = edges_[e].from, q = edges_[f].from;
      return p == q ? earlierAround(e, f) : std::pair(p.x, p.y) < std::pair(q.x, q.y);
    });
    next_.resize(edges_.size());
    for (std::size_t first = 0; first < order.size();) {
      std::size_t end = first;
      while (end < order.size() && edges_[order[end]].from == edges_[order[first]].from) ++end;
      for (std::size_t i = first; i < end; ++i) next_[order[i] ^ 1] = order[i + 1 < end ? i + 1 : first];
      first = end;
    }
  }

  std::vector<Edge> edges_;
  std::vector<std::uint32_t> next_;
};

/// Loops of walls whose directions are given.
class DirectedLoops {
 public:
  explicit DirectedLoops(std::vector<Segment> walls) : walls_(std::move(walls)) {
    const auto key = [](const Segment& s) { return std::tuple(s.a.x, s.a.y, s.b.x, s.b.y); };
    std::sort(walls_.begin(), walls_.end(), [&](const Segment& s, const Segment& t) { return key(s) < key(t); });
    walls_.erase(std::unique(walls_.begin(), walls_.end(),
                             [](const Segment& s, const Segment& t) { return s.a == t.a && s.b == t.b; }),
                 walls_.end());
    next_.resize(walls_.size(), kNothing);
    has_previous_.resize(walls_.size(), false);
    for (std::uint32_t i = 0; i < walls_.size(); ++i) {
      const std::uint32_t next = after(i);
      if (next == kNothing || has_previous_[next]) continue;
      next_[i] = next;
      has_previous_[next] = true;
    }
  }

  void append(Walls& walls) const {
    std::vector<bool> done(walls_.size(), false);
    for (const bool open : {true, false})  // chains from their beginnings, then what is left: loops
      for (std::uint32_t start = 0; start < walls_.size(); ++start) {
        if (done[start] || (open && has_previous_[start])) continue;
        Ring ring;
        for (std::uint32_t i = start; i != kNothing && !done[i]; i = next_[i]) {
          done[i] = true;
          ring.push_back(walls_[i].a);
          if (open && next_[i] == kNothing) ring.push_back(walls_[i].b);
        }
        if (open)
          for (std::size_t i = ring.size() - 1; i-- > 1;) ring.push_back(ring[i]);
        appendLoop(roundedRing(ring), walls);
      }
  }

 private:
  static constexpr std::uint32_t kNothing = 0xffffffffu;

  /// Quarter of the turn, counter-clockwise, from the way at→from to the way at→to: 0 less than half a turn, 1 half, 2
  /// more, 3 a whole one.
  static int turn(Point at, Point from, Point to) {
    const int side = geometry::orientation(at, from, to);
    if (side != 0) return side > 0 ? 0 : 2;
    return dot(from - at, to - at) < 0 ? 1 : 3;
  }

  /// The first wall that begins at the end of another, counter-clockwise from the way back (see SheetLoops).
  std::uint32_t after(std::uint32_t wall) const {
    const Point at = walls_[wall].b, back = walls_[wall].a;
    const auto earlier = [](const Segment& s, Point p) { return std::pair(s.a.x, s.a.y) < std::pair(p.x, p.y); };
    std::uint32_t best = kNothing;
    for (auto i = std::lower_bound(walls_.begin(), walls_.end(), at, earlier); i != walls_.end() && i->a == at; ++i) {
      const auto candidate = static_cast<std::uint32_t>(i - walls_.begin());
      if (best == kNothing) {
        best = candidate;
        continue;
      }
      const int turn_best = turn(at, back, walls_[best].b), turn_this = turn(at, back, i->b);
      if (turn_this < turn_best || (turn_this == turn_best && geometry::orientation(at, i->b, walls_[best].b) > 0))
        best = candidate;
    }
    return best;
  }

  std::vector<Segment> walls_;  ///< by beginning
  std::vector<std::uint32_t> next_;
  std::vector<bool> has_previous_;
};

}  // namespace

Walls chainWalls(std::vector<Segment> lines) {
  Walls walls;
  DirectedLoops(std::move(lines)).append(walls);
  walls.grid = geometry::SegmentGrid(walls.a, walls.b, kCell);
  return walls;
}

Walls withImages(Walls walls, const Rectangle& wrap) {
  constexpr double kReach = 12;  // m; farther than people walk in a step, and about as far as they look for walls
  const Point size = wrap.max - wrap.min;
  const std::size_t own = walls.size();
  std::vector<bool> done(own, false);
  for (std::size_t start = 0; start < own; ++start) {
    std::vector<Vec2> loop;
    for (std::size_t i = start; !done[i]; i = walls.next[i]) done[i] = true, loop.push_back(walls.a[i]);
    if (loop.empty()) continue;
    for (int column = -1; column <= 1; ++column)
      for (int row = -1; row <= 1; ++row) {
        if (column == 0 && row == 0) continue;
        Ring image;
        for (const Vec2 corner : loop) {
          const Point p = wide(corner) + Point{column * size.x, row * size.y};
          image.push_back(p);
        }
        if (!geometry::overlap(geometry::boxOf(image), geometry::grown(wrap, kReach))) continue;
        appendLoop(roundedRing(image), walls);
      }
  }
  if (walls.size() > own) walls.grid = geometry::SegmentGrid(walls.a, walls.b, kCell);
  return walls;
}

Walls buildWalls(const WallLines& lines, const std::vector<Segment>& passages) {
  Walls walls;
  std::vector<Segment> sheets;
  for (const Segment& sheet : lines.sheets)
    for (const Segment& part : withoutPassages(sheet, passages)) sheets.push_back(part);
  for (const Ring& ring : lines.rings) {
    std::vector<Segment> parts;
    bool whole = true;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Segment wall{ring[i], ring[(i + 1) % ring.size()]};
      const auto left = withoutPassages(wall, passages);
      whole &= left.size() == 1 && left[0].a == wall.a && left[0].b == wall.b;
      parts.insert(parts.end(), left.begin(), left.end());
    }
    if (whole)
      appendLoop(roundedRing(ring), walls);
    else
      sheets.insert(sheets.end(), parts.begin(), parts.end());
  }
  SheetLoops(sheets).append(walls);
  walls.grid = geometry::SegmentGrid(walls.a, walls.b, kCell);
  return walls;
}

}  // namespace throng::ground
