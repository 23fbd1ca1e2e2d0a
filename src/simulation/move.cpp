#include "simulation/move.h"

#include <algorithm>
#include <cmath>

#include "base/narrowing.h"
#include "simulation/contact.h"
#include "simulation/facing.h"

namespace throng::simulation {
namespace {

constexpr std::size_t kPiece = levels::PeopleLevels::kPiece;  // people per piece of work
/// m/s; slower than this, the heading stays.
constexpr float kTurningSpeed = 0.1f;

/// The rectangle of a wrapped layer, in the floats that people move in.
struct Field {
  float min_x, min_y, max_x, max_y;

  explicit Field(const Rectangle& r)
      : min_x(static_cast<float>(r.min.x)),
        min_y(static_cast<float>(r.min.y)),
        max_x(static_cast<float>(r.max.x)),
        max_y(static_cast<float>(r.max.y)) {}

  static float wrapped(float value, float low, float high) {
    if (value < low) value += high - low;
    if (value >= high) value -= high - low;
    return value;
  }
  Vec2 wrapped(Vec2 place) const { return {wrapped(place.x, min_x, max_x), wrapped(place.y, min_y, max_y)}; }
};

/// What a person can do of what steering asks for.
Move::Walk bounded(Vec2 velocity, float max_speed) {
  const float speed = length(velocity);
  if (!(speed < 1e6f)) return {{}, 0};  // a model that fails must not take the person along
  if (speed > max_speed) return {velocity * (max_speed / speed), max_speed};
  return {velocity, speed};
}

Move::Walk walked(Vec2 motion, float dt) { return {motion / dt, length(motion / dt)}; }

void turn(agents::Crowd& crowd, std::uint32_t r, Move::Walk walk) {
  if (walk.speed <= kTurningSpeed) return;
  const float inverse = 1 / walk.speed;
  crowd.heading_x[r] = walk.velocity.x * inverse;
  crowd.heading_y[r] = walk.velocity.y * inverse;
}

}  // namespace

void Move::run(step::StepContext& context) {
  const auto floors = context.terrain.floors();
  const std::size_t full = context.crowd.full();
  room_ = context.crowd.find<float>(agents::kRoom);
  const Facing facing(context.dt);
  // One floor, as in many studies: the same without asking which one, and how people come to others.
  const bool one = floors.size() == 1 && passages_.empty() && (floors[0].walls.size() == 0 || !floors[0].wrap);
  context.threads.forEach(context.crowd.size() - full, kPiece,
                          [&](std::size_t begin, std::size_t end) { levels_.moveLow(context, begin, end); });
  context.threads.forEach(full, kPiece, [&](std::size_t begin, std::size_t end) {
    thread_local std::vector<std::uint32_t> near;
    if (one)
      return moveOnOneFloor(context, facing, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), near);
    for (std::size_t r = begin; r < end; ++r) move(context, facing, static_cast<std::uint32_t>(r), near);
  });
  context.clock.advance(context.dt);
}

/// What somebody does of what steering asks for.
inline Move::Walk Move::wanted(const agents::Crowd& crowd, std::uint32_t r, float dt) {
  const Walk walk = bounded({crowd.next_vx[r], crowd.next_vy[r]}, crowd.max_speed[r]);
  if (!levels_.isSettling(r)) return walk;
  const Vec2 gentle = levels_.settled(crowd, r, walk.velocity, dt);
  return {gentle, length(gentle)};
}

inline bool Move::hasRoom(std::uint32_t r, float radius, Vec2 motion) {
  if (!room_) return false;
  constexpr float kMargin = 0.01f;  // m, for what rounding does
  const float least = radius + kMargin, room = (*room_)[r];
  (*room_)[r] = 0;
  return room > least && lengthSquared(motion) < (room - least) * (room - least);
}

