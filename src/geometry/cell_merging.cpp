#include "geometry/cell_merging.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>

#include "geometry/predicates.h"

namespace throng::geometry {
namespace {

// What cells are good for, in squares and sides of the wanted size: as large as these is large enough.
constexpr double kEnoughArea = 0.75, kEnoughWidth = 0.7;
constexpr double kMostArea = 1.7, kMostAcross = 1.75;
// What is left out.
constexpr double kLeastArea = 0.15, kLeastWidth = 0.22;
constexpr double kLeastSide = 2e-3;  // m: corners have to be told apart

struct Shape {
  double area = 0, width = 0, across = 0;
};

class Merging {
 public:
  Merging(const CellPlan& plan, const Triangulation& triangles, const std::vector<char>& inside) : plan_(plan) {
    for (const Triangulation::Spot s : plan.nodes) points_.push_back(Point{double(s.x), double(s.y)} * plan.spacing);
    std::vector<std::uint32_t> number(inside.size(), kNone);
    std::uint32_t count = 0;
    for (std::size_t t = 0; t < inside.size(); ++t)
      if (inside[t]) number[t] = count++;
    cells_.resize(count);
    for (std::size_t t = 0; t < inside.size(); ++t) {
      if (!inside[t]) continue;
      const auto& triangle = triangles.triangles()[t];
      Cell& cell = cells_[number[t]];
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t a = triangle.v[i], b = triangle.v[(i + 1) % 3], other = triangle.n[i];
        Side side{a, other == kNone ? kNone : number[other], false, (triangle.fixed >> i & 1) != 0};
        side.wall = side.neighbour == kNone || isWall(a, b);
        cell.sides.push_back(side);
      }
      cell.shape = shapeOf(cell.sides);
    }
  }

  ConvexCells run() {
    merge(false);
    merge(true);
    straighten();
    leaveOut();
    return result();
  }

 private:
  static constexpr std::uint32_t kNone = ConvexCell::kNone;
  struct Side {
    std::uint32_t corner = 0, neighbour = kNone;
    bool wall = false;
    bool fixed = false;  ///< a line of the plan
  };
  struct Cell {
    std::vector<Side> sides;
    Shape shape;
    std::uint32_t changes = 0;
    bool gone = false;
  };
  struct Candidate {
    double gain = 0;
    std::uint32_t a = 0, b = 0, changes_a = 0, changes_b = 0;
    bool operator<(const Candidate& o) const {
      return gain != o.gain ? gain < o.gain : std::pair(a, b) > std::pair(o.a, o.b);
    }
  };

