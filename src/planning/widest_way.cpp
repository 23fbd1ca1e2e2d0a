#include "planning/widest_way.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "planning/arc.h"

namespace throng::planning {

using corridors::CorridorMap;
using corridors::kNone;
using corridors::Retraction;

namespace {

/// The narrowest place on the way along one arc, from a place on it to its end.
WidestWays::Way toTheEnd(const CorridorMap& map, std::uint32_t h, const Retraction& from) {
  const auto& target = map.target(h);
  WidestWays::Way way{from.clearance, from.at};
  if (target.clearance < way.radius) way = {target.clearance, target.at};
  const Point narrowest = map.narrowest(h);
  const ArcOrder order(map, h);
  const double least = map.edge(h).least_clearance;
  if (least < way.radius && order(narrowest) > order(from.at) && order(narrowest) < order(target.at))
    way = {least, narrowest};
  return way;
}

std::uint32_t targetOf(const CorridorMap& map, std::uint32_t h) { return map.edge(CorridorMap::twin(h)).origin; }

}  // namespace

WidestWays::WidestWays(const CorridorMap& map) : map_(map), links_(map.vertices().size()) {
  std::vector<std::uint32_t> arcs;
  for (std::uint32_t h = 0; h < map.halfEdges().size(); h += 2)
    if (map.edge(h).origin != kNone && map.edge(h).least_clearance > 0) arcs.push_back(h);
  std::stable_sort(arcs.begin(), arcs.end(), [&](std::uint32_t a, std::uint32_t b) {
    return map.edge(a).least_clearance > map.edge(b).least_clearance;
  });
  // Kruskal's method. Roots are found over short cuts of their own; the links themselves stay as they were made.
  std::vector<std::uint32_t> root(links_.size()), size(links_.size(), 1);
  std::iota(root.begin(), root.end(), 0u);
  const auto rootOf = [&](std::uint32_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  std::uint32_t order = 0;
  for (const std::uint32_t h : arcs) {
    std::uint32_t u = rootOf(map.edge(h).origin), v = rootOf(targetOf(map, h));
    if (u == v) continue;
    if (size[u] > size[v]) std::swap(u, v);
    root[u] = v;
    size[v] += size[u];
    links_[u] = {v, h, order++};
  }
}

std::optional<std::uint32_t> WidestWays::narrowestArc(std::uint32_t u, std::uint32_t v) const {
  std::uint32_t last = kNone;
  while (u != v) {
    if (links_[v].order < links_[u].order) std::swap(u, v);
    if (links_[u].parent == kNone) return std::nullopt;
    last = links_[u].edge;
    u = links_[u].parent;
  }
  return last;
}

std::optional<WidestWays::Way> WidestWays::between(const Retraction& from, const Retraction& to) const {
  std::optional<Way> best;
  const auto offer = [&](const Way& way) {
    if (way.radius > 0 && (!best || way.radius > best->radius)) best = way;
  };
  for (const std::uint32_t h : {from.edge, CorridorMap::twin(from.edge)})
    for (const std::uint32_t g : {to.edge, CorridorMap::twin(to.edge)}) {
      const auto arc = narrowestArc(targetOf(map_, h), targetOf(map_, g));
      if (!arc) continue;
      Way way = toTheEnd(map_, h, from);
      if (const Way last = toTheEnd(map_, g, to); last.radius < way.radius) way = last;
      if (*arc != kNone && map_.edge(*arc).least_clearance < way.radius)
        way = {map_.edge(*arc).least_clearance, map_.narrowest(*arc)};
      offer(way);
    }
  return best;
}

bool WidestWays::reaches(const Retraction& from, const Retraction& to, double radius, MedialScratch& scratch) const {
  const double limit = radius - kPassageTolerance;
  if (from.clearance < limit || from.edge / 2 == to.edge / 2) {
    // Out of a narrow place to where it widens, or along one arc: seldom, and with rules of their own.
    MedialPath path;
    return findMedialPath(map_, from, to, radius, scratch, path);
  }
  if (to.clearance < limit) return false;
  const auto passes = [&](std::uint32_t h, const Retraction& place) {
    const auto& target = map_.target(h);
    return arcPasses(map_, h, place.at, place.clearance, target.at, target.clearance, limit);
  };
  for (const std::uint32_t h : {from.edge, CorridorMap::twin(from.edge)}) {
    if (!passes(h, from)) continue;
    for (const std::uint32_t g : {to.edge, CorridorMap::twin(to.edge)}) {
      if (!passes(g, to)) continue;
      const auto arc = narrowestArc(targetOf(map_, h), targetOf(map_, g));
      if (arc && (*arc == kNone || map_.edge(*arc).least_clearance >= limit)) return true;
    }
  }
  return false;
}

}  // namespace throng::planning
