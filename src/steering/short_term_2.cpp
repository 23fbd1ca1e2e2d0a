// Yersin's improved short-term avoidance (algorithm 2). In the grid's cells ahead, from the walker's own: f[i] straight
// ahead, l[i] and r[i] one cell to the left and to the right (eqs. 5.1 to 5.3), as many as the speed asks for.
//   emergency   whoever is in the first two of each and nearer than β repels, and an intermediate way-point is given up
//   security    for whoever is in f[i], i ≥ 1, an intermediate way-point is set to l[i-1] or r[i-1], and one slows down
// Of the two the one that leads back is left out; if both are good, the side where the neighbour is not. Cells whose
// centre cannot be walked on are not used.
//
// Readings. The nearest occupied cell ahead decides, and in it the nearest person who will be met within the look-ahead
// time. The thesis's second condition, as printed, leads to the side where the neighbour is; it is meant to find "the
// fastest way to avoid" them. Who is on the way to one side stays with it. An intermediate way-point lasts until it is
// reached, given up, or leads back. Who is straight ahead is passed on the right.
#include <array>

#include "base/narrowing.h"
#include "steering/short_term.h"
#include "steering/short_term_walk.h"

namespace throng::steering {
namespace {

using namespace short_term;

enum Parameter { kCellWidth, kLookAhead, kEmergency, kSlowDown, kAcceleration, kParameterCount };

constexpr std::array<ModelParameter, kParameterCount> kParameters{{
    {"cell_width", "m", 1, 0.25, 10, "c.w: width of the grid's cells."},
    {"look_ahead", "s", 2, 0.1, 10, "How many cells ahead are looked at: those that are reached within this time."},
    {"emergency_distance", "m", 0.5, 0, 10, "β: people nearer than this repel."},
    {"slow_down", "1", 0.75, 0.05, 1, "Share of the preferred speed that people have while they avoid somebody."},
    {"max_acceleration", "m/s²", 3, 0.1, 100, "How fast somebody can change their velocity."},
}};

constexpr int kMostCells = 12;

struct Cell {
  int x = 0, y = 0;
  bool operator==(const Cell&) const = default;
};

/// One of the arrays f, l and r.
struct Row {
  Cell cell[kMostCells];
  int count = 0;

  int find(Cell wanted) const {
    for (int i = 0; i < count; ++i) {
      if (cell[i] == wanted) return i;
    }
    return -1;
  }
};

/// The model's own cells, endless; nothing is kept in them.
struct Grid {
  float width, inverse;

