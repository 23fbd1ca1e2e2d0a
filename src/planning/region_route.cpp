#include "planning/region_route.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/narrowing.h"
#include "corridors/visibility.h"
#include "geometry/predicates.h"
#include "planning/crowding.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;

constexpr double kUnreachable = std::numeric_limits<double>::infinity();

/// The place nearest to one that is too near to a wall: straight away from the wall, until the body fits.
std::optional<Point> placeInside(const CorridorMap& map, const RegionMesh& mesh, Point place, std::uint16_t floor) {
  if (mesh.locate(place, floor) != RegionMesh::kNone) return place;
  const corridors::Located where = map.locate(place, floor);
  if (!where) return {};
  const corridors::Retraction axis = map.retract(where, place);
  const Point foot = map.nearest(where, place).at;
  if (!(axis.clearance > 0)) return {};
  for (const double share : {1.0001, 1.002, 1.01, 1.025, 1.06, 1.11}) {  // circles are polygons, up to a tenth wider
    if (share * mesh.radius() > axis.clearance) break;
    const Point inside = foot + (axis.at - foot) * (share * mesh.radius() / axis.clearance);
    if (mesh.locate(inside, floor) != RegionMesh::kNone) return inside;
  }
  if (mesh.locate(axis.at, floor) != RegionMesh::kNone) return axis.at;
  return {};
}

Point nearestInTriangle(const RegionMesh& mesh, const RegionMesh::Triangle& t, Point place) {
  if (mesh.contains(t, place)) return place;
  Point best = mesh.corners()[t.corner[0]];
  for (std::size_t i = 0; i < 3; ++i) {
    const Point p =
        geometry::nearestOnSegment(place, mesh.corners()[t.corner[i]], mesh.corners()[t.corner[(i + 1) % 3]]);
    if (lengthSquared(p - place) < lengthSquared(best - place)) best = p;
  }
  return best;
}

/// A place on the border of a triangle, moved a little inside, where rounding does not put it beside.
Point slightlyInside(const RegionMesh& mesh, const RegionMesh::Triangle& t, Point place) {
  constexpr double kInside = 0.01;  // m
  const auto& c = mesh.corners();
  const Point way = (c[t.corner[0]] + c[t.corner[1]] + c[t.corner[2]]) / 3.0 - place;
  return place + way * std::min(0.5, kInside / std::max(length(way), 1e-9));
}

/// Of all triangles that can be reached from where somebody is; the goal's floor first.
struct NearestPlace {
  Point at;
  std::uint16_t floor = 0;
};
std::optional<NearestPlace> nearestInMesh(const RegionMesh& mesh, const RegionQuery& query) {
  std::vector<std::uint32_t> open;
  trianglesAt(mesh, query.from, query.layer, query.weights, open);
  std::vector<std::uint8_t> seen(mesh.triangles().size());
  for (const std::uint32_t t : open) seen[t] = 1;
  std::optional<NearestPlace> best;
  double least = kUnreachable;
  bool on_floor = false;
  while (!open.empty()) {
    const RegionMesh::Triangle& t = mesh.triangles()[open.back()];
    open.pop_back();
    const Point p = nearestInTriangle(mesh, t, query.to);
    const bool there = t.floor == query.goal_layer;
    const double distance = lengthSquared(p - query.to);
    if ((there && !on_floor) || (there == on_floor && distance < least)) {
      best = NearestPlace{p == query.to ? p : slightlyInside(mesh, t, p), t.floor};
      least = distance, on_floor = there;
    }
    for (const std::uint32_t n : t.beyond)
      if (n != RegionMesh::kNone && !seen[n] &&
          query.weights[mesh.triangles()[n].type] < std::numeric_limits<float>::infinity())
        seen[n] = 1, open.push_back(n);
  }
  return best;
}

class RegionRouting {
 public:
  RegionRouting(const CorridorMap& map, const RegionMap& made, const RegionSettings& settings, const RouteQuery& query,
                Scratch& scratch)
      : map_(map), made_(made), mesh_(made.mesh()), settings_(settings), query_(query), s_(scratch) {}

