// Which way: the table of planners.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "throng/models.h"
#include "throng/scene.h"

#include "base/registry.h"
#include "corridors/corridor_map.h"
#include "corridors/route.h"
#include "ground/regions.h"
#include "ground/slope.h"
#include "ground/walkable_space.h"
#include "planning/corridor.h"
#include "planning/indicative_route.h"
#include "planning/medial_search.h"
#include "planning/pruning.h"
#include "planning/reachability.h"
#include "planning/region_maps.h"
#include "planning/region_search.h"
#include "planning/route_layers.h"
#include "planning/stretches.h"
#include "planning/strips.h"

namespace throng::planning {

/// What planners know about the world.
struct Terrain {
  std::span<const ground::Floor> floors;
  const corridors::CorridorMap* map = nullptr;  ///< for the planners that need one
  const ground::Regions* regions = nullptr;     ///< null: no ground is of any type
  std::uint64_t revision = 0;                   ///< counts up whenever walls change
  RegionMaps* region_maps = nullptr;            ///< for the planners in weighted regions; null: each thread's own
};

struct Request {
  Vec2 from, to;
  std::uint16_t layer = 0, goal_layer = 0;
  float radius = 0.25f;                 ///< m
  float preference = 0.5f;              ///< in [0, 1): what sets this person apart; drawn once per person
  const WayCosts* costs = nullptr;      ///< null: nobody else counts
  std::span<const float> weights = {};  ///< cost per metre by ground::RegionType; empty: all ground is alike
  SlopeCost slope = {};                 ///< what rise and fall cost besides
};

enum class Outcome : std::uint8_t {
  kReached,
  kNearest,  ///< the goal cannot be reached; the route leads to the nearest place that can
  kNowhere,  ///< the start itself is not on the map: the route is straight to the goal
};

struct RouteQuery {
  Point from, to;
  std::uint16_t layer = 0, goal_layer = 0;
  double radius = 0.25;                  ///< m
  double clearance = 0.5;                ///< m to keep from obstacles where there is room
  double side = 0;                       ///< -1 (left) … 1 (right)
  double spread = 1;                     ///< 0 … 1: see CorridorUse
  const WayCosts* costs = nullptr;       ///< null: nobody else counts
  std::span<const float> weights = {};   ///< see Request
  SlopeCost slope = {};                  ///< what rise and fall cost besides, where there are hills
  const ChainClimbs* climbs = nullptr;   ///< for those who mind slopes
  const AxisGrounds* grounds = nullptr;  ///< for those who mind the ground, of the planner `strips`
  double preference = 0.5;               ///< see Request; where on a strip of ground
};

struct RouteAnswer {
  Outcome outcome = Outcome::kNowhere;
  std::vector<Point> points;   ///< from the start to the end, with both
  double length = 0;           ///< m
  double axis_length = 0;      ///< m along the medial axis, between the retractions of both ends, or what that costs
  double least_clearance = 0;  ///< m; of the narrowest place on that way
  std::vector<std::uint32_t> corridor;  ///< half-edges of that way
  Point end;                            ///< the goal, or the nearest place to it that can be reached
  std::uint16_t end_floor = 0;
  double cost = 0;           ///< in weighted regions, and in hills
  std::size_t explored = 0;  ///< nodes of the search in weighted regions
};

/// Room for planning; one per thread, for any map.
struct Scratch {
  MedialScratch medial;
  MedialPath path;
  std::vector<Portal> portals;
  FunnelScratch funnel;
  StripScratch strips;
  std::vector<float> rates;  ///< see AxisGrounds
  ReachScratch reach;
  LayerScratch layers;
  RouteAnswer answer;
  // In weighted regions.
  RegionScratch regions;
  SteinerScratch steiner;
  GridScratch grid;
  PruningScratch pruning;
  RegionWay way;
  ground::RegionWeights weights;
  std::shared_ptr<RegionMaps> own_maps;
  std::vector<DirectedStretch> passed, other_passed;  ///< narrow places of a way in regions, where crowds count
  corridors::Route other;
};

/// The indicative route of one person (JAKLIN 2016, section 11.3.2).
void findRoute(const corridors::CorridorMap& map, const RouteQuery& query, Scratch& scratch, RouteAnswer& answer);

/// Fills `route` with way-points from after `from` to the goal, or to the nearest place that can be reached.
/// May be called for several people at once.
using Plan = std::function<Outcome(const Request& request, const Terrain& terrain, std::span<const float> parameters,
                                   Scratch& scratch, corridors::Route& route)>;

struct Planner {
  ModelInfo info;
  Plan plan;
  bool needs_map = false;
  bool in_regions = false;  ///< goes by what ground costs, over a triangulation
  bool by_strips = false;   ///< goes by what ground costs and by how crowded ways are
  bool by_crowds = false;   ///< in regions: goes by how crowded ways are, too
};

/// Those that go by what ground of each type costs (region_route.h).
std::vector<Planner> regionPlanners();
/// The planner `corridor`, as it is without parameters of one's own.
Outcome planCorridorAsUsual(const Request& request, const Terrain& terrain, Scratch& scratch, corridors::Route& route);
/// The planner `strips`, the same.
Outcome planStripsAsUsual(const Request& request, const Terrain& terrain, Scratch& scratch, corridors::Route& route);

/// All of them: the built-in ones, then those of programs.
base::Registry<Planner>& planners();
/// Null for an unknown name.
const Planner* findPlanner(std::string_view name);
/// That of a profile. Throws InputError for an unknown name.
const Planner& plannerOf(const Profile& profile);

}  // namespace throng::planning
