#include "serve/design_message.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "throng/models.h"

#include "scene/scene_check.h"

namespace throng::serve {
namespace {

using json = nlohmann::ordered_json;

Message message(const json& object) {
  return {std::make_shared<const std::string>(object.dump(-1, ' ', false, json::error_handler_t::replace)), true};
}

json modelJson(const ModelInfo& info) {
  json model{{"name", info.name}, {"title", info.title}, {"paper", info.paper}, {"parameters", json::array()}};
  for (const ModelParameter& parameter : info.parameters)
    model["parameters"].push_back({{"name", parameter.name},
                                   {"unit", parameter.unit},
                                   {"value", parameter.value},
                                   {"min", parameter.min},
                                   {"max", parameter.max},
                                   {"help", parameter.description}});
  return model;
}

json modelsJson(std::span<const ModelInfo> table) {
  json list = json::array();
  for (const ModelInfo& info : table) list.push_back(modelJson(info));
  return list;
}

json findingJson(const Diagnostic& finding) {
  json object{{"severity", finding.severity == Diagnostic::Severity::kError ? "error" : "warning"},
              {"pointer", finding.pointer},
              {"message", finding.message},
              {"line", finding.line},
              {"column", finding.column},
              {"text", finding.text()}};
  if (finding.at) object["at"] = {finding.at->x, finding.at->y};
  return object;
}

/// The lowest ground beneath the corners; nothing where a layer is a plane, or ends there.
std::optional<double> groundBeneath(const Walls::Obstacle& obstacle, const Scene& scene) {
  std::optional<double> lowest;
  if (obstacle.layer >= scene.layers.size()) return lowest;
  for (const auto& triangle : scene.layers[obstacle.layer].ground) {
    const Point a{triangle[0].x, triangle[0].y}, b{triangle[1].x, triangle[1].y}, c{triangle[2].x, triangle[2].y};
    const double area = det(b - a, c - a);
    if (area == 0) continue;
    for (const Point p : obstacle.shape) {
      const double u = det(p - a, c - a) / area, v = det(b - a, p - a) / area;
      if (u < 0 || v < 0 || u + v > 1) continue;
      const double z = triangle[0].z + u * (triangle[1].z - triangle[0].z) + v * (triangle[2].z - triangle[0].z);
      lowest = std::min(z, lowest.value_or(z));
    }
  }
  return lowest;
}

}  // namespace

Message documentNews(const DocumentNews& news) {
  json object{{"type", "document"},      {"revision", news.revision}, {"text", news.text},
              {"file", news.file},       {"canSave", news.can_save},  {"passing", news.passing},
              {"changed", news.changed}, {"undo", nullptr},           {"redo", nullptr},
              {"pen", news.pen},         {"state", news.state},       {"findings", json::array()}};
  if (news.undo) object["undo"] = *news.undo;
  if (news.redo) object["redo"] = *news.redo;
  for (const Diagnostic& finding : news.findings) object["findings"].push_back(findingJson(finding));
  return message(object);
}

Message modelsMessage() {
  return message({{"type", "models"},
                  {"planners", modelsJson(planners())},
                  {"followers", modelsJson(followers())},
                  {"steering", modelsJson(steeringModels())},
                  {"stream", modelJson(streamLayer())}});
}

Walls wallsOf(const World& world, const Scene& shown) {
  Walls walls;
  for (const Layer& layer : world.scene().layers)
    for (const Door& door : layer.doors) walls.doors[door.name] = world.isOpen(world.door(door.name));
  // What events have put there and not taken away. Those of the very beginning are a part of the place.
  for (const Event& event : shown.events) {
    if (event.time > std::max(world.time(), 0.0)) continue;
    if (const auto* come = std::get_if<InsertObstacle>(&event.change))
      walls.obstacles.push_back({come->name,
                                 static_cast<std::uint16_t>(std::max(scene::layerIndex(shown, come->layer), 0)),
                                 come->obstacle.outer});
    if (const auto* gone = std::get_if<RemoveObstacle>(&event.change))
      std::erase_if(walls.obstacles, [&](const Walls::Obstacle& other) { return other.name == gone->name; });
  }
  for (Walls::Obstacle& obstacle : walls.obstacles) obstacle.z = groundBeneath(obstacle, shown);
  return walls;
}

Walls wallsOf(const std::vector<Change>& changes, const Scene& shown) {
  Walls walls;
  for (const Layer& layer : shown.layers)
    for (const Door& door : layer.doors) walls.doors[door.name] = door.open;
  for (const Change& change : changes) {
    if (change.kind == Change::Kind::kOpenDoor || change.kind == Change::Kind::kCloseDoor)
      walls.doors[change.name] = change.kind == Change::Kind::kOpenDoor;
    else if (change.kind == Change::Kind::kInsertObstacle && change.time > 0)
      walls.obstacles.push_back({change.name, change.layer, change.shape});
    else
      std::erase_if(walls.obstacles, [&](const Walls::Obstacle& other) { return other.name == change.name; });
  }
  for (Walls::Obstacle& obstacle : walls.obstacles) obstacle.z = groundBeneath(obstacle, shown);
  return walls;
}

Message wallsMessage(const Walls& walls) {
  json object{{"type", "walls"}, {"doors", json::object()}, {"obstacles", json::array()}};
  for (const auto& [name, open] : walls.doors) object["doors"][name] = open;
  for (const Walls::Obstacle& obstacle : walls.obstacles) {
    json shape = json::array();
    for (const Point p : obstacle.shape) shape.push_back(p.x), shape.push_back(p.y);
    object["obstacles"].push_back({{"name", obstacle.name}, {"layer", obstacle.layer}, {"shape", std::move(shape)}});
    if (obstacle.z) object["obstacles"].back()["z"] = *obstacle.z;
  }
  return message(object);
}

std::string doorPointer(const json& file, const std::string& name) {
  const auto layers = file.find("layers");
  if (layers == file.end() || !layers->is_array()) return {};
  for (std::size_t i = 0; i < layers->size(); ++i) {
    const json& layer = (*layers)[i];
    if (!layer.is_object() || !layer.contains("doors") || !layer["doors"].is_array()) continue;
    for (std::size_t k = 0; k < layer["doors"].size(); ++k) {
      const json& door = layer["doors"][k];
      if (door.is_object() && door.contains("name") && door["name"] == name)
        return fmt::format("/layers/{}/doors/{}", i, k);
    }
  }
  return {};
}

}  // namespace throng::serve
