#include "ground/slope.h"

#include <algorithm>
#include <cmath>

#include "base/narrowing.h"

namespace throng::ground {

Climb climb(const Floor& floor, Point a, Point b) {
  Climb result;
  const auto add = [&](double rise) { (rise > 0 ? result.up : result.down) += std::abs(rise); };
  if (floor.ground.empty()) {
    add(dot(floor.slope, b - a));
    return result;
  }
  constexpr double kStep = 0.1;       // m
  constexpr double kMostSteps = 1e6;  // a line that is longer than any floor
  const double steps = std::clamp(std::ceil(length(b - a) / kStep), 1.0, kMostSteps);
  double before = static_cast<double>(floor.height(narrow(a)));
  for (double i = 1; i <= steps; ++i) {
    const auto here = static_cast<double>(floor.height(narrow(a + (b - a) * (i / steps))));
    add(here - before);
    before = here;
  }
  return result;
}

}  // namespace throng::ground
