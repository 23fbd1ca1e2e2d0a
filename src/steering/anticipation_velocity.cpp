// The anticipation velocity model (Xu, Chraibi & Seyfried 2021). With e0 where somebody wants to go, e where they go,
// n the unit vector from another to them, l the sum of the radii:
//
//   sa  = max(l, -n · (x_j - x_i + (v_j - v_i) ta))     how far the other will be in the anticipation time ta
//   R_j = k (1 + (1 - e0·e_j)/2) exp((l - sa)/D)         along ±e0⊥, away from the side on which x_j + v_j ta will be
//   ed  = normalised(e0 + Σ R_j)                         over those ahead of e or of e0
//   de/dt = (ed - e)/τ;   e = ed where the two oppose each other along e0; solved exactly over a step
//   v   = e min(v0, max(0, (s - l)/T))                   s as in the collision-free speed model
//
// Who will be straight ahead is passed on a side drawn from both people's numbers, the same for both. Near walls people
// go along them. e is kept of everybody; it begins as the heading.
#include "steering/anticipation_velocity.h"

#include <algorithm>
#include <array>

#include "base/random.h"
#include "steering/neighbour_law.h"
#include "steering/wall_points.h"

namespace throng::steering {
namespace {

enum Parameter { kStrength, kRange, kTimeGap, kAnticipation, kReaction, kWallBuffer, kNeighbourRange, kParameterCount };

constexpr std::array<ModelParameter, kParameterCount> kParameters{{
    {"repulsion_strength", "1", 3, 0, 100, "k: how strongly others turn people away from where they want to go."},
    {"repulsion_range", "m", 0.1, 0.01, 10, "D: the distance in which that fades to 37 %."},
    {"time_gap", "s", 1.06, 0.05, 10, "T: the time until who is ahead would be reached."},
    {"anticipation_time", "s", 1, 0, 10, "ta: how long ahead the others' places are foreseen."},
    {"reaction_time", "s", 0.3, 0.01, 10, "τ: how long people take to turn."},
    {"wall_buffer", "m", 0.1, 0, 5, "Nearer than this to a wall people go along it."},
    {"neighbour_range", "m", 3, 0.1, 100, "People farther away than this are not looked at."},
}};

struct Law {
  Law(std::span<const float> p, float step)
      : strength(p[kStrength]),
        inverse_range(1.0f / p[kRange]),
        inverse_gap(1.0f / p[kTimeGap]),
        anticipation(p[kAnticipation]),
        turning(1.0f - social_force::exponential(std::max(social_force::kMinExponent, -step / p[kReaction]))),
        buffer(p[kWallBuffer]),
        range(p[kNeighbourRange]) {}

  /// Left of the way to the goal (1), right (-1); the same for both, or they would be in each other's way again.
  static float sideOf(const StepInput& input, std::uint32_t row, std::uint32_t other) {
    const auto [low, high] = std::minmax(input.crowd.person[row], input.crowd.person[other]);
    return (base::mix(std::uint64_t{low} << 32 | high) & 1) != 0 ? 1.0f : -1.0f;
  }

  /// The direction that somebody would like best now.
  Vec2 desired(const StepInput& input, const Walker& walker, Vec2 e, std::span<const Other> others) const {
    float aside = 0;  // along the normal to the left of e0
    for (const Other& other : others) {
      if (dot(e, other.apart) < 0 && dot(walker.wanted, other.apart) < 0) continue;
      const float distance = length(other.apart);
      const Vec2 n = awayFrom(input.crowd, walker, other, distance);
      const float reach = walker.radius + other.radius;
      const Vec2 then = other.apart + (other.velocity - walker.velocity) * anticipation;
      const float foreseen = std::max(reach, -dot(n, then));
      const Vec2 theirs = headingOf(input.crowd, other.row, other.velocity);
      const float meeting = 1.0f + 0.5f * (1.0f - dot(walker.wanted, theirs));
      const float exponent = std::max(social_force::kMinExponent, (reach - foreseen) * inverse_range);
      const float size = strength * meeting * social_force::exponential(exponent);
      const float lies = det(walker.wanted, other.apart + other.velocity * anticipation);
      constexpr float kInLine = 1e-5f;  // m
      aside += std::abs(lies) < kInLine ? size * sideOf(input, walker.row, other.row) : lies > 0 ? -size : size;
    }
    const Vec2 sum{walker.wanted.x - aside * walker.wanted.y, walker.wanted.y + aside * walker.wanted.x};
    return sum / length(sum);
  }

