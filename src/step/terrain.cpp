#include "step/terrain.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "geometry/boxes.h"
#include "geometry/convex_cut.h"
#include "geometry/predicates.h"
#include "ground/scene_places.h"
#include "ground/wall_loops.h"
#include "scene/scene_parts.h"

namespace throng::step {
namespace {

bool isConvex(std::span<const Point> shape) {
  bool left = false, right = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const int turn = geometry::orientation(shape[i], shape[(i + 1) % shape.size()], shape[(i + 2) % shape.size()]);
    left |= turn > 0, right |= turn < 0;
  }
  return !(left && right);
}

/// What sticks out of a wrapped layer on one side comes in on the other: one piece for each time it does.
std::vector<std::vector<Point>> piecesOf(std::span<const Point> shape, const std::optional<Rectangle>& wrap) {
  const std::vector<Point> whole(shape.begin(), shape.end());
  if (!wrap || shape.empty() || !isConvex(shape)) return {whole};
  const Rectangle box = geometry::boxOf(shape);
  const Point size = wrap->max - wrap->min;
  if (box.min.x >= wrap->min.x && box.min.y >= wrap->min.y && box.max.x <= wrap->max.x && box.max.y <= wrap->max.y)
    return {whole};
  const auto repeat = [](double place, double from, double step) {
    constexpr double kMost = 8;  // more have covered everything
    return std::clamp(std::floor((place - from) / step), -kMost, kMost);
  };
  std::vector<std::vector<Point>> pieces;
  for (double i = repeat(box.min.x, wrap->min.x, size.x); i <= repeat(box.max.x, wrap->min.x, size.x); ++i)
    for (double k = repeat(box.min.y, wrap->min.y, size.y); k <= repeat(box.max.y, wrap->min.y, size.y); ++k) {
      std::vector<Point> piece;
      for (const Point p : shape) piece.push_back(p - Point{i * size.x, k * size.y});
      piece = geometry::cutConvex(piece, {1, 0}, wrap->max.x),
      piece = geometry::cutConvex(piece, {-1, 0}, -wrap->min.x);
      piece = geometry::cutConvex(piece, {0, 1}, wrap->max.y),
      piece = geometry::cutConvex(piece, {0, -1}, -wrap->min.y);
      constexpr double kThin = 1e-5;  // m, or m²
      const bool line = shape.size() == 2;
      if (line ? piece.size() != 2 || length(piece[1] - piece[0]) < kThin
               : piece.size() < 3 || std::abs(geometry::signedArea(piece)) < kThin)
        continue;
      pieces.push_back(std::move(piece));
    }
  if (pieces.empty()) pieces.push_back(whole);
  return pieces;
}

}  // namespace

/// Pieces of an obstacle across a wrapped border have names of their own.
std::string Inserted::uniqueName() const {
  return name.empty() ? fmt::format("#{}", id) : id == whole ? name : fmt::format("{} #{}", name, id);
}

Terrain::Terrain(const Scene& scene) : scene_(scene), space_(scene) {
  const bool matter = std::any_of(scene.profiles.begin(), scene.profiles.end(),
                                  [](const Profile& profile) { return !profile.region_weights.empty(); });
  if (matter) regions_ = ground::Regions(scene);
}

void Terrain::needMap() {
  if (!map_) map_ = std::make_unique<corridors::CorridorMap>(space_, scene_.connections, ground::placesOf(scene_));
}

void Terrain::needGraph(const base::Threads& threads) {
  needMap();
  if (graph_) return;
  graph_made_later_ = true;
  Walkability walkability;
  walkability.body_radius = scene_.navigation.body_radius;
  if (scene_.mesh) walkability = scene_.mesh->walkability;
  graph_ = std::make_unique<graph::NavigationGraph>(space_, *map_, walkability, scene_.navigation.precision, threads);
  findObstructed();
}

void Terrain::give(std::unique_ptr<corridors::CorridorMap> map, std::vector<Inserted> doors) {
  if (!map) return;
  if (map->floors() != space_.floors().size()) throw InputError("The corridor map was made from another scene.");
  map_ = std::move(map);
  inserted_ = std::move(doors);
  for (const Inserted& door : inserted_) wallsChanged(door.layer);
}

void Terrain::give(std::unique_ptr<graph::NavigationGraph> graph) {
  if (!graph) return;
  if (graph->scene() != 0 && graph->scene() != scene::groundHash(scene_))
    throw InputError(
        "The navigation graph was made from another scene: its layers, connections, mesh and "
        "navigation_graph must be those of this one.");
  for (const graph::GraphVertex& vertex : graph->vertices())
    if (vertex.floor >= space_.floors().size() || !space_.floors()[vertex.floor].contains(vertex.centre))
      throw InputError(
          {Diagnostic{.at = vertex.centre, .message = "The navigation graph was made from another scene."}});
  graph_ = std::move(graph);
  graph_made_later_ = false;
}

