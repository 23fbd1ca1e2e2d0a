#include "planning/weight_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "corridors/visibility.h"
#include "geometry/boxes.h"

namespace throng::planning {
namespace {

constexpr int kAcross[8] = {1, 1, 0, -1, -1, -1, 0, 1}, kUp[8] = {0, 1, 1, 1, 0, -1, -1, -1};
constexpr std::size_t kMostCells = std::size_t{1} << 24;

/// Do a triangle and a box share more than their borders?
bool overlapInside(const std::array<Point, 3>& triangle, const Rectangle& box) {
  const double slack = 1e-6 * (box.max.x - box.min.x);
  const Point middle = (box.min + box.max) * 0.5, half = (box.max - box.min) * 0.5;
  for (std::size_t i = 0; i < 3; ++i) {
    const Point a = triangle[i], way = triangle[(i + 1) % 3] - a;
    const double whole = length(way);
    if (!(whole > 0)) return false;
    // How far the box reaches to the left of the side, on which the triangle lies.
    const Point normal = perpendicular(way) / whole;
    if (dot(middle - a, normal) + std::fabs(normal.x) * half.x + std::fabs(normal.y) * half.y <= slack) return false;
  }
  const auto [left, right] = std::minmax({triangle[0].x, triangle[1].x, triangle[2].x});
  const auto [low, high] = std::minmax({triangle[0].y, triangle[1].y, triangle[2].y});
  return right > box.min.x + slack && left < box.max.x - slack && high > box.min.y + slack && low < box.max.y - slack;
}

/// Does a segment meet a box, its border included?
bool meets(Point a, Point b, const Rectangle& box) {
  if (std::max(a.x, b.x) < box.min.x || std::min(a.x, b.x) > box.max.x || std::max(a.y, b.y) < box.min.y ||
      std::min(a.y, b.y) > box.max.y)
    return false;
  const Point way = b - a;
  const double c0 = det(way, box.min - a), c1 = det(way, Point{box.max.x, box.min.y} - a);
  const double c2 = det(way, box.max - a), c3 = det(way, Point{box.min.x, box.max.y} - a);
  return !((c0 > 0 && c1 > 0 && c2 > 0 && c3 > 0) || (c0 < 0 && c1 < 0 && c2 < 0 && c3 < 0));
}

}  // namespace

WeightGrid::WeightGrid(const corridors::CorridorMap& map, const RegionMesh& mesh, double cell) : cell_(cell) {
  const Rectangle& box = mesh.extent();
  const double left = std::floor(box.min.x / cell), low = std::floor(box.min.y / cell);
  const double across = std::floor(box.max.x / cell) - left + 1, up = std::floor(box.max.y / cell) - low + 1;
  if (!(across * up * static_cast<double>(map.floors()) <= static_cast<double>(kMostCells)))
    throw InputError(
        fmt::format("A grid of {:g} m has more than {} cells here; a larger \"cell\" has fewer.", cell, kMostCells));
  left_ = static_cast<std::int64_t>(left), low_ = static_cast<std::int64_t>(low);
  columns_ = static_cast<std::uint32_t>(across), rows_ = static_cast<std::uint32_t>(up);
  per_column_ = 1.0 / across;
  per_floor_ = columns_ * rows_, floors_ = static_cast<std::uint32_t>(map.floors());
  for (unsigned d = 0; d < 8; ++d) offsets_[d] = kUp[d] * static_cast<std::int32_t>(columns_) + kAcross[d];
  cells_.assign(std::size_t{per_floor_} * floors_, {});
  types_.assign(1, {});
  markTypes(mesh);
  std::vector<std::uint8_t> unclear(cells_.size());
  markWalls(mesh, unclear);
  findSteps(map, mesh, unclear);
  if (!mesh.isHilly()) return;
  for (std::uint32_t c = 0; c < cells_.size(); ++c)
    heights_.push_back(static_cast<float>(mesh.heightAt(centre(c), floorOf(c))));
}

Point WeightGrid::centre(std::uint32_t cell) const {
  const std::uint32_t here = cell % per_floor_;
  return {(static_cast<double>(left_ + here % columns_) + 0.5) * cell_,
          (static_cast<double>(low_ + here / columns_) + 0.5) * cell_};
}

std::uint32_t WeightGrid::cellAt(Point place, std::uint16_t floor) const {
  const double x = std::floor(place.x / cell_) - static_cast<double>(left_);
  const double y = std::floor(place.y / cell_) - static_cast<double>(low_);
  if (!(x >= 0 && y >= 0 && x < columns_ && y < rows_)) return kNone;
  return floor * per_floor_ + static_cast<std::uint32_t>(y) * columns_ + static_cast<std::uint32_t>(x);
}

template <class Visit>
void WeightGrid::forCells(const Rectangle& box, std::uint16_t floor, const Visit& visit) const {
  const auto within = [](double value, std::int64_t first, std::uint32_t count) {
    const double k = std::floor(value) - static_cast<double>(first);
    return static_cast<std::uint32_t>(std::clamp(k, 0.0, static_cast<double>(count - 1)));
  };
  const std::uint32_t x0 = within(box.min.x / cell_ - 1e-9, left_, columns_),
                      x1 = within(box.max.x / cell_ + 1e-9, left_, columns_);
  const std::uint32_t y0 = within(box.min.y / cell_ - 1e-9, low_, rows_),
                      y1 = within(box.max.y / cell_ + 1e-9, low_, rows_);
  for (std::uint32_t y = y0; y <= y1; ++y)
    for (std::uint32_t x = x0; x <= x1; ++x) {
      const std::uint32_t cell = floor * per_floor_ + y * columns_ + x;
      const Point middle = centre(cell), half{cell_ / 2, cell_ / 2};
      visit(cell, Rectangle{middle - half, middle + half});
    }
}

std::uint16_t WeightGrid::with(std::uint16_t set, ground::RegionType type) {
  if (std::find(types_[set].begin(), types_[set].end(), type) != types_[set].end()) return set;
  std::vector<ground::RegionType> more = types_[set];
  more.push_back(type);
  std::sort(more.begin(), more.end());
  auto known = std::find(types_.begin(), types_.end(), more);
  if (known == types_.end()) {
    if (types_.size() > 0xffff) throw InputError("Too many types of ground meet in the cells of the grid.");
    known = types_.insert(types_.end(), std::move(more));
  }
  return static_cast<std::uint16_t>(known - types_.begin());
}

void WeightGrid::markTypes(const RegionMesh& mesh) {
  for (const RegionMesh::Triangle& t : mesh.triangles()) {
    const std::array<Point, 3> places{mesh.corners()[t.corner[0]], mesh.corners()[t.corner[1]],
                                      mesh.corners()[t.corner[2]]};
    forCells(geometry::boxOf(places), t.floor, [&](std::uint32_t cell, const Rectangle& box) {
      const auto& known = types_[cells_[cell].set];
      if (std::find(known.begin(), known.end(), t.type) == known.end() && overlapInside(places, box))
        cells_[cell].set = with(cells_[cell].set, t.type);
    });
  }
}

/// Cells that a wall or a connection runs through: whether one gets from them to others must be looked at.
void WeightGrid::markWalls(const RegionMesh& mesh, std::vector<std::uint8_t>& unclear) const {
  for (const RegionMesh::Edge& edge : mesh.edges()) {
    const std::uint32_t a = edge.left, b = edge.right;
    const bool floors = edge.crossable() && mesh.triangles()[a].floor != mesh.triangles()[b].floor;
    if (edge.crossable() && !floors) continue;
    const Segment line{mesh.corners()[edge.a], mesh.corners()[edge.b]};
    for (const std::uint32_t t : {a, b})
      if (t != RegionMesh::kNone)
        forCells(geometry::boxOf(line), mesh.triangles()[t].floor, [&](std::uint32_t cell, const Rectangle& box) {
          if (meets(line.a, line.b, box)) unclear[cell] = 1;
        });
  }
}

void WeightGrid::findSteps(const corridors::CorridorMap& map, const RegionMesh& mesh,
                           const std::vector<std::uint8_t>& unclear) {
  for (std::uint32_t cell = 0; cell < cells_.size(); ++cell)
    if (unclear[cell]) lookAround(map, mesh, cell);
  for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
    if (unclear[cell] || cells_[cell].set == 0) continue;
    const auto [x, y] = place(cell);
    const bool inner =
        x > 0 && y > 0 && x + 1 < static_cast<std::int32_t>(columns_) && y + 1 < static_cast<std::int32_t>(rows_);
    for (unsigned d = 0; d < 8; ++d) {
      const std::uint32_t next = inner ? cell + static_cast<std::uint32_t>(offsets_[d]) : beside(cell, d);
      if (next == kNone || cells_[next].set == 0) continue;
      // What is not clear tells whether one gets here from there.
      const unsigned back = d ^ 4u;
      if (!unclear[next] || ((cells_[next].steps >> back & 1u) != 0 && step(next, back) == cell))
        cells_[cell].steps = static_cast<std::uint8_t>(cells_[cell].steps | 1u << d);
    }
  }
  for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
    if (unclear[cell] || cells_[cell].steps != 0xff) continue;
    bool free = true, alike = true;
    for (const std::int32_t offset : offsets_) {
      const std::uint32_t next = cell + static_cast<std::uint32_t>(offset);
      free = free && !unclear[next], alike = alike && cells_[next].set == cells_[cell].set;
    }
    cells_[cell].around = !free ? Around::kWalls : alike ? Around::kAlike : Around::kFree;
  }
}

