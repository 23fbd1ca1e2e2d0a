#include "serve/plan_scene.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "throng/base.h"

#include "geometry/polygons.h"
#include "scene/json_splice.h"

namespace throng::serve {

bool isPlan(std::string_view file) { return file.ends_with(".wkt") || file.ends_with(".geojson"); }

std::string planScene(const std::string& name, const std::string& text, bool geojson) {
  geometry::ShapeError problem;
  const std::optional<geometry::Shapes> shapes =
      geojson ? geometry::parseGeoJson(text, problem) : geometry::parseWkt(text, problem);
  if (!shapes)
    throw InputError(
        {Diagnostic{.file = {}, .pointer = problem.pointer, .at = problem.at, .message = problem.message}});
  if (shapes->polygons.empty())
    throw InputError(
        "This plan has no polygon: there would be nothing to walk on. Allowed: polygons, and lines as walls.");
  nlohmann::ordered_json layer{{"name", "ground"}, {"walkable", nlohmann::ordered_json::array()}};
  for (const Polygon& polygon : shapes->polygons)
    layer["walkable"].push_back(geometry::toWkt(std::vector<Polygon>{polygon}));
  for (const Polyline& line : shapes->lines) layer["obstacles"].push_back(geometry::toWkt(line));
  const nlohmann::ordered_json scene{
      {"version", 1}, {"name", name}, {"layers", nlohmann::ordered_json::array({layer})}, {"run", {{"duration", 600}}}};
  return scene::written(scene, 0, 1000) + "\n";
}

std::string modelScene(const std::string& name, const std::string& file) {
  const nlohmann::ordered_json scene{
      {"version", 1}, {"name", name}, {"mesh", {{"file", file}}}, {"run", {{"duration", 600}}}};
  return scene::written(scene, 0, 1000) + "\n";
}

}  // namespace throng::serve
