#include "planning/reachability.h"

#include <algorithm>
#include <limits>

#include "planning/arc.h"
#include "planning/medial_search.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;
using corridors::Located;
using corridors::MapHalfEdge;
using corridors::MapVertex;
using corridors::Retraction;

/// Best candidate so far.
struct Best {
  double squared = std::numeric_limits<double>::infinity();  ///< m² from the goal
  Point at;
  std::uint32_t cell = corridors::kNone;
};

/// One of many candidates.
struct Offered {
  double squared = 0;  ///< m² from the goal
  std::uint32_t order = 0;
  std::uint32_t cell = 0;
  Point at;
};

class Flood {
 public:
  Flood(const CorridorMap& map, Point goal, std::uint16_t goal_floor, double radius, ReachScratch& scratch,
        const std::function<bool(Point)>* allowed = nullptr)
      : map_(map),
        goal_(goal),
        goal_floor_(goal_floor),
        radius_(radius),
        limit_(radius - kPassageTolerance),
        scratch_(scratch),
        allowed_(allowed) {}

  /// Without a start: all arcs of the floor.
  ReachablePlace everywhere() {
    for (std::uint32_t h = 0; h < map_.halfEdges().size(); ++h) {
      const MapHalfEdge& edge = map_.edge(h);
      if (edge.origin == corridors::kNone) continue;
      if (edge.floor != goal_floor_ && map_.edge(CorridorMap::twin(h)).floor != goal_floor_ &&
          edge.crossing == corridors::kNone)
        continue;
      const MapVertex &from = map_.origin(h), &to = map_.target(h);
      if (edge.least_clearance >= limit_) {
        if ((h & 1u) == 0) offer(h, from.at, to.at);
      } else if (from.clearance >= radius_) {
        offer(h, from.at, whereClearanceIs(map_, h, from.at, radius_));
      }
    }
    // From near to far, so that what may take long (is there a wall between?) is asked about few places, and near ones.
    std::sort(offered_.begin(), offered_.end(), [](const Offered& s, const Offered& t) {
      return s.squared != t.squared ? s.squared < t.squared : s.order < t.order;
    });
    for (const Offered& place : offered_)
      if (map_.floorAt(place.cell, place.at) == goal_floor_ && (*allowed_)(place.at))
        return {place.at, goal_floor_, Located{place.cell}};
    return {};
  }

  ReachablePlace run(const Retraction& from) {
    if (++scratch_.search == 0) {
      std::fill(scratch_.seen.begin(), scratch_.seen.end(), 0u);
      scratch_.search = 1;
    }
    if (scratch_.seen.size() < map_.vertices().size()) scratch_.seen.resize(map_.vertices().size(), 0u);
    scratch_.open.clear();
    for (const std::uint32_t h : {from.edge, CorridorMap::twin(from.edge)}) leave(h, from.at, from.clearance, false);
    while (!scratch_.open.empty()) {
      const std::uint32_t v = scratch_.open.back();
      scratch_.open.pop_back();
      const MapVertex& vertex = map_.vertex(v);
      std::uint32_t e = vertex.edge;
      do {
        leave(e, vertex.at, vertex.clearance, true);
        e = CorridorMap::twin(map_.edge(e).previous);
      } while (e != vertex.edge);
    }
    const Best& best = on_floor_.cell != corridors::kNone ? on_floor_ : anywhere_;
    if (best.cell == corridors::kNone) return {};
    return {best.at, map_.floorAt(best.cell, best.at), Located{best.cell}};
  }

 private:
  /// Along the arc of h from a place on it that has been reached, as far as it is wide enough. `whole`: from its
  /// origin.
  void leave(std::uint32_t h, Point from, double d, bool whole) {
    const MapVertex& target = map_.target(h);
    if (arcPasses(map_, h, from, d, target.at, target.clearance, limit_)) {
      // An arc that is passed as a whole is so from its other end too: once is enough.
      if (d >= limit_ && !(whole && (h & 1u) != 0)) offer(h, from, target.at);
      const std::uint32_t v = map_.edge(CorridorMap::twin(h)).origin;
      if (scratch_.seen[v] == scratch_.search) return;
      scratch_.seen[v] = scratch_.search;
      scratch_.open.push_back(v);
    } else if (d >= radius_) {
      offer(h, from, whereClearanceIs(map_, h, from, radius_));
    }
  }

