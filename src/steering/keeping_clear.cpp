#include "steering/keeping_clear.h"

#include <algorithm>
#include <vector>

#include "steering/orca_reference.h"

namespace throng::steering {
namespace {

/// Reciprocal avoidance is with this many people within so many metres.
constexpr std::size_t kMostNear = 10;
constexpr float kNearRange = 3;
/// m: others count as this much wider, so that small errors do not make people overlap, but no wider than that share of
/// the gap: who is near and not touching is not to be pushed away.
constexpr float kSkin = 0.02f, kSkinShare = 0.8f;

}  // namespace

Vec2 keepingClear(const StepInput& input, std::uint32_t slot, float horizon, Vec2 wanted) {
  thread_local std::vector<agents::NeighbourIndex::Found> near;
  thread_local std::vector<OrcaLine> lines;
  thread_local OrcaWallScratch scratch;
  const agents::NeighbourIndex& index = input.neighbours;
  const agents::Crowd& crowd = input.crowd;
  const std::uint32_t row = index.row()[slot];
  const std::uint16_t layer = crowd.layer[row];
  const auto disc = [&](std::uint32_t at) {
    return OrcaDisc{{index.x()[at], index.y()[at]}, {index.vx()[at], index.vy()[at]}, index.radius()[at]};
  };
  const OrcaDisc self = disc(slot);
  lines.clear();
  if (layer < input.floors.size()) {
    orcaWallLines(input.floors[layer].walls, {self.position, self.velocity, self.radius, crowd.max_speed[row]}, horizon,
                  scratch, lines);
  }
  const std::size_t walls = lines.size();
  index.nearest(self.position, index.zone(crowd, row), kMostNear, kNearRange, slot, near);
  for (const auto& other : near) {
    OrcaDisc two = disc(other.slot);
    const float gap = length(two.position - self.position) - self.radius - two.radius;
    two.radius += std::max(0.0f, std::min(kSkin, kSkinShare * gap));
    lines.push_back(orcaAgentLine(self, two, horizon, input.dt, slot < other.slot));
  }
  return orcaVelocity(lines, walls, crowd.max_speed[row], wanted, orcaTurn(crowd.person[row])).velocity;
}

}  // namespace throng::steering
