// Routes on the corridor map, and why there is none.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "api/layer_cuts.h"
#include "api/navigation_state.h"
#include "geometry/predicates.h"
#include "planning/planners.h"

namespace throng {
namespace {

using corridors::CorridorMap;
using planning::Outcome;
using planning::RouteAnswer;
using planning::RouteQuery;

/// The words are put together only when they are needed: a small route takes no longer than they do.
void require(bool good, const char* what, double found, const char* allowed) {
  if (!good) throw InputError(fmt::format("{} {}{}", what, found, allowed));
}

/// Room for planning is kept by each thread, so that asking the same map from several threads is fine.
planning::Scratch& scratch() {
  static thread_local planning::Scratch kept;
  return kept;
}

/// How near the route comes to the walls beside its corridor. In the polygon of a cell the nearest wall is its own or
/// that of the cell across the axis.
double leastClearance(const CorridorMap& map, std::span<const std::uint32_t> corridor,
                      std::span<const RoutePoint> route) {
  double least = std::numeric_limits<double>::infinity();
  const auto near = [&](corridors::Site site, Point p, Point q) {
    least = std::min({least, map.distanceTo(site, p), map.distanceTo(site, q)});
    if (site.isCorner()) {
      least = std::min(least, geometry::distanceToSegment(map.corners()[site.index()].at, p, q));
    } else {
      const Segment wall = map.wallSegment(site.index());
      least = std::min({least, geometry::distanceToSegment(wall.a, p, q), geometry::distanceToSegment(wall.b, p, q)});
    }
  };
  for (const std::uint32_t edge : corridor) {
    const std::uint32_t back = CorridorMap::twin(edge);
    const std::array<Point, 6> corners{map.origin(edge).at, map.target(edge).at, map.foot(edge),
                                       map.footEnd(edge),   map.foot(back),      map.footEnd(back)};
    const auto [left, right] =
        std::minmax_element(corners.begin(), corners.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
    const auto [bottom, top] =
        std::minmax_element(corners.begin(), corners.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
    const auto reaches = [&](std::uint16_t layer) {
      if (map.edge(edge).floor == layer || map.edge(back).floor == layer) return true;
      if (map.edge(edge).crossing == corridors::kNone) return false;
      return std::any_of(corners.begin(), corners.end(), [&](Point p) { return map.floorAt(edge, p) == layer; });
    };
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
      const Point p = route[i].at, q = route[i + 1].at;
      if (std::max(p.x, q.x) < left->x || std::min(p.x, q.x) > right->x || std::max(p.y, q.y) < bottom->y ||
          std::min(p.y, q.y) > top->y || !reaches(route[i].layer))
        continue;
      near(map.edge(edge).site, p, q);
      near(map.edge(back).site, p, q);
    }
  }
  return std::isfinite(least) ? least : 0;
}

/// The part of p→q in the box of a ring, as shares of the way; empty when the first is larger.
std::pair<double, double> partInBox(Point p, Point q, const Ring& ring) {
  double from = 0, to = 1;
  const auto narrow = [&](double a, double b, double low, double high) {
    if (a == b) {
      if (a < low || a > high) to = -1;
      return;
    }
    const double s = (low - a) / (b - a), t = (high - a) / (b - a);
    from = std::max(from, std::min(s, t)), to = std::min(to, std::max(s, t));
  };
  Rectangle box{ring[0], ring[0]};
  for (const Point& c : ring) {
    box.min = {std::min(box.min.x, c.x), std::min(box.min.y, c.y)};
    box.max = {std::max(box.max.x, c.x), std::max(box.max.y, c.y)};
  }
  narrow(p.x, q.x, box.min.x, box.max.x);
  narrow(p.y, q.y, box.min.y, box.max.y);
  return {from, to};
}

/// The same where the route passes a branch of the axis: the nearest wall may stand at the branch that it leaves aside.
double leastClearanceAtBranches(const CorridorMap& map, std::span<const std::uint32_t> corridor,
                                std::span<const RoutePoint> route) {
  constexpr double kSpacing = 0.02;  // m
  std::vector<LayerPolygon> branches;
  api::LayerCuts(map).addBranches(corridor, branches);
  double least = std::numeric_limits<double>::infinity();
  for (const LayerPolygon& branch : branches)
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
      if (route[i].layer != branch.layer) continue;
      const Point p = route[i].at, way = route[i + 1].at - p;
      const auto [from, to] = partInBox(p, route[i + 1].at, branch.polygon.outer);
      if (from > to) continue;
      const auto samples = static_cast<int>(length(way) * (to - from) / kSpacing) + 1;
      for (int k = 0; k <= samples; ++k)
        if (const double here = map.clearance(p + way * (from + (to - from) * k / samples), branch.layer); here > 0)
          least = std::min(least, here);
    }
  return least;
}

/// The radius of the largest disc that gets from the start to the goal; 0 when not even a point does.
double widestRadius(const CorridorMap& map, RouteQuery query) {
  RouteAnswer answer;
  const auto gets_there = [&](double radius) {
    query.radius = query.clearance = radius;
    planning::findRoute(map, query, scratch(), answer);
    return answer.outcome == Outcome::kReached;
  };
  double fits = 1e-6, too_large = query.radius;
  if (!gets_there(fits)) return 0;
  while (too_large - fits > 1e-4) (gets_there((fits + too_large) / 2) ? fits : too_large) = (fits + too_large) / 2;
  return fits;
}

/// The border that the map of a plane has.
std::optional<Rectangle> frameOf(const CorridorMap& map, std::uint16_t layer) {
  std::optional<Rectangle> frame;
  for (const corridors::MapWall& wall : map.walls()) {
    if (wall.a == corridors::kNone || wall.floor != layer || !wall.frame) continue;
    for (const std::uint32_t corner : {wall.a, wall.b}) {
      const Point p = map.corners()[corner].at;
      if (!frame) frame = Rectangle{p, p};
      frame->min = {std::min(frame->min.x, p.x), std::min(frame->min.y, p.y)};
      frame->max = {std::max(frame->max.x, p.x), std::max(frame->max.y, p.y)};
    }
  }
  return frame;
}

/// Why nobody can be at a place that is not in the map.
std::string whyNowhere(const CorridorMap& map, const std::vector<Polygon>& walkable, Point place, std::uint16_t layer) {
  if (!walkable.empty())
    return geometry::contains(walkable, place) ? "lies inside an obstacle" : "lies outside the walkable area";
  const auto frame = frameOf(map, layer);
  const bool beyond =
      frame && !(place.x > frame->min.x && place.x < frame->max.x && place.y > frame->min.y && place.y < frame->max.y);
  return beyond ? "lies beyond the part of the plane that the map covers" : "lies inside an obstacle";
}

std::string placeOn(const std::vector<std::string>& layers, Point place, std::uint16_t layer) {
  return fmt::format("({:.6g}, {:.6g}){}", place.x, place.y,
                     layers.size() > 1 ? fmt::format(" on layer \"{}\"", layers[layer]) : "");
}

}  // namespace

RouteQuery NavigationMap::State::query(const RouteRequest& request) const {
  api::requireFinite(request.from, "start");
  api::requireFinite(request.to, "goal");
  require(std::isfinite(request.radius) && request.radius > 0, "A radius of", request.radius,
          " m; allowed: more than 0.");
  require(std::isfinite(request.clearance) && request.clearance >= 0, "A clearance of", request.clearance,
          " m; allowed: 0 or more.");
  require(request.side >= -1 && request.side <= 1, "A side of", request.side, "; allowed: -1 (left) to 1 (right).");
  require(request.spread >= 0 && request.spread <= 1, "A spread of", request.spread, "; allowed: 0 to 1.");
  const std::uint16_t from = layer(request.from_layer), to = request.to_layer.empty() ? from : layer(request.to_layer);
  return {request.from, request.to, from, to, request.radius, request.clearance, request.side, request.spread};
}

std::string NavigationMap::State::whyNot(const RouteQuery& query, Point end, std::uint16_t end_layer) const {
  const std::string goal = "The goal " + placeOn(layers, query.to, query.goal_layer);
  std::string reason;
  if (!map.locate(query.to, query.goal_layer)) {
    reason = goal + " " + whyNowhere(map, walkable[query.goal_layer], query.to, query.goal_layer) + ".";
  } else if (const double widest = widestRadius(map, query); widest > 0) {
    reason = fmt::format("{} lies behind a passage that is only {:.2f} m wide; somebody of radius {:g} m needs {:g} m.",
                         goal, 2 * widest, query.radius, 2 * query.radius);
  } else {
    reason = goal + " lies on a part of the walkable area to which no way leads from the start.";
  }
  if (end == query.from && end_layer == query.layer)
    return reason + " The start is the nearest place that can be reached.";
  return fmt::format("{} The nearest place that can be reached is {}{}.", reason, placeOn(layers, end, end_layer),
                     end_layer == query.goal_layer ? fmt::format(", {:.2f} m from it", length(end - query.to)) : "");
}

RouteResult NavigationMap::plan(const RouteRequest& request) const {
  const State& state = *state_;
  const RouteQuery query = state.query(request);
  RouteResult result;
  RouteAnswer& answer = scratch().answer;
  const auto begin = std::chrono::steady_clock::now();
  planning::findRoute(state.map, query, scratch(), answer);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  if (answer.outcome == Outcome::kNowhere) {
    result.end = query.from;
    result.end_layer = state.layers[query.layer];
    result.reason = fmt::format("The start {} {}.", placeOn(state.layers, query.from, query.layer),
                                whyNowhere(state.map, state.walkable[query.layer], query.from, query.layer));
    return result;
  }
  result.reachable = answer.outcome == Outcome::kReached;
  result.end = answer.end;
  result.end_layer = state.layers[answer.end_floor];
  result.length = answer.length;
  result.axis_length = answer.axis_length;
  result.corridor_cells = 2 * answer.corridor.size();
  result.narrowest_width = 2 * answer.least_clearance;
  api::LayerCuts(state.map).cutLine(answer.points, query.layer, result.points);
  result.least_clearance = state.map.clearance(query.from, query.layer);
  if (!answer.corridor.empty())
    result.least_clearance = std::min(leastClearance(state.map, answer.corridor, result.points),
                                      leastClearanceAtBranches(state.map, answer.corridor, result.points));
  if (!result.reachable) result.reason = state.whyNot(query, result.end, answer.end_floor);
  return result;
}

bool NavigationMap::route(const RouteRequest& request, std::vector<RoutePoint>& points) const {
  const RouteQuery query = state_->query(request);
  RouteAnswer& answer = scratch().answer;
  planning::findRoute(state_->map, query, scratch(), answer);
  points.clear();
  if (answer.outcome != Outcome::kNowhere) api::LayerCuts(state_->map).cutLine(answer.points, query.layer, points);
  return answer.outcome == Outcome::kReached;
}

namespace {

/// Drops what comes before the place of a line that is nearest to `at`, looking at its first `count` points.
void beginAt(std::vector<Point>& line, std::size_t count, Point at) {
  std::size_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const double distance = geometry::distanceToSegment(at, line[i], line[i + 1]);
    if (distance < least) least = distance, nearest = i;
  }
  line.erase(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(nearest));
  line.front() = at;
}

}  // namespace

