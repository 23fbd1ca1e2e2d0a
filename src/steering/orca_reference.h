// ORCA for one person at a time, plainly: the twin that the vector kernel (steering/orca.h) must equal bit for bit.
#pragma once

#include <span>
#include <vector>

#include "steering/models.h"
#include "steering/orca_lines.h"

namespace throng::steering {

/// A person as their neighbours see them.
struct OrcaDisc {
  Vec2 position, velocity;
  float radius = 0;
};

/// The line that `self` owes to `other`. `horizon` and `dt` in seconds; `self_first` decides, for two people at the
/// same place with the same velocity, who gives way to which side.
OrcaLine orcaAgentLine(const OrcaDisc& self, const OrcaDisc& other, float horizon, float dt, bool self_first);

struct OrcaSolution {
  Vec2 velocity;
  bool feasible;
};

/// The velocity no faster than `max_speed` and left of all lines that is nearest to `preferred`. When there is none:
/// the one that is least far right of the lines after the first `walls`, and left of those; when not even these can be
/// kept, least far right of all of them.
OrcaSolution orcaVelocity(std::span<const OrcaLine> lines, std::size_t walls, float max_speed, Vec2 preferred,
                          float turn);

/// Same signature and same results as steerOrca.
void steerOrcaReference(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
                        VelocityOutput out);

}  // namespace throng::steering
