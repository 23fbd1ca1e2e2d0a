#include "planning/chain_climbs.h"

#include <algorithm>
#include <cmath>

#include "base/narrowing.h"
#include "corridors/chain_walk.h"

namespace throng::planning {
namespace {

/// Up and down together along the arc of a half-edge, as along its chord.
double climbOf(const corridors::CorridorMap& map, std::span<const ground::Floor> floors, std::uint32_t h) {
  constexpr double kStep = 0.5, kMostSteps = 1e5;  // m
  const Point a = map.origin(h).at, way = map.target(h).at - a;
  const auto height = [&](double share) {
    const Point place = a + way * share;
    return static_cast<double>(floors[map.floorAt(h, place)].height(narrow(place)));
  };
  const double steps = std::clamp(std::ceil(length(way) / kStep), 1.0, kMostSteps);
  double sum = 0, before = height(0);
  for (double i = 1; i <= steps; ++i) {
    const double here = height(i / steps);
    sum += std::fabs(here - before);
    before = here;
  }
  return sum;
}

}  // namespace

ChainClimbs::ChainClimbs(const corridors::CorridorMap& map, std::span<const ground::Floor> floors) {
  for (const corridors::MapChain& chain : map.chains()) {
    first_.push_back(static_cast<std::uint32_t>(arcs_.size()));
    double climbed = 0;
    if (chain.first != corridors::kNone) {
      for (std::uint32_t h = chain.first;; h = corridors::nextInChain(map, h)) {
        arcs_.push_back({double{map.edge(h).along}, climbed});
        climbed += climbOf(map, floors, h);
        if (h == chain.last) break;
      }
      arcs_.push_back({double{chain.length}, climbed});
    }
    whole_.push_back(climbed);
  }
  first_.push_back(static_cast<std::uint32_t>(arcs_.size()));
}

double ChainClimbs::upTo(std::uint32_t chain, double along) const {
  const auto begin = arcs_.begin() + first_[chain], end = arcs_.begin() + first_[chain + 1];
  if (begin == end) return 0;
  const auto after = std::upper_bound(begin, end, along, [](double m, const Arc& arc) { return m < arc.along; });
  if (after == begin) return 0;
  if (after == end) return whole_[chain];
  const Arc &low = *(after - 1), &high = *after;
  return low.before + (high.before - low.before) * ((along - low.along) / (high.along - low.along));
}

double ChainClimbs::between(std::uint32_t chain, double from, double to) const {
  return chain < whole_.size() ? std::fabs(upTo(chain, to) - upTo(chain, from)) : 0;
}

}  // namespace throng::planning