void Move::moveOnOneFloor(step::StepContext& context, const Facing& facing, std::uint32_t begin, std::uint32_t end,
                          std::vector<std::uint32_t>& near) {
  agents::Crowd& crowd = context.crowd;
  const float dt = context.stepLength();
  const ground::Floor& floor = context.terrain.floors()[0];
  const bool open = floor.walls.size() == 0;
  const bool wraps = floor.wrap.has_value();
  const Field field(floor.wrap.value_or(Rectangle{}));
  const bool level = floor.slope == Point{} && floor.ground.empty();
  const auto height = static_cast<float>(floor.elevation);
  for (std::uint32_t r = begin; r < end; ++r) {
    if (crowd.guide[r] == agents::Guide::kWalk) continue;  // who is played is moved by the player
    if (context.isBuried(r)) {
      crowd.vx[r] = crowd.vy[r] = 0;
      continue;
    }
    Walk walk = wanted(crowd, r, dt);
    const Vec2 from{crowd.x[r], crowd.y[r]}, motion = walk.velocity * dt;
    Vec2 to = from + motion;
    if (!open && !hasRoom(r, crowd.radius[r], motion)) {
      const Vec2 along = moveAlongWalls(floor.walls, from, crowd.radius[r], motion, near);
      if (along != to) walk = walked(along - from, dt);
      to = along;
    }
    if (wraps) to = field.wrapped(to);
    crowd.x[r] = to.x, crowd.y[r] = to.y;
    crowd.vx[r] = walk.velocity.x, crowd.vy[r] = walk.velocity.y;
    turn(crowd, r, walk);
    facing.turn(crowd, r, walk.velocity, walk.speed);
    if (!level)
      stand(crowd, r, floor.groundAt(to), dt);
    else if (crowd.z[r] != height)  // memory that is only read need not be written back
      stand(crowd, r, {height, {}}, dt);
  }
}

inline void Move::stand(agents::Crowd& crowd, std::uint32_t r, const ground::GroundAt& ground, float dt) {
  // Whoever comes from where nobody looked closely at their feet gets to the ground in a moment.
  constexpr float kLift = 2;  // m/s
  crowd.z[r] =
      levels_.isSettling(r) ? crowd.z[r] + std::clamp(ground.z - crowd.z[r], -kLift * dt, kLift * dt) : ground.z;
  (*slope_)[r] = dot(ground.gradient, Vec2{crowd.facing_x[r], crowd.facing_y[r]});
}

void Move::move(step::StepContext& context, const Facing& facing, std::uint32_t r, std::vector<std::uint32_t>& near) {
  agents::Crowd& crowd = context.crowd;
  const float dt = context.stepLength();
  if (crowd.guide[r] == agents::Guide::kWalk) return;
  if (context.isBuried(r)) {
    crowd.vx[r] = crowd.vy[r] = 0;
    return;
  }
  Walk walk = wanted(crowd, r, dt);

  const ground::Floor& floor = context.terrain.floors()[crowd.layer[r]];
  const Vec2 from{crowd.x[r], crowd.y[r]};
  const Vec2 motion = walk.velocity * dt;
  Vec2 to = hasRoom(r, crowd.radius[r], motion) ? from + motion
                                                : moveAlongWalls(floor.walls, from, crowd.radius[r], motion, near);
  if (to != from + motion) walk = walked(to - from, dt);
  if (!passages_.empty() && !passages_.nothingNear(from, length(to - from) + 0.1f)) {
    if (const auto landing =
            cross(passages_.list(), context.terrain.floors(), crowd.layer[r], from, to, crowd.radius[r], near)) {
      crowd.layer[r] = landing->floor;
      to = landing->place;
      walk = walked(landing->motion, dt);
    }
  }
  if (const ground::Floor& on = context.terrain.floors()[crowd.layer[r]]; on.wrap) {
    // Beyond the border stand images of the walls behind it; what rounding leaves of a difference must not lead into
    // them.
    const Vec2 wrapped = Field(*on.wrap).wrapped(to);
    if (wrapped != to && &on == &floor && !on.contains(wide(wrapped)) && on.contains(wide(from))) {
      to = from;
      walk = {};
    } else {
      to = wrapped;
    }
  }
  crowd.x[r] = to.x, crowd.y[r] = to.y;
  crowd.vx[r] = walk.velocity.x, crowd.vy[r] = walk.velocity.y;
  turn(crowd, r, walk);
  facing.turn(crowd, r, walk.velocity, walk.speed);
  stand(crowd, r, context.terrain.floors()[crowd.layer[r]].groundAt(to), dt);
}

}  // namespace throng::simulation
