#include "steering/vision_view.h"

#include <algorithm>
#include <limits>

#include "base/math.h"
#include "steering/keeping_clear.h"
#include "steering/vision.h"

namespace throng::steering::vision {
namespace {

// Tangent, sine and cosine of the 40° by which the camera is tilted and above and below which it sees.
constexpr float kUp = 0.839099631f, kSine = 0.642787610f, kCosine = 0.766044443f;

/// Share of the preferred speed: who is slower is held up. s: and keeps clear of others for so long.
constexpr float kHeldUp = 0.25f, kClearTime = 1;

/// A number in [-1, 1) that is the same whenever it is asked for, by person and by what it is for.
float own(std::uint32_t person, std::uint32_t salt) {
  std::uint32_t h = (person + 1) * 2654435761u ^ salt;
  h ^= h >> 15, h *= 0x85ebca6bu, h ^= h >> 13, h *= 0xc2b2ae35u, h ^= h >> 16;
  return static_cast<float>(h >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

float clamped(float value, float low, float high) { return value < low ? low : value > high ? high : value; }

}  // namespace

Sight::Sight(std::span<const float> p) {
  range = p[kSightRange];
  range_squared = range * range;
  goal_range = p[kSightGoalRange];
  imminent = p[kSightImminent];
  escape = p[kSightEscape] >= 0.5f;
  if (p.size() <= kSightColumns) return;  // without images
  columns = static_cast<int>(p[kSightColumns]);
  rows = static_cast<int>(p[kSightRows]);
  setCones(p[kSightEyeHeight], p[kSightConeHeight], p[kSightConeRadius]);
}

void Sight::setCones(float eye_height, float height, float base_radius) {
  eye = eye_height;
  radius = base_radius;
  slope = radius / height;
  tip = slope * (height - eye);
}

void Camera::fit(const Sight& sight) {
  if (columns == sight.columns && rows == sight.rows && slope == sight.slope && tip == sight.tip) return;
  columns = sight.columns, rows = sight.rows, slope = sight.slope, tip = sight.tip;
  const auto wide = static_cast<std::size_t>(columns), high = static_cast<std::size_t>(rows);
  s.assign(wide + throng::base::kVectorBytes / sizeof(float),
           std::numeric_limits<float>::quiet_NaN());  // beyond: hits nothing
  for (int i = 0; i < columns; ++i)
    s[static_cast<std::size_t>(i)] = kSide * (static_cast<float>(columns - 1 - 2 * i) / static_cast<float>(columns));
  columns_per_s = 0.5f * static_cast<float>(columns) / kSide;
  f.resize(high), d.resize(high), base.resize(high), lift.resize(high), growth.resize(high);
  for (std::size_t r = 0; r < high; ++r) {
    const float up = kUp * (static_cast<float>(rows - 1 - 2 * static_cast<int>(r)) / static_cast<float>(rows));
    f[r] = kCosine + up * kSine;
    d[r] = kSine - up * kCosine;
    base[r] = f[r] * f[r] - slope * slope * (d[r] * d[r]);
    lift[r] = slope * tip * d[r];
    growth[r] = slope * d[r] / f[r];
  }
}

void View::begin(const StepInput& input, std::uint32_t slot_of_walker) {
  own_slot = slot_of_walker;
  const agents::Crowd& crowd = input.crowd;
  const std::uint32_t row = input.neighbours.row()[own_slot];
  position = {input.neighbours.x()[own_slot], input.neighbours.y()[own_slot]};
  heading = {crowd.heading_x[row], crowd.heading_y[row]};
  vx = crowd.vx[row] * heading.x + crowd.vy[row] * heading.y;
  vy = crowd.vy[row] * heading.x - crowd.vx[row] * heading.y;
  x.clear(), y.clear(), c.clear(), ux.clear(), uy.clear(), slot.clear(), walls.clear();
}

void View::addPerson(const StepInput& input, const Sight& sight, std::uint32_t other) {
  const agents::NeighbourIndex& index = input.neighbours;
  const float dx = index.x()[other] - position.x, dy = index.y()[other] - position.y;
  const float squared = dx * dx + dy * dy;
  if (!(squared < sight.range_squared)) return;
  const float ahead = dx * heading.x + dy * heading.y;
  if (!(ahead + sight.radius > 0)) return;
  const float from_axis = squared - sight.tip * sight.tip;
  if (!(from_axis > 0)) return;  // eyes within the other's cone see nothing of it
  if (index.row()[other] == index.row()[own_slot]) return;
  const float ox = index.vx()[other], oy = index.vy()[other];
  x.push_back(ahead);
  y.push_back(dy * heading.x - dx * heading.y);
  c.push_back(from_axis);
  ux.push_back(ox * heading.x + oy * heading.y - vx);
  uy.push_back(oy * heading.x - ox * heading.y - vy);
  slot.push_back(other);
}

/// A counting sort by squared distance: coarse, but it takes hardly any time.
void View::sortPeople(const Sight& sight) {
  constexpr std::size_t kBuckets = 256;
  start_.assign(kBuckets + 1, 0);
  const float scale = (static_cast<float>(kBuckets) - 0.5f) / sight.range_squared;
  const auto bucket = [&](std::size_t i) { return static_cast<std::size_t>(c[i] * scale); };
  for (std::size_t i = 0; i < c.size(); ++i) ++start_[bucket(i) + 1];
  for (std::size_t b = 0; b < kBuckets; ++b) start_[b + 1] += start_[b];
  order_.resize(c.size());
  for (std::size_t i = 0; i < c.size(); ++i) order_[start_[bucket(i)]++] = static_cast<std::uint32_t>(i);
  sorted_.resize(c.size()), sorted_slot_.resize(c.size());
  for (auto* column : {&x, &y, &c, &ux, &uy}) {
    for (std::size_t i = 0; i < order_.size(); ++i) sorted_[i] = (*column)[order_[i]];
    column->swap(sorted_);
  }
  for (std::size_t i = 0; i < order_.size(); ++i) sorted_slot_[i] = slot[order_[i]];
  slot.swap(sorted_slot_);
  per_c.resize(c.size());
  for (std::size_t i = 0; i < c.size(); ++i) per_c[i] = 1.0f / c[i];
}

void View::finish(const StepInput& input, const Sight& sight) {
  sortPeople(sight);
  addWalls(input, sight);
}

void View::addWalls(const StepInput& input, const Sight& sight) {
  const std::uint32_t row = input.neighbours.row()[own_slot];
  const ground::Floor& floor = input.floors[input.crowd.layer[row]];
  ux.push_back(-vx), uy.push_back(-vy);  // of all walls
  wall_top = floor.wall_height;
  const ground::Walls& there = floor.walls;
  if (there.grid.empty()) return;
  near.clear();
  there.grid.query(position, sight.range, near);
  for (const std::uint32_t i : near) {
    const Vec2 a = there.a[i] - position, b = there.b[i] - position;
    SeenWall wall;
    wall.ax = a.x * heading.x + a.y * heading.y, wall.ay = a.y * heading.x - a.x * heading.y;
    wall.ex = b.x * heading.x + b.y * heading.y - wall.ax, wall.ey = b.y * heading.x - b.x * heading.y - wall.ay;
    if (!(wall.ax > 1e-5f || wall.ax + wall.ex > 1e-5f)) continue;
    const float area = wall.ax * wall.ey - wall.ay * wall.ex;
    const float squared = wall.ex * wall.ex + wall.ey * wall.ey;
    if (!(area * area > 1e-12f * squared)) continue;  // within a micrometre of its line it is seen from the edge
    wall.per_area = 1.0f / area;
    wall.low = -1e-5f * squared, wall.high = squared - wall.low;
    walls.push_back(wall);
  }
}

void addWallPoints(View& view) {
  const float vx = view.ux.back(), vy = view.uy.back();
  view.ux.pop_back(), view.uy.pop_back();
  for (const SeenWall& wall : view.walls) {
    // The part between the lines y = x and y = -x, ahead.
    float from = 0, to = 1;
    for (const float side : {-1.0f, 1.0f}) {
      const float inside = wall.ax + side * wall.ay, more = wall.ex + side * wall.ey;
      const float crossing = -inside / more;
      if (more > 0 && crossing > from) from = crossing;
      if (more < 0 && crossing < to) to = crossing;
      if (more == 0 && inside < 0) to = -1;
    }
    if (!(from < to)) continue;
    const float at = clamped(-(wall.ax * wall.ex + wall.ay * wall.ey) / wall.high, from, to);
    view.x.push_back(wall.ax + at * wall.ex), view.y.push_back(wall.ay + at * wall.ey);
    view.ux.push_back(vx), view.uy.push_back(vy);
  }
}

Threshold thresholdOf(std::span<const float> p, std::uint32_t person) {
  const float a = p[kSightA] + p[kSightASpread] * own(person, 0xa11ceu);
  const float b = p[kSightB] + p[kSightBSpread] * own(person, 0xb0bu);
  const float c = p[kSightC] + p[kSightCSpread] * own(person, 0xca401u);
  return {a, b > 0 ? b : 0.0f, c > 0 ? c : 0.0f};
}

void walk(const StepInput& input, const Sight& sight, const View& view, std::uint32_t row, const Stimulus& stimulus,
          VelocityOutput out) {
  const agents::Crowd& crowd = input.crowd;
  const float dt = input.dt;
  const Vec2 preferred{crowd.preferred_vx[row], crowd.preferred_vy[row]};
  float comfort = length(preferred);
  const float speed = length(Vec2{crowd.vx[row], crowd.vy[row]});
  float turn = 0;
  if (comfort > 1e-6f) {
    const Vec2 way = preferred / comfort;
    float distance = sight.goal_range;
    if (crowd.activity[row] == agents::Activity::kWalking) {
      const float real = length(Vec2{crowd.target_x[row], crowd.target_y[row]} - view.position);
      distance = real < distance ? real : distance;
    }
    // The goal as a perceived point that does not move, for somebody who walks at ease.
    const float ahead = way.x * view.heading.x + way.y * view.heading.y;
    const float left = way.y * view.heading.x - way.x * view.heading.y;
    // A goal behind counts as one at the side: straight away from it α̇_g would be 0, as if it lay ahead.
    const float goal_rate = (ahead < 0 ? (left < 0 ? -comfort : comfort) : left * comfort) / distance;
    turn = turnFor(stimulus, goal_rate, input.memory_x[row]);
    // Nobody gets to a place within their own turning circle: such a goal is approached more slowly.
    const float aside = ahead < 0 ? 1.0f : left < 0 ? -left : left;
    const float reachable = 0.5f * distance * kMaxTurn;
    if (comfort * aside > reachable) comfort = reachable / aside;
  }
  turn = clamped(turn, -kMaxTurn, kMaxTurn);
  turn = clamped(turn, input.memory_x[row] - kMaxTurnChange * dt, input.memory_x[row] + kMaxTurnChange * dt);
  float next = clamped(comfort * speedShare(stimulus, sight.imminent), speed - kMaxAcceleration * dt,
                       speed + kMaxAcceleration * dt);
  next = clamped(next, 0, crowd.max_speed[row]);
  double sine = 0, cosine = 1;
  base::sinCos(static_cast<double>(turn * dt), sine, cosine);
  const auto si = static_cast<float>(sine), co = static_cast<float>(cosine);
  Vec2 velocity{next * (view.heading.x * co - view.heading.y * si), next * (view.heading.x * si + view.heading.y * co)};
  // Whoever walks as they like goes on so: no drift by rounding.
  if (lengthSquared(velocity - preferred) < 1e-12f) velocity = preferred;
  // Two who stop in front of each other, or somebody before a wall, may stand for ever: with v = 0 nothing moves in
  // what they see. On request, whoever hardly moves sets off towards where they want to, and steps aside for others.
  if (sight.escape && speed < kHeldUp * comfort) {
    const Vec2 now{crowd.vx[row], crowd.vy[row]};
    const Vec2 change = keepingClear(input, view.own_slot, kClearTime, preferred) - now;
    const float size = length(change), most = kMaxAcceleration * dt;
    velocity = size > most ? now + change * (most / size) : now + change;
    turn = clamped(0, input.memory_x[row] - kMaxTurnChange * dt, input.memory_x[row] + kMaxTurnChange * dt);
  }
  out.vx[row] = velocity.x, out.vy[row] = velocity.y;
  if (out.memory_x) out.memory_x[row] = turn;
}

}  // namespace throng::steering::vision
