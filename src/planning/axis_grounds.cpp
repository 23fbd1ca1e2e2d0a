#include "planning/axis_grounds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "corridors/chain_walk.h"
#include "planning/arc.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;
using corridors::kNone;
using corridors::MapChain;

constexpr double kBin = 2, kLook = 1;  // m along a chain

}  // namespace

AxisGrounds::AxisGrounds(const CorridorMap& map, const ground::Regions& regions) : raster_(map, regions) {
  std::map<Types, std::uint32_t> sets;
  std::vector<Types> bins;
  for (const MapChain& chain : map.chains()) {
    first_.push_back(static_cast<std::uint32_t>(pieces_.size()));
    if (chain.first == kNone) continue;
    bins.assign(static_cast<std::size_t>(double{chain.length} / kBin) + 1, Types{});
    for (std::uint32_t h = chain.first;; h = corridors::nextInChain(map, h)) {
      addBeside(map, h, bins);
      if (h == chain.last) break;
    }
    for (std::size_t b = 0; b < bins.size(); ++b) {
      if (bins[b] == Types{}) bins[b] = b > 0 ? bins[b - 1] : Types{1};
      const std::uint32_t set = sets.emplace(bins[b], static_cast<std::uint32_t>(sets.size())).first->second;
      const float end = b + 1 < bins.size() ? static_cast<float>(kBin * static_cast<double>(b + 1))
                                            : std::numeric_limits<float>::infinity();
      if (b > 0 && pieces_.back().set == set)
        pieces_.back().end = end;
      else
        pieces_.push_back({end, set});
    }
  }
  first_.push_back(static_cast<std::uint32_t>(pieces_.size()));
  sets_.resize(sets.size());
  for (const auto& [set, number] : sets) sets_[number] = set;
}

/// From wall to wall, at places of the arc of a forward half-edge.
void AxisGrounds::addBeside(const CorridorMap& map, std::uint32_t h, std::vector<Types>& bins) const {
  const Point a = map.origin(h).at, way = map.target(h).at - a;
  const double arc = map.arcLength(h), steps = std::max(1.0, std::ceil(arc / kLook));
  const corridors::Site sides[] = {map.edge(h).site, map.edge(CorridorMap::twin(h)).site};
  for (double i = 0; i <= steps; ++i) {
    const Point at = map.onArc(h, a + way * (i / steps));
    const double along = double{map.edge(h).along} + arc * (i / steps);
    Types& bin = bins[std::min(static_cast<std::size_t>(along / kBin), bins.size() - 1)];
    for (const corridors::Site site : sides) {
      const Point across = map.nearestOn(site, at) - at;
      const double samples = std::ceil(length(across) / raster_.cell());
      for (double k = 0; k < std::max(1.0, samples); ++k) {  // not the wall itself
        const Point place = at + across * ((k + 0.5) / std::max(1.0, samples));
        const ground::RegionType type = raster_.typeAt(place, map.floorAt(h, at));
        bin[type >> 6] |= std::uint64_t{1} << (type & 63);
      }
    }
  }
}

double AxisGrounds::ratesOf(std::span<const float> weights, std::vector<float>& rates) const {
  rates.assign(sets_.size(), std::numeric_limits<float>::infinity());
  double least = 1;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    for (std::size_t word = 0; word < sets_[s].size(); ++word)
      for (std::uint64_t left = sets_[s][word]; left != 0; left &= left - 1) {
        const std::size_t type = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
        if (type < weights.size()) rates[s] = std::min(rates[s], weights[type]);
      }
    least = std::min(least, double{rates[s]});
  }
  return least;
}

double AxisGrounds::cost(std::uint32_t chain, double from, double to, std::span<const float> rates) const {
  const double low = std::min(from, to), high = std::max(from, to);
  double cost = 0, begin = 0;
  for (std::uint32_t p = first_[chain]; p < first_[chain + 1] && begin < high; ++p) {
    const double end = double{pieces_[p].end};
    const double metres = std::min(high, end) - std::max(low, begin);
    if (metres > 0) cost += metres * double{rates[pieces_[p].set]};
    begin = end;
  }
  return cost;
}

std::size_t AxisGrounds::memory() const {
  return raster_.memory() + sets_.capacity() * sizeof(Types) + pieces_.capacity() * sizeof(Piece) +
         first_.capacity() * sizeof(std::uint32_t);
}

}  // namespace throng::planning
