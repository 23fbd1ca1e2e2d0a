// The slow twin of Moussaïd's kernel.
#include "steering/moussaid.h"
#include "steering/moussaid_terms.h"

namespace throng::steering {

namespace {

using namespace moussaid;

struct Seen {
  std::vector<std::uint32_t> found;
  std::vector<Disc> discs;
  std::vector<Side> sides;
};

Vec2 bestOf(const Coefficients& c, const View& view, const Seen& seen) {
  std::size_t best = 0;
  float best_cost = 0, best_free = 0;
  Vec2 direction = view.wanted;
  for (std::size_t i = 0; i < kDirections; ++i) {
    Vec2 u{view.sight.x * c.cosine[i] - view.sight.y * c.sine[i],
           view.sight.y * c.cosine[i] + view.sight.x * c.sine[i]};
    if (i == 0) u = view.wanted;
    float free = c.d_max;
    for (const Disc& disc : seen.discs) free = std::min(free, distanceTo(disc, u.x, u.y, c.d_max));
    for (const Side& side : seen.sides) free = std::min(free, distanceTo(side, u.x, u.y, c.d_max));
    const float cosine = i == 0 ? 1.0f : std::min(1.0f, u.x * view.wanted.x + u.y * view.wanted.y);
    const float left = i == 0 ? 0.0f : view.wanted.x * u.y - view.wanted.y * u.x;
    const float cost = detour(c, free, cosine, left);
    if (i == 0 || cost < best_cost) best = i, best_cost = cost, best_free = free, direction = u;
  }
  return desiredVelocity(c, view, best, direction, best_free);
}

Vec2 decide(const StepInput& input, const Coefficients& c, std::uint32_t slot, Seen& seen, MotionSums& sums,
            Pushers* pushers) {
  const agents::NeighbourIndex& index = input.neighbours;
  const std::uint32_t row = index.row()[slot];
  View view = viewOf(c, input.crowd, row);
  seen.discs.clear(), seen.sides.clear();
  const std::uint16_t zone = index.zone(input.crowd, row);
  for (std::uint32_t other = index.zoneBegin(zone); other < index.zoneEnd(zone); ++other) {
    if (index.row()[other] == row) continue;
    const Vec2 place{index.x()[other] - index.x()[slot], index.y()[other] - index.y()[slot]};
    const float squared = place.x * place.x + place.y * place.y;
    const float reach = index.radius()[slot] + index.radius()[other];
    if (!(squared < c.range_squared)) continue;
    if (pushers) addPusher(c, index, slot, other, *pushers);
    touchPerson(c, input.crowd, index, slot, other, sums);
    const float ahead = place.x * view.sight.x + place.y * view.sight.y;
    if (!(ahead >= c.cos_view * std::sqrt(squared))) continue;
    seen.discs.push_back(discOf(place, {index.vx()[other], index.vy()[other]}, reach, view.inverse_speed));
  }
  touches(view, sums);
  if (!(view.speed > 0)) return {0, 0};
  seeWalls(c, input.floors[input.crowd.layer[row]].walls, {index.x()[slot], index.y()[slot]}, index.radius()[slot],
           seen.found, seen.sides, seen.discs);
  return bestOf(c, view, seen);
}

}  // namespace

void steerMoussaidReference(const StepInput& input, std::span<const float> parameters,
                            std::span<const std::uint32_t> slots, VelocityOutput out) {
  const Coefficients c(parameters, input.dt);
  const agents::Crowd& crowd = input.crowd;
  Seen seen;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = input.neighbours.row()[slot];
    MotionSums sums;
    const Vec2 desired = decide(input, c, slot, seen, sums, nullptr);
    const Vec2 velocity{crowd.vx[row], crowd.vy[row]};
    touchWalls(c.dt, c.stiffness, crowd, input.floors[crowd.layer[row]].walls, row, {crowd.x[row], crowd.y[row]},
               velocity, seen.found, sums);
    const Vec2 next = drivenVelocity(velocity, desired, c.drive, sums, crowd.max_speed[row]);
    out.vx[row] = next.x;
    out.vy[row] = next.y;
  }
}

const Parts& moussaidPartsReference() {
  static const Parts parts{kLongestPart,
                           [](const StepInput& input, std::span<const float> parameters,
                              std::span<const std::uint32_t> slots, Pushers& pushers) {
                             const Coefficients c(parameters, input.dt);
                             Seen seen;
                             for (const std::uint32_t slot : slots) {
                               MotionSums sums;
                               const Vec2 desired = decide(input, c, slot, seen, sums, &pushers);
                               pushers.wanted_x.push_back(desired.x), pushers.wanted_y.push_back(desired.y);
                               pushers.end.push_back(static_cast<std::uint32_t>(pushers.count));
                             }
                           },
                           walkPart};
  return parts;
}

}  // namespace throng::steering
