#include "planning/route_request.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "base/thread_time.h"
#include "corridors/layer_cuts.h"
#include "geometry/predicates.h"
#include "planning/region_route.h"
#include "planning/route_clearance.h"
#include "step/context.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;
using corridors::LayerCuts;
using corridors::NamedMap;

/// The words are put together only when they are needed: a small route takes no longer than they do.
void require(bool good, const char* what, double found, const char* allowed) {
  if (!good) throw InputError(fmt::format("{} {}{}", what, found, allowed));
}

/// Room for planning is kept by each thread, so that asking the same map from several threads is fine.
Scratch& scratch() {
  static thread_local Scratch kept;
  return kept;
}

constexpr double kSought = 2e-4;  // m: radii are sought so exactly

/// The radius of the largest disc that gets from the start to the goal; 0 when not even a point does.
double widestRadius(const CorridorMap& map, RouteQuery query) {
  RouteAnswer answer;
  const auto gets_there = [&](double radius) {
    query.radius = query.clearance = radius;
    findRoute(map, query, scratch(), answer);
    return answer.outcome == Outcome::kReached;
  };
  double fits = 1e-6, too_large = query.radius;
  if (!gets_there(fits)) return 0;
  while (too_large - fits > kSought / 2)
    (gets_there((fits + too_large) / 2) ? fits : too_large) = (fits + too_large) / 2;
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
std::string whyNowhere(const NamedMap& named, Point place, std::uint16_t layer) {
  if (const std::vector<Polygon>& walkable = named.walkable[layer]; !walkable.empty())
    return geometry::contains(walkable, place) ? "lies inside an obstacle" : "lies outside the walkable area";
  const auto frame = frameOf(named.map, layer);
  const bool beyond =
      frame && !(place.x > frame->min.x && place.x < frame->max.x && place.y > frame->min.y && place.y < frame->max.y);
  return beyond ? "lies beyond the part of the plane that the map covers" : "lies inside an obstacle";
}

std::string placeOn(std::span<const std::string> layers, Point place, std::uint16_t layer) {
  return fmt::format("({:.6g}, {:.6g}){}", place.x, place.y,
                     layers.size() > 1 ? fmt::format(" on layer \"{}\"", layers[layer]) : "");
}

/// A sentence about a goal that cannot be reached, and one about where the route ends instead. `never`: the type of the
/// goal's ground where that is never walked on; nothing: no ground is like that.
std::string whyNot(const NamedMap& named, const RouteQuery& query, Point end, std::uint16_t end_layer,
                   const std::optional<std::string>& never) {
  const std::string goal = "The goal " + placeOn(named.layers, query.to, query.goal_layer);
  std::string reason;
  if (!named.map.locate(query.to, query.goal_layer)) {
    reason = goal + " " + whyNowhere(named, query.to, query.goal_layer) + ".";
  } else if (never && !never->empty()) {
    reason =
        fmt::format("{} lies on ground of type \"{}\", where somebody with these weights never walks.", goal, *never);
  } else if (const double widest = widestRadius(named.map, query); never && widest > query.radius - kSought) {
    reason = goal + " lies behind ground where somebody with these weights never walks.";
  } else if (widest > 0) {
    reason = fmt::format("{} lies behind a passage that is only {:.2f} m wide; somebody of radius {:g} m needs {:g} m.",
                         goal, 2 * widest, query.radius, 2 * query.radius);
  } else {
    reason = goal + " lies on a part of the walkable area to which no way leads from the start.";
  }
  if (end == query.from && end_layer == query.layer)
    return reason + " The start is the nearest place that can be reached.";
  return fmt::format("{} The nearest place that can be reached is {}{}.", reason, placeOn(named.layers, end, end_layer),
                     end_layer == query.goal_layer ? fmt::format(", {:.2f} m from it", length(end - query.to)) : "");
}

}  // namespace

RouteQuery queryOf(const NamedMap& named, const RouteRequest& request) {
  corridors::requireFinite(request.from, "start");
  corridors::requireFinite(request.to, "goal");
  require(std::isfinite(request.radius) && request.radius > 0, "A radius of", request.radius,
          " m; allowed: more than 0.");
  require(std::isfinite(request.clearance) && request.clearance >= 0, "A clearance of", request.clearance,
          " m; allowed: 0 or more.");
  require(request.side >= -1 && request.side <= 1, "A side of", request.side, "; allowed: -1 (left) to 1 (right).");
  require(request.spread >= 0 && request.spread <= 1, "A spread of", request.spread, "; allowed: 0 to 1.");
  const std::uint16_t from = named.layer(request.from_layer);
  const std::uint16_t to = request.to_layer ? named.layer(request.to_layer) : from;
  return {request.from, request.to, from, to, request.radius, request.clearance, request.side, request.spread};
}