  void run(RouteAnswer& answer) {
    answer.corridor.clear();
    answer.axis_length = answer.least_clearance = 0, answer.explored = 0;
    const auto start = placeInside(map_, mesh_, query_.from, query_.layer);
    if (!start) {
      // Not on the map, or where somebody of this size does not fit: the corridor map knows what to do.
      takeShortest(answer);
      return;
    }
    RegionQuery query{leave(*start), query_.to, query_.layer, query_.goal_layer, s_.weights};
    if (mesh_.isHilly()) query.climb = ground::meanCost(query_.slope);
    const auto goal = placeInside(map_, mesh_, query_.to, query_.goal_layer);
    if (goal && mayStandAt(*goal, query_.goal_layer)) {
      query.to = *goal;
      if (search(query)) return finish(Outcome::kReached, query_.to, query_.goal_layer, answer);
    }
    if (!anyNever()) {
      // A passage between their radius and the one it was rounded to, or a goal in a narrow place.
      takeShortest(answer);
      if (answer.outcome == Outcome::kReached) return;
    }
    query.to = query_.to;
    const auto nearest = nearestInMesh(mesh_, query);
    if (!nearest) return takeShortest(answer);
    query.to = nearest->at, query.goal_layer = nearest->floor;
    if (search(query) || searchOurs(query)) {
      if (isBeside(*nearest)) return finish(Outcome::kReached, query_.to, query_.goal_layer, answer);
      return finish(Outcome::kNearest, nearest->at, nearest->floor, answer);
    }
    if (!anyNever()) return takeShortest(answer);
    s_.way.points.assign(1, query.from), s_.way.cost = 0;  // rather than over ground where they never walk
    finish(Outcome::kNearest, query.from, query_.layer, answer);
  }

 private:
  bool anyNever() const {
    return std::find(s_.weights.begin(), s_.weights.end(), std::numeric_limits<float>::infinity()) != s_.weights.end();
  }

  /// Cells of the grid do not know: they end beside ground that is never walked on, and the way goes on to the goal.
  bool mayStandAt(Point place, std::uint16_t floor) {
    trianglesAt(mesh_, place, floor, s_.weights, s_.regions.to);
    return !s_.regions.to.empty();
  }

  /// Is the goal where somebody may stand, but nearer to ground that they keep off than they are wide? They go there,
  /// as to goals beside walls.
  bool isBeside(const NearestPlace& nearest) const {
    if (mesh_.closed() == 0 || nearest.floor != query_.goal_layer || made_.regions() == nullptr) return false;
    if (length(nearest.at - query_.to) > 1.2 * mesh_.radius()) return false;
    const ground::RegionType type = made_.regions()->typeAt(query_.to, query_.goal_layer, query_.weights);
    return query_.weights[type] < std::numeric_limits<float>::infinity();
  }

  /// The nearest place to one, on its floor, where somebody may be, when they get there straight.
  std::optional<Point> wayOut(Point start) const {
    const corridors::Located where = map_.locate(start, query_.layer);
    if (!where) return {};
    const Rectangle& all = mesh_.extent();
    const double most = length(all.max - all.min);
    double least = kUnreachable;
    Point best;
    for (double reach = 2 * mesh_.radius(); least > reach && reach < 2 * most; reach *= 2) {
      const Point far{reach, reach};
      mesh_.near(start - far, start + far, query_.layer, [&](std::uint32_t t) {
        const RegionMesh::Triangle& triangle = mesh_.triangles()[t];
        if (s_.weights[triangle.type] == std::numeric_limits<float>::infinity()) return;
        const Point place = nearestInTriangle(mesh_, triangle, start);
        if (!(length(place - start) < least)) return;
        least = length(place - start);
        best = slightlyInside(mesh_, triangle, place);
      });
    }
    if (!(least < kUnreachable)) return {};
    const corridors::Sight sight = corridors::lookAlong(map_, where, start, best, 0.9 * mesh_.radius());
    if (!sight.clear || sight.floor != query_.layer) return {};
    return best;
  }

  /// Where the search begins. Who is where they never walk leaves by the shortest way.
  Point leave(Point start) {
    constexpr float kLeaving = 1e4f;
    if (query_.weights.empty()) {
      ground::RegionType last = 0;
      for (const RegionMesh::Triangle& t : mesh_.triangles()) last = std::max(last, t.type);
      s_.weights.assign(std::size_t{last} + 1, 1.0f);
    } else {
      s_.weights.assign(query_.weights.begin(), query_.weights.end());
      if (mesh_.closed() != 0) s_.weights.push_back(std::numeric_limits<float>::infinity());
    }
    std::vector<std::uint32_t>& at = s_.regions.from;
    trianglesAt(mesh_, start, query_.layer, s_.weights, at);
    if (!at.empty()) return start;
    if (const auto out = wayOut(start)) return *out;
    std::replace(s_.weights.begin(), s_.weights.end(), std::numeric_limits<float>::infinity(), kLeaving);
    return start;
  }

