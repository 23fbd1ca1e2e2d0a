#include <algorithm>
#include <cmath>

#include "patches/generators.h"
#include "patches/spline.h"

namespace throng::patches {

std::vector<Leg> legsOf(const std::vector<PatchWalk>& walks, double period, double dt) {
  std::vector<Leg> legs;
  for (std::uint32_t w = 0; w < walks.size(); ++w) {
    const double begin = walks[w].first;
    const double end = walks[w].first + walks[w].step * static_cast<double>(stretches(walks[w]));
    const auto first = static_cast<int>(std::floor(begin / period));
    for (int number = first; number * period < end; ++number) {
      const double lap = number * period;
      Leg leg{w, lap, std::max(begin, lap), std::min(end, lap + period), begin >= lap, end <= lap + period, {}, 0};
      leg.first_step = static_cast<std::size_t>(std::ceil((leg.begin - lap) / dt - 1e-9));
      if (static_cast<double>(leg.first_step) * dt + lap <= leg.end + 1e-9) legs.push_back(std::move(leg));
    }
  }
  return legs;
}

void enter(std::vector<Leg>& legs, const std::vector<PatchWalk>& straight, std::size_t step, double dt,
           std::vector<LegWalker>& walkers) {
  const double phase = static_cast<double>(step) * dt;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    Leg& leg = legs[i];
    const double t = leg.lap + phase;
    if (step < leg.first_step || t > leg.end + 1e-9) {
      walkers[i].there = false;
      continue;
    }
    if (step == leg.first_step) {
      const PatchState state = stateAt(straight[leg.walk], t);
      walkers[i] = {state.position, state.velocity, true};
    }
    leg.path.push_back(walkers[i].x);
  }
}

void takeOver(const std::vector<Leg>& legs, const std::vector<PatchWalk>& straight, double dt,
              std::vector<PatchWalk>& walks) {
  for (const Leg& leg : legs) {
    if (leg.path.empty()) continue;
    PatchWalk& walk = walks[leg.walk];
    const double t0 = leg.lap + static_cast<double>(leg.first_step) * dt;
    const double t1 = t0 + static_cast<double>(leg.path.size() - 1) * dt;
    const Point missed = stateAt(straight[leg.walk], t1).position - leg.path.back();
    const std::size_t fixed = fixedControls(walk);
    for (std::size_t k = fixed; k + fixed < walk.control.size(); ++k) {
      const double t = timeOfControl(walk, k);
      if (t < leg.begin || t >= leg.end) continue;
      const double s = std::clamp((t - t0) / dt, 0.0, static_cast<double>(leg.path.size() - 1));
      const std::size_t i = std::min(static_cast<std::size_t>(s), leg.path.size() - 1);
      const std::size_t j = std::min(i + 1, leg.path.size() - 1);
      const double u = s - static_cast<double>(i);
      const double share = t1 > t0 ? std::clamp((t - t0) / (t1 - t0), 0.0, 1.0) : 1.0;
      walk.control[k] = leg.path[i] * (1 - u) + leg.path[j] * u + missed * share;
    }
  }
}

}  // namespace throng::patches
