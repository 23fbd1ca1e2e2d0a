#include "goals/population.h"

#include <algorithm>
#include <cmath>

namespace throng::goals {

double draw(const Distribution& d, base::Random& random, Limits limits) {
  constexpr int kDraws = 1000;
  const auto value = [&]() -> double {
    switch (d.kind) {
      case Distribution::Kind::kConstant:
        return d.mean;
      case Distribution::Kind::kUniform:
        return random.uniform(d.min, d.max);
      case Distribution::Kind::kNormal:
      case Distribution::Kind::kTruncatedNormal:
        return d.mean + d.deviation * random.normal();
    }
    return d.mean;
  };
  const bool truncated = d.kind == Distribution::Kind::kTruncatedNormal;
  const double low = truncated ? std::max(limits.least, d.min) : limits.least;
  const double high = truncated ? std::min(limits.most, d.max) : limits.most;
  for (int i = 0; i < kDraws; ++i) {
    const double v = value();
    if (v >= low && v <= high) return v;
    if (d.kind == Distribution::Kind::kConstant) break;
  }
  return std::max(low, std::min(d.mean, high));
}

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
