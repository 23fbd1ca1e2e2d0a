// The terms of the model `throng`, shared by its kernel and its slow twin.
//
// Speed. Nobody closes in on anybody faster than the gap between the bodies divided by the time gap T: the least of
//   v(u) = (gap - g y) / (cos(u, n) T_ij)
// over the people in front is what can be walked in direction u. For somebody straight ahead this is the speed of the
// collision-free speed model (Tordeux, Chraibi & Seyfried 2016); people beside count by the share of the way that leads
// towards them, so that the mean spacing decides and not who happens to be in line. Two who close in on one another do
// not overlap when dt ≤ T_ij / 2, and so T_ij is never shorter than two steps. Where people ahead walk away at w,
// faster than that, the gap of a moment t_a later counts, to which both walk on: (gap - g y + t_a w) / (cos(u, n) (T_ij
// + t_a)). It is solved for v, for with one's own speed of the step before people would go fast and slow by turns, step
// by step.
//
// Right of way. Of two whose ways close in on one another, the one who has the other more straight ahead is behind, and
// lets the other go first: T_ij goes from T (y = 1: I am behind) down to kGoing (y = 0: the other is). Ties are broken
// by person. Who is first creeps on even without a gap, and who is behind steps back where they touch, beside and
// around what stands behind: so doors do not lock. To those who cross one's way, or are about to have crossed it,
// nobody keeps more than kGoing: they will not be ahead for long (Other::stays). Behind those who go the same way
// people shuffle on without a gap, hardly faster than they do, so that a packed file still moves.
//
// Direction. Of a fan of directions around the preferred one, and the one walked in now, that with the least
//   a (1 - cos α) + b (1 - v(u) cos α / v0) + c max(0, 1 - t(u)/t_h)² + d (1 - cos to the heading) |v|/v0 + e A(u) +
//   side
// where t(u) is the time to the first collision walking at v(u) while others keep their velocities (as in Moussaïd et
// al. 2011 and Karamouzas et al. 2009), and A(u) how much of the people who come the other way is ahead in it. At one's
// own reachable speed those who go the same way are no obstacles, and those who queue for it are less of a danger:
// people follow them, keep to their place in a queue, and lanes form. The side term prefers to pass on one side, the
// more the more people around come the other way; a is larger where nobody does. Those who cross are passed behind:
// directions to where they go cost more, the more of them there are. Two streams that give way to where the other goes
// end up in one another's exits, and lock.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/column.h"
#include "steering/body_contact.h"
#include "steering/models.h"

