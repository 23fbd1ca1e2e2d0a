#include <algorithm>

#include "planning/crowding.h"
#include "planning/planners.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;
using corridors::Located;
using corridors::Retraction;

void goStraight(const RouteQuery& query, Outcome outcome, Point end, std::uint16_t floor, RouteAnswer& answer) {
  answer.outcome = outcome;
  answer.points.assign({query.from, end});
  answer.length = length(end - query.from);
  answer.axis_length = 0;
  answer.least_clearance = 0;
  answer.corridor.clear();
  answer.end = end;
  answer.end_floor = floor;
}

double narrowestOn(const CorridorMap& map, const MedialPath& path) {
  double least = std::min(path.from.clearance, path.to.clearance);
  for (std::size_t i = 1; i + 1 < path.edges.size(); ++i)
    least = std::min(least, static_cast<double>(map.edge(path.edges[i]).least_clearance));
  // The first and last arcs count between their ends only.
  for (const std::size_t i : {std::size_t{0}, path.edges.size() - 1}) {
    const std::uint32_t h = path.edges[i];
    const bool first = i == 0, last = i + 1 == path.edges.size();
    const double d0 = first ? path.from.clearance : map.origin(h).clearance;
    const double d1 = last ? path.to.clearance : map.target(h).clearance;
    const double ends = std::min(d0, d1);
    const double inside = map.edge(h).least_clearance;
    least = std::min(least, ends);
    if (inside < least &&
        !arcPasses(map, h, first ? path.from.at : map.origin(h).at, d0, last ? path.to.at : map.target(h).at, d1, ends))
      least = inside;
  }
  return least;
}

constexpr double kStripStep = 3;  // m between portals at which strips are chosen

void keepToStrips(const CorridorMap& map, const RouteQuery& query, Point end, Scratch& scratch) {
  StripScratch& strips = scratch.strips;
  strips.floors.clear(), strips.density.clear();
  for (const Portal& portal : scratch.portals) {
    const bool known = portal.edge != corridors::kNone;
    strips.floors.push_back(known ? map.floorAt(portal.edge, portal.axis) : query.layer);
    strips.density.push_back(query.costs != nullptr && known ? static_cast<float>(query.costs->density(portal.edge))
                                                             : 0);
  }
  const StripWalker walker{query.weights, query.side, query.preference, query.clearance - query.radius};
  chooseStrips(query.grounds->raster(), query.from, end, walker, scratch.portals, strips);
}

}  // namespace

void findRoute(const CorridorMap& map, const RouteQuery& query, Scratch& scratch, RouteAnswer& answer) {
  const Located start = map.locate(query.from, query.layer);
  if (!start) return goStraight(query, Outcome::kNowhere, query.to, query.goal_layer, answer);
  const Retraction from = map.retract(start, query.from);
  const Located goal = map.locate(query.to, query.goal_layer);

  answer.outcome = Outcome::kReached;
  answer.end = query.to, answer.end_floor = query.goal_layer;
  MedialPath& path = scratch.path;
  AxisClimb climb{query.climbs, ground::meanCost(query.slope)};
  if (query.grounds != nullptr) {
    climb.grounds = query.grounds;
    climb.least = query.grounds->ratesOf(query.weights, scratch.rates);
    climb.rates = scratch.rates;
  }
  constexpr double kAny = std::numeric_limits<double>::infinity();
  if (!goal || !findMedialPath(map, from, map.retract(goal, query.to), query.radius, scratch.medial, path, query.costs,
                               kAny, climb)) {
    const ReachablePlace place = nearestReachable(map, from, query.to, query.goal_layer, query.radius, scratch.reach);
    // Somebody who is too large to be anywhere stays.
    if (!place.where || !findMedialPath(map, from, map.retract(place.where, place.at), query.radius, scratch.medial,
                                        path, query.costs, kAny, climb))
      return goStraight(query, Outcome::kNearest, query.from, query.layer, answer);
    answer.outcome = Outcome::kNearest;
    answer.end = place.at, answer.end_floor = place.floor;
  }
  CorridorUse use{query.radius, std::max(query.clearance, query.radius), query.spread, query.side != 0};
  if (query.grounds != nullptr) use.clearance = query.radius, use.step = kStripStep;
  findPortals(map, path, query.from, answer.end, use, scratch.portals);
  if (query.grounds != nullptr) keepToStrips(map, query, answer.end, scratch);
  findIndicativeRoute(query.from, answer.end, scratch.portals, query.side, scratch.funnel, answer.points);
  answer.length = lengthOf(answer.points);
  answer.axis_length = path.length;
  answer.least_clearance = narrowestOn(map, path);
  answer.corridor.assign(path.edges.begin(), path.edges.end());
}

}  // namespace throng::planning
