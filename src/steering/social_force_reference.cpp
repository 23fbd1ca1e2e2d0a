// The slow twin of the social force kernel.
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
    addWalls(c, input.floors[crowd.layer[row]].walls, crowd, row, found, sums);
    finish(c, crowd, row, sums, out);
  }
}

}  // namespace throng::steering