namespace throng::steering::time_gap {

enum Parameter { kTimeGap, kTimeHorizon, kViewDistance, kTurningTime, kSidePreference, kParameterCount };

/// Directions that are tried: the preferred one, seven to either side, the one walked in. A multiple of most vectors.
inline constexpr std::size_t kDirections = 16;
inline constexpr std::size_t kHeading = kDirections - 1;
/// How far people look at most, by how crowded it is: as far as it takes to see kEnough people ahead.
inline constexpr float kReach[] = {1.5f, 2.2f, 3.2f, 4.7f, 7.0f, 10.5f, 16.0f, 24.0f, 50.0f};
inline constexpr std::size_t kReaches = std::size(kReach);
inline constexpr std::uint32_t kEnough = 10;

inline constexpr float kGoing = 0.2f;      // s: time gap of those who go first
inline constexpr float kYielding = 2;      // how quickly going first turns into waiting, by the difference of cosines
inline constexpr float kTie = 0.02f;       // difference of cosines below which the person's number decides
inline constexpr float kStandoff = 0.03f;  // m that people in a queue leave between them
inline constexpr float kClearing = 4;      // s/m²: see Other::stays
inline constexpr float kPassBehind = 2;    // cost of passing before those who cross, where everybody does
inline constexpr float kAnticipation = 0.7f;  // s, t_a
inline constexpr float kCreeping = 0.08f;     // m/s
inline constexpr float kShuffling = 0.12f;    // m/s: even without a gap people follow those who go the same way
inline constexpr float kSetOff = 0.04f;       // m/s: who shuffles may be so much faster than they
inline constexpr float kAgainst = 2;          // cost of walking towards people who come the other way, when all do
inline constexpr float kPatience = 0.3f;      // cost of a detour of 90° where nobody comes the other way
inline constexpr float kQueueing = 1.6f;      // s/m: 1 / the speed below which people who go the same way are a queue
inline constexpr float kFew = 4096;           // weight of people, as somebody at no distance has it
inline constexpr float kOtherWay = 0.1f;      // cosine between two ways below which they begin to oppose one another
inline constexpr float kSqueeze = 0.01f;      // m: nobody creeps deeper into anybody
inline constexpr float kDetour = 0.1f, kDelay = 1, kDanger = 3, kTurning = 0.1f;  // a, b, c, d; e is kAgainst
/// Of a collision with somebody who stands and wants to go nowhere: less than the delay of standing before them, or
/// whoever has such people all across their way, with a gap beside, would stop far from them for good.
inline constexpr float kWhoStands = 0.3f;
inline constexpr float kSideAlways = 0.15f;            // share of the side preference when nobody comes the other way
inline constexpr float kBlocked = 0.4f, kEvading = 6;  // m/s: see blockedBelow()
inline constexpr float kAcceleration = 3;              // m/s²
inline constexpr float kWallTime = 0.15f;              // s: time gap to walls
inline constexpr float kWallReach = 3;                 // m: how far people look for walls
inline constexpr float kTouch = 0.005f;                // m: nobody is led deeper into anybody
inline constexpr float kStepBack = 0.1f;       // m: nearer than this to somebody who goes first people step back
inline constexpr float kStepBackSpeed = 0.4f;  // m/s
inline constexpr float kInMyWay = 0.1f;        // cosine from which somebody's way leads towards a person
inline constexpr float kParting = 0.1f;        // s: how long bodies that overlap take to part
inline constexpr float kPressure = 0.2f;       // share of an overlap by which people give way, whoever is behind them
inline constexpr float kStanding = 1e-4f;      // m/s: preferred speeds below this are standing
inline constexpr float kWalking = 0.05f;       // m/s: slower, nobody has a direction of walking
inline constexpr float kNever = 1e9f;          // s

struct Coefficients {
  Coefficients(std::span<const float> parameters, float dt);