/// From a cell near a wall or a connection. Cells come in the order of their numbers.
void WeightGrid::lookAround(const corridors::CorridorMap& map, const RegionMesh& mesh, std::uint32_t cell) {
  const Point from = centre(cell);
  if (mesh.locate(from, floorOf(cell)) == RegionMesh::kNone) return;
  const corridors::Located where = map.locate(from, floorOf(cell));
  if (!where) return;
  for (unsigned d = 0; d < 8; ++d) {
    const std::uint32_t next = beside(cell, d);
    if (next == kNone) continue;
    const Point to = centre(next);
    const corridors::Sight sight = corridors::lookAlong(map, where, from, to, mesh.radius());
    if (!sight.clear || mesh.locate(to, sight.floor) == RegionMesh::kNone) continue;
    cells_[cell].steps = static_cast<std::uint8_t>(cells_[cell].steps | 1u << d);
    if (sight.floor == floorOf(cell)) continue;
    lifts_.resize(cells_.size());
    lifts_[cell] = static_cast<std::uint8_t>(lifts_[cell] | 1u << d);
    lifts_to_.push_back({cell, d, next % per_floor_ + sight.floor * per_floor_});
  }
}

std::uint32_t WeightGrid::elsewhere(std::uint32_t cell, unsigned direction) const {
  return std::lower_bound(lifts_to_.begin(), lifts_to_.end(), Lift{cell, direction, 0})->next;
}

