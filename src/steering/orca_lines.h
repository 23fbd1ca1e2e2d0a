// What the vector kernel and its plain twin share: the line that bounds a half-plane of allowed velocities, and the
// lines of walls.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "throng/base.h"

#include "ground/walkable_space.h"

namespace throng::steering {

/// Velocities to the left of the line are allowed. The direction is a unit vector.
struct OrcaLine {
  Vec2 point, direction;
};

/// Two lines whose directions' cross product is no larger than this count as parallel.
inline constexpr float kOrcaParallel = 1e-5f;

/// By how much a person's preferred velocity is turned right where it is forbidden (see steerOrca): the factor
/// kOrcaTurn · (1 … 2) − kOrcaTurn / 2, from the upper bits of a multiplicative hash (Knuth's) of the person's number.
inline constexpr float kOrcaTurn = 1e-3f;
inline constexpr std::uint32_t kOrcaTurnHash = 0x9e3779b1u;
inline float orcaTurn(std::uint32_t person) {
  const float one_to_two = std::bit_cast<float>(((person * kOrcaTurnHash) >> 9) | 0x3f800000u);
  return kOrcaTurn * one_to_two - 0.5f * kOrcaTurn;
}

/// Memory of orcaWallLines, kept between calls for its capacity.
struct OrcaWallScratch {
  std::vector<std::uint32_t> near;
  struct Near {
    float distance_squared;
    std::uint32_t wall;
  };
  std::vector<Near> sorted;
};

/// A person as the walls see them.
struct OrcaWalker {
  Vec2 position, velocity;
  float radius = 0, max_speed = 0;
};

/// The lines of the walls that the walker can reach within `time_horizon`, nearest wall first (ties by wall). A wall is
/// seen only from its free side. `lines` is cleared first.
void orcaWallLines(const ground::Walls& walls, const OrcaWalker& walker, float time_horizon, OrcaWallScratch& scratch,
                   std::vector<OrcaLine>& lines);

}  // namespace throng::steering