  Cell at(Vec2 place) const { return {along(place.x), along(place.y)}; }
  int along(float x) const { return static_cast<int>(std::floor(std::clamp(x * inverse, -1e9f, 1e9f))); }
  Vec2 centre(Cell cell) const {
    return {(static_cast<float>(cell.x) + 0.5f) * width, (static_cast<float>(cell.y) + 0.5f) * width};
  }
};

int cellsAhead(std::span<const float> p, float speed) {
  return std::min(kMostCells, 2 + static_cast<int>(std::min(100.0f, speed * p[kLookAhead] / p[kCellWidth])));
}

/// Cells from `from` on in steps of a width; the same cell twice in a row counts once, and deactivated ones not at all.
Row rowOf(const ground::Floor& floor, bool walls_near, const Grid& grid, Vec2 from, Vec2 forward, int count) {
  Row row;
  for (int i = 0; i < count; ++i) {
    const Vec2 place = from + forward * (static_cast<float>(i) * grid.width);
    const Cell cell = grid.at(place);
    if (row.count > 0 && row.cell[row.count - 1] == cell) continue;
    const Vec2 centre = grid.centre(cell);
    if (walls_near && !floor.contains(wide(centre))) continue;
    row.cell[row.count++] = cell;
  }
  return row;
}

/// What somebody found ahead.
struct Ahead {
  int cell = kMostCells;  ///< index of the nearest occupied one in f
  float squared = 1e9f;   ///< m², to the nearest person in it
  float side = 0;         ///< of that person: left is positive
};

/// Towards the intermediate way-point, if there is one, and slower then. (0, 0) is none, which no cell's centre is.
Vec2 desiredVelocity(const Walker& w, std::span<const float> p, Vec2 way_point) {
  const Vec2 to = way_point - w.place;
  const float distance = length(to);
  return way_point != Vec2{} && distance > 0 ? to * (p[kSlowDown] * w.speed / distance) : w.preferred;
}

template <class ForEach>
Vec2 avoid(const StepInput& input, const Walker& w, std::span<const float> p, VelocityOutput out,
           const ForEach& for_each_near) {
  const agents::NeighbourIndex& index = input.neighbours;
  static thread_local std::vector<std::uint32_t> found;
  Emergency emergency;
  emergency.addWalls(input, w, found);
  const float emergency_range = p[kEmergency] + kBodies, emergency_squared = emergency_range * emergency_range;
  if (!decides(input, w.speed)) {
    for_each_near(index, input.crowd, w.slot, emergency_range,
                  [&](std::uint32_t other) { emergency.add(input, w, other, p[kEmergency]); });
    const Vec2 way_point{input.memory_x[w.row], input.memory_y[w.row]};
    return walkTowards(input, w, desiredVelocity(w, p, way_point), emergency, p[kAcceleration]);
  }
  const Grid grid{p[kCellWidth], 1.0f / p[kCellWidth]};
  const ground::Floor& floor = input.floors[input.crowd.layer[w.row]];
  const int count = cellsAhead(p, w.speed);
  const float range = shortTerm2Range(p);
  const bool walls_near = floor.walls.size() > 0 && !floor.walls.grid.nothingNear(w.place, range);
  const Vec2 own = grid.centre(grid.at(w.place)), beside = perpendicular(w.forward) * grid.width;
  const Row front = rowOf(floor, walls_near, grid, own, w.forward, count);
  const Row left = rowOf(floor, walls_near, grid, own + beside, w.forward, count);
  const Row right = rowOf(floor, walls_near, grid, own - beside, w.forward, count);

  bool too_near = false;
  Ahead ahead;
  for_each_near(index, input.crowd, w.slot, range, [&](std::uint32_t other) {
    const Vec2 place{index.x()[other], index.y()[other]}, to = place - w.place;
    const Cell cell = grid.at(place);
    const int in_front = front.find(cell);
    const auto near = [](int i) { return i == 0 || i == 1; };
    // In whatever cell: bodies do not pass through one another.
    const bool touches = lengthSquared(to) < emergency_squared && emergency.add(input, w, other, p[kEmergency]);
    if (touches && (near(in_front) || near(left.find(cell)) || near(right.find(cell)))) {
      too_near = true;
      return;
    }
    if (in_front < 1) return;
    // Who is not met within the look-ahead time is nobody to avoid yet.
    const Vec2 relative{w.velocity.x - index.vx()[other], w.velocity.y - index.vy()[other]};
    const float squared = lengthSquared(to);
    if (!(dot(relative, to) * p[kLookAhead] > squared)) return;
    if (in_front > ahead.cell || (in_front == ahead.cell && !(squared < ahead.squared))) return;
    ahead = {in_front, squared, det(w.forward, to)};
  });

  const float old_x = input.memory_x[w.row], old_y = input.memory_y[w.row];
  Vec2 way_point{old_x, old_y};
  const auto leads_back = [&](Vec2 point) { return dot(point - w.place, w.preferred) <= 0; };
  bool set = way_point != Vec2{} && !leads_back(way_point) && lengthSquared(way_point - w.place) > 0.25f &&
             lengthSquared(way_point - w.place) < range * range;
  const bool somebody = ahead.cell < kMostCells;
  if (too_near) {
    set = false;
  } else if (somebody) {
    const int i = ahead.cell - 1;
    const bool left_good = i < left.count && !leads_back(grid.centre(left.cell[i]));
    const bool right_good = i < right.count && !leads_back(grid.centre(right.cell[i]));
    if (left_good || right_good) {
      // Who is on the way to one side already stays with it.
      const float side = set ? -det(w.forward, way_point - w.place) : ahead.side;
      const bool go_left = left_good && (!right_good || side < 0);
      way_point = grid.centre(go_left ? left.cell[i] : right.cell[i]);
      set = true;
    }
  }
  if (!set) way_point = {};
  if (out.memory_x) out.memory_x[w.row] = way_point.x, out.memory_y[w.row] = way_point.y;

  Vec2 desired = desiredVelocity(w, p, way_point);
  if (somebody && !set && !too_near) desired = desired * p[kSlowDown];
  return walkTowards(input, w, desired, emergency, p[kAcceleration]);
}

template <class ForEach>
void steer(const StepInput& input, std::span<const float> p, std::span<const std::uint32_t> slots, VelocityOutput out,
           const ForEach& for_each_near) {
  for (const std::uint32_t slot : slots) {
    const Walker w = walkerOf(input, slot);
    const Vec2 next = avoid(input, w, p, out, for_each_near);
    out.vx[w.row] = next.x, out.vy[w.row] = next.y;
  }
}

}  // namespace

std::span<const ModelParameter> shortTerm2Parameters() { return kParameters; }

// As far as the cells of somebody who walks at 2 m/s reach, who are few who are faster.
float shortTerm2Range(std::span<const float> p) {
  return std::max(p[kEmergency] + kBodies, (static_cast<float>(cellsAhead(p, 2)) + 1.0f) * p[kCellWidth]);
}

void steerShortTerm2(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                     VelocityOutput out) {
  steer(input, parameters, slots, out, kByGrid);
}

void steerShortTerm2Reference(const StepInput& input, std::span<const float> parameters,
                              std::span<const std::uint32_t> slots, VelocityOutput out) {
  steer(input, parameters, slots, out, kOneByOne);
}

}  // namespace throng::steering