std::uint32_t WeightGrid::beside(std::uint32_t cell, unsigned direction) const {
  const auto [x, y] = place(cell);
  const std::int64_t across = std::int64_t{x} + kAcross[direction], up = std::int64_t{y} + kUp[direction];
  if (across < 0 || up < 0 || across >= columns_ || up >= rows_) return kNone;
  return cell + static_cast<std::uint32_t>(offsets_[direction]);
}

void WeightGrid::weigh(std::span<const float> weights, std::vector<float>& by_set) const {
  by_set.assign(types_.size(), 0);
  for (std::size_t set = 0; set < types_.size(); ++set)
    for (const ground::RegionType type : types_[set]) by_set[set] = std::max(by_set[set], weights[type]);
  by_set[0] = std::numeric_limits<float>::infinity();
}

std::size_t WeightGrid::memory() const {
  return cells_.capacity() * sizeof(Cell) + lifts_.capacity() + lifts_to_.capacity() * sizeof(Lift) +
         heights_.capacity() * sizeof(float);
}

namespace {

class GridSearch {
 public:
  GridSearch(const corridors::CorridorMap& map, const RegionMesh& mesh, const WeightGrid& grid,
             const RegionQuery& query, GridScratch& scratch)
      : map_(map),
        mesh_(mesh),
        grid_(grid),
        query_(query),
        s_(scratch),
        step_(static_cast<float>(leastWeight(query.weights) * grid.cell())) {}

