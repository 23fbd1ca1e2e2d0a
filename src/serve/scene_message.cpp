#include "serve/scene_message.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ground/ground.h"
#include "serve/messages.h"

namespace throng::serve {
namespace {

using nlohmann::json;

/// x and y in turn.
json flat(const std::vector<Point>& points) {
  json list = json::array();
  for (const Point p : points) {
    list.push_back(rounded(p.x));
    list.push_back(rounded(p.y));
  }
  return list;
}

json polygonsJson(const std::vector<Polygon>& polygons) {
  json list = json::array();
  for (const Polygon& polygon : polygons) {
    json rings = json::array({flat(polygon.outer)});
    for (const Ring& hole : polygon.holes) rings.push_back(flat(hole));
    list.push_back(std::move(rings));
  }
  return list;
}

json layerJson(const Layer& layer, bool with_ground) {
  json object{{"name", layer.name},
              {"elevation", layer.elevation},
              {"slope", {layer.slope.x, layer.slope.y}},
              {"wallHeight", layer.wall_height},
              {"walkable", polygonsJson(layer.walkable)},
              {"obstacles", polygonsJson(layer.obstacles)},
              {"openings", polygonsJson(layer.openings)},
              {"played", polygonsJson(layer.played)},
              {"playedObjects", polygonsJson(layer.played_objects)}};
  if (layer.wrap) object["wrap"] = {layer.wrap->min.x, layer.wrap->min.y, layer.wrap->max.x, layer.wrap->max.y};
  object["walls"] = json::array();
  for (const Polyline& wall : layer.walls) object["walls"].push_back(flat(wall.points));
  object["doors"] = json::array();
  for (const Door& door : layer.doors)
    object["doors"].push_back({{"name", door.name}, {"line", flat({door.line.a, door.line.b})}, {"open", door.open}});
  object["regions"] = json::array();
  for (const Region& region : layer.regions)
    object["regions"].push_back({{"type", region.type}, {"area", polygonsJson(region.area)}});
  object["ground"] = json::array();
  if (with_ground)
    for (const auto& triangle : layer.ground)
      for (const Point3& p : triangle)
        for (const double value : {p.x, p.y, p.z}) object["ground"].push_back(rounded(value));
  return object;
}

/// How high the floors of a scene are.
class Heights {
 public:
  explicit Heights(const Scene& scene) : scene_(scene) {
    for (const Layer& layer : scene.layers) grounds_.emplace_back(layer.ground);
  }
  double at(Point p, std::uint16_t layer) const {
    if (layer >= grounds_.size()) return 0;
    if (!grounds_[layer].empty()) return grounds_[layer].at({static_cast<float>(p.x), static_cast<float>(p.y)}).z;
    return scene_.layers[layer].elevation + dot(scene_.layers[layer].slope, p);
  }
  /// x, y and z in turn.
  json flat(const std::vector<Point>& points, std::uint16_t layer) const {
    json list = json::array();
    for (const Point p : points)
      for (const double value : {p.x, p.y, at(p, layer)}) list.push_back(rounded(value));
    return list;
  }
  json polygons(const std::vector<Polygon>& polygons, std::uint16_t layer) const {
    json list = json::array();
    for (const Polygon& polygon : polygons) {
      json rings = json::array({flat(polygon.outer, layer)});
      for (const Ring& hole : polygon.holes) rings.push_back(flat(hole, layer));
      list.push_back(std::move(rings));
    }
    return list;
  }

 private:
  const Scene& scene_;
  std::vector<ground::Ground> grounds_;
};

struct Extent {
  Point min{1e300, 1e300}, max{-1e300, -1e300};
  double lowest = 1e300, highest = -1e300;