  bool search(const RegionQuery& query) {
    switch (settings_.method) {
      case RegionMethod::kGrid:
        searchGrid(map_, mesh_, made_.grid(map_, settings_.cell), query, s_.grid, s_.way);
        break;
      case RegionMethod::kSteiner:
        searchSteiner(mesh_, made_.steiner(settings_.epsilon), query, s_.steiner, s_.way);
        break;
      case RegionMethod::kTrianglePruning:
        prune(Pruning::kTriangles, query);
        break;
      case RegionMethod::kEdgePruning:
        prune(Pruning::kEdges, query);
        break;
      case RegionMethod::kVertexPruning:
        prune(Pruning::kVertices, query);
        break;
      case RegionMethod::kRegions:
        return searchOurs(query);
    }
    return s_.way.cost < kUnreachable;
  }
  bool searchOurs(const RegionQuery& query) {
    searchRegions(mesh_, made_.few(), settings_.everywhere ? nullptr : made_.blocks(), query, s_.regions, s_.way);
    return s_.way.cost < kUnreachable;
  }
  void prune(Pruning pruning, const RegionQuery& query) {
    searchPruned(map_, mesh_, made_.grid(map_, settings_.cell), pruning, settings_.epsilon, query, s_.pruning, s_.way);
  }

  void finish(Outcome outcome, Point end, std::uint16_t floor, RouteAnswer& answer) {
    constexpr double kSame = 1e-3;  // m
    answer.outcome = outcome, answer.end = end, answer.end_floor = floor;
    answer.cost = s_.way.cost, answer.explored = s_.way.explored;
    answer.cost += ground::endCost(query_.slope, mesh_.heightAt(s_.way.points.back(), floor) -
                                                     mesh_.heightAt(s_.way.points.front(), query_.layer));
    answer.points.assign(1, query_.from);
    for (const Point p : s_.way.points)
      if (length(p - answer.points.back()) > kSame) answer.points.push_back(p);
    if (answer.points.size() > 1 && length(answer.points.back() - end) <= kSame)
      answer.points.back() = end;
    else
      answer.points.push_back(end);
    answer.length = lengthOf(answer.points);
  }

  void takeShortest(RouteAnswer& answer) {
    findRoute(map_, query_, s_, answer);
    answer.cost = answer.length;
    // Over several layers the line alone does not say which part lies on which.
    if (made_.regions() == nullptr || query_.weights.empty() || query_.layer != query_.goal_layer) return;
    answer.cost = 0;
    for (std::size_t i = 1; i < answer.points.size(); ++i)
      answer.cost += made_.regions()->cost(answer.points[i - 1], answer.points[i], query_.layer, query_.weights);
  }

  const CorridorMap& map_;
  const RegionMap& made_;
  const RegionMesh& mesh_;
  const RegionSettings& settings_;
  const RouteQuery& query_;
  Scratch& s_;
};

constexpr ModelParameter kCell{"cell", "m", 1, 0.1, 100, "Side of the grid's cells."};
constexpr ModelParameter kEpsilon{
    "epsilon", "1", 0.1,
    0.05,      1,   "How near the points on edges are to one another: costs at most 1 + this times the least."};
constexpr ModelParameter kGridParameters[] = {kCell};
constexpr ModelParameter kSteinerParameters[] = {kEpsilon};
constexpr ModelParameter kPruningParameters[] = {kEpsilon, kCell};

struct Method {
  ModelInfo info;
  RegionMethod method;
};
constexpr Method kMethods[] = {
    {{"regions",
      "cheap way over ground of several types, drawn tight",
      "A* over few points on edges, then Snell's law; docs/planning.md",
      {}},
     RegionMethod::kRegions},
    {{"grid", "cheapest way over the cells of a grid", "JAKLIN 2016, chapter 3", kGridParameters}, RegionMethod::kGrid},
    {{"steiner", "cheapest way over points on the edges of triangles (SPM)",
      "Aleksandrov et al. 1998; JAKLIN 2016, section 4.1", kSteinerParameters},
     RegionMethod::kSteiner},
    {{"triangle-pruning", "steiner, on the triangles that the grid's way meets", "JAKLIN 2016, section 4.2.1",
      kPruningParameters},
     RegionMethod::kTrianglePruning},
    {{"edge-pruning", "steiner, on the edges next to the grid's way", "JAKLIN 2016, section 4.2.2", kPruningParameters},
     RegionMethod::kEdgePruning},
    {{"vertex-pruning", "steiner, on the edges around the bends of the grid's way (VBP)", "JAKLIN 2016, section 4.2.3",
      kPruningParameters},
     RegionMethod::kVertexPruning},
};

RegionSettings settingsOf(RegionMethod method, std::span<const float> parameters) {
  RegionSettings settings{method};
  const auto number = [&](std::size_t i) { return static_cast<double>(parameters[i]); };
  if (method == RegionMethod::kGrid) {
    settings.cell = number(0);
  } else if (method != RegionMethod::kRegions) {
    settings.epsilon = number(0);
    if (method != RegionMethod::kSteiner) settings.cell = number(1);
  }
  return settings;
}

