// What the two short-term avoidance algorithms share: how people walk to a way-point, and the emergency.
//
// Both alternate: on even steps people are registered in their cells, on odd steps they avoid. Here everybody is
// registered anew in every step, for all models; what is decided on an odd step holds for two. The thesis relies on
// "the low distance covered in such a short time lapse"; with steps of 0.1 s two people come half a metre nearer in two
// of them, so the emergency is looked after in every step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "steering/body_contact.h"
#include "steering/orca_lines.h"
#include "steering/people_near.h"
#include "steering/wall_points.h"

namespace throng::steering::short_term {

/// How far those who are held up bear to the right, in units of orcaTurn's 0.0005 to 0.0015: 17° to 42°.
inline constexpr float kTurn = 600;
/// By how much of their speed those who are held up press on less.
inline constexpr float kEasing = 0.7f;
/// Steps after which those who are held up may change their mind about the side.
inline constexpr std::uint64_t kPatience = 32;
/// How much of what is missing each emergency makes up for in a step, as s/(1 + 2s) for each of two
/// people: where bodies touch nearly all of it, where only the emergency distance is not kept a part.
inline constexpr float kHard = 3, kGentle = 0.25f;

/// People who do not want to go anywhere only give way, in every step.
inline bool decides(const StepInput& input, float speed) { return input.step % 2 == 1 || !(speed > 0); }

inline Vec2 truncated(Vec2 v, float limit) {
  const float squared = lengthSquared(v);
  return squared > limit * limit ? v * (limit / std::sqrt(squared)) : v;
}

/// A person as the avoidance sees them.
struct Walker {
  std::uint32_t slot, row;
  Vec2 place, velocity, preferred, forward;
  float radius, speed;  ///< speed: preferred, m/s
};

inline Walker walkerOf(const StepInput& input, std::uint32_t slot) {
  const agents::NeighbourIndex& index = input.neighbours;
  const agents::Crowd& crowd = input.crowd;
  Walker w;
  w.slot = slot, w.row = index.row()[slot];
  w.place = {index.x()[slot], index.y()[slot]};
  w.velocity = {index.vx()[slot], index.vy()[slot]};
  w.preferred = {crowd.preferred_vx[w.row], crowd.preferred_vy[w.row]};
  w.radius = index.radius()[slot];
  w.speed = length(w.preferred);
  w.forward = w.speed > 0 ? w.preferred / w.speed : Vec2{crowd.heading_x[w.row], crowd.heading_y[w.row]};
  return w;
}

/// The emergency: a repulsive force between people nearer than the emergency distance, and a stronger one where bodies
/// or walls are touched. As in body_contact.h it is taken at the distance expected at the end of the step and gives
/// way to the change of velocity, both people moving as much: nobody in a dense crowd is thrown to and fro.
class Emergency {
 public:
  /// Walls come before people.
  void addWalls(const StepInput& input, const Walker& w, std::vector<std::uint32_t>& found) {
    const float reach = w.radius + input.dt * input.crowd.max_speed[w.row];
    forEachWallPoint(input.floors[input.crowd.layer[w.row]].walls, w.place, reach, found,
                     [&](Vec2 normal, float distance) {
                       keep({normal, {}, distance, w.radius, w.radius, 1});
                     });
    walls_ = count_;
  }
  /// A person whom it is an emergency to be nearer to than `distance` (m), or to touch. True when that is so now.
  bool add(const StepInput& input, const Walker& w, std::uint32_t other, float distance) {
    const agents::NeighbourIndex& index = input.neighbours;
    Push push;
    push.bodies = w.radius + index.radius()[other];
    push.wanted = std::max(distance, push.bodies);
    push.velocity = {index.vx()[other], index.vy()[other]};
    push.away = {w.place.x - index.x()[other], w.place.y - index.y()[other]};
    const float squared = lengthSquared(push.away);
    push.between = std::sqrt(squared);
    const float nearer = input.dt * (input.crowd.max_speed[w.row] + length(push.velocity));
    if (push.between - nearer > push.wanted) return false;
    push.away = squared < kSamePlaceSquared
                    ? social_force::partingDirection(input.crowd.person[w.row], input.crowd.person[index.row()[other]])
                    : push.away / push.between;
    push.yields = 2;
    keep(push);
    return push.between < push.wanted;
  }
  /// The velocity that comes of the one `wanted`, for somebody who walks at `velocity` now. Others are expected to walk
  /// on and to speed up towards one as much as oneself towards them.
  Vec2 appliedTo(Vec2 wanted, Vec2 velocity, float dt, float limit) const {
    return applied(wanted, velocity, dt, limit, count_);
  }
  /// The same with walls only.
  Vec2 wallsAppliedTo(Vec2 wanted, Vec2 velocity, float dt, float limit) const {
    return applied(wanted, velocity, dt, limit, walls_);
  }

