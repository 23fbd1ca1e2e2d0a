#include "record/scene_facts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/overloaded.h"
#include "geometry/boxes.h"
#include "geometry/polygons.h"
#include "scene/scene_file.h"

namespace throng::record {
namespace {

/// m around everything in a layer without borders.
constexpr double kMargin = 5;

class Bounds {
 public:
  void add(Point p) {
    low_ = any_ ? Point{std::min(low_.x, p.x), std::min(low_.y, p.y)} : p;
    high_ = any_ ? Point{std::max(high_.x, p.x), std::max(high_.y, p.y)} : p;
    any_ = true;
  }
  void add(const std::vector<Point>& points) {
    for (const Point p : points) add(p);
  }
  void add(const std::vector<Polygon>& polygons) {
    for (const auto& polygon : polygons) add(polygon.outer);
  }
  Rectangle widened() const { return {low_ - Point{kMargin, kMargin}, high_ + Point{kMargin, kMargin}}; }

 private:
  Point low_, high_;
  bool any_ = false;
};

void addStart(Bounds& bounds, const Start& start) {
  std::visit(base::Overloaded{[&](const StartPoints& at) { bounds.add(at.points); },
                              [&](const StartLine& along) { bounds.add(along.line.points); },
                              [&](const StartCircle& circle) {
                                bounds.add(circle.centre - Point{circle.radius, circle.radius});
                                bounds.add(circle.centre + Point{circle.radius, circle.radius});
                              },
                              [&](const auto& in) { bounds.add(in.area); }},
             start.shape);
}

/// What there is to see on one layer of the plane.
Rectangle surroundings(const Scene& scene, const Layer& layer) {
  const auto on_layer = [&](const std::string& name, const std::string& otherwise) {
    const std::string& which = name.empty() ? otherwise : name;
    return which.empty() ? &layer == &scene.layers.front() : which == layer.name;
  };
  Bounds bounds;
  bounds.add(layer.obstacles);
  bounds.add(layer.played);
  for (const auto& wall : layer.walls) bounds.add(wall.points);
  for (const auto& population : scene.populations) {
    if (on_layer(population.layer, "")) addStart(bounds, population.start);
    for (const auto& goal : population.goals) {
      if (!on_layer(goal.layer, population.layer)) continue;
      if (const auto* to = std::get_if<GoalPoint>(&goal.target)) bounds.add(to->point);
      if (const auto* in = std::get_if<GoalArea>(&goal.target)) bounds.add(in->area);
    }
  }
  return bounds.widened();
}

/// Nor the patches of districts: their ground is shown as any other, and their people begin on it.
void showDistricts(Scene& scene) {
  for (Population& population : scene.populations) {
    std::erase_if(population.goals, [](const Goal& goal) { return std::holds_alternative<GoalDistrict>(goal.target); });
    if (population.district.empty()) continue;
    population.district.clear();
    for (const Layer& layer : scene.layers)
      if (population.layer.empty() ? &layer == &scene.layers.front() : layer.name == population.layer)
        population.start.shape = StartArea{layer.played};
  }
  for (Layer& layer : scene.layers) layer = scene::shown(std::move(layer));
  scene.districts.clear();
}

Polygon polygonOf(const Rectangle& r) { return {geometry::cornersOf(r), {}}; }

}  // namespace

std::string walkableWkt(const Scene& scene) {
  std::vector<Polygon> all;
  for (const auto& given : scene.layers) {
    const Layer layer = scene::shown(given);
    std::vector<Polygon> area = layer.walkable;
    if (area.empty()) area.push_back(polygonOf(layer.wrap ? *layer.wrap : surroundings(scene, given)));
    const auto solid = layer.openings.empty() ? layer.obstacles : geometry::difference(layer.obstacles, layer.openings);
    for (auto& piece : geometry::difference(area, solid)) all.push_back(std::move(piece));
  }
  return geometry::toWkt(geometry::unionOf(all));
}

Facts sceneFacts(const Scene& scene, double frames_per_second) {
  Facts facts;
  facts.frames_per_second = frames_per_second;
  facts.geometry_wkt = walkableWkt(scene);
  // A recording is read where the mesh may not be at hand: it holds the layers that were found in it.
  Scene flat = scene;
  flat.mesh.reset();
  showDistricts(flat);
  facts.scene_json = scene::toJson(flat);
  for (const auto& population : scene.populations) facts.populations.push_back(population.name);
  return facts;
}

std::vector<Change> plannedChanges(const Scene& scene) {
  const auto layerOf = [&](const std::string& name) {
    const auto is = [&](const Layer& layer) { return layer.name == name; };
    const auto found = std::find_if(scene.layers.begin(), scene.layers.end(), is);
    return static_cast<std::uint16_t>(found == scene.layers.end() ? 0 : found - scene.layers.begin());
  };
  const auto ofDoor = [&](double time, Change::Kind kind, const std::string& name) {
    Change change{time, kind, name, 0, {}};
    for (std::size_t i = 0; i < scene.layers.size(); ++i)
      for (const Door& door : scene.layers[i].doors)
        if (door.name == name) change.layer = static_cast<std::uint16_t>(i), change.shape = {door.line.a, door.line.b};
    return change;
  };
  std::vector<Change> changes;
  for (const Event& event : scene.events)
    changes.push_back(
        std::visit(base::Overloaded{
                       [&](const OpenDoor& open) { return ofDoor(event.time, Change::Kind::kOpenDoor, open.door); },
                       [&](const CloseDoor& close) { return ofDoor(event.time, Change::Kind::kCloseDoor, close.door); },
                       [&](const InsertObstacle& insertion) {
                         return Change{event.time, Change::Kind::kInsertObstacle, insertion.name,
                                       layerOf(insertion.layer), insertion.obstacle.outer};
                       },
                       [&](const RemoveObstacle& removal) {
                         return Change{event.time, Change::Kind::kRemoveObstacle, removal.name, 0, {}};
                       },
                   },
                   event.change));
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
  return changes;
}

std::vector<Change> knownChanges(const Facts& facts) {
  if (facts.changes) return *facts.changes;
  const std::optional<Scene> scene = sceneOfText(facts.scene_json);
  return scene ? plannedChanges(*scene) : std::vector<Change>();
}

std::optional<Scene> sceneOfText(const std::string& json) {
  if (json.empty()) return std::nullopt;
  scene::SceneDraft draft = scene::readSceneText(json, "");
  // Recordings hold the layers themselves; a scene that only names where they come from is none of ours.
  if (draft.generate || draft.mesh || !draft.districts.empty()) return std::nullopt;
  // Any model is let through: the run is over, and its recording stays readable when models come and go.
  return scene::checkDraft(std::move(draft), {}).scene;
}

}  // namespace throng::record
