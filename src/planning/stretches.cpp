#include "planning/stretches.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "planning/arc.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;
using corridors::kNone;

/// A place is narrow when the axis widens by this on either side of it.
constexpr double kWidens = 1.25;

double cellArea(const CorridorMap& map, std::uint32_t h) {
  const std::array<Point, 4> corners{map.origin(h).at, map.target(h).at, map.footEnd(h), map.foot(h)};
  double twice = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point a = corners[i] - corners[0], b = corners[(i + 1) % corners.size()] - corners[0];
    twice += a.x * b.y - a.y * b.x;
  }
  return std::abs(twice) / 2;
}

}  // namespace

Stretches::Stretches(const CorridorMap& map) : stamp_(map.stamp()) {
  of_arc_.assign(map.halfEdges().size() / 2, kNone);
  const auto chains = static_cast<std::uint32_t>(map.chains().size());
  first_of_chain_.reserve(chains + 1);
  for (std::uint32_t c = 0; c < chains; ++c) {
    first_of_chain_.push_back(static_cast<std::uint32_t>(stretches_.size()));
    if (map.chains()[c].first != kNone && !map.chains()[c].arm) cut(map, c);
  }
  first_of_chain_.push_back(static_cast<std::uint32_t>(stretches_.size()));
}

/// At the widest place between any two narrow ones.
void Stretches::cut(const CorridorMap& map, std::uint32_t chain) {
  arcs_.clear();
  std::uint32_t h = map.chains()[chain].first;
  for (arcs_.push_back(h); h != map.chains()[chain].last; arcs_.push_back(h)) {
    std::uint32_t next = map.edge(h).next;
    while (map.edge(next).chain != chain) next = map.edge(CorridorMap::twin(next)).next;  // past arms
    h = next;
  }
  std::size_t begin = 0, narrowest = 0, widest = 0;
  double least = map.edge(arcs_[0]).least_clearance, most = 0;  // most: since the narrowest place
  for (std::size_t i = 1; i < arcs_.size(); ++i) {
    if (const double wide = map.origin(arcs_[i]).clearance; wide > most) most = wide, widest = i;
    const double here = map.edge(arcs_[i]).least_clearance;
    if (here * kWidens < most && least * kWidens < most) {
      close(map, std::span(arcs_).subspan(begin, widest - begin), arcs_[narrowest]);
      begin = widest, narrowest = i, least = here, most = 0;
    } else if (here < least) {
      narrowest = i, least = here, most = 0;
    }
  }
  close(map, std::span(arcs_).subspan(begin), arcs_[narrowest]);
}

void Stretches::close(const CorridorMap& map, std::span<const std::uint32_t> arcs, std::uint32_t narrowest) {
  Stretch stretch;
  stretch.chain = map.edge(narrowest).chain;
  stretch.begin = map.edge(arcs.front()).along;
  stretch.end = map.edge(CorridorMap::twin(arcs.back())).along;
  stretch.at = map.narrowest(narrowest);
  stretch.narrow = std::clamp(alongChain(map, narrowest, stretch.at), stretch.begin, stretch.end);
  stretch.width = 2.0 * map.edge(narrowest).least_clearance;
  stretch.floor = map.floorAt(narrowest, stretch.at);
  const Point across = map.nearestOn(map.edge(narrowest).site, stretch.at) -
                       map.nearestOn(map.edge(CorridorMap::twin(narrowest)).site, stretch.at);  // to the left
  const Point way =
      length(across) > 0 ? Point{across.y, -across.x} : map.target(narrowest).at - map.origin(narrowest).at;
  if (const double size = length(way); size > 0) stretch.ahead = way / size;
  for (const std::uint32_t h : arcs) {
    of_arc_[h >> 1] = static_cast<std::uint32_t>(stretches_.size());
    stretch.area += cellArea(map, h) + cellArea(map, CorridorMap::twin(h));
    stretch.several_floors |= map.edge(h).crossing != kNone || map.edge(CorridorMap::twin(h)).crossing != kNone;
  }
  stretches_.push_back(stretch);
}

