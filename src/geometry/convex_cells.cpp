#include "geometry/convex_cells.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "base/lists.h"
#include "base/math.h"
#include "geometry/boxes.h"
#include "geometry/cell_merging.h"
#include "geometry/noding.h"
#include "geometry/polygon_index.h"
#include "geometry/predicates.h"

namespace throng::geometry {
namespace {

using Spot = Triangulation::Spot;

constexpr double kFinest = 0x1p-17;   ///< m; spacing of the grid, coarser for areas of more than a kilometre
constexpr double kMostSquares = 4e6;  ///< of the lattice
constexpr double kSharp = 0.5;        ///< sine of the least turn at which walls are prolonged
constexpr double kLeastAhead = 0.25;  ///< of a square: lines nearer than this do not end what is prolonged
constexpr double kTiny = 2e-3;        ///< m
constexpr double kHand = 0.1;         ///< m
constexpr double kOnSide = 0.01;      ///< m; walls that run along a side for so long close it

/// A line of the plan; `wall` when nobody passes.
struct PlanLine {
  Spot a, b;
  bool wall = false;
  auto operator<=>(const PlanLine&) const = default;
};

/// The integer plane around an area.
struct PlanGrid {
  Point origin;
  double spacing = kFinest;

  explicit PlanGrid(const Rectangle& around) {
    const Point size = around.max - around.min;
    while (std::max(size.x, size.y) / spacing > Triangulation::kReach) spacing *= 2;
    // In whole metres, so that coordinates are whole numbers of the spacing.
    origin = {std::floor(0.5 * (around.min.x + around.max.x)), std::floor(0.5 * (around.min.y + around.max.y))};
  }
  Spot round(Point p) const {
    const auto whole = [&](double v) { return static_cast<std::int32_t>(std::floor(v / spacing + 0.5)); };
    return {whole(p.x - origin.x), whole(p.y - origin.y)};
  }
  Point point(Spot s) const { return {origin.x + s.x * spacing, origin.y + s.y * spacing}; }
};

template <class Visit>
void forEdges(const std::vector<Polygon>& area, const Visit& visit) {
  const auto ring = [&](const Ring& r) {
    for (std::size_t i = 0; i < r.size(); ++i) visit(r[(i + r.size() - 1) % r.size()], r[i], r[(i + 1) % r.size()]);
  };
  for (const Polygon& polygon : area) {
    ring(polygon.outer);
    for (const Ring& hole : polygon.holes) ring(hole);
  }
}

/// A ring without sides shorter than two millimetres, which unions of polygons leave behind. Of the two corners of such
/// a side the one goes that the area lies around by less than half: then the ring gets smaller rather than larger.
Ring withoutTinySides(Ring ring) {
  for (std::size_t i = 0; i < ring.size() && ring.size() > 3;) {
    const std::size_t n = ring.size(), j = (i + 1) % n;
    if (length(ring[j] - ring[i]) >= kTiny) {
      ++i;
      continue;
    }
    const bool first_is_convex = det(ring[i] - ring[(i + n - 1) % n], ring[j] - ring[i]) >= 0;
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(first_is_convex ? i : j));
    i = 0;
  }
  return ring;
}

std::vector<Polygon> withoutTinySides(std::vector<Polygon> area) {
  for (Polygon& polygon : area) {
    polygon.outer = withoutTinySides(std::move(polygon.outer));
    for (Ring& hole : polygon.holes) hole = withoutTinySides(std::move(hole));
  }
  return area;
}

/// The area, its walls and the lattice on the integer plane.
class Plan {
 public:
  Plan(const std::vector<Polygon>& area, std::span<const Segment> walls, const CellLattice& lattice)
      : area_(withoutTinySides(area)), lattice_(lattice), grid_(around(area, lattice)), inside_(area_) {
    forEdges(area_, [&](Point, Point b, Point c) { addWall(b, c); });
    for (const Segment& wall : walls) addWall(wall.a, wall.b);
    std::vector<GridBox<std::int32_t>> boxes;
    for (const PlanLine& line : walls_) boxes.push_back(GridBox<std::int32_t>::around(line.a, line.b));
    wall_index_ = BoxIndex<std::int32_t>(std::move(boxes));
    Point low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}, high = -low;
    forEdges(area, [&](Point, Point b, Point) {
      const Point p = lattice.inSquares(b);
      low = {std::min(low.x, p.x), std::min(low.y, p.y)}, high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    });
    constexpr double kRounding = 1e-6;  // of a square
    column_[0] = std::floor(low.x + kRounding), column_[1] = std::ceil(high.x - kRounding);
    row_[0] = std::floor(low.y + kRounding), row_[1] = std::ceil(high.y - kRounding);
    const double squares = (column_[1] - column_[0]) * (row_[1] - row_[0]);
    if (!(squares <= kMostSquares))
      throw InputError(fmt::format("an area of {:.3g} by {:.3g} cells of {:g} m; allowed: {:g} in all",
                                   column_[1] - column_[0], row_[1] - row_[0], lattice.side, kMostSquares));
  }

