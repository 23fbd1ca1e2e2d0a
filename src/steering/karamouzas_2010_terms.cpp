#include "steering/karamouzas_2010_terms.h"

#include <array>

#include "base/math.h"
#include "steering/karamouzas_2010.h"
#include "steering/people_near.h"

namespace throng::steering {
namespace {

constexpr std::array<ModelParameter, karamouzas_2010::kParameterCount> kParameters{{
    {"personal_space", "m", 0.5, 0, 5, "ρ: radius of the disc around oneself that others are kept out of."},
    {"view_angle", "°", 100, 10, 180, "How far people see to the left and to the right of where they want to go."},
    {"neighbour_range", "m", 10, 0.1, 100, "People and walls farther away than this are not looked at."},
    {"max_time", "s", 8, 0.1, 60, "Collisions later than this do not matter."},
    {"mid_time", "s", 6, 0.1, 60, "Before a collision this soon people turn by up to mid_angle."},
    {"min_time", "s", 2.5, 0.1, 60, "Before a collision sooner than this people turn more, and may stop."},
    {"contact_time", "s", 0.5, 0.01, 60,
     "Walls and bodies that would be touched sooner than this are avoided at nearly any price."},
    {"mid_angle", "°", 30, 0, 180,
     "How far people turn from where they want to go, at most, between mid_time and min_time."},
    {"max_angle", "°", 90, 0, 180, "And before an immediate collision."},
    {"turning_cost", "1", 5, 0, 1000, "α: what a velocity costs that leads elsewhere than to the goal."},
    {"speed_cost", "1", 0.5, 0, 1000, "β: what it costs to change the speed."},
    {"detour_cost", "1", 1, 0, 1000, "γ: what a velocity costs that is not the preferred one."},
    {"collision_cost", "1", 1, 0, 1000, "δ: what a velocity costs that leads to a collision."},
}};

}  // namespace

std::span<const ModelParameter> karamouzas2010Parameters() { return kParameters; }

float karamouzas2010Range(std::span<const float> parameters) { return parameters[karamouzas_2010::kNeighbourRange]; }

namespace karamouzas_2010 {

Coefficients::Coefficients(std::span<const float> p)
    : personal_space(p[kPersonalSpace]),
      range(p[kNeighbourRange]),
      t_max(p[kMaxTime]),
      t_mid(std::min(p[kMidTime], 0.999f * t_max)),
      t_min(std::min(p[kMinTime], t_mid)),
      t_contact(std::min(p[kContactTime], t_max)),
      inverse_t_contact(1.0f / t_contact),
      angle_mid(p[kMidAngle] * static_cast<float>(base::kPi / 180)),
      angle_max(std::max(angle_mid, p[kMaxAngle] * static_cast<float>(base::kPi / 180))),
      turning(p[kTurningCost]),
      speed(p[kSpeedCost]),
      detour(p[kDetourCost]),
      collision(p[kCollisionCost]),
      inverse_t_max(1.0f / t_max) {
  double sine, cosine;
  base::sinCos(double{p[kViewAngle]} * base::kPi / 180, sine, cosine);
  cos_view = static_cast<float>(cosine);
}

bool walkerOf(const Coefficients& c, const StepInput& input, std::uint32_t slot, Walker& walker) {
  const agents::NeighbourIndex& index = input.neighbours;
  const agents::Crowd& crowd = input.crowd;
  const std::uint32_t row = index.row()[slot];
  walker.preferred = {crowd.preferred_vx[row], crowd.preferred_vy[row]};
  walker.preferred_speed = length(walker.preferred);
  if (!(walker.preferred_speed > kStanding)) return false;
  walker.wanted = walker.preferred / walker.preferred_speed;
  walker.max_speed = crowd.max_speed[row];
  if (walker.preferred_speed > walker.max_speed) {
    walker.preferred = walker.wanted * walker.max_speed;
    walker.preferred_speed = walker.max_speed;
  }
  walker.place = {index.x()[slot], index.y()[slot]};
  walker.velocity = {index.vx()[slot], index.vy()[slot]};
  walker.radius = index.radius()[slot];
  walker.space = std::max(c.personal_space, walker.radius);
  return true;
}

void seeWalls(const Coefficients& c, const ground::Walls& walls, const Walker& walker,
              std::vector<std::uint32_t>& found, Obstacles& obstacles) {
  const float reach = std::min(c.range, walker.max_speed * c.t_contact) + walker.radius;
  if (walls.size() == 0 || walls.grid.nothingNear(walker.place, reach)) return;
  found.clear();
  walls.grid.query(walker.place, reach, found);
  for (const std::uint32_t i : found) {
    const Vec2 from_a = walker.place - walls.a[i], along = walls.direction[i];
    const float height = -det(along, from_a);
    if (height >= 0 && height < reach)
      obstacles.sides.push_back({along.y, -along.x, along.x, along.y, std::max(0.0f, height - walker.radius),
                                 dot(from_a, along), dot(walls.b[i] - walls.a[i], along)});
    const float squared = lengthSquared(from_a);
    if (walls.convex[i] != 0 && squared < reach * reach)
      obstacles.bodies.push_back({-from_a.x, -from_a.y, 0, 0, std::max(0.0f, squared - walker.radius * walker.radius)});
  }
}

/// kCount speeds from `low` to `high`, from the one nearest to the preferred one on; of two as near, the slower. Of
/// velocities that cost the same the first is taken, and standing and walking on can cost the same.
template <std::size_t kCount>
static std::array<float, kCount> nearestFirst(float low, float high, float preferred) {
  constexpr float kAlike = 1e-5f;  // m/s
  const float step = (high - low) / static_cast<float>(kCount - 1);
  const auto at = [&](std::size_t i) { return low + step * static_cast<float>(i); };
  std::size_t up = 0;
  while (up < kCount && at(up) <= preferred + kAlike) ++up;
  std::size_t down = up;  // those below it are slower
  std::array<float, kCount> speeds;
  for (float& speed : speeds) {
    const bool slower = down > 0 && (up == kCount || preferred - at(down - 1) <= at(up) - preferred + kAlike);
    speed = slower ? at(--down) : at(up++);
  }
  return speeds;
}

void propose(const Coefficients& c, const Walker& walker, float time, Candidates& candidates) {
  float widest = c.angle_mid, low = 0;
  if (time < c.t_min) {
    const float near = 1.0f - time / c.t_min;
    widest = c.angle_mid + near * near * (c.angle_max - c.angle_mid);
  } else {
    if (time >= c.t_mid) widest = c.angle_mid * ((c.t_max - time) / (c.t_max - c.t_mid));
    low = std::max(0.0f, 2.0f * walker.preferred_speed - walker.max_speed);
  }
  const float inverse_max = 1.0f / walker.max_speed;
  const float now = length(walker.velocity);
  std::size_t i = 0;
  const auto add = [&](Vec2 u, float speed, float cosine) {
    const Vec2 off = u - walker.preferred;
    candidates.ux[i] = u.x, candidates.uy[i] = u.y;
    candidates.cost[i] = c.turning * (0.5f * (1.0f - cosine)) + c.speed * (std::abs(speed - now) * inverse_max) +
                         c.detour * (0.5f * length(off) * inverse_max);
    candidates.time[i] = candidates.contact[i] = kNever, ++i;
  };
  add(walker.preferred, walker.preferred_speed, 1);
  for (const float speed : nearestFirst<kSpeedsStraightOn>(low, walker.max_speed, walker.preferred_speed))
    add(walker.wanted * speed, speed, 1);
  // Then to the right and to the left, wider and wider: of two that cost the same the right one is taken.
  const auto speeds = nearestFirst<kSpeeds>(low, walker.max_speed, walker.preferred_speed);
  for (std::size_t k = 1; k < kDirections; ++k) {
    const auto turns = static_cast<double>((k + 1) / 2) / static_cast<double>(kDirections / 2);
    double sine, cosine;
    base::sinCos(double{widest} * turns, sine, cosine);
    const auto co = static_cast<float>(cosine);
    const auto si = static_cast<float>(k % 2 == 1 ? -sine : sine);
    const Vec2 direction{walker.wanted.x * co - walker.wanted.y * si, walker.wanted.y * co + walker.wanted.x * si};
    for (const float speed : speeds) add(direction * speed, speed, co);
  }
  while (i < kCandidates) add(walker.preferred, walker.preferred_speed, 1);
}

}  // namespace karamouzas_2010

void steerKaramouzas2010Reference(const StepInput& input, std::span<const float> parameters,
                                  std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace karamouzas_2010;
  const Coefficients c(parameters);
  const agents::NeighbourIndex& index = input.neighbours;
  std::vector<std::uint32_t> found;
  Obstacles obstacles;
  Candidates candidates;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = index.row()[slot];
    Walker walker;
    out.vx[row] = out.vy[row] = 0;
    if (!walkerOf(c, input, slot, walker)) continue;
    obstacles.clear();
    forEachPersonNearSlowly(index, input.crowd, slot, c.range, [&](std::uint32_t other) {
      const Vec2 apart{index.x()[other] - walker.place.x, index.y()[other] - walker.place.y};
      const Vec2 velocity{index.vx()[other], index.vy()[other]};
      note(c, walker, apart, velocity, index.radius()[other], obstacles);
    });
    seeWalls(c, input.floors[input.crowd.layer[row]].walls, walker, found, obstacles);
    Vec2 next = walker.preferred;
    const float time = firstCollision(c, walker, obstacles);
    if (time < c.t_max) {
      propose(c, walker, time, candidates);
      for (std::size_t i = 0; i < kCandidates; ++i) {
        candidates.time[i] = obstacles.timeTo(candidates.ux[i], candidates.uy[i]);
        candidates.contact[i] = obstacles.contactAt(candidates.ux[i], candidates.uy[i]);
      }
      next = cheapest(c, candidates);
    }
    out.vx[row] = next.x, out.vy[row] = next.y;
  }
}

}  // namespace throng::steering
