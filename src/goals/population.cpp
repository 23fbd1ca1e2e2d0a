#include "goals/population.h"

#include <algorithm>
#include <cmath>

namespace throng::goals {

std::uint64_t Source::due(const Population& population, double time) {
  std::uint64_t count = 0;
  if (population.rate > 0) {
    count = static_cast<std::uint64_t>(std::floor(population.rate * time));
    if (population.rate_limit) count = std::min<std::uint64_t>(count, *population.rate_limit);
  }
  for (const Wave& wave : population.schedule)
    if (wave.time <= time) count += wave.count;
  return count;
}

std::optional<std::uint64_t> Source::total(const Population& population) {
  if (population.rate > 0 && !population.rate_limit) return std::nullopt;
  std::uint64_t count = population.rate > 0 ? *population.rate_limit : 0;
  for (const Wave& wave : population.schedule) count += wave.count;
  return count;
}

}  // namespace throng::goals
