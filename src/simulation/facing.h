// How bodies turn. Where somebody walks changes with every step when they shuffle on in a queue, a centimetre to this
// side and one to that; their body does not turn round for it. Slower than a stroll people face where they want to go
// as much as where their feet go, bodies follow within a quarter of a second, and nobody turns faster than a quick turn
// on the spot takes. Steering does not know of it: models read Crowd::heading, the direction of motion.
#pragma once

#include <algorithm>
#include <cmath>

#include "agents/crowd.h"
#include "base/math.h"

namespace throng::simulation {

class Facing {
 public:
  explicit Facing(double dt) {
    constexpr double kMostTurning = 3.5;   // rad/s: half a turn in 0.9 s
    constexpr double kTurningTime = 0.25;  // s
    double sine, cosine;
    base::sinCos(std::min(kMostTurning * dt, base::kPi / 2), sine, cosine);
    sine_ = static_cast<float>(sine), cosine_ = static_cast<float>(cosine);
    share_ = static_cast<float>(1 - base::exponential(-dt / kTurningTime));
  }

  /// After somebody has moved at a velocity (m/s).
  void turn(agents::Crowd& crowd, std::uint32_t r, Vec2 velocity, float speed) const {
    constexpr float kStroll = 0.6f;     // m/s: from here on people face where they walk
    constexpr float kForward = 2;       // how much more where they want to go counts, the slower they are
    constexpr float kShuffling = 0.1f;  // m/s: who wants to go nowhere turns for no less
    Vec2 towards = velocity;
    if (speed < kStroll) {
      const Vec2 wish{crowd.preferred_vx[r], crowd.preferred_vy[r]};
      const float wished = length(wish);
      if (wished > kShuffling)
        towards = towards + wish * (kForward * (kStroll - speed) / wished);
      else if (speed <= kShuffling)
        return;
    }
    const float size = length(towards);
    if (!(size > 0.05f)) return;  // m/s; as much forwards as backwards
    const Vec2 facing{crowd.facing_x[r], crowd.facing_y[r]};
    const Vec2 turned = turnedTowards(facing, towards / size);
    if (turned == facing) return;  // memory that is only read need not be written back
    crowd.facing_x[r] = turned.x, crowd.facing_y[r] = turned.y;
  }

 private:
  /// Both unit vectors. Who has to turn about turns to the left.
  Vec2 turnedTowards(Vec2 from, Vec2 to) const {
    constexpr float kThere = 0.99999f;  // a quarter of a degree
    const float cosine = dot(from, to);
    if (cosine > kThere) return to;
    if (cosine > 0) {
      const Vec2 way = from + (to - from) * share_, turned = way / length(way);
      if (dot(from, turned) >= cosine_) return turned;
    }
    const float sine = det(from, to) >= 0 ? sine_ : -sine_;
    const Vec2 turned{from.x * cosine_ - from.y * sine, from.x * sine + from.y * cosine_};
    return turned * (1.5f - 0.5f * lengthSquared(turned));  // one step of Newton's method keeps its length 1
  }

  float sine_, cosine_;  ///< of the most that somebody turns in a step
  float share_;          ///< of a turn that is done in a step
};

}  // namespace throng::simulation