  ConvexCells squares() const;
  ConvexCells convex() const;

 private:
  static Rectangle around(const std::vector<Polygon>& area, const CellLattice& lattice) {
    return grown(bounds(area).value_or(Rectangle{}), 3 * lattice.side);
  }
  void addWall(Point a, Point b) {
    const Spot p = grid_.round(a), q = grid_.round(b);
    if (length(b - a) >= kTiny && p != q) walls_.push_back({std::min(p, q), std::max(p, q), true});
  }
  Spot crossingAt(double column, double row) const { return grid_.round(lattice_.at(column, row)); }
  template <class Visit>
  void forWallsNear(Spot a, Spot b, const Visit& visit) const {
    wall_index_.query(GridBox<std::int32_t>::around(a, b).widened(4), [&](std::uint32_t i) { visit(walls_[i]); });
  }

  /// The part of a line inside a convex ring, as shares of the line; from > to when there is none.
  struct Part {
    double from = 0, to = 1;
  };
  static Part clipped(Point a, Point b, std::span<const Point> ring, double deeper) {
    Part part;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point p = ring[i], inward = perpendicular(normalized(ring[(i + 1) % ring.size()] - p));
      const double da = dot(a - p, inward) - deeper, db = dot(b - p, inward) - deeper;
      if (da < 0 && db < 0) return {1, 0};
      if (da < 0) part.from = std::max(part.from, da / (da - db));
      if (db < 0) part.to = std::min(part.to, da / (da - db));
    }
    return part;
  }

  bool isFree(const Ring& square) const {
    bool free = inside_.contains((square[0] + square[2]) * 0.5);
    const Rectangle box = boxOf(square);
    forWallsNear(grid_.round(box.min), grid_.round(box.max), [&](const PlanLine& wall) {
      const Part part = clipped(grid_.point(wall.a), grid_.point(wall.b), square, kStraightCorner);
      free = free && !(part.from < part.to);
    });
    return free;
  }
  bool isClosed(Point a, Point b) const {
    // A wall runs along the side where it stays within a hair of it.
    const Point along = normalized(b - a), across = perpendicular(along) * kStraightCorner;
    const Ring hair{a - across, b - across, b + across, a + across};
    bool closed = false;
    const Rectangle box = boxOf(hair);
    forWallsNear(grid_.round(box.min), grid_.round(box.max), [&](const PlanLine& wall) {
      const Point p = grid_.point(wall.a), q = grid_.point(wall.b);
      const Part part = clipped(p, q, hair, 0);
      closed = closed || std::abs(dot(q - p, along)) * (part.to - part.from) > kOnSide;
    });
    return closed;
  }

  void prolong(std::vector<PlanLine>& lines) const;
  double reachOf(Point from, Point way) const;
  void node(std::vector<PlanLine>& lines) const;
  bool collapse(std::vector<PlanLine>& lines) const;

  std::vector<Polygon> area_;
  const CellLattice& lattice_;
  PlanGrid grid_;
  PolygonIndex inside_;
  std::vector<PlanLine> walls_;
  BoxIndex<std::int32_t> wall_index_;
  double column_[2]{}, row_[2]{};
};

ConvexCells Plan::squares() const {
  ConvexCells made;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> corner, cell;
  const auto cornerAt = [&](double column, double row) {
    const auto [entry, is_new] =
        corner.try_emplace({std::llround(column), std::llround(row)}, static_cast<std::uint32_t>(made.corners.size()));
    if (is_new) made.corners.push_back(grid_.point(crossingAt(column, row)));
    return entry->second;
  };
  for (double row = row_[0]; row < row_[1]; ++row)
    for (double column = column_[0]; column < column_[1]; ++column) {
      const Ring square{grid_.point(crossingAt(column, row)), grid_.point(crossingAt(column + 1, row)),
                        grid_.point(crossingAt(column + 1, row + 1)), grid_.point(crossingAt(column, row + 1))};
      if (!isFree(square)) continue;
      const auto id = static_cast<std::uint32_t>(made.cells.size());
      cell[{std::llround(column), std::llround(row)}] = id;
      ConvexCell& now = made.cells.emplace_back();
      now.sides.resize(4);
      for (std::size_t s = 0; s < 4; ++s) {
        now.sides[s].corner = cornerAt(column + (s == 1 || s == 2), row + (s >= 2));
        now.sides[s].wall = isClosed(square[s], square[(s + 1) % 4]);
      }
      for (const bool south : {true, false}) {
        const auto other = cell.find({std::llround(column) - !south, std::llround(row) - south});
        if (other == cell.end()) continue;
        made.cells[id].sides[south ? 0 : 3].neighbour = other->second;
        made.cells[other->second].sides[south ? 2 : 1].neighbour = id;
      }
    }
  return made;
}

