// What the two short-term avoidance algorithms share: how people walk to a way-point, and the emergency.
//
// Both alternate: on even steps people are registered in their cells, on odd steps they avoid. Here everybody is
// registered anew in every step, for all models; on even steps people walk on as they do. What is decided on an odd
// step therefore holds for two.
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
/// Steps after which those who are held up may change their mind about the side.
inline constexpr std::uint64_t kPatience = 32;
/// By how much of the distance wanted those who are held up squeeze.
inline constexpr float kSqueeze = 0.2f;
/// Steps from one decision to the next.
inline constexpr float kSteps = 2;

inline bool decides(const StepInput& input) { return input.step % 2 == 1; }

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
  w.forward = {crowd.heading_x[w.row], crowd.heading_y[w.row]};
  w.radius = index.radius()[slot];
  w.speed = length(w.preferred);
  return w;
}

/// On an even step: on as before, not faster than wanted.
inline Vec2 walkOn(const StepInput& input, const Walker& w) {
  return truncated(w.velocity, std::min(w.speed, input.crowd.max_speed[w.row]));
}

/// The emergency: how fast at least one has to go away from people and walls (less than nothing: how fast at most one
/// may come nearer), so that both together are far enough apart when the next decision is taken.
class Emergency {
 public:
  /// Of a person whom it is an emergency to be nearer to than `distance` (m), or to touch. True when that is so now.
  bool add(const StepInput& input, const Walker& w, std::uint32_t other, float distance) {
    const agents::NeighbourIndex& index = input.neighbours;
    const float wanted = std::max(distance, w.radius + index.radius()[other]);
    Vec2 apart{w.place.x - index.x()[other], w.place.y - index.y()[other]};
    const float squared = lengthSquared(apart), between = std::sqrt(squared);
    if (squared < kSamePlaceSquared) {
      apart = social_force::partingDirection(input.crowd.person[w.row], input.crowd.person[index.row()[other]]);
    } else {
      apart = apart / between;
    }
    limit(apart, (wanted - between) / (2.0f * kSteps * input.dt), kSqueeze * wanted / (2.0f * kSteps * input.dt));
    return between < wanted;
  }
  void addWalls(const StepInput& input, const Walker& w, std::vector<std::uint32_t>& found) {
    const float reach = w.radius + kSteps * input.dt * input.crowd.max_speed[w.row];
    forEachWallPoint(
        input.floors[input.crowd.layer[w.row]].walls, w.place, reach, found,
        [&](Vec2 normal, float distance) { limit(normal, (w.radius - distance) / (kSteps * input.dt), 0); });
  }
  /// The velocity turned aside so that it keeps to everything, as far as three rounds get. Who squeezes past accepts to
  /// be a little too near.
  Vec2 keptTo(Vec2 velocity, bool squeeze) const {
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < count_; ++i) {
        const float missing = least_[i] - (squeeze ? slack_[i] : 0.0f) - dot(velocity, away_[i]);
        if (missing > 0) velocity += away_[i] * missing;
      }
    }
    return velocity;
  }

 private:
  void limit(Vec2 away, float least, float slack) {
    if (count_ < kMost) away_[count_] = away, slack_[count_] = slack, least_[count_++] = least;
  }

  static constexpr int kMost = 48;
  Vec2 away_[kMost];
  float least_[kMost], slack_[kMost];
  int count_ = 0;
};

/// On an odd step: towards the desired velocity as far as the acceleration allows until the next decision (Reynolds'
/// seek), and aside where there is an emergency.
inline Vec2 walkTowards(const StepInput& input, const Walker& w, Vec2 desired, const Emergency& emergency,
                        float max_acceleration) {
  const float change = kSteps * max_acceleration * input.dt;
  const auto seek = [&](Vec2 wanted, bool squeeze) {
    return emergency.keptTo(w.velocity + truncated(wanted - w.velocity, change), squeeze);
  };
  Vec2 next = seek(desired, false);
  // Who is held up bears right and squeezes past, or two who press against each other would stand for ever; every now
  // and then to the left, or a wall on the right would hold them.
  if (dot(next, desired) < 0.5f * lengthSquared(desired)) {
    const std::uint32_t person = input.crowd.person[w.row];
    const bool left = (input.step / kPatience + person) % 4 == 3;
    const float turn = (left ? -kTurn : kTurn) * orcaTurn(person);
    next = seek(desired - turn * perpendicular(desired), true);
  }
  return truncated(next, input.crowd.max_speed[w.row]);
}

/// m: beyond the emergency distance, so far off people are looked at for emergencies: those who can be there before the
/// next decision, or whose bodies are large.
inline constexpr float kBodies = 1;

}  // namespace throng::steering::short_term
