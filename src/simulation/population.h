// Who appears, when and where: people drawn from their profile, placed at the start or when their time has come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/scene.h"

#include "base/random.h"

namespace throng::simulation {

/// A value of the distribution that is at least `least`; draws again, and at last clamps, when it is not.
double draw(const Distribution& distribution, base::Random& random, double least);

/// Nobody is thinner (m) or slower (m/s) than this, whatever the distribution says.
inline constexpr double kLeastRadius = 0.05;
inline constexpr double kLeastSpeed = 0.05;

/// One population's progress.
struct Source {
  base::Random random;
  std::uint64_t appeared = 0;  ///< through rate and schedule

  /// How many should have appeared through rate and schedule by `time`.
  static std::uint64_t due(const Population& population, double time);
  /// How many will appear in all; nothing for a rate without limit.
  static std::optional<std::uint64_t> total(const Population& population);
};

}  // namespace throng::simulation
