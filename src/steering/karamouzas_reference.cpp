// The slow twin of the kernel of Karamouzas et al.
#include "steering/karamouzas.h"
#include "steering/karamouzas_terms.h"

namespace throng::steering {

void steerKaramouzasReference(const StepInput& input, std::span<const float> parameters,
                              std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace karamouzas;
  const Coefficients c(parameters, input.dt);
  const agents::NeighbourIndex& index = input.neighbours;
  std::vector<std::uint32_t> found;
  Others others;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = index.row()[slot];
    MotionSums sums;
    const Walker walker = walkerOf(c, input, slot, found, sums);
    others.inside.clear(), others.first.clear();
    const std::uint16_t zone = index.zone(input.crowd, row);
    for (std::uint32_t other = index.zoneBegin(zone); other < index.zoneEnd(zone); ++other) {
      if (index.row()[other] == row) continue;
      const Vec2 apart{index.x()[other] - walker.place.x, index.y()[other] - walker.place.y};
      const float squared = apart.x * apart.x + apart.y * apart.y;
      if (!(squared < c.range_squared)) continue;
      const float bodies = walker.radius + index.radius()[other];
      const float ahead = apart.x * walker.sight.x + apart.y * walker.sight.y;
      if (!(ahead >= c.cos_view * std::sqrt(squared)) && !(squared < bodies * bodies)) continue;
      const Vec2 relative{walker.expected.x - index.vx()[other], walker.expected.y - index.vy()[other]};
      const float time = timeToCollision(apart, relative, walker.space + index.radius()[other], kNever);
      if (time == 0) {
        others.inside.push_back(other);
      } else if (time <= c.anticipation) {
        others.first.push_back({time, other});
      }
    }
    std::sort(others.first.begin(), others.first.end());
    if (others.first.size() > c.max_collisions) others.first.resize(c.max_collisions);
    const Vec2 next = evade(c, input, slot, walker, others, sums);
    out.vx[row] = next.x;
    out.vy[row] = next.y;
  }
}

}  // namespace throng::steering