/// How far a wall may be prolonged: to the next wall, or to a line of the lattice that is not too near.
double Plan::reachOf(Point from, Point way) const {
  const Point at = lattice_.inSquares(from), to = lattice_.inSquares(from + way) - at;
  double reach = 2 * lattice_.side;
  for (const auto& [x, d] : {std::pair(at.x, to.x), std::pair(at.y, to.y)}) {
    if (std::abs(d) < 1e-9) continue;
    double line = d > 0 ? std::floor(x) + 1 : std::ceil(x) - 1;
    double s = (line - x) / d;
    while (s < kLeastAhead * lattice_.side) line += d > 0 ? 1 : -1, s = (line - x) / d;
    reach = std::min(reach, s);
  }
  const Point end = from + way * reach;
  forWallsNear(grid_.round(from), grid_.round(end), [&](const PlanLine& wall) {
    const Point p = grid_.point(wall.a), q = grid_.point(wall.b), d = q - p;
    const double parallel = det(way, d);
    if (std::abs(parallel) < 1e-6 * length(d)) return;
    const double s = det(p - from, d) / parallel, u = det(p - from, way) / parallel;
    if (s > 100 * grid_.spacing && u >= -1e-6 && u <= 1 + 1e-6) reach = std::min(reach, s);
  });
  return reach;
}

void Plan::prolong(std::vector<PlanLine>& lines) const {
  forEdges(area_, [&](Point a, Point b, Point c) {
    const Point in = normalized(b - a), out = normalized(c - b);
    if (det(in, out) > -kSharp) return;  // the area lies on the left: a right turn sticks out into it
    for (const Point way : {in, -out}) {
      const Spot p = grid_.round(b), q = grid_.round(b + way * reachOf(b, way));
      if (p != q) lines.push_back({std::min(p, q), std::max(p, q), false});
    }
  });
}

/// Lines that meet at their ends only, each once.
void Plan::node(std::vector<PlanLine>& lines) const {
  // Quarters of the spacing. An end that lies on a line may be rounded away from it, and the line from it, by the
  // diagonal of half a square each: 1.42 spacings in all.
  constexpr std::int64_t kNear = 8;
  if (const auto end = separate(lines, kNear); end.stuck)
    throw InputError(fmt::format("walls near ({:.3f}, {:.3f}) cannot be told apart", grid_.point(*end.stuck).x,
                                 grid_.point(*end.stuck).y));
  // Where a wall lies on another line, it is a wall.
  std::sort(lines.begin(), lines.end());
  std::size_t kept = 0;
  for (const PlanLine& line : lines)
    if (kept > 0 && lines[kept - 1].a == line.a && lines[kept - 1].b == line.b) {
      lines[kept - 1].wall = lines[kept - 1].wall || line.wall;
    } else {
      lines[kept++] = line;
    }
  lines.resize(kept);
}

/// Makes one place of the two ends of lines that are shorter than a hand, where no wall is moved by it: along walls,
/// and in the open. Else cells would have sides that are good for nothing. True when something has changed.
bool Plan::collapse(std::vector<PlanLine>& lines) const {
  std::vector<Spot> corners, on_walls;  // of the area, and whatever lies on walls
  for (const PlanLine& wall : walls_) corners.push_back(wall.a), corners.push_back(wall.b);
  for (const PlanLine& line : lines)
    if (line.wall) on_walls.push_back(line.a), on_walls.push_back(line.b);
  // Where walls meet or cross is a corner, too.
  std::sort(on_walls.begin(), on_walls.end());
  for (std::size_t i = 0; i < on_walls.size();) {
    const auto end = std::upper_bound(on_walls.begin() + static_cast<std::ptrdiff_t>(i), on_walls.end(), on_walls[i]);
    const auto ends = static_cast<std::size_t>(end - on_walls.begin()) - i;
    if (ends != 2) corners.push_back(on_walls[i]);
    i += ends;
  }
  base::sortUnique(corners), base::sortUnique(on_walls);
  const auto is = [](const std::vector<Spot>& list, Spot s) { return std::binary_search(list.begin(), list.end(), s); };
  std::map<Spot, Spot> becomes;
  for (const PlanLine& line : lines) {
    if (becomes.contains(line.a) || becomes.contains(line.b)) continue;
    const double size = length(grid_.point(line.b) - grid_.point(line.a));
    if (size >= kHand) continue;
    // Which end may go: on a wall, what is no corner; in the open, what is on no wall; and anything that is one place
    // but for rounding.
    const auto& fixed = line.wall ? corners : on_walls;
    const bool a = !is(fixed, line.a), b = !is(fixed, line.b);
    if (!a && !b && size > 4 * grid_.spacing) continue;
    const Spot gone = a ? line.a : line.b, stays = a ? line.b : line.a;
    becomes.emplace(gone, stays), becomes.emplace(stays, stays);
  }
  bool changed = false;
  for (PlanLine& line : lines) {
    const auto moved = [&](Spot s) {
      const auto found = becomes.find(s);
      return found == becomes.end() ? s : found->second;
    };
    const Spot a = moved(line.a), b = moved(line.b);
    changed = changed || a != line.a || b != line.b;
    line.a = std::min(a, b), line.b = std::max(a, b);
  }
  return changed;
}

