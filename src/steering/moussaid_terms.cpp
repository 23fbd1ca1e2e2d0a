#include "steering/moussaid_terms.h"

#include <array>

#include "base/math.h"
#include "steering/moussaid.h"

namespace throng::steering {
namespace {

constexpr std::array<ModelParameter, moussaid::kParameterCount> kParameters{{
    {"relaxation_time", "s", 0.5, 0.05, 10,
     "τ: how long people take to come to the velocity they chose, and the time they keep to the obstacle ahead."},
    {"view_angle", "°", 75, 10, 180, "φ: how far people see to the left and to the right of where they face."},
    {"view_distance", "m", 10, 1, 50, "d_max: how far people see; farther collisions do not matter."},
    {"contact_stiffness", "kg/s²", 5000, 0, 1000000, "k: how hard bodies in contact are."},
    {"foot_point", "1", 0, 0, 1,
     "1: a direction is followed at most to where it comes nearest to the destination point (Jaklin 2016); 0: not."},
}};

}  // namespace

std::span<const ModelParameter> moussaidParameters() { return kParameters; }

float moussaidRange(std::span<const float> parameters) { return parameters[moussaid::kViewDistance]; }

namespace moussaid {

Coefficients::Coefficients(std::span<const float> p, float step)
    : dt(step),
      drive(step / p[kRelaxationTime]),
      inverse_tau(1.0f / p[kRelaxationTime]),
      d_max(p[kViewDistance]),
      range_squared(p[kViewDistance] * p[kViewDistance]),
      stiffness(p[kContactStiffness]),
      foot_point(p[kFootPoint] >= 0.5f) {
  const double view = double{p[kViewAngle]} * base::kPi / 180;
  double s, co;
  base::sinCos(view, s, co);
  cos_view = static_cast<float>(co);
  cosine[0] = 1, sine[0] = 0;
  for (std::size_t i = 1; i < kDirections; ++i) {
    const double share = static_cast<double>(i - 1) / static_cast<double>(kDirections - 2);
    base::sinCos(view * (2 * share - 1), s, co);
    cosine[i] = static_cast<float>(co), sine[i] = static_cast<float>(s);
  }
}

void seeWalls(const Coefficients& c, const ground::Walls& walls, Vec2 place, float radius,
              std::vector<std::uint32_t>& found, std::vector<Side>& sides, std::vector<Disc>& corners) {
  const float reach = c.d_max + radius;
  if (walls.size() == 0 || walls.grid.nothingNear(place, reach)) return;
  found.clear();
  walls.grid.query(place, reach, found);
  for (const std::uint32_t i : found) {
    const Vec2 from_a = place - walls.a[i];
    const Vec2 along = walls.direction[i];
    const float height = -det(along, from_a);
    if (height >= 0 && height < reach) {
      const float room = std::max(height - radius, 0.0f);
      sides.push_back(
          {along.y, -along.x, along.x, along.y, room, dot(from_a, along), dot(walls.b[i] - walls.a[i], along)});
    }
    if (walls.convex[i] != 0 && lengthSquared(from_a) < reach * reach) {
      corners.push_back(discOf({-from_a.x, -from_a.y}, {0, 0}, radius, 0.0f));
    }
  }
}

void walkPart(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots, float dt,
              Pushers& pushers, const Within& now, VelocityOutput next) {
  thread_local std::vector<std::uint32_t> found;
  const float drive = dt / parameters[kRelaxationTime], contact_stiffness = parameters[kContactStiffness];
  const agents::Crowd& crowd = input.crowd;
  for (std::size_t i = 0, p = 0; i < slots.size(); ++i) {
    const std::uint32_t row = input.neighbours.row()[slots[i]];
    const Vec2 velocity{now.vx[row], now.vy[row]};
    const float stiffness = contact_stiffness / (kMassPerRadius * crowd.radius[row]);
    MotionSums sums;
    for (; p < pushers.end[i]; ++p) {
      const std::uint32_t other = pushers.other[p];
      const Vec2 apart{pushers.dx[p] + (now.x[row] - now.x[other]), pushers.dy[p] + (now.y[row] - now.y[other])};
      const Vec2 relative{velocity.x - now.vx[other], velocity.y - now.vy[other]};
      touch(dt, stiffness, crowd, row, other, apart, pushers.reach[p], relative, sums);
    }
    const Vec2 place{crowd.x[row] + now.x[row], crowd.y[row] + now.y[row]};
    touchWalls(dt, contact_stiffness, crowd, input.floors[crowd.layer[row]].walls, row, place, velocity, found, sums);
    const Vec2 desired{pushers.wanted_x[i], pushers.wanted_y[i]};
    const Vec2 walked = drivenVelocity(velocity, desired, drive, sums, crowd.max_speed[row]);
    next.vx[row] = walked.x, next.vy[row] = walked.y;
  }
}

}  // namespace moussaid
}  // namespace throng::steering