std::uint32_t Terrain::insert(std::span<const Point> convex, std::uint16_t layer, std::string_view name, double time) {
  needMap();
  const auto pieces = piecesOf(convex, space_.floors()[layer].wrap);
  std::vector<std::uint32_t> ids;
  try {
    for (const auto& piece : pieces) ids.push_back(map_->insert(piece, layer));
  } catch (...) {
    for (const std::uint32_t id : ids) map_->remove(id);
    throw;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    inserted_.push_back({std::string(name), ids[i], ids[0], layer, pieces[i]});
    logChange(inserted_.back(), true, time);
  }
  wallsChanged(layer);
  findObstructed();
  return ids[0];
}

std::uint16_t Terrain::remove(std::uint32_t obstacle, double time) {
  const auto there =
      std::find_if(inserted_.begin(), inserted_.end(), [&](const Inserted& i) { return i.whole == obstacle; });
  if (there == inserted_.end()) throw InputError(fmt::format("There is no obstacle {} in the world.", obstacle));
  const std::uint16_t layer = there->layer;
  for (const Inserted& piece : inserted_)
    if (piece.whole == obstacle) {
      logChange(piece, false, time);
      map_->remove(piece.id);
    }
  std::erase_if(inserted_, [&](const Inserted& i) { return i.whole == obstacle; });
  wallsChanged(layer);
  findObstructed();
  return layer;
}

const Inserted* Terrain::find(std::string_view name) const {
  const auto there =
      std::find_if(inserted_.begin(), inserted_.end(), [&](const Inserted& i) { return i.name == name; });
  return there == inserted_.end() ? nullptr : &*there;
}

bool Terrain::isDoor(std::string_view name) const {
  for (const Layer& layer : scene_.layers)
    for (const Door& door : layer.doors)
      if (door.name == name) return true;
  return false;
}

/// Something that stands in the way from now on, or no longer; a door's line is a closed door.
void Terrain::logChange(const Inserted& thing, bool came, double time) {
  using enum Change::Kind;
  const Change::Kind kind =
      isDoor(thing.name) ? (came ? kCloseDoor : kOpenDoor) : (came ? kInsertObstacle : kRemoveObstacle);
  changes_.push_back({time, kind, thing.uniqueName(), thing.layer, thing.shape});
}

void Terrain::wallsChanged(std::uint16_t layer) {
  ++revision_;
  ground::Walls walls = map_->wallsOf(layer);
  if (const auto& wrap = space_.floors()[layer].wrap) walls = ground::withImages(std::move(walls), *wrap);
  space_.setWalls(layer, std::move(walls));
  std::vector<Polygon> solid;
  for (const Inserted& there : inserted_)
    if (there.layer == layer && there.shape.size() > 2) solid.push_back({there.shape, {}});
  space_.setObstacles(layer, std::move(solid));
}

void Terrain::restore(std::unique_ptr<corridors::CorridorMap> map, bool has_map,
                      std::unique_ptr<graph::NavigationGraph> graph, std::vector<Inserted> inserted, double time) {
  std::vector<std::uint16_t> layers;
  for (const Inserted& there : inserted_) layers.push_back(there.layer);
  for (const Inserted& there : inserted) layers.push_back(there.layer);
  if (!map && map_ && map_->revision() > 0) {
    space_ = ground::WalkableSpace(scene_);
    map_.reset();
    needMap();
  }
  if (map) map_ = std::move(map);
  // A recording that goes on from here learns what is otherwise than it was.
  const auto isIn = [](const std::vector<Inserted>& list, const Inserted& thing) {
    return std::any_of(list.begin(), list.end(), [&](const Inserted& other) {
      return other.uniqueName() == thing.uniqueName() && other.shape == thing.shape;
    });
  };
  for (const Inserted& gone : inserted_)
    if (!isIn(inserted, gone)) logChange(gone, false, time);
  for (const Inserted& come : inserted)
    if (!isIn(inserted_, come)) logChange(come, true, time);
  inserted_ = std::move(inserted);
  for (const std::uint16_t layer : layers)
    if (map_ && map_->revision() > 0) wallsChanged(layer);
  if (has_map) needMap();
  if (!has_map) map_.reset();
  // A graph that was given, or is made from the scene, stays for flows and cameras to come.
  if (graph || graph_made_later_) graph_made_later_ = graph != nullptr, graph_ = std::move(graph);
  findObstructed();
}

void Terrain::findObstructed() {
  obstructed_.clear();
  if (!graph_ || inserted_.empty()) return;
  const auto vertices = graph_->vertices();
  obstructed_.assign(vertices.size(), 0);
  for (const Inserted& there : inserted_)
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
      const Point centre = vertices[v].centre;
      Point nearest = there.shape[0];
      if (there.shape.size() > 2 && geometry::contains(Polygon{there.shape, {}}, centre)) nearest = centre;
      for (std::size_t i = 0; i < there.shape.size(); ++i) {
        const Point p = geometry::nearestOnSegment(centre, there.shape[i], there.shape[(i + 1) % there.shape.size()]);
        if (nearest != centre && length(p - centre) < length(nearest - centre)) nearest = p;
      }
      if (length(nearest - centre) < vertices[v].radius && graph_->floorIn(v, nearest) == there.layer)
        obstructed_[v] = 1;
    }
}

}  // namespace throng::step
