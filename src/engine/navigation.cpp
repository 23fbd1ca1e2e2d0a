#include "throng/navigation.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "base/hash.h"
#include "corridors/map_builder.h"
#include "corridors/visibility.h"
#include "engine/known_models.h"
#include "engine/navigation_state.h"
#include "ground/scene_places.h"
#include "planning/route_request.h"
#include "scene/scene_parts.h"
#include "views/map_lines.h"

namespace throng {
namespace {

using corridors::CorridorMap;
using corridors::Located;

/// What a map is made of, checked: layers and connections. Who walks there, and for how long, may be left open.
Scene groundOf(const Scene& scene) {
  Scene ground;
  ground.layers = scene.layers;
  ground.connections = scene.connections;
  ground.profiles.emplace_back();
  ground.run.duration = 1;
  engine::checked(ground);
  return ground;
}

}  // namespace

DoorId engine::doorNamed(std::span<const std::string_view> doors, std::string_view name) {
  const auto found = std::find(doors.begin(), doors.end(), name);
  if (found != doors.end()) return DoorId(static_cast<std::size_t>(found - doors.begin()));
  throw InputError(fmt::format(
      "There is no door \"{}\"; {}.", name,
      doors.empty() ? std::string("the scene has none") : fmt::format("allowed: {}", fmt::join(doors, ", "))));
}

void engine::requireDoor(DoorId door, std::size_t doors) {
  if (!door || door.index() >= doors)
    throw InputError(door ? fmt::format("There is no door {}; the scene has {} of them.", door.index(), doors)
                          : std::string("Which door? The handle is null."));
}

std::uint64_t engine::mapHash(const Scene& scene) {
  base::Hash hash;
  hash.add(scene::groundHash(scene));
  // The map of a layer without a border reaches as far as they do.
  for (const Point& place : ground::placesOf(scene)) hash.add(place.x), hash.add(place.y);
  return hash.value() | 1;
}

const NavigationMap::State& stateOf(const NavigationMap& map) { return *map.state_; }

NavigationMap::NavigationMap(const Scene& scene, std::span<const Point> places) : state_(std::make_unique<State>()) {
  for (const Point& place : places) corridors::requireFinite(place, "place");
  State& state = *state_;
  std::vector<Point> all = ground::placesOf(scene);
  all.insert(all.end(), places.begin(), places.end());
  state.scene = engine::mapHash(scene);
  const ground::WalkableSpace space(groundOf(scene));
  state.map = CorridorMap(space, scene.connections, all);
  if (ground::anyHills(space.floors())) {
    std::vector<ground::Floor> hills(space.floors().size());
    for (std::size_t i = 0; i < hills.size(); ++i) {
      const ground::Floor& from = space.floors()[i];
      hills[i].elevation = from.elevation, hills[i].slope = from.slope, hills[i].ground = from.ground;
    }
    state.hills = std::make_shared<const std::vector<ground::Floor>>(std::move(hills));
  }
  state.regions = ground::Regions(scene);
  for (const Connection& connection : scene.connections) state.connections.push_back(connection.name);
  for (const Layer& layer : scene.layers) {
    const auto index = static_cast<std::uint16_t>(state.layers.size());
    state.layers.push_back(layer.name);
    state.walkable.push_back(layer.walkable);
    for (const Door& door : layer.doors) state.doors.push_back({door.name, index, door.line, {}});
  }
  for (const Layer& layer : scene.layers)
    for (const Door& door : layer.doors)
      if (!door.open) setDoor(this->door(door.name), false);
}

NavigationMap::NavigationMap(std::unique_ptr<State> state) : state_(std::move(state)) {}
NavigationMap::~NavigationMap() = default;
NavigationMap::NavigationMap(const NavigationMap& other) : state_(std::make_unique<State>(*other.state_)) {}
NavigationMap& NavigationMap::operator=(const NavigationMap& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
NavigationMap::NavigationMap(NavigationMap&&) noexcept = default;
NavigationMap& NavigationMap::operator=(NavigationMap&&) noexcept = default;

NavigationStatistics NavigationMap::statistics() const {
  const corridors::MapStatistics s = state_->map.statistics();
  const corridors::MapBuildTimes& t = state_->map.buildTimes();
  return {s.walls,
          s.vertices,
          s.edges,
          s.annotations,
          s.cells,
          s.bytes,
          t.total(),
          {{"noding", t.noding},
           {"voronoi", t.voronoi},
           {"assembly", t.assembly},
           {"chains", t.chains},
           {"grid", t.grid},
           {"layers", t.layers}}};
}

double NavigationMap::timeBareDiagram() const {
  const corridors::IntegerGrid grid = corridors::MapBuilder::gridOf(state_->map);
  double seconds = 0;
  for (std::uint16_t floor = 0; floor < state_->map.floors(); ++floor) {
    const auto walls = corridors::MapBuilder::axisWalls(state_->map, floor);
    const auto begin = std::chrono::steady_clock::now();
    corridors::bareVoronoi(walls, grid);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return seconds;
}

const std::vector<std::string>& NavigationMap::layers() const { return state_->layers; }

LayerId NavigationMap::layer(std::string_view name) const { return LayerId(state_->layer(name)); }

DoorId NavigationMap::door(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const State::MapDoor& door : state_->doors) names.push_back(door.name);
  return engine::doorNamed(names, name);
}

std::vector<std::string> NavigationMap::closedConnections() const {
  std::vector<std::string> closed;
  for (std::size_t i = 0; i < state_->connections.size(); ++i)
    if (!state_->map.connections()[i].open) closed.push_back(state_->connections[i]);
  return closed;
}

// --- questions -------------------------------------------------------------------------------------------------------

RouteResult NavigationMap::plan(const RouteRequest& request) const {
  return planning::planRoute(state_->named(), request, state_->ground());
}

bool NavigationMap::route(const RouteRequest& request, std::vector<RoutePoint>& points) const {
  return planning::routePoints(state_->named(), request, points, state_->ground());
}

RouteCorridor NavigationMap::corridor(const RouteRequest& request) const {
  return planning::corridorOf(state_->named(), request);
}

bool NavigationMap::walkable(Point place, LayerId layer) const {
  corridors::requireFinite(place, "place");
  return static_cast<bool>(state_->map.locate(place, state_->named().layer(layer)));
}

double NavigationMap::clearance(Point place, LayerId layer) const {
  corridors::requireFinite(place, "place");
  return state_->map.clearance(place, state_->named().layer(layer));
}

std::optional<NearestWall> NavigationMap::nearestWall(Point place, LayerId layer) const {
  corridors::requireFinite(place, "place");
  const Located where = state_->map.locate(place, state_->named().layer(layer));
  if (!where) return {};
  const corridors::NearestObstacle nearest = state_->map.nearest(where, place);
  return NearestWall{nearest.at, nearest.distance};
}

bool NavigationMap::visible(Point from, Point to, LayerId layer, double radius) const {
  corridors::requireFinite(from, "place");
  corridors::requireFinite(to, "place");
  if (!(radius >= 0 && std::isfinite(radius)))
    throw InputError(fmt::format("A radius of {} m; allowed: 0 or more.", radius));
  return corridors::visible(state_->map, from, state_->named().layer(layer), to, radius);
}

std::vector<std::vector<Polygon>> NavigationMap::visibilityPolygon(Point from, LayerId layer) const {
  static thread_local corridors::VisibilityScratch scratch;
  corridors::requireFinite(from, "place");
  corridors::VisibilityPolygon polygon;
  const Located where = state_->map.locate(from, state_->named().layer(layer));
  corridors::visibilityPolygon(state_->map, where, from, scratch, polygon);
  return corridors::perFloor(state_->map, polygon);
}

void NavigationMap::visibleCorners(Point from, LayerId layer, std::vector<RoutePoint>& corners) const {
  static thread_local corridors::VisibilityScratch scratch;
  static thread_local corridors::VisibilityPolygon polygon;
  corridors::requireFinite(from, "place");
  corridors::visibilityPolygon(state_->map, state_->map.locate(from, state_->named().layer(layer)), from, scratch,
                               polygon);
  corners.clear();
  for (const auto& corner : polygon.corners) corners.push_back({corner.at, corner.floor});
}

// --- changes ---------------------------------------------------------------------------------------------------------

ObstacleId NavigationMap::insertObstacle(const Ring& convex, LayerId layer) {
  for (const Point& corner : convex) corridors::requireFinite(corner, "corner");
  return ObstacleId(state_->map.insert(convex, state_->named().layer(layer)));
}

void NavigationMap::removeObstacle(ObstacleId obstacle) {
  const std::uint32_t id = obstacle.index();
  const bool is_door = std::any_of(state_->doors.begin(), state_->doors.end(),
                                   [&](const State::MapDoor& door) { return door.obstacle == id; });
  if (!obstacle || is_door || !state_->map.contains(id))
    throw InputError("There is no such obstacle on the map: it was removed already, or never inserted.");
  state_->map.remove(id);
}

void NavigationMap::setDoor(DoorId id, bool open) {
  State::MapDoor& door = state_->door(id);
  if (open && door.obstacle) {
    state_->map.remove(*door.obstacle);
    door.obstacle.reset();
  } else if (!open && !door.obstacle) {
    const std::array<Point, 2> ends{door.line.a, door.line.b};
    door.obstacle = state_->map.insert(ends, door.layer);
  }
}

bool NavigationMap::isOpen(DoorId door) const { return !state_->door(door).obstacle; }

// --- to be drawn -----------------------------------------------------------------------------------------------------

std::vector<Polyline> NavigationMap::axis(LayerId layer, double tolerance) const {
  return views::axisOf(state_->map, state_->named().layer(layer), tolerance);
}

std::vector<Segment> NavigationMap::spokes(LayerId layer) const {
  return views::spokesOf(state_->map, state_->named().layer(layer));
}

std::vector<Segment> NavigationMap::passages(LayerId layer) const {
  return views::passagesOf(state_->map, state_->named().layer(layer));
}

}  // namespace throng