  /// What is left of a direction beside walls.
  Vec2 alongWalls(const StepInput& input, const Walker& walker, Vec2 e, std::vector<std::uint32_t>& scratch) const {
    const ground::Walls& walls = input.floors[input.crowd.layer[walker.row]].walls;
    Vec2 along = e;
    forEachWallPoint(walls, walker.place, walker.radius + buffer, scratch, [&](Vec2 n, float) {
      const float into = dot(along, n);
      if (into < 0) along = along - n * into;
    });
    const float size = length(along);
    return size > 1e-3f ? along / size : e;
  }

  Vec2 turned(const StepInput& input, const Walker& walker, Vec2 e, std::span<const Other> others,
              std::vector<std::uint32_t>& scratch) const {
    const Vec2 ed = desired(input, walker, e, others);
    if (dot(e, walker.wanted) * dot(ed, walker.wanted) < 0) {
      e = ed;
    } else {
      const Vec2 sum = e + (ed - e) * turning;
      const float size = length(sum);
      e = size > 1e-6f ? sum / size : ed;
    }
    return alongWalls(input, walker, e, scratch);
  }

  float speed(const Walker& walker, Vec2 e, std::span<const Other> others) const {
    float gap = walker.free_speed / inverse_gap;
    for (const Other& other : others) {
      const float reach = walker.radius + other.radius;
      if (dot(e, other.apart) < 0 || std::abs(det(e, other.apart)) > reach) continue;
      gap = std::min(gap, length(other.apart) - reach);
    }
    return std::clamp(gap * inverse_gap, 0.0f, walker.free_speed);
  }

  float strength, inverse_range, inverse_gap, anticipation, turning, buffer, range;
};

template <class ForEach>
void steer(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
           VelocityOutput out, const ForEach& for_each_near) {
  static thread_local std::vector<Other> others;
  static thread_local std::vector<std::uint32_t> scratch;
  const Law law(parameters, input.dt);
  const agents::NeighbourIndex& index = input.neighbours;
  for (const std::uint32_t slot : slots) {
    const Walker walker =
        walkerAt(input, slot, {index.x()[slot], index.y()[slot]}, {index.vx()[slot], index.vy()[slot]});
    const std::uint32_t row = walker.row;
    Vec2 e{input.memory_x[row], input.memory_y[row]};
    if (lengthSquared(e) < 0.5f) e = walker.free_speed > 0 ? walker.wanted : walker.heading;
    Vec2 next{};
    if (walker.free_speed > 0) {
      others.clear();
      for_each_near(index, input.crowd, slot, law.range, [&](std::uint32_t other) {
        others.push_back({{index.x()[other] - walker.place.x, index.y()[other] - walker.place.y},
                          {index.vx()[other], index.vy()[other]},
                          index.radius()[other],
                          index.row()[other]});
      });
      e = law.turned(input, walker, e, others, scratch);
      // Who goes straight on and is free to does so exactly.
      const float speed = law.speed(walker, e, others);
      next = e == walker.wanted && speed == walker.free_speed ? walker.preferred : e * speed;
      next = atMost(next, walker.max_speed);
    }
    out.vx[row] = next.x, out.vy[row] = next.y;
    if (out.memory_x) out.memory_x[row] = e.x, out.memory_y[row] = e.y;
  }
}

}  // namespace

std::span<const ModelParameter> anticipationVelocityParameters() { return kParameters; }

float anticipationVelocityRange(std::span<const float> parameters) { return parameters[kNeighbourRange]; }

void steerAnticipationVelocity(const StepInput& input, std::span<const float> parameters,
                               std::span<const std::uint32_t> slots, VelocityOutput out) {
  steer(input, parameters, slots, out, kByGrid);
}

void steerAnticipationVelocityReference(const StepInput& input, std::span<const float> parameters,
                                        std::span<const std::uint32_t> slots, VelocityOutput out) {
  steer(input, parameters, slots, out, kOneByOne);
}

}  // namespace throng::steering