  bool isWall(std::uint32_t a, std::uint32_t b) const {
    return std::binary_search(plan_.walls.begin(), plan_.walls.end(), PlaceEdge{std::min(a, b), std::max(a, b)});
  }
  Ring ringOf(const std::vector<Side>& sides) const {
    Ring ring;
    for (const Side& side : sides) ring.push_back(points_[side.corner]);
    return ring;
  }
  Shape shapeOf(const std::vector<Side>& sides) const {
    const Ring ring = ringOf(sides);
    Shape shape{signedArea(ring), widthOf(ring), 0};
    for (const Point p : ring)
      for (const Point q : ring) shape.across = std::max(shape.across, length(p - q));
    return shape;
  }
  double worth(const Shape& shape) const {
    const double s = plan_.side;
    return shape.area * std::min(1.0, shape.area / (kEnoughArea * s * s)) *
           std::min(1.0, shape.width / (kEnoughWidth * s));
  }
  bool isConvex(const std::vector<Side>& sides) const {
    const Ring ring = ringOf(sides);
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i], b = ring[(i + 1) % ring.size()], c = ring[(i + 2) % ring.size()];
      if (dot(b - a, c - b) < 0 && det(b - a, c - b) <= 0) return false;  // back the way it came
      const Point inward = perpendicular(normalized(b - a));
      for (const Point p : ring)
        if (dot(p - a, inward) < -kStraightCorner) return false;
    }
    return true;
  }

  /// Where the sides to a neighbour begin, and how many follow one another; nothing when they are not one chain.
  struct Chain {
    std::size_t first = 0, count = 0;
  };
  std::optional<Chain> chainTo(const Cell& cell, std::uint32_t other, bool over_lines) const {
    const std::size_t n = cell.sides.size();
    Chain chain;
    std::size_t shared = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Side& side = cell.sides[i];
      if (side.neighbour != other) continue;
      if (side.wall || (side.fixed && !over_lines)) return {};
      ++shared;
      if (cell.sides[(i + n - 1) % n].neighbour != other) chain.first = i, ++chain.count;
    }
    if (shared == 0 || shared == n || chain.count != 1) return {};
    chain.count = shared;
    return chain;
  }

  std::optional<std::vector<Side>> united(std::uint32_t a, std::uint32_t b, bool over_lines) const {
    const auto at_a = chainTo(cells_[a], b, over_lines), at_b = chainTo(cells_[b], a, over_lines);
    if (!at_a || !at_b || at_a->count != at_b->count) return {};
    std::vector<Side> sides;
    const auto rest = [&](const Cell& cell, const Chain& chain) {
      const std::size_t n = cell.sides.size();
      for (std::size_t k = chain.count; k < n; ++k) sides.push_back(cell.sides[(chain.first + k) % n]);
    };
    rest(cells_[a], *at_a), rest(cells_[b], *at_b);
    if (sides.size() < 3 || !isConvex(sides)) return {};
    return sides;
  }

  void consider(std::uint32_t a, std::uint32_t b, bool over_lines) {
    if (a > b) std::swap(a, b);
    const Cell &p = cells_[a], &q = cells_[b];
    const double s = plan_.side;
    if (p.shape.area + q.shape.area > kMostArea * s * s) return;
    const auto sides = united(a, b, over_lines);
    if (!sides) return;
    const Shape shape = shapeOf(*sides);
    const double gain = worth(shape) - worth(p.shape) - worth(q.shape);
    if (shape.across > kMostAcross * s || !(gain > 0)) return;
    queue_.push({gain, a, b, p.changes, q.changes});
  }

  /// Puts together what gains most by it, as long as something does.
  void merge(bool over_lines) {
    for (std::uint32_t a = 0; a < cells_.size(); ++a)
      for (const Side& side : cells_[a].sides)
        if (!cells_[a].gone && side.neighbour != kNone && a < side.neighbour) consider(a, side.neighbour, over_lines);
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      Cell &a = cells_[best.a], &b = cells_[best.b];
      if (a.gone || b.gone || a.changes != best.changes_a || b.changes != best.changes_b) continue;
      a.sides = *united(best.a, best.b, over_lines);
      a.shape = shapeOf(a.sides);
      ++a.changes, b.gone = true;
      for (const Side& side : b.sides)
        if (side.neighbour != kNone)
          for (Side& back : cells_[side.neighbour].sides)
            if (back.neighbour == best.b) back.neighbour = best.a;
      std::vector<std::uint32_t> around;
      for (const Side& side : a.sides)
        if (side.neighbour != kNone) around.push_back(side.neighbour);
      std::sort(around.begin(), around.end());
      around.erase(std::unique(around.begin(), around.end()), around.end());
      for (const std::uint32_t other : around) consider(best.a, other, over_lines);
    }
  }

  /// Takes out corners between sides that are one: along a wall, or to one and the same neighbour.
  void straighten() {
    for (Cell& cell : cells_) {
      if (cell.gone) continue;
      std::size_t i = 0;
      while (i < cell.sides.size() && cell.sides.size() > 3) {
        const std::size_t n = cell.sides.size();
        const Side &before = cell.sides[(i + n - 1) % n], &here = cell.sides[i];
        const Point p = points_[before.corner], q = points_[here.corner], r = points_[cell.sides[(i + 1) % n].corner];
        const bool is_one = before.neighbour == here.neighbour && before.wall == here.wall;
        if (is_one && (here.neighbour != kNone || distanceToSegment(q, p, r) < kStraightCorner)) {
          cell.sides.erase(cell.sides.begin() + static_cast<std::ptrdiff_t>(i));
          i = 0;
        } else {
          ++i;
        }
      }
    }
  }

  void leaveOut() {
    const double s = plan_.side;
    for (std::uint32_t c = 0; c < cells_.size(); ++c) {
      Cell& cell = cells_[c];
      if (cell.gone) continue;
      cell.shape = shapeOf(cell.sides);
      double shortest = s;
      for (std::size_t i = 0; i < cell.sides.size(); ++i)
        shortest = std::min(
            shortest, length(points_[cell.sides[(i + 1) % cell.sides.size()].corner] - points_[cell.sides[i].corner]));
      if (cell.shape.area >= kLeastArea * s * s && cell.shape.width >= kLeastWidth * s && shortest >= kLeastSide)
        continue;
      cell.gone = true;
      for (const Side& side : cell.sides)
        if (side.neighbour != kNone)
          for (Side& back : cells_[side.neighbour].sides)
            if (back.neighbour == c) back.neighbour = kNone;
    }
  }

  ConvexCells result() const {
    ConvexCells made;
    std::vector<std::uint32_t> number(cells_.size(), kNone), corner(points_.size(), kNone);
    for (std::size_t c = 0, next = 0; c < cells_.size(); ++c)
      if (!cells_[c].gone) number[c] = static_cast<std::uint32_t>(next++);
    for (const Cell& cell : cells_) {
      if (cell.gone) continue;
      ConvexCell& now = made.cells.emplace_back();
      for (const Side& side : cell.sides) {
        if (corner[side.corner] == kNone) {
          corner[side.corner] = static_cast<std::uint32_t>(made.corners.size());
          made.corners.push_back(points_[side.corner]);
        }
        now.sides.push_back({corner[side.corner], side.neighbour == kNone ? kNone : number[side.neighbour], side.wall});
      }
    }
    return made;
  }

  const CellPlan& plan_;
  std::vector<Point> points_;
  std::vector<Cell> cells_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

ConvexCells mergedCells(const CellPlan& plan, const Triangulation& triangles, const std::vector<char>& inside) {
  return Merging(plan, triangles, inside).run();
}

}  // namespace throng::geometry
