// Optimal reciprocal collision avoidance: van den Berg, Guy, Lin & Manocha, "Reciprocal n-body collision avoidance",
// ISRR 2011. Each neighbour and each wall nearby forbids a half-plane of velocities; the new velocity is the allowed
// one nearest to the preferred velocity, or, when none is allowed, the one that goes least far into what is forbidden.
#pragma once

#include <span>

#include "steering/models.h"

namespace throng::steering {

/// Places of the parameters in the table.
enum OrcaParameter { kTimeHorizon, kTimeHorizonObstacles, kNeighbourRange, kMaxNeighbours };

inline constexpr ModelParameter kOrcaParameters[] = {
    {"time_horizon", "s", 5, 0.01, 1000, "How long ahead velocities must be free of collisions with other people."},
    {"time_horizon_obstacles", "s", 2, 0.01, 1000, "How long ahead velocities must be free of collisions with walls."},
    {"neighbour_range", "m", 5, 0, 1000, "People farther away than this are not looked at."},
    {"max_neighbours", "count", 10, 0, 10000, "At most this many people, the nearest, are looked at."},
};
inline std::span<const ModelParameter> orcaParameters() { return kOrcaParameters; }

/// The distance at which neighbours are asked for.
inline float orcaRange(std::span<const float> parameters) {
  return parameters[kMaxNeighbours] < 1 ? 0.0f : parameters[kNeighbourRange];
}

/// The kernel: as many people at once as the processor's vectors have lanes. Equal, bit for bit, to
/// steerOrcaReference (steering/orca_reference.h) on every instruction set.
///
/// Where the preferred velocity is forbidden, the velocity nearest to one turned right by 0.0005 to 0.0015 radians
/// (different from person to person, always the same for one person) is taken instead: two people who meet exactly
/// head-on, or a ring of people who all cross one point, would otherwise stop in front of each other for ever. Who is
/// free to walk as they like does exactly that.
void steerOrca(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
               VelocityOutput out);

}  // namespace throng::steering
