// The parts of a scene that come with meshes: what they are made from, places, flows, levels of simulation.
#include <fmt/format.h>
#include <limits>

#include "scene/scene_reader.h"

namespace throng::scene {
namespace {

/// [x, y, z].
std::optional<Point3> triple(const Value& value, const char* meaning) {
  const auto& list = value.json();
  if (list.is_array() && list.size() == 3 && list[0].is_number() && list[1].is_number() && list[2].is_number())
    return Point3{list[0].get<double>(), list[1].get<double>(), list[2].get<double>()};
  value.unexpected(fmt::format("{} [x, y, z] of three numbers", meaning));
  return {};
}

void readFlag(const Value& owner, const char* key, bool& to) {
  const auto value = owner.find(key);
  if (!value) return;
  if (!value->json().is_boolean()) return value->unexpected("true or false");
  to = value->json().get<bool>();
}

std::string requiredName(const Value& owner, const char* key) {
  const auto value = owner.require(key);
  return value ? value->string().value_or("") : "";
}

Walkability readWalkability(const Value& value) {
  Walkability walkability;
  if (!value.isObject("walkability")) return walkability;
  value.read("max_slope", walkability.max_slope);
  value.read("step_height", walkability.step_height);
  value.read("body_height", walkability.body_height);
  value.read("body_radius", walkability.body_radius);
  if (const auto materials = value.find("unwalkable_materials"))
    for (const auto& member : materials->members())
      walkability.unwalkable_materials.push_back(member.string().value_or(""));
  return walkability;
}

/// Types of regions by material.
void readRegions(const Value& value, std::map<std::string, std::string>& to) {
  if (!value.json().is_object()) return value.unexpected("an object of materials and the types of their regions");
  for (const auto& [material, unused] : value.json().items()) {
    const Value type = *value.find(material);
    to[material] = type.string().value_or("");
    if (to[material].empty() && !value.findings().broken(type.pointer()))
      type.error("the type of a region may not be empty");
  }
}

Camera readCamera(const Value& value) {
  Camera camera;
  if (!value.isObject("camera")) return camera;
  if (const auto position = value.require("position"))
    camera.position = triple(*position, "a position").value_or(Point3{});
  if (const auto direction = value.find("direction"))
    camera.direction = triple(*direction, "a direction").value_or(camera.direction);
  value.read("field_of_view", camera.field_of_view);
  return camera;
}

}  // namespace

GeneratorChoice readGenerator(const Value& value) {
  GeneratorChoice choice;
  if (!value.isObject("generate")) return choice;
  if (const auto name = value.require("scene")) choice.name = name->string();
  if (const auto seed = value.find("seed"))
    choice.seed = seed->wholeNumber(std::numeric_limits<std::uint64_t>::max()).value_or(choice.seed);
  if (const auto vertices = value.find("vertices")) {
    choice.has_vertices = true;
    if (const auto number = vertices->wholeNumber(std::numeric_limits<std::uint32_t>::max()))
      choice.vertices = static_cast<std::uint32_t>(*number);
  }
  return choice;
}

MeshChoice SceneReader::mesh(const Value& value) const {
  MeshChoice choice;
  SceneMesh& mesh = choice.mesh;
  if (!value.isObject("mesh")) return choice;
  value.read("up", mesh.up);
  value.read("unit", mesh.unit);
  if (const auto walkability = value.find("walkability")) mesh.walkability = readWalkability(*walkability);
  if (const auto regions = value.find("regions")) readRegions(*regions, mesh.regions);
  const auto file = value.find("file");
  if (!file) return choice;
  mesh.file = file->string().value_or("");
  if (!value.findings().broken(value.pointer())) choice.path = geometry_.filePath(*file, mesh.file).value_or("");
  return choice;
}

Place SceneReader::place(const Value& value) const {
  Place place;
  if (!value.isObject("place")) return place;
  place.name = requiredName(value, "name");
  if (const auto at = value.require("at")) {
    if (at->json().is_array() && at->json().size() == 3) {
      const Point3 p = triple(*at, "a place").value_or(Point3{});
      place.at = {p.x, p.y};
      place.z = p.z;
    } else {
      place.at = geometry_.point(*at).value_or(Point{});
    }
  }
  value.read("layer", place.layer);
  value.read("radius", place.radius);
  return place;
}

Population readFlow(const Value& value) {
  Population flow;
  flow.flow.emplace();
  if (!value.isObject("flow")) return flow;
  value.read("name", flow.name);
  value.read("profile", flow.profile);
  flow.flow->from = requiredName(value, "from");
  flow.flow->to = requiredName(value, "to");
  value.read("time", flow.flow->time);
  if (const auto count = value.require("count"))
    flow.count = static_cast<std::uint32_t>(count->wholeNumber(kMostPeople).value_or(0));
  if (const auto paths = value.find("paths"))
    flow.flow->paths = static_cast<std::uint32_t>(paths->wholeNumber(kMostPeople).value_or(flow.flow->paths));
  readDistribution(value, "lane", flow.lane);
  if (const auto choice = value.find("choice")) {
    const bool known = choice->json() == "quickest" || choice->json() == "spread";
    if (!known) choice->unexpected("\"quickest\" or \"spread\"");
    flow.flow->spread = known && choice->json() == "spread";
  }
  return flow;
}

NavigationGraphSettings readNavigationGraph(const Value& value) {
  NavigationGraphSettings settings;
  if (!value.isObject("navigation_graph")) return settings;
  value.read("precision", settings.precision);
  value.read("body_radius", settings.body_radius);
  return settings;
}

LevelSettings readLevels(const Value& value) {
  LevelSettings settings;
  if (!value.isObject("levels")) return settings;
  value.read("near_distance", settings.near_distance);
  value.read("far_distance", settings.far_distance);
  value.read("budget", settings.budget);
  if (const auto cameras = value.find("cameras"))
    for (const auto& member : cameras->members()) settings.cameras.push_back(readCamera(member));
  if (const auto levels = value.find("levels")) {
    settings.levels.clear();
    for (const auto& member : levels->members()) {
      SimulationLevel& level = settings.levels.emplace_back();
      if (!member.isObject("level")) continue;
      if (const auto every = member.find("every"))
        level.every = static_cast<std::uint32_t>(every->wholeNumber(kMostPeople).value_or(1));
      readFlag(member, "avoidance", level.avoidance);
      readFlag(member, "seek", level.seek);
    }
  }
  return settings;
}

}  // namespace throng::scene
