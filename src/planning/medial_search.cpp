#include "planning/medial_search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "corridors/chain_walk.h"
#include "planning/arc.h"
#include "planning/axis_grounds.h"
#include "planning/chain_climbs.h"
#include "planning/crowding.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;
using corridors::kNone;
using corridors::MapChain;
using corridors::MapHalfEdge;
using corridors::MapVertex;
using corridors::Retraction;

// How a junction was reached when not over a whole chain: from the start, in its chain's direction or against it, or
// because the start's arm ends there.
constexpr std::uint32_t kAhead = 0xfffffffeu, kBehind = 0xfffffffdu, kRoot = 0xfffffffcu;

/// Where the start or the goal joins the chains that lead somewhere: within one of them or, when it is on an arm, at
/// the arm's root, which may be a junction.
struct Joint {
  std::uint32_t root = kNone;    ///< vertex; kNone: within an arc
  std::uint32_t ahead = kNone;   ///< half-edge from there in the direction of its chain; kNone: at a junction
  std::uint32_t behind = kNone;  ///< half-edge from there against it
  Point at;
  double clearance = 0;
  double along = 0;           ///< m from the start of the chain
  double arm = 0;             ///< m on the arm
  std::uint32_t end = kNone;  ///< of a chain at the junction
};

/// Where walking along a chain ends before the chain does.
struct Stop {
  std::uint32_t edge;
  Point at;
  double clearance;
};

class Search {
 public:
  Search(const CorridorMap& map, const Retraction& from, const Retraction& to, double limit, MedialScratch& scratch,
         MedialPath& path, const WayCosts* costs, const AxisClimb& climb)
      : map_(map), from_(from), to_(to), limit_(limit), scratch_(scratch), path_(path), costs_(costs), climb_(climb) {}

  bool run(double at_most) {
    path_.edges.clear();
    path_.from = from_, path_.to = to_;
    if (to_.clearance < limit_) return false;
    const MapChain& chain = chainOf(from_.edge);
    if (chain.arm && map_.edge(to_.edge).chain == map_.edge(from_.edge).chain)
      return withinArm() && path_.length < at_most;
    if (!join()) return false;
    best_ = at_most;
    tryDirect();
    seedStart();
    targetGoal();
    searchChains();
    if (!found_) return false;
    path_.length = best_;
    assemble();
    return true;
  }

 private:
  struct Target {
    std::uint32_t vertex = kNone;
    double rest = 0;     ///< m from there to the goal
    bool ahead = false;  ///< the goal is reached in its chain's direction
  };

  /// What it costs to go along a chain between two places of it, `metres` apart, for who has come at a cost.
  double along(double cost, std::uint32_t chain, double from, double to, double metres) const {
    if (climb_.any()) metres += climb(chain, from, to);
    return costs_ == nullptr || costs_->isFree(chain) ? cost + metres
                                                      : costs_->along(cost, chain, from, to) + climb(chain, from, to);
  }
  double climb(std::uint32_t chain, double from, double to) const {
    double more = climb_.chains == nullptr ? 0 : climb_.each * climb_.chains->between(chain, from, to);
    if (climb_.grounds != nullptr) more += climb_.grounds->cost(chain, from, to, climb_.rates) - std::fabs(to - from);
    return more;
  }

  const MapChain& chainOf(std::uint32_t h) const { return map_.chains()[map_.edge(h).chain]; }
  static std::uint32_t twin(std::uint32_t h) { return CorridorMap::twin(h); }

  std::uint32_t forwardOf(std::uint32_t h) const { return map_.edge(h).forward ? h : twin(h); }

  bool endsChain(std::uint32_t h) const {
    const MapHalfEdge& edge = map_.edge(h);
    const MapChain& chain = map_.chains()[edge.chain];
    return edge.forward ? chain.last == h : chain.first == twin(h);
  }
  bool beginsChain(std::uint32_t h) const { return endsChain(twin(h)); }

  /// From `at` on the arc of h to the end of its chain, or to `stop`. False when it is too narrow, or the chain ends
  /// before.
  bool walk(std::uint32_t h, Point at, double clearance, const Stop* stop, std::vector<std::uint32_t>* edges) const {
    for (;;) {
      const bool last = stop != nullptr && h == stop->edge;
      const MapVertex& target = map_.target(h);
      if (!arcPasses(map_, h, at, clearance, last ? stop->at : target.at, last ? stop->clearance : target.clearance,
                     limit_))
        return false;
      if (edges != nullptr) edges->push_back(h);
      if (last) return true;
      if (endsChain(h)) return stop == nullptr;
      h = corridors::nextInChain(map_, h);
      at = map_.origin(h).at, clearance = map_.origin(h).clearance;
    }
  }