  float dt;
  float time_gap, going;  ///< s: of those who are behind, of those who go first; at least two steps
  float parting;          ///< s: see kParting; at least a step
  float creeping;         ///< m/s; not deeper than kSqueeze in a step
  float back;             ///< m/s: of stepping back; two who do meet nobody whom they do not see
  float inverse_horizon, view, turn, side;
  std::size_t reaches = 1;     ///< entries of kReach that are used; the last is no farther than the view
  const float *cosine, *sine;  ///< of the fan, without the heading; aligned for vectors
};

/// A person as they set about a step.
struct Walker {
  Vec2 place, velocity, preferred;
  Vec2 wanted;   ///< direction
  Vec2 heading;  ///< direction of walking, or the wanted one
  float radius, wanted_speed, speed, max_speed;
  float still;  ///< 0 to 1: how much they stand
  std::uint32_t person;
};

/// Somebody near, as far as bodies are concerned.
struct Body {
  Vec2 to;        ///< m
  float inverse;  ///< 1 / distance
  float gap;      ///< m between the bodies
  float towards;  ///< cosine between their wanted direction and the way to the walker
  float tie;      ///< ±0.5: who is behind where neither is
};

/// Somebody ahead.
struct Other : Body {
  Vec2 velocity;   ///< m/s
  float away;      ///< m/s at which they walk away
  float stays;     ///< 1: they stay in the way; 0: they are about to have crossed it
  float apart;     ///< m²: distance² - (sum of radii)²
  float weight;    ///< how near they are: kFew at no distance
  float against;   ///< the same of those who come the other way
  float gravity;   ///< of a collision with them, 0 to 1
  float crossing;  ///< how near they are, if they cross from the right to the left; negative: the other way
};

/// How much somebody stands, 0 to 1.
inline float standing(Vec2 velocity) {
  return std::max(0.0f, 1.0f - kQueueing * std::sqrt(velocity.x * velocity.x + velocity.y * velocity.y));
}

inline Walker walkerOf(const agents::Crowd& crowd, std::uint32_t row) {
  Walker w;
  w.place = {crowd.x[row], crowd.y[row]};
  w.velocity = {crowd.vx[row], crowd.vy[row]};
  w.radius = crowd.radius[row];
  w.max_speed = crowd.max_speed[row];
  w.person = crowd.person[row];
  const Vec2 preferred{crowd.preferred_vx[row], crowd.preferred_vy[row]};
  w.preferred = preferred;
  w.wanted_speed = std::sqrt(preferred.x * preferred.x + preferred.y * preferred.y);
  w.speed = std::sqrt(w.velocity.x * w.velocity.x + w.velocity.y * w.velocity.y);
  w.still = std::max(0.0f, 1.0f - kQueueing * w.speed);
  w.wanted = w.wanted_speed > kStanding ? preferred / w.wanted_speed : Vec2{0, 0};
  w.heading = w.speed > kWalking ? w.velocity / w.speed : w.wanted;
  return w;
}

/// Is somebody seen? Who is near is felt, wherever they are.
inline bool isAhead(const Walker& w, Vec2 to, float squared) {
  return squared < 1 || to.x * w.wanted.x + to.y * w.wanted.y > 0 || to.x * w.heading.x + to.y * w.heading.y > 0;
}

/// The direction somebody wants to walk in, or none.
inline Vec2 wantedDirection(const agents::Crowd& crowd, std::uint32_t row) {
  const Vec2 preferred{crowd.preferred_vx[row], crowd.preferred_vy[row]};
  const float squared = preferred.x * preferred.x + preferred.y * preferred.y;
  if (!(squared > kStanding * kStanding)) return {0, 0};
  return preferred * (1.0f / std::sqrt(squared));
}

/// Who is behind, 0 (the other) to 1 (the walker), when the way to the other is at this cosine to the walker's.
inline float behind(const Body& o, float cosine) {
  const float difference = cosine - o.towards;
  const float tie = std::abs(difference) < kTie ? o.tie : 0.0f;
  return std::min(std::max((0.5f + kYielding * difference) + tie, 0.0f), 1.0f);
}

inline Other otherOf(const Walker& w, Vec2 to, Vec2 velocity, float radius, Vec2 wanted, std::uint32_t person) {
  Other o;
  float squared = to.x * to.x + to.y * to.y;
  if (squared < kSamePlaceSquared) {
    to = social_force::partingDirection(w.person, person) * -1e-6f;
    squared = to.x * to.x + to.y * to.y;
  }
  o.to = to, o.velocity = velocity;
  const float distance = std::sqrt(squared);
  o.inverse = 1.0f / distance;
  const float reach = w.radius + radius;
  o.gap = distance - reach;
  o.towards = -((wanted.x * to.x + wanted.y * to.y) * o.inverse);
  o.away = std::max(0.0f, (velocity.x * to.x + velocity.y * to.y) * o.inverse);
  o.tie = w.person < person ? 0.5f : -0.5f;
  const float beside = w.wanted.x * to.y - w.wanted.y * to.x,
              drifts = w.wanted.x * velocity.y - w.wanted.y * velocity.x;
  const float leaves = std::min(std::max((beside * drifts) * kClearing, 0.0f), 1.0f);
  o.apart = squared - reach * reach;
  const float cosine = wanted.x * w.wanted.x + wanted.y * w.wanted.y;
  const float still = standing(velocity);
  const float crosses = std::max(0.0f, 1.0f - 2.0f * (cosine * cosine));
  o.stays = (1.0f - leaves) * (1.0f - crosses);
  // Of two who wait for one another, the one whose turn it is goes.
  const float ahead = (w.wanted.x * to.x + w.wanted.y * to.y) * o.inverse;
  const float counts = 1.0f - (w.still * still) * (1.0f - behind(o, ahead));
  o.weight = kFew / (1.0f + distance);
  o.against = o.weight * (std::min(std::max(kOtherWay - cosine, 0.0f), 1.0f) * counts);
  o.gravity = (1.0f - std::max(0.0f, cosine) * still) * counts;
  if (wanted.x == 0 && wanted.y == 0) o.gravity *= kWhoStands;
  o.crossing = o.weight * ((w.wanted.x * wanted.y - w.wanted.y * wanted.x) * crosses);
  return o;
}

/// Do two pass one another, each in their own half of a corridor? They are in one another's way only where they touch.
inline bool passes(const StepInput& input, std::uint32_t row, std::uint32_t other) {
  return input.way && input.way[row] != 0 && input.way[other] == (input.way[row] ^ 1u);
}

/// m/s in direction u, for the sake of this one.
inline float speedFor(const Coefficients& c, const Other& o, float ux, float uy, float free) {
  const float cosine = (o.to.x * ux + o.to.y * uy) * o.inverse;
  if (!(cosine > 0)) return free;
  const float y = behind(o, cosine) * o.stays;
  float room = std::max(0.0f, o.gap - kStandoff * y), time = c.going + (c.time_gap - c.going) * y;
  // Of those who go on away from here by themselves, not of those who were pushed, the gap of a moment later counts.
  if (o.gap > 0 && room < o.away * time) {
    const float later = kAnticipation * std::max(0.0f, -o.towards);
    room = room + later * o.away, time = time + later;
  }
  // Those ahead may stop: never farther in a step than to where they are now.
  const float step = std::max(0.0f, o.gap);
  if (step * time < room * c.dt) room = step, time = c.dt;
  const float speed = room / (cosine * time);
  const float creeping = std::min(std::max((o.gap + kSqueeze) * (c.creeping / kSqueeze), 0.0f), c.creeping);
  const float shuffling = std::min(std::max((o.gap + kTouch) * (kShuffling / kTouch), 0.0f), kShuffling);
  const float along = std::max(0.0f, -o.towards) * std::min(shuffling, o.away + kSetOff);
  return std::min(free, std::max(std::max(speed, creeping * (1.0f - 2.0f * y)), along));
}

/// How bad it is to meet this one at that velocity, 0 to 1: the sooner, the worse; less of those who queue for the same
/// way, for they will go on.
inline float dangerOf(const Coefficients& c, const Other& o, float vx, float vy, float most) {
  const float rx = vx - o.velocity.x, ry = vy - o.velocity.y;
  const float a = rx * rx + ry * ry, b = o.to.x * rx + o.to.y * ry;
  const float root = b * b - a * o.apart;
  if (!(b > 0 && root > 0)) return most;
  const float soon = std::max(0.0f, 1.0f - std::max(0.0f, o.apart) / (b + std::sqrt(root)) * c.inverse_horizon);
  return std::max(most, soon * soon * o.gravity);
}

/// How much of those who come the other way is ahead in direction u.
inline float againstIn(const Other& o, float ux, float uy) {
  const float cosine = std::max(0.0f, (o.to.x * ux + o.to.y * uy) * o.inverse);
  const float squared = cosine * cosine;
  return o.against * (squared * squared);
}

/// A straight wall seen from its free side, and a corner.
struct Side {
  Vec2 normal, along;        ///< unit vectors: from the wall, along it
  float room, from, extent;  ///< m: to the walker's edge; from its beginning to the walker's foot; its length
};
struct Corner {
  Vec2 to;
  float apart;  ///< m²: distance² - radius²
};

inline float wayTo(const Side& side, float ux, float uy, float none) {
  const float approach = -(side.normal.x * ux + side.normal.y * uy);
  const float way = side.room / approach;
  const float at = side.from + way * (side.along.x * ux + side.along.y * uy);
  return approach > 1e-4f && at >= 0 && at <= side.extent ? std::min(none, way) : none;
}
inline float wayTo(const Corner& corner, float ux, float uy, float none) {
  const float b = corner.to.x * ux + corner.to.y * uy;
  const float root = b * b - corner.apart;
  return b > 0 && root > 0 ? std::min(none, std::max(0.0f, corner.apart) / (b + std::sqrt(root))) : none;
}

/// The walls near somebody.
struct WallsNear {
  std::vector<Side> sides;
  std::vector<Corner> corners;
  std::vector<std::uint32_t> found;

