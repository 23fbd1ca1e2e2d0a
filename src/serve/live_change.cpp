#include "serve/live_change.h"

#include <algorithm>
#include <fmt/format.h>

#include "geometry/convex_pieces.h"
#include "geometry/polygons.h"
#include "scene/scene_check.h"
#include "scene/scene_parts.h"

namespace throng::serve {
namespace {

/// Obstacles and walls of a layer, as they stand: without what its openings cut out of them.
StandingShapes shapesOf(const Scene& scene) {
  StandingShapes shapes;
  for (std::size_t i = 0; i < scene.layers.size(); ++i) {
    const Layer& layer = scene.layers[i];
    const auto number = static_cast<std::uint16_t>(i);
    for (const Polygon& polygon : layer.obstacles) {
      std::vector<Polygon> solid{polygon};
      if (!layer.openings.empty()) solid = geometry::difference(solid, layer.openings);
      shapes[fmt::format("{} {}", i, geometry::toWkt(std::vector<Polygon>{polygon}))] = {number,
                                                                                         geometry::convexPieces(solid)};
    }
    for (const Polyline& wall : layer.walls) {
      std::vector<Polyline> lines{wall};
      if (!layer.openings.empty()) lines = geometry::difference(lines, layer.openings);
      StandingShape& shape = shapes[fmt::format("{} {}", i, geometry::toWkt(wall))];
      shape.layer = number;
      for (const Polyline& line : lines)
        for (std::size_t k = 1; k < line.points.size(); ++k)
          shape.pieces.push_back({line.points[k - 1], line.points[k]});
    }
  }
  // What events put there at the very beginning is a part of the place, too.
  for (const Event& event : scene.events)
    if (const auto* insertion = std::get_if<InsertObstacle>(&event.change); insertion && event.time <= 0) {
      const int layer = std::max(scene::layerIndex(scene, insertion->layer), 0);
      shapes[fmt::format("event {} {}", insertion->name, geometry::toWkt({insertion->obstacle}))] = {
          static_cast<std::uint16_t>(layer), {insertion->obstacle.outer}};
    }
  return shapes;
}

/// Everything that decides where people are, but for what can be changed while they walk.
std::uint64_t restOf(const Scene& scene, std::size_t populations, std::size_t places) {
  Scene rest = scene;
  for (Layer& layer : rest.layers) {
    layer.obstacles.clear(), layer.walls.clear();
    for (Door& door : layer.doors) door.open = true;
  }
  std::erase_if(rest.events, [](const Event& event) {
    return event.time <= 0 && std::holds_alternative<InsertObstacle>(event.change);
  });
  rest.populations.resize(std::min(populations, rest.populations.size()));
  rest.places.resize(std::min(places, rest.places.size()));
  return scene::hashOf(scene::partsOfRun(rest, rest.populations, rest.levels, rest.run.seed));
}

}  // namespace

LiveChange liveChange(const Scene& before, const Scene& after, const std::set<std::string>& standing) {
  LiveChange change;
  for (const Layer& layer : after.layers)
    for (const Door& door : layer.doors)
      for (const Layer& other : before.layers)
        for (const Door& was : other.doors)
          if (was.name == door.name && was.open != door.open) change.doors.push_back({door.name, door.open});
  const bool more =
      after.populations.size() >= before.populations.size() && after.places.size() >= before.places.size();
  const std::size_t people = before.populations.size(), places = before.places.size();
  change.anew = !more || restOf(before, people, places) != restOf(after, people, places);
  if (change.anew) return change;
  for (std::size_t i = people; i < after.populations.size(); ++i) {
    const Population& population = after.populations[i];
    const bool now = population.flow && population.flow->time <= 0 && population.flow->paths == FlowEnds{}.paths &&
                     !population.flow->spread;
    change.anew |= !now;
    change.flows.push_back(population);
  }
  for (std::size_t i = places; i < after.places.size(); ++i) change.places.push_back(after.places[i]);
  const StandingShapes was = shapesOf(before), is = shapesOf(after);
  bool walls = false;
  for (const auto& [key, shape] : was)
    if (is.find(key) == is.end()) {
      walls = true;
      if (standing.count(key) > 0)
        change.go.insert(key);
      else
        change.anew = true;
    }
  for (const auto& [key, shape] : is)
    if (was.find(key) == was.end()) walls = true, change.come.emplace(key, shape);
  // People of flows know obstacles from the navigation graph only, which is made from the scene; but for those of flows
  // that spread, who have routes of their own.
  change.anew |= walls && std::any_of(after.populations.begin(), after.populations.end(),
                                      [](const Population& p) { return p.flow && !p.flow->spread; });
  if (change.anew) change.flows.clear(), change.places.clear();
  return change;
}

void LiveWorld::apply(World& world, const LiveChange& change) {
  for (const auto& [name, open] : change.doors) world.setDoor(world.door(name), open);
  for (const std::string& key : change.go) {
    for (const ObstacleId id : standing_[key].ids) world.removeObstacle(id);
    standing_.erase(key);
  }
  for (const auto& [key, shape] : change.come) {
    Standing& standing = standing_[key];
    standing.shape = shape;
    for (const Ring& piece : shape.pieces) standing.ids.push_back(world.insertObstacle(piece, LayerId(shape.layer)));
  }
  for (const Place& place : change.places) world.addPlace(place);
  for (const Population& flow : change.flows) world.addFlow(flow.name, *flow.flow, flow.count, flow.profile, flow.lane);
}

StandingShapes LiveWorld::clear(World& world) {
  StandingShapes shapes;
  for (const auto& [key, standing] : standing_) {
    for (const ObstacleId id : standing.ids) world.removeObstacle(id);
    shapes.emplace(key, standing.shape);
  }
  standing_.clear();
  return shapes;
}

}  // namespace throng::serve