 private:
  struct Push {
    Vec2 away, velocity;            ///< from the other, unit; the other's
    float between, wanted, bodies;  ///< m, of the centres: now, at least, at touching
    float yields;
  };
  void keep(const Push& push) {
    if (count_ < kMost) pushes_[count_++] = push;
  }
  Vec2 applied(Vec2 wanted, Vec2 velocity, float dt, float limit, int count) const {
    MotionSums sums;
    for (int i = 0; i < count; ++i) {
      const Push& push = pushes_[i];
      const float mine = dot(wanted - velocity, push.away), both = mine < 0 ? push.yields * mine : mine;
      const float expected = push.between + dt * (dot(velocity - push.velocity, push.away) + both);
      if (!(expected < push.wanted)) continue;
      const float inside = std::max(0.0f, push.bodies - expected), gentle = push.wanted - expected;
      const float along = (kGentle * gentle + (kHard - kGentle) * inside) / (dt * dt);
      addYielding(dt, push.away, along, (inside > 0 ? kHard : kGentle) / (dt * dt), push.yields, sums);
    }
    return drivenVelocity(wanted, wanted, 0, sums, limit);
  }

  static constexpr int kMost = 48;
  Push pushes_[kMost];
  int count_ = 0, walls_ = 0;
};

/// Towards the desired velocity as far as the acceleration allows (Reynolds' seek), and aside where there is an
/// emergency.
inline Vec2 walkTowards(const StepInput& input, const Walker& w, Vec2 desired, const Emergency& emergency,
                        float max_acceleration) {
  const float change = max_acceleration * input.dt, limit = input.crowd.max_speed[w.row];
  const auto seek = [&](Vec2 wanted) { return w.velocity + truncated(wanted - w.velocity, change); };
  const Vec2 sought = seek(desired), next = emergency.appliedTo(sought, w.velocity, input.dt, limit);
  // Who is held up by people bears right, the more the less they get on, or two who press against each other would
  // stand for ever; every now and then to the left, or a wall on the right would hold them.
  const float wanted = dot(emergency.wallsAppliedTo(sought, w.velocity, input.dt, limit), desired);
  const float lost = wanted - dot(next, desired);
  if (!(wanted > 0 && lost > 0)) return next;
  const std::uint32_t person = input.crowd.person[w.row];
  const bool left = (input.step / kPatience + person) % 4 == 3;
  const float held = std::min(1.0f, lost / wanted);
  const float turn = (left ? -kTurn : kTurn) * orcaTurn(person) * held;
  const Vec2 aside = (desired - turn * perpendicular(desired)) * (1.0f - kEasing * held);
  return emergency.appliedTo(seek(aside), w.velocity, input.dt, limit);
}

/// m: beyond the emergency distance, so far off people are looked at for emergencies: those who can be there before the
/// next decision, or whose bodies are large.
inline constexpr float kBodies = 1;

}  // namespace throng::steering::short_term