ConvexCells Plan::convex() const {
  std::vector<PlanLine> lines = walls_;
  prolong(lines);
  for (double row = row_[0]; row <= row_[1]; ++row)
    for (double column = column_[0]; column <= column_[1]; ++column)
      for (const bool up : {true, false}) {
        if (up ? row == row_[1] : column == column_[1]) continue;
        const Spot p = crossingAt(column, row), q = crossingAt(column + !up, row + up);
        lines.push_back({std::min(p, q), std::max(p, q), false});
      }
  node(lines);
  for (int round = 0; round < 3 && collapse(lines); ++round) node(lines);
  CellPlan plan;
  for (const PlanLine& line : lines) plan.nodes.push_back(line.a), plan.nodes.push_back(line.b);
  base::sortUnique(plan.nodes);
  const auto number = [&](Spot s) {
    return static_cast<std::uint32_t>(std::lower_bound(plan.nodes.begin(), plan.nodes.end(), s) - plan.nodes.begin());
  };
  for (const PlanLine& line : lines) {
    const std::uint32_t a = number(line.a), b = number(line.b);
    const PlaceEdge edge{std::min(a, b), std::max(a, b)};
    plan.edges.push_back(edge);
    if (line.wall) plan.walls.push_back(edge);
  }
  base::sortUnique(plan.edges), base::sortUnique(plan.walls);
  plan.spacing = grid_.spacing, plan.side = lattice_.side;
  ConvexCells made = mergedCells(plan, [&](Spot a, Spot b, Spot c) {
    return inside_.contains((grid_.point(a) + grid_.point(b) + grid_.point(c)) / 3.0);
  });
  for (Point& p : made.corners) p = p + grid_.origin;
  return made;
}

}  // namespace

Point mainDirection(const std::vector<Polygon>& area) {
  // Of directions that differ by right angles, the one in the first quadrant. What it counts as an angle goes evenly
  // enough from 0 to 1, and unlike the C library's it is the same on every machine.
  constexpr std::size_t kParts = 360;
  std::vector<Point> sum(kParts);
  std::vector<double> whole(kParts);
  forEdges(area, [&](Point, Point b, Point c) {
    Point d = c - b;
    while (!(d.x > 0 && d.y >= 0) && d != Point{}) d = perpendicular(d);
    if (d == Point{}) return;
    // Directions just before the right angle count as just before zero, and a part begins half a part before its
    // middle.
    const double angle = d.y / (d.x + d.y) * kParts + 0.5;
    const bool is_last = angle >= kParts;
    const std::size_t part = is_last ? 0 : static_cast<std::size_t>(angle);
    sum[part] += is_last ? -perpendicular(d) : d, whole[part] += length(d);
  });
  std::size_t best = 0;
  for (std::size_t i = 1; i < kParts; ++i)
    if (whole[i] > whole[best] * (1 + 1e-9)) best = i;
  if (!(whole[best] > 0)) return {1, 0};
  Point axis = normalized(sum[best]);
  if (axis.y > axis.x) axis = -perpendicular(axis);  // within 45° of the x axis
  return std::abs(axis.y) < 1e-9 ? Point{1, 0} : axis;
}

ConvexCells squareCells(const std::vector<Polygon>& area, std::span<const Segment> walls, const CellLattice& lattice) {
  return Plan(area, walls, lattice).squares();
}

ConvexCells convexCells(const std::vector<Polygon>& area, std::span<const Segment> walls, const CellLattice& lattice) {
  return Plan(area, walls, lattice).convex();
}

double widthOf(std::span<const Point> ring) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], inward = perpendicular(normalized(ring[(i + 1) % ring.size()] - a));
    double deepest = 0;
    for (const Point p : ring) deepest = std::max(deepest, dot(p - a, inward));
    least = std::min(least, deepest);
  }
  return least;
}

}  // namespace throng::geometry