  /// The cells on both sides of a stretch of the arc of h.
  void offer(std::uint32_t h, Point m0, Point m1) {
    offerCell(h, m0, m1);
    offerCell(CorridorMap::twin(h), m1, m0);
  }

  void offerCell(std::uint32_t h, Point m0, Point m1) {
    offerPlace(h, nearestInCell(h, m0, m1, goal_));
    if (map_.edge(h).crossing != corridors::kNone) offerBeyond(h, m0, m1);
  }

  void offerPlace(std::uint32_t h, Point place) {
    const double squared = lengthSquared(place - goal_);
    if (allowed_) return offered_.push_back({squared, static_cast<std::uint32_t>(offered_.size()), h, place});
    if (squared < anywhere_.squared) anywhere_ = {squared, place, h};
    if (squared < on_floor_.squared && map_.floorAt(h, place) == goal_floor_) on_floor_ = {squared, place, h};
  }

  /// A cell that lies on two floors: its best place may be on the wrong one, so others are tried as well. What is left
  /// on the goal's floor has further cells, unless the passage ends right behind the connection.
  void offerBeyond(std::uint32_t h, Point m0, Point m1) {
    constexpr int kAlong = 24, kAcross = 12;
    for (int i = 0; i <= kAlong; ++i) {
      const Point m = map_.onArc(h, m0 + (m1 - m0) * (static_cast<double>(i) / kAlong));
      const Point foot = map_.nearestOn(map_.edge(h).site, m);
      const double d = length(m - foot);
      if (!(d > 0)) continue;
      const double least = std::min(radius_ / d, 1.0);
      for (int k = 0; k <= kAcross; ++k)
        offerPlace(h, foot + (m - foot) * (least + (1 - least) * (static_cast<double>(k) / kAcross)));
    }
  }

  /// Of the places in the cell of h that have their retraction between m0 and m1 and keep the radius. The far side of a
  /// cell is the axis, behind which the next cell begins: only what is near the obstacle can be nearest to an outside
  /// place.
  Point nearestInCell(std::uint32_t h, Point m0, Point m1, Point place) const {
    const auto site = map_.edge(h).site;
    const Point foot = map_.nearestOn(site, m0), foot_end = map_.nearestOn(site, m1);
    Point m;
    Point nearest;
    if (site.isCorner()) {
      const Point w = place - foot;
      if (det(m0 - foot, w) >= 0 && det(w, m1 - foot) >= 0 && dot(w, m0 + m1 - foot - foot) > 0)
        m = map_.onArc(h, place);
      else
        m = dot(normalized(m0 - foot), w) >= dot(normalized(m1 - foot), w) ? m0 : m1;
      nearest = foot;
    } else {
      const Point way = foot_end - foot;
      const double squared = lengthSquared(way), t = squared > 0 ? dot(place - foot, way) / squared : 0;
      m = t <= 0 ? m0 : t >= 1 ? m1 : map_.onArc(h, place);
      nearest = map_.nearestOn(site, m);
    }
    const double d = length(m - nearest);
    if (!(d > radius_)) return m;
    // Along the spoke from the obstacle to the axis.
    const double up = dot(place - nearest, m - nearest) / d;
    return nearest + (m - nearest) * (std::clamp(up, radius_, d) / d);
  }

  const CorridorMap& map_;
  const Point goal_;
  const std::uint16_t goal_floor_;
  const double radius_, limit_;
  ReachScratch& scratch_;
  const std::function<bool(Point)>* allowed_;  ///< for everywhere(): which places will do
  std::vector<Offered> offered_;               ///< to everywhere()
  Best anywhere_, on_floor_;
};

}  // namespace

ReachablePlace nearestReachable(const CorridorMap& map, const Retraction& from, Point goal, std::uint16_t goal_floor,
                                double radius, ReachScratch& scratch) {
  return Flood(map, goal, goal_floor, radius, scratch).run(from);
}

ReachablePlace nearestFree(const CorridorMap& map, Point place, std::uint16_t floor, double radius,
                           const std::function<bool(Point)>& allowed) {
  ReachScratch scratch;
  return Flood(map, place, floor, radius, scratch, &allowed).everywhere();
}

}  // namespace throng::planning
