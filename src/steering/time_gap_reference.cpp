// The slow twin of the kernel of the model `throng`.
#include "steering/time_gap.h"
#include "steering/time_gap_terms.h"

namespace throng::steering {

void steerThrongReference(const StepInput& input, std::span<const float> parameters,
                          std::span<const std::uint32_t> slots, VelocityOutput out) {
  using namespace time_gap;
  const Coefficients c(parameters, input.dt);
  const agents::Crowd& crowd = input.crowd;
  const agents::NeighbourIndex& index = input.neighbours;
  std::vector<Other> others;
  std::vector<Body> touching;
  WallsNear walls;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t row = index.row()[slot];
    const Walker w = walkerOf(crowd, row);
    const std::uint16_t zone = index.zone(crowd, row);
    // As far as it takes to see enough people.
    float reach = 0;
    for (std::size_t k = 0; k < c.reaches; ++k) {
      reach = std::min(kReach[k], c.view);
      std::uint32_t seen = 0;
      for (std::uint32_t other = index.zoneBegin(zone); other < index.zoneEnd(zone); ++other) {
        if (index.row()[other] == row) continue;
        const Vec2 to{index.x()[other] - index.x()[slot], index.y()[other] - index.y()[slot]};
        const float squared = to.x * to.x + to.y * to.y;
        seen += squared < reach * reach && isAhead(w, to, squared) ? 1 : 0;
      }
      if (seen >= kEnough) break;
    }
    others.clear();
    Opposing opposing;
    for (std::uint32_t other = index.zoneBegin(zone); other < index.zoneEnd(zone); ++other) {
      const std::uint32_t other_row = index.row()[other];
      if (other_row == row) continue;
      const Vec2 to{index.x()[other] - index.x()[slot], index.y()[other] - index.y()[slot]};
      const float squared = to.x * to.x + to.y * to.y;
      if (!(squared < reach * reach && isAhead(w, to, squared))) continue;
      const Vec2 wanted = wantedDirection(crowd, other_row);
      others.push_back(otherOf(w, to, {index.vx()[other], index.vy()[other]}, index.radius()[other], wanted,
                               crowd.person[other_row]));
      if (passes(input, row, other_row)) others.back().against = others.back().gravity = others.back().crossing = 0;
      opposing.add(others.back());
    }
    walls.look(input.floors[crowd.layer[row]].walls, w.place, w.radius);
    walls.addLine(input, row);

    Vec2 best{0, 0};
    float best_speed = 0, least = 0;
    if (w.wanted_speed > kStanding) {
      const float side = sideCost(c, opposing), detour = detourCost(opposing);
      for (std::size_t k = 0; k < kDirections; ++k) {
        const Vec2 u = k == kHeading ? w.heading : fan(c, w, k);
        const float cosine = k == kHeading ? u.x * w.wanted.x + u.y * w.wanted.y : c.cosine[k];
        const float left = w.wanted.x * u.y - w.wanted.y * u.x;
        float speed = std::min(w.wanted_speed, walls.way(u.x, u.y) / kWallTime);
        for (const Other& o : others) speed = speedFor(c, o, u.x, u.y, speed);
        float danger = 0;
        float against = 0;
        for (const Other& o : others) {
          danger = dangerOf(c, o, u.x * speed, u.y * speed, danger);
          against += againstIn(o, u.x, u.y);
        }
        const float cost = (costOfTurning(w, detour, cosine, u.x * w.heading.x + u.y * w.heading.y, left, side) +
                            costOfWay(w, cosine, speed, danger)) +
                           against * opposing.cost();
        if (k == kHeading && !(cosine >= 0)) continue;
        if (k == 0 || cost < least) least = cost, best = u, best_speed = speed;
      }
    }
    const Vec2 way = turned(c, w, best);
    float way_speed = std::min(w.wanted_speed, walls.way(way.x, way.y) / kWallTime);
    for (const Other& o : others) way_speed = speedFor(c, o, way.x, way.y, way_speed);
    touching.clear();
    for (const Other& o : others)
      if (o.gap < kStepBack) touching.push_back(o);
    const Vec2 next = velocityFor(c, w, touching, walls, best, best_speed, way, way_speed, blockedBelow(w, opposing));
    out.vx[row] = next.x;
    out.vy[row] = next.y;
  }
}

}  // namespace throng::steering
