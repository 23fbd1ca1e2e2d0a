// The slow twin of Moussaïd's kernel.
#include "steering/moussaid.h"
#include "steering/moussaid_terms.h"

namespace throng::steering {

void steerMoussaidReference(const StepInput& input, std::span<const float> parameters,
                            std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace moussaid;
  const Coefficients c(parameters, input.dt);
  const agents::Crowd& crowd = input.crowd;
  const agents::NeighbourIndex& index = input.neighbours;
  std::vector<std::uint32_t> found;
  std::vector<Disc> discs;
  std::vector<Side> sides;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = index.row()[slot];
    View view = viewOf(c, crowd, row);
    const ground::Walls& walls = input.floors[crowd.layer[row]].walls;
    discs.clear(), sides.clear();
    MotionSums sums;
    const std::uint16_t zone = index.zone(crowd, row);
    for (std::uint32_t other = index.zoneBegin(zone); other < index.zoneEnd(zone); ++other) {
      if (index.row()[other] == row) continue;
      const Vec2 place{index.x()[other] - index.x()[slot], index.y()[other] - index.y()[slot]};
      const float squared = place.x * place.x + place.y * place.y;
      const float reach = index.radius()[slot] + index.radius()[other];
      if (!(squared < c.range_squared)) continue;
      if (squared < reach * reach) touchPerson(c, crowd, index, slot, other, sums);
      const float ahead = place.x * view.sight.x + place.y * view.sight.y;
      if (!(ahead >= c.cos_view * std::sqrt(squared))) continue;
      discs.push_back(discOf(place, {index.vx()[other], index.vy()[other]}, reach, view.inverse_speed));
    }
    touches(view, sums);
    touchWalls(c, crowd, walls, row, found, sums);

    Vec2 desired{0, 0};
    if (view.speed > 0) {
      seeWalls(c, walls, {index.x()[slot], index.y()[slot]}, index.radius()[slot], found, sides, discs);
      std::size_t best = 0;
      float best_cost = 0, best_free = 0;
      Vec2 direction = view.wanted;
      for (std::size_t i = 0; i < kDirections; ++i) {
        Vec2 u{view.sight.x * c.cosine[i] - view.sight.y * c.sine[i],
               view.sight.y * c.cosine[i] + view.sight.x * c.sine[i]};
        if (i == 0) u = view.wanted;
        float free = c.d_max;
        for (const Disc& disc : discs) free = std::min(free, distanceTo(disc, u.x, u.y, c.d_max));
        for (const Side& side : sides) free = std::min(free, distanceTo(side, u.x, u.y, c.d_max));
        const float cosine = i == 0 ? 1.0f : std::min(1.0f, u.x * view.wanted.x + u.y * view.wanted.y);
        const float left = i == 0 ? 0.0f : view.wanted.x * u.y - view.wanted.y * u.x;
        const float cost = detour(c, free, cosine, left);
        if (i == 0 || cost < best_cost) best = i, best_cost = cost, best_free = free, direction = u;
      }
      desired = desiredVelocity(c, view, best, direction, best_free);
    }
    const Vec2 next = drivenVelocity({crowd.vx[row], crowd.vy[row]}, desired, c.drive, sums, crowd.max_speed[row]);
    out.vx[row] = next.x;
    out.vy[row] = next.y;
  }
}

}  // namespace throng::steering
