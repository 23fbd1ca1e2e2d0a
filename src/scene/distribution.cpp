#include "scene/distribution.h"

#include <algorithm>

namespace throng::scene {

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

}  // namespace throng::scene