  void look(const ground::Walls& walls, Vec2 place, float radius);
  /// And the line that the person of a row does not walk over, if there is one.
  void addLine(const StepInput& input, std::uint32_t row) {
    if (!input.line_x || (input.line_x[row] == 0 && input.line_y[row] == 0)) return;
    addLine({input.line_x[row], input.line_y[row]}, input.line_room[row]);
  }
  bool empty() const { return sides.empty() && corners.empty(); }
  float way(float ux, float uy) const {
    float way = kNever;
    for (const Side& side : sides) way = wayTo(side, ux, uy, way);
    for (const Corner& corner : corners) way = wayTo(corner, ux, uy, way);
    return way;
  }

 private:
  void addLine(Vec2 normal, float room);
};

/// How much people around come the other way, in whole numbers, so that no order of theirs matters.
struct Opposing {
  std::uint32_t against = 0, all = 0;
  std::int32_t crossing = 0;

  void add(const Other& o) {
    all += static_cast<std::uint32_t>(o.weight);
    against += static_cast<std::uint32_t>(o.against);
    crossing += static_cast<std::int32_t>(o.crossing);
  }
  /// What 1 of Other::against costs straight ahead. Few people far away count little.
  float cost() const { return kAgainst / (static_cast<float>(all) + kFew); }
  float share() const { return 3.0f * static_cast<float>(against) / (static_cast<float>(all) + kFew); }
};

/// m/s: who cannot walk so fast in the direction of before turns at once, and so does who walks towards people who come
/// the other way. Who queues does not: people would turn about with every step.
inline float blockedBelow(const Walker& w, const Opposing& opposing) {
  return kBlocked + kEvading * opposing.share() * (1.0f - w.still);
}

/// Cost of a direction on the side that is not preferred: the left for positive ones.
inline float sideCost(const Coefficients& c, const Opposing& opposing) {
  const float from_the_right = static_cast<float>(opposing.crossing) / (static_cast<float>(opposing.all) + kFew);
  return c.side * std::min(1.0f, kSideAlways + opposing.share()) + kPassBehind * from_the_right;
}

/// Direction k of the fan, not the heading.
inline Vec2 fan(const Coefficients& c, const Walker& w, std::size_t k) {
  return {w.wanted.x * c.cosine[k] - w.wanted.y * c.sine[k], w.wanted.y * c.cosine[k] + w.wanted.x * c.sine[k]};
}

/// Cost of a detour of 90°. Where nobody comes the other way people have patience: they keep to their way and wait.
inline float detourCost(const Opposing& opposing) {
  return kDetour + kPatience * std::max(0.0f, 1.0f - opposing.share());
}

/// What a direction costs, without what lies in it.
inline float costOfTurning(const Walker& w, float detour, float cosine, float heading, float left, float side) {
  return (detour * (1.0f - cosine) + kTurning * (1.0f - heading) * std::min(1.0f, w.speed / w.wanted_speed)) +
         (left > 0   ? std::max(side, 0.0f)
          : left < 0 ? std::max(-side, 0.0f)
                     : 0.0f);
}
inline float costOfWay(const Walker& w, float cosine, float speed, float danger) {
  return kDelay * (1.0f - speed * cosine / w.wanted_speed) + kDanger * danger;
}

/// Where somebody turns who chose a direction: turning takes its time.
inline Vec2 turned(const Coefficients& c, const Walker& w, Vec2 direction) {
  const Vec2 turned{w.heading.x + (direction.x - w.heading.x) * c.turn,
                    w.heading.y + (direction.y - w.heading.y) * c.turn};
  const float squared = turned.x * turned.x + turned.y * turned.y;
  if (!(w.speed > kWalking && squared > 1e-6f)) return direction;
  const float inverse = 1.0f / std::sqrt(squared);
  return {turned.x * inverse, turned.y * inverse};
}

/// The velocity of the step. `direction` was chosen and can be walked at `speed`, `turned` at `turned_speed`.
/// `touching`: those of whom the gap is less than kStepBack.
Vec2 velocityFor(const Coefficients& c, const Walker& w, std::span<const Body> touching, const WallsNear& walls,
                 Vec2 direction, float speed, Vec2 turned, float turned_speed, float blocked);

}  // namespace throng::steering::time_gap