  void add(Point p) {
    min = {std::min(min.x, p.x), std::min(min.y, p.y)};
    max = {std::max(max.x, p.x), std::max(max.y, p.y)};
  }
  void addHeight(double z) {
    lowest = std::min(lowest, z);
    highest = std::max(highest, z);
  }
};

void addLayer(Extent& extent, const Layer& layer) {
  const auto add = [&](const Ring& ring) {
    for (const Point p : ring) {
      extent.add(p);
      extent.addHeight(layer.elevation + dot(layer.slope, p));
    }
  };
  for (const auto* list : {&layer.walkable, &layer.obstacles, &layer.played})
    for (const Polygon& polygon : *list) add(polygon.outer);
  for (const Polyline& wall : layer.walls) add(wall.points);
  if (layer.wrap) add({layer.wrap->min, layer.wrap->max});
  for (const auto& triangle : layer.ground)
    for (const Point3& p : triangle) {
      extent.add({p.x, p.y});
      extent.addHeight(p.z);
    }
}

}  // namespace

std::string sceneMessage(const Scene& scene, const std::string& file, const std::vector<std::string>& overlays,
                         bool same_mesh) {
  json message{
      {"type", "scene"},      {"name", scene.name},      {"description", scene.description}, {"file", file},
      {"dt", scene.run.dt},   {"layers", json::array()}, {"populations", json::array()},     {"places", json::array()},
      {"materials", nullptr}, {"overlays", overlays},    {"connections", json::array()}};
  const bool mesh = scene.mesh && scene.mesh->mesh;
  if (mesh && same_mesh) message["sameMesh"] = true;
  for (const Layer& layer : scene.layers) message["layers"].push_back(layerJson(layer, !mesh));
  for (const throng::Connection& connection : scene.connections)
    message["connections"].push_back(
        json::array({flat({connection.from.a, connection.from.b}), flat({connection.to.a, connection.to.b})}));
  for (std::size_t i = 0; i < scene.populations.size(); ++i)
    message["populations"].push_back({{"name", scene.populations[i].name}, {"rgb", populationPaint(i).rgb}});
  for (const Place& place : scene.places)
    message["places"].push_back(
        {{"name", place.name}, {"at", {rounded(place.at.x), rounded(place.at.y)}}, {"z", place.z.value_or(0)}});
  if (mesh) {
    message["materials"] = json::array();
    for (const Mesh::Material& material : scene.mesh->mesh->materials)
      message["materials"].push_back({{"name", material.name}, {"rgb", material.rgb}});
  }
  return dumped(message);
}

std::optional<std::string> meshMessage(const Scene& scene) {
  if (!scene.mesh || !scene.mesh->mesh) return {};
  const Mesh& mesh = *scene.mesh->mesh;
  std::string out;
  out.reserve(16 + mesh.vertices.size() * 12 + mesh.triangles.size() * 16);
  ByteWriter writer(out);
  writer.number(static_cast<std::uint32_t>(MessageKind::kMesh));
  writer.number(static_cast<std::uint32_t>(mesh.vertices.size()));
  writer.number(static_cast<std::uint32_t>(mesh.triangles.size()));
  writer.number(static_cast<std::uint32_t>(mesh.materials.size()));
  for (const Point3& p : mesh.vertices)
    for (const double value : {p.x, p.y, p.z}) writer.number(static_cast<float>(value));
  for (const auto& corners : mesh.triangles)
    for (const std::uint32_t corner : corners) writer.number(corner);
  for (const std::uint32_t material : mesh.material) writer.number(material);
  if (mesh.material.empty()) out.append(mesh.triangles.size() * 4, '\xff');
  return out;
}

std::string overlayMessage(const std::string& name, const Overlay& overlay, const Scene& scene) {
  const Heights heights(scene);
  json message{{"type", "overlay"},       {"name", name},           {"caption", overlay.caption},
               {"lines", json::array()},  {"areas", json::array()}, {"dots", json::array()},
               {"labels", json::array()}, {"keys", json::array()}};
  const auto shape = [](const Paint& paint, std::uint16_t layer) {
    return json{{"rgb", paint.rgb}, {"alpha", rounded(paint.alpha)}, {"layer", layer}};
  };
  for (const Overlay::Line& line : overlay.lines) {
    json object = shape(line.paint, line.layer);
    object["points"] = heights.flat(line.points, line.layer);
    object["width"] = line.width;
    message["lines"].push_back(std::move(object));
  }
  for (const Overlay::Area& area : overlay.areas) {
    json object = shape(area.paint, area.layer);
    object["pieces"] = heights.polygons(area.pieces, area.layer);
    message["areas"].push_back(std::move(object));
  }
  for (const Overlay::Dot& dot : overlay.dots) {
    json object = shape(dot.paint, dot.layer);
    object["at"] = heights.flat({dot.at}, dot.layer);
    object["radius"] = dot.radius;
    message["dots"].push_back(std::move(object));
  }
  for (const Overlay::Label& label : overlay.labels) {
    json object = shape(label.paint, label.layer);
    object["at"] = heights.flat({label.at}, label.layer);
    object["text"] = label.text;
    message["labels"].push_back(std::move(object));
  }
  for (const Overlay::Key& key : overlay.keys)
    message["keys"].push_back({{"rgb", key.paint.rgb}, {"label", key.label}});
  return dumped(message);
}

Box sceneBox(const Scene& scene) {
  Extent extent;
  for (const Layer& layer : scene.layers) addLayer(extent, layer);
  if (scene.mesh && scene.mesh->mesh)
    for (const Point3& p : scene.mesh->mesh->vertices) {
      extent.add({p.x, p.y});
      extent.addHeight(p.z);
    }
  if (extent.min.x > extent.max.x) extent.add({0, 0});
  if (extent.lowest > extent.highest) extent.addHeight(0);
  return Box::around(extent.min, extent.max, extent.lowest, extent.highest);
}

}  // namespace throng::serve
