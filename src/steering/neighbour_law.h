// What several published models have in common: a person, those near, the walls near, and a law that makes a velocity
// of them. The law is written once; here it is fed from the neighbour index, from everybody one by one (its slow twin),
// and within a step that is taken in parts (parts.h).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "ground/walkable_space.h"
#include "steering/body_contact.h"
#include "steering/orca_lines.h"
#include "steering/parts.h"
#include "steering/people_near.h"

namespace throng::steering {

/// The person who walks.
struct Walker {
  std::uint32_t row = 0;
  Vec2 place, velocity, preferred, wanted;  ///< wanted: the direction of the preferred velocity, or zero
  Vec2 heading;                             ///< unit: of the velocity, while somebody stands that of before
  float radius = 0, free_speed = 0;         ///< m; m/s, length of the preferred velocity
  float max_speed = 0;
};

/// Somebody else.
struct Other {
  Vec2 apart;     ///< m, from the walker to them
  Vec2 velocity;  ///< m/s
  float radius;   ///< m
  std::uint32_t row;
};

inline constexpr float kWantsToStand = 1e-3f;  ///< m/s; slower than this nobody wants to walk

inline Vec2 headingOf(const agents::Crowd& crowd, std::uint32_t row, Vec2 velocity) {
  constexpr float kTurning = 0.01f;  // m/s; slower than this one does not turn
  const float speed = length(velocity);
  return speed > kTurning ? velocity / speed : Vec2{crowd.heading_x[row], crowd.heading_y[row]};
}

inline Walker walkerAt(const StepInput& input, std::uint32_t slot, Vec2 place, Vec2 velocity) {
  const agents::Crowd& crowd = input.crowd;
  Walker walker;
  walker.row = input.neighbours.row()[slot];
  walker.place = place, walker.velocity = velocity;
  walker.radius = input.neighbours.radius()[slot];
  walker.max_speed = crowd.max_speed[walker.row];
  walker.preferred = {crowd.preferred_vx[walker.row], crowd.preferred_vy[walker.row]};
  walker.free_speed = length(walker.preferred);
  if (walker.free_speed > kWantsToStand)
    walker.wanted = walker.preferred / walker.free_speed;
  else
    walker.free_speed = 0, walker.preferred = {};
  walker.heading = headingOf(crowd, walker.row, velocity);
  return walker;
}

/// Unit vector from somebody to the walker; drawn from their numbers where they stand in one place.
inline Vec2 awayFrom(const agents::Crowd& crowd, const Walker& walker, const Other& other, float distance) {
  if (distance * distance < kSamePlaceSquared)
    return social_force::partingDirection(crowd.person[walker.row], crowd.person[other.row]);
  return {-other.apart.x / distance, -other.apart.y / distance};
}

inline Vec2 atMost(Vec2 velocity, float limit) {
  const float squared = lengthSquared(velocity);
  return squared > limit * limit ? velocity * (limit / std::sqrt(squared)) : velocity;
}

/// The preferred velocity of somebody whom `force` pushes back: turned to the right by half a degree on average, always
/// the same for one person, or two who come straight at each other would stop for ever.
inline Vec2 bearingRight(const StepInput& input, const Walker& walker, Vec2 force) {
  if (!(dot(walker.preferred, force) < 0)) return walker.preferred;
  constexpr float kTurn = 10;  // of orcaTurn's 0.0005 to 0.0015
  const float turn = kTurn * orcaTurn(input.crowd.person[walker.row]);
  return {walker.preferred.x + turn * walker.preferred.y, walker.preferred.y - turn * walker.preferred.x};
}

/// A Law has `range` (m, how far others are looked for), is made from the parameters and the length of a step, and says
///   Vec2 operator()(const StepInput&, const Walker&, std::span<const Other>, std::vector<std::uint32_t>& scratch)
///   const
template <class Law, class ForEach>
void steerByLaw(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                VelocityOutput out, const ForEach& for_each_near) {
  // One per thread, so that a warm step does not allocate.
  static thread_local std::vector<Other> others;
  static thread_local std::vector<std::uint32_t> scratch;
  const Law law(parameters, input.dt);
  const agents::NeighbourIndex& index = input.neighbours;
  for (const std::uint32_t slot : slots) {
    const Walker walker =
        walkerAt(input, slot, {index.x()[slot], index.y()[slot]}, {index.vx()[slot], index.vy()[slot]});
    others.clear();
    for_each_near(index, input.crowd, slot, law.range, [&](std::uint32_t other) {
      others.push_back({{index.x()[other] - walker.place.x, index.y()[other] - walker.place.y},
                        {index.vx()[other], index.vy()[other]},
                        index.radius()[other],
                        index.row()[other]});
    });
    const Vec2 next = atMost(law(input, walker, others, scratch), walker.max_speed);
    out.vx[walker.row] = next.x, out.vy[walker.row] = next.y;
  }
}

/// Parts::begin: everybody who can come within the law's range during the step.
template <class Law>
void beginByLaw(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                Pushers& pushers) {
  const Law law(parameters, input.dt);
  const agents::NeighbourIndex& index = input.neighbours;
  for (const std::uint32_t slot : slots) {
    forEachPersonNear(index, input.crowd, slot, reachWithin(law.range, input.dt), [&](std::uint32_t other) {
      // In the place of the sum of the radii, the other's.
      pushers.add(index.x()[slot] - index.x()[other], index.y()[slot] - index.y()[other], index.radius()[other],
                  index.row()[slot], index.row()[other]);
    });
    pushers.end.push_back(static_cast<std::uint32_t>(pushers.count));
  }
}

/// Parts::walk.
template <class Law>
void walkByLaw(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
               float dt, Pushers& pushers, const Within& now, VelocityOutput next) {
  static thread_local std::vector<Other> others;
  static thread_local std::vector<std::uint32_t> scratch;
  const Law law(parameters, dt);
  const agents::NeighbourIndex& index = input.neighbours;
  std::size_t p = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::uint32_t slot = slots[i], row = index.row()[slot];
    const Vec2 moved{now.x[row], now.y[row]};
    const Walker walker =
        walkerAt(input, slot, Vec2{index.x()[slot], index.y()[slot]} + moved, {now.vx[row], now.vy[row]});
    others.clear();
    for (; p < pushers.end[i]; ++p) {
      const std::uint32_t other = pushers.other[p];
      const Vec2 apart{now.x[other] - moved.x - pushers.dx[p], now.y[other] - moved.y - pushers.dy[p]};
      if (apart.x * apart.x + apart.y * apart.y < law.range * law.range)
        others.push_back({apart, {now.vx[other], now.vy[other]}, pushers.reach[p], other});
    }
    const Vec2 velocity = atMost(law(input, walker, others, scratch), walker.max_speed);
    next.vx[row] = velocity.x, next.vy[row] = velocity.y;
  }
}

template <class Law>
Parts partsByLaw(float longest) {
  return {longest, beginByLaw<Law>, walkByLaw<Law>};
}

}  // namespace throng::steering
