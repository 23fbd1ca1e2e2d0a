// The slow twin of the social force kernel.
#include <algorithm>

#include "steering/parts.h"
#include "steering/social_force.h"
#include "steering/social_force_terms.h"

namespace throng::steering {

void steerSocialForceReference(const StepInput& input, std::span<const float> parameters,
                               std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace social_force;
  const Coefficients c(parameters, input.dt);
  const agents::Crowd& crowd = input.crowd;
  const agents::NeighbourIndex& index = input.neighbours;
  std::vector<std::uint32_t> found;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = index.row()[slot];
    const Vec2 face = facing(crowd, row);
    Sums sums;
    const std::uint16_t zone = index.zone(crowd, row);
    for (std::uint32_t other = index.zoneBegin(zone); other < index.zoneEnd(zone); ++other) {
      const std::uint32_t other_row = index.row()[other];
      if (other_row == row) continue;
      float dx = index.x()[slot] - index.x()[other];
      float dy = index.y()[slot] - index.y()[other];
      const float squared = dx * dx + dy * dy;
      if (!(squared < c.range_squared)) continue;
      if (squared < kCoincidentSquared) {
        const Vec2 apart = partingDirection(crowd.person[row], crowd.person[other_row]);
        dx = apart.x * 1e-6f;
        dy = apart.y * 1e-6f;
      }
      const float ux = index.vx()[slot] - index.vx()[other];
      const float uy = index.vy()[slot] - index.vy()[other];
      const float reach = index.radius()[slot] + index.radius()[other];
      const float distance = std::sqrt(dx * dx + dy * dy);
      const float inverse = 1.0f / distance;
      const float ahead = -(dx * face.x + dy * face.y);
      const float weight = c.lambda + c.half_rest * (1.0f + ahead * inverse);
      addPush(c, dx * inverse, dy * inverse, reach - distance, ux, uy, weight, 2.0f, sums);
    }
    const Vec2 velocity{crowd.vx[row], crowd.vy[row]};
    addWalls(c, input.floors[crowd.layer[row]].walls, crowd, row, {crowd.x[row], crowd.y[row]}, velocity, found, sums);
    finish(c, crowd, row, velocity, sums, out);
  }
}

const Parts& socialForcePartsReference() {
  using namespace social_force;
  static const Parts parts{
      kLongestPart,
      [](const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
         Pushers& pushers) {
        const Coefficients c(parameters, input.dt);
        const agents::NeighbourIndex& index = input.neighbours;
        for (const std::uint32_t slot : slots) {
          const std::uint32_t row = index.row()[slot];
          const std::uint16_t zone = index.zone(input.crowd, row);
          const Vec2 face = facing(input.crowd, row);
          pushers.wanted_x.push_back(face.x), pushers.wanted_y.push_back(face.y);
          for (std::uint32_t other = index.zoneBegin(zone); other < index.zoneEnd(zone); ++other) {
            const float dx = index.x()[slot] - index.x()[other], dy = index.y()[slot] - index.y()[other];
            const float reach = index.radius()[slot] + index.radius()[other];
            const float near = std::min(reach + reachWithin(c.gap, c.dt), c.range);
            if (index.row()[other] != row && dx * dx + dy * dy < near * near)
              pushers.add(dx, dy, reach, row, index.row()[other]);
          }
          pushers.end.push_back(static_cast<std::uint32_t>(pushers.count));
        }
      },
      [](const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots, float dt,
         Pushers& pushers, const Within& now, VelocityOutput next) {
        const Coefficients c(parameters, dt);
        std::vector<std::uint32_t> found;
        for (std::size_t i = 0, p = 0; i < slots.size(); ++i) {
          const std::uint32_t row = input.neighbours.row()[slots[i]];
          Sums sums;
          for (; p < pushers.end[i]; ++p) {
            const std::uint32_t other = pushers.other[p];
            float dx = pushers.dx[p] + (now.x[row] - now.x[other]);
            float dy = pushers.dy[p] + (now.y[row] - now.y[other]);
            if (dx * dx + dy * dy < kCoincidentSquared) part(input.crowd, row, other, dx, dy);
            const float distance = std::sqrt(dx * dx + dy * dy), inverse = 1.0f / distance;
            const float ahead = -(dx * pushers.wanted_x[i] + dy * pushers.wanted_y[i]);
            const float weight = c.lambda + c.half_rest * (1.0f + ahead * inverse);
            addPush(c, dx * inverse, dy * inverse, pushers.reach[p] - distance, now.vx[row] - now.vx[other],
                    now.vy[row] - now.vy[other], weight, 2.0f, sums);
          }
          finishPart(input, c, row, now, found, sums, next);
        }
      }};
  return parts;
}

}  // namespace throng::steering