  /// Half-edge that leads away from this end of a chain.
  std::uint32_t fromEnd(std::uint32_t end) const {
    const MapChain& chain = map_.chains()[end >> 1];
    return (end & 1) ? twin(chain.last) : chain.first;
  }

  bool wholeChainPasses(std::uint32_t end) const {
    if (map_.chains()[end >> 1].least_clearance >= limit_) return true;
    const std::uint32_t h = fromEnd(end);
    const MapVertex& origin = map_.origin(h);
    return origin.clearance < limit_ && walk(h, origin.at, origin.clearance, nullptr, nullptr);
  }

  /// Nothing but the arm itself leads from one of its places to another.
  bool withinArm() {
    const std::uint32_t forward = forwardOf(from_.edge);
    const std::uint32_t to_forward = forwardOf(to_.edge);
    const double along = alongChain(map_, forward, from_.at), to_along = alongChain(map_, to_forward, to_.at);
    const bool ahead = along <= to_along;
    const Stop stop{ahead ? to_forward : twin(to_forward), to_.at, to_.clearance};
    path_.length = ahead ? to_along - along : along - to_along;
    return walk(ahead ? forward : twin(forward), from_.at, from_.clearance, &stop, &path_.edges);
  }

  void joinAtRoot(std::uint32_t root, Joint& joint) const {
    const MapVertex& vertex = map_.vertex(root);
    joint.root = root;
    joint.at = vertex.at, joint.clearance = vertex.clearance;
    std::uint32_t e = vertex.edge;
    do {
      if (!chainOf(e).arm) {
        if (beginsChain(e)) {
          joint.ahead = joint.behind = kNone;
          joint.end = 2 * map_.edge(e).chain + !map_.edge(e).forward;
          return;
        }
        (map_.edge(e).forward ? joint.ahead : joint.behind) = e;
        joint.along = map_.edge(e).along;
      }
      e = twin(map_.edge(e).previous);
    } while (e != vertex.edge);
  }

  Joint jointOf(const Retraction& place) const {
    const std::uint32_t forward = forwardOf(place.edge);
    const MapChain& chain = chainOf(forward);
    const double along = alongChain(map_, forward, place.at);
    if (!chain.arm) return {kNone, forward, twin(forward), place.at, place.clearance, along, 0, kNone};
    Joint joint;
    joint.arm = chain.length - along;
    joinAtRoot(chain.b, joint);
    return joint;
  }

  /// False when the start or the goal is on an arm that is too narrow.
  bool join() {
    start_ = jointOf(from_), goal_ = jointOf(to_);
    if (start_.root != kNone && !walk(forwardOf(from_.edge), from_.at, from_.clearance, nullptr, nullptr)) return false;
    if (goal_.root == kNone) return true;
    const std::uint32_t forward = forwardOf(to_.edge);
    const Stop stop{twin(forward), to_.at, to_.clearance};
    return walk(twin(chainOf(forward).last), goal_.at, goal_.clearance, &stop, nullptr);
  }

  /// Both on one chain, or at the root of one arm.
  void tryDirect() {
    if (start_.root != kNone && start_.root == goal_.root) {
      if (start_.arm + goal_.arm < best_) best_ = start_.arm + goal_.arm, direct_ = kRoot, found_ = true;
      return;
    }
    if (start_.ahead == kNone || goal_.ahead == kNone) return;
    if (map_.edge(start_.ahead).chain != map_.edge(goal_.ahead).chain) return;
    const double ahead = goal_.along - start_.along;
    constexpr double kSame = 1e-4;  // m; positions on a chain are kept in 32 bits
    for (const bool forward : {true, false}) {
      if ((forward ? ahead : -ahead) < -kSame) continue;
      const Stop stop = stopAtGoal(forward);
      const std::uint32_t first = forward ? start_.ahead : start_.behind;
      if (first == stop.edge && ArcOrder(map_, first)(stop.at) < ArcOrder(map_, first)(start_.at)) continue;
      if (!walk(first, start_.at, start_.clearance, &stop, nullptr)) continue;
      const double cost = std::max(
          0.0, along(start_.arm, map_.edge(start_.ahead).chain, start_.along, goal_.along, forward ? ahead : -ahead) +
                   goal_.arm);
      if (cost < best_) best_ = cost, direct_ = forward ? kAhead : kBehind, found_ = true;
      return;
    }
  }