namespace {

/// The planner that a request names, with what it needs.
class GroundRoute {
 public:
  GroundRoute(const NamedMap& named, const RouteRequest& request, const GroundOfMap& ground, const RouteQuery& query)
      : map_(named.map), ground_(ground), query_(query), slope_(request.slope_cost) {
    for (const double cost : {slope_.up, slope_.down})
      require(kSlopeCostLimits.contain(cost), "A slope cost of", cost, "; allowed: 0 to 10000.");
    weigh(request);
    if (request.planner.empty() || request.planner == "corridor") return;
    const Planner* planner = findPlanner(request.planner);
    by_strips_ = planner && planner->by_strips;
    if (by_strips_) return;
    if (!planner || !planner->in_regions)
      throw InputError(fmt::format("There is no planner of maps called \"{}\"; there are \"corridor\", \"strips\"{}.",
                                   request.planner, namesInRegions()));
    settings_ = regionSettings(request.planner, valuesOf(planner->info, request.parameters));
  }

  bool inRegions() const { return settings_.has_value(); }
  void build() {
    const bool hilly = slope_.any() && !ground_.hills.empty();
    const bool strips = by_strips_ && !weights_.empty();
    if (!settings_ && !hilly && !strips) return;
    RegionMaps* maps = ground_.maps;
    if (maps == nullptr) {
      if (!scratch().own_maps) scratch().own_maps = std::make_shared<RegionMaps>();
      maps = scratch().own_maps.get();
    }
    if (hilly) climbs_ = maps->climbs(map_, ground_.hills);
    if (strips) axis_ = maps->axis(map_, *ground_.regions);
    if (!settings_) return;
    made_ = maps->of(map_, ground_.regions, query_.radius, hilly ? ground_.hills : std::span<const ground::Floor>(),
                     weights_);
    if (settings_->method == RegionMethod::kSteiner) made_->steiner(settings_->epsilon);
    if (settings_->method != RegionMethod::kSteiner && settings_->method != RegionMethod::kRegions)
      made_->grid(map_, settings_->cell);
  }
  void find(RouteAnswer& answer) {
    RouteQuery query = query_;
    if (climbs_) query.slope = slope_, query.climbs = climbs_.get();
    query.weights = weights_;
    if (axis_) query.grounds = axis_.get();
    if (!settings_) return findRoute(map_, query, scratch(), answer);
    findRegionRoute(map_, *made_, *settings_, query, scratch(), answer);
  }
  /// The type of the goal's ground where somebody never walks on that; no name where they do, nothing where they walk
  /// everywhere.
  std::optional<std::string> neverAtGoal() const {
    const auto isNever = [](float weight) { return std::isinf(weight); };
    if (!settings_ || std::none_of(weights_.begin(), weights_.end(), isNever)) return {};
    const ground::RegionType type = ground_.regions->typeAt(query_.to, query_.goal_layer, weights_);
    return isNever(weights_[type]) ? ground_.regions->types()[type] : std::string();
  }
  double costOf(std::span<const RoutePoint> line) const {
    double cost = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const bool typed = ground_.regions != nullptr && ground_.regions->any(line[i - 1].layer) && !weights_.empty();
      cost += typed ? ground_.regions->cost(line[i - 1].at, line[i].at, line[i - 1].layer, weights_)
                    : length(line[i].at - line[i - 1].at);
      if (climbs_) cost += ground::slopeCost(ground_.hills[line[i - 1].layer], line[i - 1].at, line[i].at, slope_);
    }
    return cost;
  }

