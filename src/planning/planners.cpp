#include "planning/planners.h"

#include <fmt/format.h>

#include "base/narrowing.h"

namespace throng::planning {
namespace {

Outcome planDirect(const Request& request, const Terrain&, std::span<const float>, Scratch&, corridors::Route& route) {
  route.assign(1, {request.to});
  return Outcome::kReached;
}

constexpr ModelParameter kCorridorParameters[] = {
    {"clearance_min", "m", 0.4, 0, 10, "The least that anybody likes to keep from walls, where there is room."},
    {"clearance_max", "m", 2.5, 0, 10, "The most that anybody likes to keep; people are spread evenly in between."},
    {"side", "1", 0, -1, 1, "Side of the corridor to keep to: -1 left, 0 either, 1 right."},
};

Outcome planAlongAxis(const Request& request, const Terrain& terrain, std::span<const float> parameters,
                      Scratch& scratch, corridors::Route& route, bool by_strips) {
  if (terrain.map == nullptr) {
    route.assign(1, {request.to});
    return Outcome::kNowhere;
  }
  const double low = static_cast<double>(parameters[0]), high = static_cast<double>(parameters[1]);
  const double preference = static_cast<double>(request.preference);
  RouteQuery query;
  query.from = wide(request.from), query.to = wide(request.to);
  query.layer = request.layer, query.goal_layer = request.goal_layer;
  query.radius = static_cast<double>(request.radius);
  query.clearance = low + (high - low) * preference;
  query.side = static_cast<double>(parameters[2]);
  query.costs = request.costs;
  // A preferred clearance alone spreads people where the corridor is wide. Where it is narrower than they all would
  // like, and around its corners, the published rule has everybody on one and the same line, the middle. So those who
  // cut corners in the open use most of a narrow passage too (nearly up to their radius), and those who keep away from
  // walls stay near the middle of it; nobody is held to the line itself, which leaves followers and avoidance some
  // room.
  query.spread = 0.15 + 0.8 * preference;
  std::shared_ptr<const AxisGrounds> grounds;
  if (by_strips && !request.weights.empty() && terrain.regions != nullptr) {
    if (!terrain.region_maps && !scratch.own_maps) scratch.own_maps = std::make_shared<RegionMaps>();
    grounds = (terrain.region_maps ? *terrain.region_maps : *scratch.own_maps).axis(*terrain.map, *terrain.regions);
    query.grounds = grounds.get(), query.weights = request.weights, query.preference = preference;
  }
  std::shared_ptr<const ChainClimbs> climbs;
  if (request.slope.any() && ground::anyHills(terrain.floors)) {
    if (!terrain.region_maps && !scratch.own_maps) scratch.own_maps = std::make_shared<RegionMaps>();
    climbs = (terrain.region_maps ? *terrain.region_maps : *scratch.own_maps).climbs(*terrain.map, terrain.floors);
    query.slope = request.slope, query.climbs = climbs.get();
  }
  findRoute(*terrain.map, query, scratch, scratch.answer);
  const RouteAnswer& answer = scratch.answer;
  if (answer.outcome == Outcome::kNowhere)
    route.assign(1, {request.to});
  else
    tellLayers(*terrain.map, answer.points, request.layer, scratch.layers, route);
  return answer.outcome;
}

Outcome planCorridor(const Request& request, const Terrain& terrain, std::span<const float> parameters,
                     Scratch& scratch, corridors::Route& route) {
  return planAlongAxis(request, terrain, parameters, scratch, route, false);
}
Outcome planStrips(const Request& request, const Terrain& terrain, std::span<const float> parameters, Scratch& scratch,
                   corridors::Route& route) {
  return planAlongAxis(request, terrain, parameters, scratch, route, true);
}

}  // namespace

namespace {
Outcome planAsUsual(const Request& request, const Terrain& terrain, Scratch& scratch, corridors::Route& route,
                    bool by_strips) {
  float usual[std::size(kCorridorParameters)];
  for (std::size_t i = 0; i < std::size(usual); ++i) usual[i] = static_cast<float>(kCorridorParameters[i].value);
  return planAlongAxis(request, terrain, usual, scratch, route, by_strips);
}
}  // namespace

Outcome planCorridorAsUsual(const Request& request, const Terrain& terrain, Scratch& scratch, corridors::Route& route) {
  return planAsUsual(request, terrain, scratch, route, false);
}
Outcome planStripsAsUsual(const Request& request, const Terrain& terrain, Scratch& scratch, corridors::Route& route) {
  return planAsUsual(request, terrain, scratch, route, true);
}

base::Registry<Planner>& planners() {
  static base::Registry<Planner> known = [] {
    base::Registry<Planner> all(
        "planner",
        {{{"direct", "straight to the goal", "no planning: the goal is assumed to be in sight", {}}, planDirect},
         {{"corridor", "short way through the corridor map, with clearance",
           "JAKLIN 2016, section 11.3.2; Geraerts 2010", kCorridorParameters},
          planCorridor,
          true},
         {{"strips", "quick way over ground of several types, strip by strip, with clearance", "ours; docs/planning.md",
           kCorridorParameters},
          planStrips,
          true,
          false,
          true}});
    for (const Planner& planner : regionPlanners()) all.add(planner);
    return all;
  }();
  return known;
}

const Planner* findPlanner(std::string_view name) { return planners().find(name); }

const Planner& plannerOf(const Profile& profile) {
  const std::string_view usual = profile.region_weights.empty() ? "corridor" : "regions";
  const Planner* planner = findPlanner(profile.planner.model.empty() ? usual : profile.planner.model);
  if (!planner) throw InputError(fmt::format("There is no planner called \"{}\".", profile.planner.model));
  return *planner;
}

}  // namespace throng::planning