  /// Fills the scratch's cells. The cost, or infinity.
  float run(std::size_t& explored) {
    begin();
    for (const std::uint32_t cell : s_.first)
      reach(cell, grid_.place(cell), leg(cell, query_.from), cell, kNoDirection);
    for (GridScratch::Open open; s_.open.pop(goal_cost_, open);) {
      if (s_.nodes[open.cell].cost < open.cost) continue;  // found to be cheaper since
      ++explored;
      leave(open.cell, open.cost);
    }
    s_.cells.clear();
    if (goal_cost_ < kNever) {
      s_.cells.push_back(goal_cell_);
      while (beforeOf(s_.cells.back()) != s_.cells.back()) s_.cells.push_back(beforeOf(s_.cells.back()));
      std::reverse(s_.cells.begin(), s_.cells.end());
    }
    if (s_.first_touched <= s_.last_touched)
      std::fill(s_.nodes.begin() + s_.first_touched, s_.nodes.begin() + s_.last_touched + 1, GridScratch::Node{});
    return goal_cost_;
  }

 private:
  static constexpr unsigned kCellBits = 24, kNoDirection = 8;
  /// A bit for each direction, by how much it turns to the left of the one before.
  static constexpr unsigned kOn = 1, kHalfToTheSide = 0b10000011, kAhead = 0b11000111;
  static_assert(kMostCells <= std::size_t{1} << kCellBits);
  static constexpr float kNever = std::numeric_limits<float>::infinity();

  void begin() {
    if (s_.nodes.size() < grid_.cells()) s_.nodes.resize(grid_.cells());
    s_.first_touched = WeightGrid::kNone, s_.last_touched = 0;
    grid_.weigh(query_.weights, s_.weights);
    findCells(query_.from, query_.layer, s_.first);
    findCells(query_.to, query_.goal_layer, s_.last);
    const std::uint32_t middle = grid_.cellAt(query_.to, query_.goal_layer);
    if (middle == WeightGrid::kNone) s_.last.clear();
    if (s_.last.empty()) s_.first.clear();
    if (!s_.last.empty()) goal_ = grid_.place(middle);
    beside_ = s_.last == std::vector{middle} ? 0.0f : 1.5f;
    constexpr float kBuckets = 1.0f;  // in one step over the cheapest ground
    s_.open.begin(0, kBuckets * step_);
  }

  /// The cell of a place, or its neighbours when its centre cannot be reached from there.
  void findCells(Point place, std::uint16_t floor, std::vector<std::uint32_t>& found) const {
    found.clear();
    const corridors::Located where = map_.locate(place, floor);
    if (!where) return;
    const auto offer = [&](Point there) {
      const corridors::Sight sight = corridors::lookAlong(map_, where, place, there, mesh_.radius() * 0.999);
      if (!sight.clear || mesh_.locate(there, sight.floor) == RegionMesh::kNone) return;
      const std::uint32_t cell = grid_.cellAt(there, sight.floor);
      if (cell != WeightGrid::kNone && weight(cell) < kNever) found.push_back(cell);
    };
    const std::uint32_t own = grid_.cellAt(place, floor);
    if (own == WeightGrid::kNone) return;
    const Point middle = grid_.centre(own);
    if (middle == place && weight(own) < kNever) {
      found.push_back(own);
      return;
    }
    offer(middle);
    for (int x = -1; x <= 1 && found.empty(); ++x)
      for (int y = -1; y <= 1; ++y)
        if (x != 0 || y != 0) offer(middle + Point{x * grid_.cell(), y * grid_.cell()});
  }

  float weight(std::uint32_t cell) const { return s_.weights[grid_.setOf(cell)]; }
  float leg(std::uint32_t cell, Point end) const {
    const float level = weight(cell) * static_cast<float>(length(grid_.centre(cell) - end));
    return query_.climb > 0 ? level + climb(grid_.height(cell), mesh_.heightAt(end, grid_.floorOf(cell))) : level;
  }
  float climb(float from, double to) const {
    return static_cast<float>(query_.climb * std::fabs(to - static_cast<double>(from)));
  }

  using Place = std::array<std::int32_t, 2>;

  /// The first cell is before itself.
  std::uint32_t beforeOf(std::uint32_t cell) const { return s_.nodes[cell].before & ((1u << kCellBits) - 1); }