 private:
  static std::string namesInRegions() {
    std::string names;
    for (const Planner& planner : planners().entries())
      if (planner.in_regions) names += fmt::format(", \"{}\"", planner.info.name);
    return names;
  }
  static std::vector<float> valuesOf(const ModelInfo& info, const std::map<std::string, double>& given) {
    for (const auto& [name, value] : given) {
      const auto known = std::find_if(info.parameters.begin(), info.parameters.end(),
                                      [&, &key = name](const ModelParameter& p) { return p.name == key; });
      if (known == info.parameters.end())
        throw InputError(fmt::format("The planner \"{}\" has no parameter \"{}\".", info.name, name));
      if (!(value >= known->min && value <= known->max))
        throw InputError(fmt::format("\"{}\" of the planner \"{}\" is {}; allowed: {} to {}.", name, info.name, value,
                                     known->min, known->max));
    }
    return step::parameterValues(info, given);
  }
  void weigh(const RouteRequest& request) {
    for (const auto& [type, weight] : request.region_weights)
      if (!kRegionWeightLimits.contain(weight) && !(std::isinf(weight) && weight > 0))
        throw InputError(fmt::format("A weight of {} for \"{}\"; allowed: {} to {}, or infinity for never.", weight,
                                     type, kRegionWeightLimits.least, kRegionWeightLimits.most));
    if (ground_.regions == nullptr || !ground_.regions->any() || request.region_weights.empty()) return;
    for (const std::string& type : ground_.regions->types()) {
      const auto given = request.region_weights.find(type);
      weights_.push_back(given == request.region_weights.end() ? 1.0f : static_cast<float>(given->second));
    }
  }

  const CorridorMap& map_;
  const GroundOfMap& ground_;
  const RouteQuery& query_;
  std::optional<RegionSettings> settings_;
  std::shared_ptr<const RegionMap> made_;
  bool by_strips_ = false;
  std::shared_ptr<const AxisGrounds> axis_;
  const SlopeCost slope_;
  std::shared_ptr<const ChainClimbs> climbs_;
  ground::RegionWeights weights_;
};

}  // namespace

RouteResult planRoute(const NamedMap& named, const RouteRequest& request, const GroundOfMap& ground) {
  const RouteQuery query = queryOf(named, request);
  RouteResult result;
  RouteAnswer& answer = scratch().answer;
  GroundRoute route(named, request, ground, query);
  const double begin = base::threadSeconds();
  route.build();
  const double built = base::threadSeconds();
  route.find(answer);
  result.seconds = base::threadSeconds() - built;
  if (route.inRegions()) result.build_seconds = built - begin, result.explored = answer.explored;

  if (answer.outcome == Outcome::kNowhere) {
    result.end = query.from;
    result.end_layer = LayerId(query.layer);
    result.reason = fmt::format("The start {} {}.", placeOn(named.layers, query.from, query.layer),
                                whyNowhere(named, query.from, query.layer));
    return result;
  }
  result.reachable = answer.outcome == Outcome::kReached;
  result.end = answer.end;
  result.end_layer = LayerId(answer.end_floor);
  result.length = answer.length;
  result.axis_length = answer.axis_length;
  result.corridor_cells = 2 * answer.corridor.size();
  result.narrowest_width = 2 * answer.least_clearance;
  LayerCuts(named.map).cutLine(answer.points, query.layer, result.points);
  result.cost = route.costOf(result.points);
  result.least_clearance = named.map.clearance(query.from, query.layer);
  if (!answer.corridor.empty())
    result.least_clearance = leastClearance(named.map, answer.corridor, result.points);
  else if (result.points.size() > 1)
    result.least_clearance = leastClearance(named.map, result.points);
  if (!result.reachable) result.reason = whyNot(named, query, result.end, answer.end_floor, route.neverAtGoal());
  return result;
}

bool routePoints(const NamedMap& named, const RouteRequest& request, std::vector<RoutePoint>& points,
                 const GroundOfMap& ground) {
  const RouteQuery query = queryOf(named, request);
  RouteAnswer& answer = scratch().answer;
  GroundRoute route(named, request, ground, query);
  route.build();
  route.find(answer);
  points.clear();
  if (answer.outcome != Outcome::kNowhere) LayerCuts(named.map).cutLine(answer.points, query.layer, points);
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

RouteCorridor corridorOf(const NamedMap& named, const RouteRequest& request) {
  const RouteQuery query = queryOf(named, request);
  RouteAnswer& answer = scratch().answer;
  findRoute(named.map, query, scratch(), answer);
  RouteCorridor corridor;
  if (answer.corridor.empty()) return corridor;
  const LayerCuts cuts(named.map);
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
    return named.map.retract(named.map.locate(place, layer), place).at;
  };
  std::reverse(axis.begin(), axis.end());
  const std::size_t whole = axis.size();
  beginAt(axis, of_last, retracted(answer.end, answer.end_floor));
  std::reverse(axis.begin(), axis.end());
  beginAt(axis, std::min(axis.size(), answer.corridor.size() > 1 ? of_first : of_first + axis.size() - whole),
          retracted(query.from, query.layer));
  cuts.addPieces(axis, named.map.floorAt(answer.corridor.front(), axis.front()), corridor.axis);
  return corridor;
}

}  // namespace throng::planning
