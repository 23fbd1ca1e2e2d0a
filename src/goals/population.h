// Who appears, when and where: people drawn from their profile, placed at the start or when their time has come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/scene.h"

#include "base/random.h"

namespace throng::goals {

/// One population's progress.
struct Source {
  base::Random random;
  std::uint64_t appeared = 0;  ///< through rate and schedule

  /// How many should have appeared through rate and schedule by `time`.
  static std::uint64_t due(const Population& population, double time);
  /// How many will appear in all; nothing for a rate without limit.
  static std::optional<std::uint64_t> total(const Population& population);
};

}  // namespace throng::goals
