// Chains of arcs from junction to junction.
#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "corridors/map_builder.h"

namespace throng::corridors {

double CorridorMap::arcLength(std::uint32_t h) const {
  const double chord = length(target(h).at - origin(h).at);
  if (onWall(h) == onWall(twin(h))) return chord;
  // A parabola with the wall as directrix: y = (u² + q²) / 2q, so that the length is q ∫ sqrt(1 + s²) ds with s = u/q.
  const std::uint32_t at_wall = onWall(h) ? h : twin(h);
  const Point a = foot(at_wall), b = footEnd(at_wall), corner = corners_[edges_[twin(at_wall)].site.index()].at;
  const double base = length(b - a);
  if (base == 0) return chord;
  const Point along = (b - a) / base;
  const double q = dot(Point{along.y, -along.x}, corner - a);
  if (!(q > 1e-9)) return chord;
  const auto integral = [](double s) {
    const double root = std::sqrt(1 + s * s);
    const double log = s >= 0 ? base::logarithm(s + root) : -base::logarithm(root - s);
    return 0.5 * (s * root + log);
  };
  const double u = dot(along, a - corner);
  return std::max(chord, q * (integral((u + base) / q) - integral(u / q)));
}

class ChainFinder {
 public:
  explicit ChainFinder(CorridorMap& map) : map_(map) {}

  void run(std::span<const std::uint32_t> arcs) {
    for (const std::uint32_t arc : arcs)
      for (const std::uint32_t h : {arc, arc ^ 1})
        if (isLeaf(h) && unassigned(h)) addArm(h);
    for (const std::uint32_t arc : arcs)
      for (const std::uint32_t h : {arc, arc ^ 1})
        if (unassigned(h) && isJunction(map_.edges_[h].origin)) addChain(h);
    for (const std::uint32_t arc : arcs)
      if (unassigned(arc)) addChain(loopStart(arc));
    for (const std::uint32_t arc : arcs) linkAround(map_.edges_[arc].chain);
  }

  /// Tells a chain, and those that it meets, which come next around its ends.
  void linkAround(std::uint32_t chain) {
    const MapChain& c = map_.chains_[chain];
    for (const bool at_b : {false, true}) {
      if (c.arm || c.around[at_b] != kNone) continue;
      std::uint32_t* last = nullptr;
      std::uint32_t first = kNone;
      around(at_b ? c.b : c.a, [&](std::uint32_t h) {
        const std::uint32_t id = map_.edges_[h].chain;
        MapChain& at = map_.chains_[id];
        // A loop begins and ends here, and its arcs are found from both sides.
        const bool begins = at.first == h, ends = at.last == (h ^ 1);
        if (at.arm || (!begins && !ends)) return;
        const std::uint32_t end = 2 * id + !begins;
        if (last == nullptr)
          first = end;
        else
          *last = end;
        last = &at.around[!begins];
      });
      *last = first;
    }
  }

 private:
  bool unassigned(std::uint32_t h) const { return map_.edges_[h].chain == kNone; }
  bool isLeaf(std::uint32_t h) const { return map_.edges_[h ^ 1].next == h; }
  bool isArm(std::uint32_t h) const { return !unassigned(h) && map_.chains_[map_.edges_[h].chain].arm; }

  template <class Visit>
  void around(std::uint32_t vertex, const Visit& visit) const {
    const std::uint32_t first = map_.vertices_[vertex].edge;
    std::uint32_t h = first;
    do {
      visit(h);
      h = map_.edges_[h ^ 1].next;
    } while (h != first);
  }

  /// Everything but a place with two ways, not counting arms.
  bool isJunction(std::uint32_t vertex) const {
    int ways = 0;
    around(vertex, [&](std::uint32_t h) { ways += !isArm(h); });
    return ways != 2;
  }

  /// From a corner to where the axis branches.
  void addArm(std::uint32_t h) {
    begin(h, true);
    while (true) {
      append(h);
      const std::uint32_t next = map_.edges_[h].next;
      const bool goes_on = next != (h ^ 1) && map_.edges_[next ^ 1].next == (h ^ 1);  // two ways here
      if (!goes_on) break;
      h = next;
    }
    end(h);
  }

  void addChain(std::uint32_t h) {
    const std::uint32_t start = map_.edges_[h].origin;
    begin(h, false);
    while (true) {
      append(h);
      const std::uint32_t here = map_.edges_[h ^ 1].origin;
      if (here == start || isJunction(here)) break;
      std::uint32_t next = kNone;
      around(here, [&](std::uint32_t way) {
        if (way != (h ^ 1) && !isArm(way)) next = way;
      });
      h = next;
    }
    end(h);
  }

  /// A loop without junctions begins at its vertex with the smallest number.
  std::uint32_t loopStart(std::uint32_t h) const {
    std::uint32_t best = h, now = h;
    do {
      std::uint32_t next = kNone;
      around(map_.edges_[now ^ 1].origin, [&](std::uint32_t way) {
        if (way != (now ^ 1) && !isArm(way)) next = way;
      });
      now = next;
      if (map_.edges_[now].origin < map_.edges_[best].origin) best = now;
    } while (now != h);
    return best;
  }

  void begin(std::uint32_t h, bool arm) {
    if (map_.free_chains_.empty()) {
      map_.free_chains_.push_back(static_cast<std::uint32_t>(map_.chains_.size()));
      map_.chains_.emplace_back();
    }
    id_ = map_.free_chains_.back();
    map_.free_chains_.pop_back();
    chain_ = {h, h, map_.edges_[h].origin, kNone, 0, map_.edges_[h].least_clearance, arm, {kNone, kNone}};
    length_ = 0;
  }

  void append(std::uint32_t h) {
    MapHalfEdge &forward = map_.edges_[h], &backward = map_.edges_[h ^ 1];
    forward.chain = backward.chain = id_;
    forward.forward = true, backward.forward = false;
    forward.along = static_cast<float>(length_);
    length_ += map_.arcLength(h);
    backward.along = static_cast<float>(length_);
    chain_.least_clearance = std::min(chain_.least_clearance, forward.least_clearance);
  }

  void end(std::uint32_t h) {
    chain_.last = h;
    chain_.b = map_.edges_[h ^ 1].origin;
    chain_.length = static_cast<float>(length_);
    map_.chains_[id_] = chain_;
  }

  CorridorMap& map_;
  MapChain chain_;
  double length_ = 0;
  std::uint32_t id_ = 0;
};

void linkChains(CorridorMap& map) {
  ChainFinder finder(map);
  for (std::uint32_t i = 0; i < map.chains().size(); ++i)
    if (map.chains()[i].first != kNone) finder.linkAround(i);
}

void formChains(CorridorMap& map, std::span<const std::uint32_t> arcs) { ChainFinder(map).run(arcs); }

}  // namespace throng::corridors