RouteCorridor NavigationMap::corridor(const RouteRequest& request) const {
  const State& state = *state_;
  const RouteQuery query = state.query(request);
  RouteAnswer& answer = scratch().answer;
  planning::findRoute(state.map, query, scratch(), answer);
  RouteCorridor corridor;
  if (answer.corridor.empty()) return corridor;
  const api::LayerCuts cuts(state.map);
  for (const std::uint32_t edge : answer.corridor)
    for (const std::uint32_t h : {edge, CorridorMap::twin(edge)}) cuts.addCell(h, corridor.cells);
  cuts.addBranches(answer.corridor, corridor.cells);
  constexpr double kTolerance = 0.02;  // m
  std::vector<Point> axis;
  std::size_t of_first = 0, before_last = 0;
  for (const std::uint32_t edge : answer.corridor) {
    if (!axis.empty()) axis.pop_back();  // where the arc before ends
    before_last = axis.size();
    cuts.sampleArc(edge, kTolerance, axis);
    if (of_first == 0) of_first = axis.size();
  }
  // The path begins and ends where both places go when they move straight away from their nearest walls.
  const std::size_t of_last = axis.size() - before_last;
  const auto retracted = [&](Point place, std::uint16_t layer) {
    return state.map.retract(state.map.locate(place, layer), place).at;
  };
  std::reverse(axis.begin(), axis.end());
  const std::size_t whole = axis.size();
  beginAt(axis, of_last, retracted(answer.end, answer.end_floor));
  std::reverse(axis.begin(), axis.end());
  beginAt(axis, std::min(axis.size(), answer.corridor.size() > 1 ? of_first : of_first + axis.size() - whole),
          retracted(query.from, query.layer));
  cuts.addPieces(axis, state.map.floorAt(answer.corridor.front(), axis.front()), corridor.axis);
  return corridor;
}

}  // namespace throng