  /// Steps that may be on a cheapest way. Nobody turns back to a cell that is next to the one before. Among cells that
  /// are all alike only steps that lead straight on matter, and after a diagonal one those half to the side: to all
  /// others one gets from the cell before for no more without this one, if diagonal steps come first (the argument of
  /// jump points, Harabor & Grastien 2011).
  unsigned stepsFrom(const WeightGrid::Cell& cell, unsigned d) const {
    if (d == kNoDirection || cell.around == WeightGrid::Around::kWalls) return cell.steps;
    const bool straight_on = cell.around == WeightGrid::Around::kAlike && !(query_.climb > 0);
    const unsigned ways = !straight_on ? kAhead : WeightGrid::isDiagonal(d) ? kHalfToTheSide : kOn;
    return (ways << d | ways << d >> 8) & 0xffu;
  }

  /// What it costs at least from a cell to the goal: over the cheapest ground, from cell to cell.
  float least(Place at) const {
    const auto across = static_cast<float>(std::abs(at[0] - goal_[0]));
    const auto up = static_cast<float>(std::abs(at[1] - goal_[1]));
    return step_ * std::max(0.0f, std::max(across, up) + 0.41421354f * std::min(across, up) - beside_);
  }

  void reach(std::uint32_t cell, Place at, float cost, std::uint32_t before, unsigned direction) {
    GridScratch::Node& node = s_.nodes[cell];
    if (!(cost < node.cost)) return;
    const float whole = cost + least(at);
    if (!(whole < goal_cost_)) return;
    s_.first_touched = std::min(s_.first_touched, cell), s_.last_touched = std::max(s_.last_touched, cell);
    node = {cost, before | direction << kCellBits};
    s_.open.add(whole, {cost, cell});
  }

  void leave(std::uint32_t cell, float cost) {
    if (cell == s_.last.front() ||
        (s_.last.size() > 1 && std::find(s_.last.begin(), s_.last.end(), cell) != s_.last.end())) {
      const float there = cost + leg(cell, query_.to);
      if (there < goal_cost_) goal_cost_ = there, goal_cell_ = cell;
    }
    // What is read for every step is at hand.
    const WeightGrid::Cell* const cells = grid_.all().data();
    const float* const weights = s_.weights.data();
    const GridScratch::Node* const nodes = s_.nodes.data();
    const bool climbs = query_.climb > 0;
    const float here = weights[cells[cell].set];
    const Place at = grid_.place(cell);
    for (unsigned open = stepsFrom(cells[cell], nodes[cell].before >> kCellBits); open != 0; open &= open - 1) {
      const auto d = static_cast<unsigned>(std::countr_zero(open));
      const std::uint32_t next = grid_.step(cell, d);
      float there = cost + half_step_[d & 1u] * (here + weights[cells[next].set]);
      if (climbs) there += climb(grid_.height(cell), grid_.height(next));
      if (there < nodes[next].cost) reach(next, {at[0] + kAcross[d], at[1] + kUp[d]}, there, cell, d);
    }
  }

  const corridors::CorridorMap& map_;
  const RegionMesh& mesh_;
  const WeightGrid& grid_;
  const RegionQuery& query_;
  GridScratch& s_;
  const float step_;  ///< what a step straight to the next cell costs at least
  const float half_step_[2] = {0.5f * static_cast<float>(grid_.cell()),
                               0.5f * static_cast<float>(grid_.cell()) * 1.41421356f};  ///< m, straight and diagonal
  Place goal_{};                                                                        ///< its cell
  float beside_ = 0;  ///< steps; a way may end so far from that cell
  float goal_cost_ = kNever;
  std::uint32_t goal_cell_ = 0;
};

}  // namespace

void searchGrid(const corridors::CorridorMap& map, const RegionMesh& mesh, const WeightGrid& grid,
                const RegionQuery& query, GridScratch& scratch, RegionWay& way, bool bends_only) {
  way.points.clear(), way.explored = 0;
  const float cost = GridSearch(map, mesh, grid, query, scratch).run(way.explored);
  way.cost = static_cast<double>(cost);
  if (scratch.cells.empty()) return;
  way.points.push_back(query.from);
  const auto& cells = scratch.cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Point at = grid.centre(cells[i]);
    const bool inner = i > 0 && i + 1 < cells.size();
    const bool straight = inner && grid.centre(cells[i - 1]) + grid.centre(cells[i + 1]) == at + at;
    if (at != way.points.back() && !(bends_only && straight)) way.points.push_back(at);
  }
  if (way.points.back() != query.to || way.points.size() == 1) way.points.push_back(query.to);
}

}  // namespace throng::planning