  Stop stopAtGoal(bool ahead) const { return {twin(ahead ? goal_.behind : goal_.ahead), goal_.at, goal_.clearance}; }

  void seedStart() {
    if (++scratch_.search == 0) {  // the number has come round: what old searches left could pass for new
      std::fill(scratch_.nodes.begin(), scratch_.nodes.end(), MedialScratch::Node{});
      scratch_.search = 1;
    }
    if (scratch_.nodes.size() < map_.vertices().size()) scratch_.nodes.resize(map_.vertices().size());
    scratch_.heap.clear();
    if (start_.ahead == kNone) {
      if (start_.end != kNone) reach(start_.root, start_.arm, kRoot, start_.end);
      return;
    }
    const MapChain& chain = chainOf(start_.ahead);
    const std::uint32_t number = map_.edge(start_.ahead).chain;
    const bool wide = chain.least_clearance >= limit_;
    if (wide || walk(start_.ahead, start_.at, start_.clearance, nullptr, nullptr))
      reach(chain.b, along(start_.arm, number, start_.along, chain.length, chain.length - start_.along), kAhead,
            2 * number + 1);
    if (wide || walk(start_.behind, start_.at, start_.clearance, nullptr, nullptr))
      reach(chain.a, along(start_.arm, number, start_.along, 0, start_.along), kBehind, 2 * number);
  }

  void targetGoal() {
    if (goal_.ahead == kNone) {
      targets_[0] = {goal_.root, goal_.arm, true};
      return;
    }
    const MapChain& chain = chainOf(goal_.ahead);
    const bool wide = chain.least_clearance >= limit_;
    const auto leads = [&](std::uint32_t h, bool ahead) {
      const Stop stop = stopAtGoal(ahead);
      return walk(h, map_.origin(h).at, map_.origin(h).clearance, &stop, nullptr);
    };
    const std::uint32_t number = map_.edge(goal_.ahead).chain;
    if (wide || leads(chain.first, true))
      targets_[0] = {chain.a, goal_.arm + goal_.along + climb(number, 0, goal_.along), true};
    if (wide || leads(twin(chain.last), false))
      targets_[1] = {chain.b, goal_.arm + (chain.length - goal_.along) + climb(number, goal_.along, chain.length),
                     false};
  }

  void reach(std::uint32_t v, double cost, std::uint32_t via, std::uint32_t end) {
    MedialScratch::Node& node = scratch_.nodes[v];
    if (node.search != scratch_.search) {
      node.search = scratch_.search;
      node.rest = climb_.least * length(map_.vertex(v).at - to_.at);
    } else if (node.cost <= cost) {
      return;
    }
    node.cost = cost;
    node.via = via, node.end = end;
    if (cost + node.rest >= best_) return;
    scratch_.heap.push_back(key(cost + node.rest, v));
    std::push_heap(scratch_.heap.begin(), scratch_.heap.end(), std::greater<>());
  }

