// Definitions as JSON. Every key has a place in docs/patches.md.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "throng/files.h"
#include "throng/patch_files.h"

#include "patches/json_fields.h"
#include "scene/json_text.h"

namespace throng {
namespace {

using Json = nlohmann::ordered_json;

using patches::Reader;

PatchPoint pointOf(Reader& reader, const Json& json, const std::string& where) {
  PatchPoint point;
  if (!reader.object(json, where, {"position", "time", "speed", "along"})) return point;
  for (const char* key : {"position", "time"})
    if (!json.contains(key)) reader.error(where, fmt::format("\"{}\" is missing", key));
  reader.number(json, where, "position", point.position), reader.number(json, where, "time", point.time);
  reader.number(json, where, "speed", point.speed), reader.number(json, where, "along", point.along);
  return point;
}

PatchDefinition definitionOf(Reader& reader, const Json& json) {
  PatchDefinition patch;
  if (!reader.object(json, "", {"version", "name", "corners", "period", "sides", "objects", "residents"})) return patch;
  if (!json.contains("version") || json["version"] != 1)
    reader.error("/version", "expected 1, the version of this format");
  reader.text(json, "", "name", patch.name);
  reader.number(json, "", "period", patch.period);
  reader.list(json, "", "corners",
              [&](const Json& p, const std::string& at) { patch.corners.push_back(reader.point(p, at)); });
  reader.list(json, "", "sides", [&](const Json& side, const std::string& where) {
    PatchPattern pattern;
    pattern.period = patch.period;
    // As long as its side is, unless it says otherwise.
    const std::size_t i = patch.sides.size(), n = patch.corners.size();
    if (i < n) pattern.length = length(patch.corners[(i + 1) % n] - patch.corners[i]);
    if (reader.object(side, where, {"name", "period", "length", "inputs", "outputs"})) {
      reader.text(side, where, "name", pattern.name);
      reader.number(side, where, "period", pattern.period), reader.number(side, where, "length", pattern.length);
      reader.list(side, where, "inputs",
                  [&](const Json& p, const std::string& at) { pattern.inputs.push_back(pointOf(reader, p, at)); });
      reader.list(side, where, "outputs",
                  [&](const Json& p, const std::string& at) { pattern.outputs.push_back(pointOf(reader, p, at)); });
    }
    patch.sides.push_back(std::move(pattern));
  });
  reader.list(json, "", "objects", [&](const Json& object, const std::string& where) {
    PatchObject made;
    if (reader.object(object, where, {"name", "outline"})) {
      reader.text(object, where, "name", made.name);
      reader.list(object, where, "outline",
                  [&](const Json& p, const std::string& at) { made.outline.push_back(reader.point(p, at)); });
    }
    patch.objects.push_back(std::move(made));
  });
  reader.list(json, "", "residents", [&](const Json& resident, const std::string& where) {
    PatchResident made;
    if (reader.object(resident, where, {"name", "control", "facing"})) {
      reader.text(resident, where, "name", made.name);
      reader.list(resident, where, "control",
                  [&](const Json& p, const std::string& at) { made.control.push_back(reader.point(p, at)); });
      if (resident.contains("facing")) made.facing = reader.point(resident["facing"], where + "/facing");
    }
    patch.residents.push_back(std::move(made));
  });
  return patch;
}

Json pair(Point p) { return Json::array({p.x, p.y}); }

Json pointsJson(const std::vector<PatchPoint>& points) {
  Json list = Json::array();
  for (const PatchPoint& p : points)
    list.push_back({{"position", p.position}, {"time", p.time}, {"speed", p.speed}, {"along", p.along}});
  return list;
}

}  // namespace

PatchDefinition patchDefinitionFromJson(const std::string& json, const std::string& name) {
  scene::JsonProblem problem;
  const auto value = scene::parseJson(json, problem);
  if (!value)
    throw InputError(std::vector<Diagnostic>{
        {Diagnostic::Severity::kError, name, {}, {}, problem.message, problem.line, problem.column}});
  Reader reader;
  PatchDefinition patch = definitionOf(reader, *value);
  if (reader.found.empty()) reader.found = check(patch);
  if (reader.found.empty()) return patch;
  scene::locate(json, reader.found);
  for (Diagnostic& finding : reader.found) finding.file = name;
  throw InputError(std::move(reader.found));
}

PatchDefinition loadPatchDefinition(const std::string& path) { return patchDefinitionFromJson(readFile(path), path); }

std::string patchDefinitionToJson(const PatchDefinition& patch) {
  Json json{{"version", 1}, {"name", patch.name}, {"period", patch.period}};
  json["corners"] = json["sides"] = json["objects"] = json["residents"] = Json::array();
  for (const Point p : patch.corners) json["corners"].push_back(pair(p));
  for (const PatchPattern& side : patch.sides)
    json["sides"].push_back({{"name", side.name},
                             {"length", side.length},
                             {"period", side.period},
                             {"inputs", pointsJson(side.inputs)},
                             {"outputs", pointsJson(side.outputs)}});
  for (const PatchObject& object : patch.objects) {
    Json outline = Json::array();
    for (const Point p : object.outline) outline.push_back(pair(p));
    json["objects"].push_back({{"name", object.name}, {"outline", outline}});
  }
  for (const PatchResident& resident : patch.residents) {
    Json control = Json::array();
    for (const Point p : resident.control) control.push_back(pair(p));
    json["residents"].push_back({{"name", resident.name}, {"control", control}, {"facing", pair(resident.facing)}});
  }
  return json.dump(1) + "\n";
}

}  // namespace throng