void Stretches::listWay(const CorridorMap& map, const MedialPath& path, std::vector<DirectedStretch>& way) const {
  way.clear();
  const auto along = [&](const corridors::Retraction& place, std::uint32_t h) {
    return alongChain(map, map.edge(h).forward ? h : CorridorMap::twin(h), place.at);
  };
  for (std::size_t i = 0; i < path.edges.size(); ++i) {
    const std::uint32_t h = path.edges[i], s = of(h);
    if (s == kNone) continue;
    // The first and the last arc are walked in part.
    const double a = i == 0 ? along(path.from, h) : static_cast<double>(map.edge(h).along);
    const double b = i + 1 == path.edges.size() ? along(path.to, h) : map.edge(CorridorMap::twin(h)).along;
    const bool against = !map.edge(h).forward;
    const DirectedStretch directed = 2 * s + (against ? 1 : 0);
    const double narrow = stretches_[s].narrow;
    const bool passes = against ? a >= narrow && narrow >= b : a <= narrow && narrow <= b;
    if (passes && (way.empty() || way.back() != directed)) way.push_back(directed);
  }
}

void Stretches::listAlong(const CorridorMap& map, Point from, std::uint16_t floor, const corridors::Route& route,
                          std::vector<DirectedStretch>& way) const {
  constexpr double kStep = 0.5;  // m
  way.clear();
  std::uint32_t on = kNone, cell = kNone;
  Point entered = from, last = from;
  // Who enters a stretch before its narrowest place and leaves it beyond has passed it.
  const auto leave = [&] {
    if (on == kNone) return;
    const Stretch& stretch = stretches_[on];
    const double before = dot(entered - stretch.at, stretch.ahead), after = dot(last - stretch.at, stretch.ahead);
    if ((before > 0) == (after > 0)) return;
    const DirectedStretch directed = 2 * on + (before > 0 ? 1 : 0);
    if (way.empty() || way.back() != directed) way.push_back(directed);
  };
  for (const corridors::WayPoint& point : route) {
    const Point begin = last, leg = wide(point.at) - begin;
    const std::uint16_t layer = point.layer == corridors::kAnyLayer ? floor : point.layer;
    const double steps = std::max(1.0, std::ceil(length(leg) / kStep));
    for (double k = 1; k <= steps; ++k) {
      const Point place = begin + leg * (k / steps);
      const corridors::Located where = map.locate(place, layer, cell);
      const std::uint32_t s = where ? of(where.cell) : kNone;
      if (where) cell = where.cell;
      if (s != on) {
        last = place;  // where one is left the next has begun
        leave();
        on = s, entered = place;
      }
      last = place;
    }
  }
  leave();
}

std::vector<std::uint32_t> Stretches::sameAs(const Stretches& before) const {
  // By their narrowest places; chains may have become longer or shorter. Where several have theirs at one junction, the
  // one that leads the same way.
  using Key = std::array<std::int64_t, 4>;
  const auto key = [](const Stretch& s) {
    const auto centimetres = [](double m) { return static_cast<std::int64_t>(std::floor(m * 100 + 0.5)); };
    return Key{centimetres(s.at.x), centimetres(s.at.y), centimetres(s.width), s.floor};
  };
  std::vector<std::pair<Key, std::uint32_t>> known;
  for (std::uint32_t s = 0; s < stretches_.size(); ++s) known.emplace_back(key(stretches_[s]), s);
  std::sort(known.begin(), known.end());
  std::vector<std::uint32_t> same;
  for (const Stretch& stretch : before.stretches_) {
    const Key wanted = key(stretch);
    std::uint32_t best = kNone;
    const auto likeness = [&](std::uint32_t s) { return std::abs(dot(stretches_[s].ahead, stretch.ahead)); };
    for (auto found = std::lower_bound(known.begin(), known.end(), std::pair(wanted, std::uint32_t{0}));
         found != known.end() && found->first == wanted; ++found)
      if (best == kNone || likeness(found->second) > likeness(best)) best = found->second;
    same.push_back(best);
  }
  return same;
}

std::size_t Stretches::memory() const {
  return stretches_.capacity() * sizeof(Stretch) +
         (first_of_chain_.capacity() + of_arc_.capacity() + arcs_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace throng::planning