  /// Numbers of the heap order by the way's length in 32 bits, rounded down so that it is never too long, then by the
  /// vertex: what comes first does not depend on how the heap is made.
  static std::uint64_t key(double total, std::uint32_t v) {
    auto rounded = static_cast<float>(total);
    auto bits = std::bit_cast<std::uint32_t>(rounded);  // of a number that is not negative: they order as it does
    bits -= static_cast<double>(rounded) > total;
    return std::uint64_t{bits} << 32 | v;
  }
  static double totalOf(std::uint64_t key) { return std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32)); }

  void searchChains() {
    auto& heap = scratch_.heap;
    while (!heap.empty() && totalOf(heap.front()) < best_) {
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      const std::uint64_t next = heap.back();
      const auto v = static_cast<std::uint32_t>(next);
      heap.pop_back();
      const double cost = scratch_.nodes[v].cost;
      if (next != key(cost + scratch_.nodes[v].rest, v)) continue;  // reached on a shorter way since
      for (int i = 0; i < 2; ++i) {
        if (targets_[i].vertex != v) continue;
        const double total = costAtGoal(targets_[i], cost);
        if (total < best_) best_ = total, arrival_ = i, direct_ = kNone, found_ = true;
      }
      expand(v, cost);
    }
  }

  double costAtGoal(const Target& target, double cost) const {
    if (costs_ == nullptr || goal_.ahead == kNone || costs_->isFree(map_.edge(goal_.ahead).chain))
      return cost + target.rest;
    const MapChain& chain = chainOf(goal_.ahead);
    const std::uint32_t number = map_.edge(goal_.ahead).chain;
    const double from = target.ahead ? 0.0 : double{chain.length};
    return costs_->along(cost, number, from, goal_.along) + climb(number, from, goal_.along) + goal_.arm;
  }

  void expand(std::uint32_t v, double cost) {
    const std::uint32_t first = scratch_.nodes[v].end;
    std::uint32_t end = first;
    do {
      const MapChain& chain = map_.chains()[end >> 1];
      const bool against = (end & 1) != 0;
      if (wholeChainPasses(end)) {
        const double whole = chain.length;
        reach(against ? chain.a : chain.b, along(cost, end >> 1, against ? whole : 0.0, against ? 0.0 : whole, whole),
              end ^ 1, end ^ 1);
      }
      end = chain.around[end & 1];
    } while (end != first);
  }

  void append(std::uint32_t h) {
    path_.edges.push_back(h);
    while (!endsChain(h)) path_.edges.push_back(h = corridors::nextInChain(map_, h));
  }
  void appendUntil(std::uint32_t h, std::uint32_t last) {
    path_.edges.push_back(h);
    while (h != last) path_.edges.push_back(h = corridors::nextInChain(map_, h));
  }

  void assemble() {
    if (start_.root != kNone) append(forwardOf(from_.edge));
    if (direct_ == kAhead || direct_ == kBehind)
      appendUntil(direct_ == kAhead ? start_.ahead : start_.behind, stopAtGoal(direct_ == kAhead).edge);
    else if (direct_ == kNone)
      assembleChains();
    if (goal_.root != kNone) {
      const std::uint32_t forward = forwardOf(to_.edge);
      appendUntil(twin(chainOf(forward).last), twin(forward));
    }
  }

  void assembleChains() {
    auto& chains = scratch_.chains;
    chains.clear();
    std::uint32_t via = scratch_.nodes[targets_[arrival_].vertex].via;
    while (via < kRoot) {
      chains.push_back(fromEnd(via ^ 1));
      via = scratch_.nodes[map_.edge(chains.back()).origin].via;
    }
    if (via != kRoot) append(via == kAhead ? start_.ahead : start_.behind);
    for (std::size_t i = chains.size(); i-- > 0;) append(chains[i]);
    if (goal_.ahead == kNone) return;
    const bool ahead = targets_[arrival_].ahead;
    const MapChain& chain = chainOf(goal_.ahead);
    appendUntil(ahead ? chain.first : twin(chain.last), stopAtGoal(ahead).edge);
  }

  const CorridorMap& map_;
  const Retraction& from_;
  const Retraction& to_;
  const double limit_;
  MedialScratch& scratch_;
  MedialPath& path_;
  Joint start_, goal_;
  Target targets_[2];
  const WayCosts* const costs_;
  const AxisClimb climb_;
  double best_ = 0;
  bool found_ = false;
  int arrival_ = 0;
  std::uint32_t direct_ = kNone;
};

}  // namespace

bool arcPasses(const CorridorMap& map, std::uint32_t h, Point from, double d_from, Point to, double d_to,
               double limit) {
  if (map.edge(h).least_clearance >= limit) return true;
  if (d_from >= limit ? d_to < limit : d_to < d_from) return false;
  const ArcOrder order(map, h);
  const double narrowest = order(map.narrowest(h));
  constexpr double kApart = 1e-7;  // m
  return !(narrowest > order(from) + kApart && narrowest < order(to) - kApart);
}

bool findMedialPath(const CorridorMap& map, const Retraction& from, const Retraction& to, double radius,
                    MedialScratch& scratch, MedialPath& path, const WayCosts* costs, double at_most,
                    const AxisClimb& climb) {
  return Search(map, from, to, radius - kPassageTolerance, scratch, path, costs, climb).run(at_most);
}

}  // namespace throng::planning