/// What the ground of a route costs, slopes apart.
double groundCost(const Request& request, const Terrain& terrain, const corridors::Route& route) {
  double cost = 0;
  Point last = wide(request.from);
  for (const corridors::WayPoint& point : route) {
    const Point at = wide(point.at);
    const std::uint16_t layer = point.layer == corridors::kAnyLayer ? request.layer : point.layer;
    const bool typed = terrain.regions != nullptr && terrain.regions->any(layer) && !request.weights.empty();
    cost += typed ? terrain.regions->cost(last, at, layer, request.weights) : length(at - last);
    last = at;
  }
  return cost;
}

/// Who would be held up by others on a way takes the one along the axis that is the quickest with all of them, if that
/// costs less, longer time and dearer ground together.
void goRoundCrowds(const Request& request, const Terrain& terrain, Scratch& scratch, corridors::Route& route) {
  constexpr double kSlow = 1.15;  // times the length: ways that take no longer are not compared with others
  const WayCosts& costs = *request.costs;
  const Stretches& stretches = costs.stretches();
  const Point goal = wide(request.to);
  stretches.listAlong(*terrain.map, wide(request.from), request.layer, route, scratch.passed);
  const auto lost = [&](const std::vector<DirectedStretch>& way) {
    return std::max(0.0, costs.of(way, goal) - costs.length(way, goal));
  };
  const double held_up = lost(scratch.passed);
  if (!(held_up > (kSlow - 1) * costs.length(scratch.passed, goal))) return;
  const Outcome outcome = planStripsAsUsual(request, terrain, scratch, scratch.other);
  const bool known = outcome == Outcome::kReached && !scratch.answer.corridor.empty();
  scratch.answer.corridor.clear();  // what is passed is listed
  if (!known) return;
  stretches.listWay(*terrain.map, scratch.path, scratch.other_passed);
  const double other = groundCost(request, terrain, scratch.other) + lost(scratch.other_passed);
  if (!(other < groundCost(request, terrain, route) + held_up)) return;
  route.swap(scratch.other);
  scratch.passed.swap(scratch.other_passed);
}

Outcome planInRegions(RegionMethod method, const Request& request, const Terrain& terrain,
                      std::span<const float> parameters, Scratch& scratch, corridors::Route& route) {
  // Where all ground is alike ours is the short way, with all that it knows of others.
  const bool hills = request.slope.any() && ground::anyHills(terrain.floors);
  if (terrain.map == nullptr || (method == RegionMethod::kRegions && request.weights.empty() && !hills))
    return planCorridorAsUsual(request, terrain, scratch, route);
  RegionMaps* maps = terrain.region_maps;
  if (maps == nullptr) {
    if (!scratch.own_maps) scratch.own_maps = std::make_shared<RegionMaps>();
    maps = scratch.own_maps.get();
  }
  RouteQuery query;
  query.from = wide(request.from), query.to = wide(request.to);
  query.layer = request.layer, query.goal_layer = request.goal_layer;
  query.radius = static_cast<double>(request.radius);
  query.costs = request.costs;
  query.weights = request.weights;
  std::shared_ptr<const ChainClimbs> climbs;
  if (hills) {
    query.slope = request.slope;
    climbs = maps->climbs(*terrain.map, terrain.floors);
    query.climbs = climbs.get();
  }
  const auto made = maps->of(*terrain.map, terrain.regions, RegionMaps::rounded(query.radius),
                             hills ? terrain.floors : std::span<const ground::Floor>(), query.weights);
  findRegionRoute(*terrain.map, *made, settingsOf(method, parameters), query, scratch, scratch.answer);
  if (scratch.answer.outcome == Outcome::kNowhere)
    route.assign(1, {request.to});
  else
    tellLayers(*terrain.map, scratch.answer.points, request.layer, scratch.layers, route);
  const Outcome outcome = scratch.answer.outcome;
  if (method == RegionMethod::kRegions && request.costs != nullptr && outcome == Outcome::kReached &&
      !request.weights.empty())
    goRoundCrowds(request, terrain, scratch, route);
  return outcome;
}

}  // namespace

void findRegionRoute(const CorridorMap& map, const RegionMap& made, const RegionSettings& settings,
                     const RouteQuery& query, Scratch& scratch, RouteAnswer& answer) {
  RegionRouting(map, made, settings, query, scratch).run(answer);
}

std::optional<RegionSettings> regionSettings(std::string_view planner, std::span<const float> parameters) {
  for (const Method& known : kMethods)
    if (known.info.name == planner) return settingsOf(known.method, parameters);
  return {};
}

std::vector<Planner> regionPlanners() {
  std::vector<Planner> planners;
  for (const Method& known : kMethods)
    planners.push_back(
        {known.info,
         [method = known.method](const Request& request, const Terrain& terrain, std::span<const float> parameters,
                                 Scratch& scratch, corridors::Route& route) {
           return planInRegions(method, request, terrain, parameters, scratch, route);
         },
         true, true, false, known.method == RegionMethod::kRegions});
  return planners;
}

}  // namespace throng::planning
