// The rules of what comes with meshes: places, navigation graph, levels of simulation.
#include <cmath>
#include <fmt/format.h>

#include "geometry/predicates.h"
#include "scene/geometry_reader.h"
#include "scene/scene_check.h"

namespace throng::scene {
namespace {

/// m; infinite where a layer has a ground and none of it lies here.
double heightAt(const Layer& layer, Point p) {
  if (layer.ground.empty()) return layer.elevation + layer.slope.x * p.x + layer.slope.y * p.y;
  for (const auto& [a, b, c] : layer.ground) {
    const Point ab{b.x - a.x, b.y - a.y}, ac{c.x - a.x, c.y - a.y}, ap{p.x - a.x, p.y - a.y};
    const double area = dot(perpendicular(ab), ac);
    if (area == 0) continue;
    const double u = dot(perpendicular(ap), ac) / area, v = dot(perpendicular(ab), ap) / area;
    constexpr double kSlack = 1e-9;
    if (u >= -kSlack && v >= -kSlack && u + v <= 1 + kSlack) return a.z + u * (b.z - a.z) + v * (c.z - a.z);
  }
  return INFINITY;
}

bool walkableAt(const Layer& layer, Point p) {
  if (!layer.walkable.empty() && !geometry::contains(layer.walkable, p)) return false;
  for (const Polygon& obstacle : layer.obstacles)
    if (geometry::strictlyContains(obstacle, p)) return false;
  return true;
}

void checkScenePlaces(const Scene& scene, Findings& findings) {
  const Range range(findings);
  Names names("place", true, findings);
  for (std::size_t i = 0; i < scene.places.size(); ++i) {
    const Place& place = scene.places[i];
    const std::string here = at("/places", i);
    names.add(here + "/name", place.name);
    range.positive(here + "/radius", place.radius, 1e4, "m");
    bool finite = range.within(here + "/at", place.at.x, -kFarthest, kFarthest, "m") &&
                  range.within(here + "/at", place.at.y, -kFarthest, kFarthest, "m");
    if (place.z) finite &= range.within(here + "/at", *place.z, -1e5, 1e5, "m");
    if (!place.layer.empty()) checkLayerName(scene, here + "/layer", place.layer, findings);
    if (!finite || findings.broken(here) || findings.broken("/layers") || findings.broken("/mesh")) continue;
    const int layer = layerOf(scene, place);
    if (layer < 0 || !walkableAt(scene.layers[static_cast<std::size_t>(layer)], place.at))
      findings.error(here + "/at", fmt::format("the place {} lies where nobody can walk", inQuotes(place.name)),
                     place.at);
  }
}

bool finite(const Point3& p) {
  constexpr double kMost = 1e9;
  return std::abs(p.x) <= kMost && std::abs(p.y) <= kMost && std::abs(p.z) <= kMost;
}

void checkLevels(const LevelSettings& settings, Findings& findings) {
  const Range range(findings);
  range.positive("/levels/near_distance", settings.near_distance, kFarthest, "m");
  range.positive("/levels/far_distance", settings.far_distance, kFarthest, "m");
  range.within("/levels/budget", settings.budget, 0, 1e6, "ms");
  range.within("/levels/levels", static_cast<double>(settings.levels.size()), 1, 8, "levels");
  for (std::size_t i = 0; i < settings.levels.size(); ++i)
    range.within(at("/levels/levels", i) + "/every", settings.levels[i].every, 1, 1000, "steps");
  for (std::size_t i = 0; i < settings.cameras.size(); ++i) {
    const Camera& camera = settings.cameras[i];
    const std::string here = at("/levels/cameras", i);
    range.within(here + "/field_of_view", camera.field_of_view, 1, 360, "degrees");
    if (!finite(camera.position)) findings.error(here + "/position", "found a position that is too far away");
    if (!finite(camera.direction)) findings.error(here + "/direction", "found a direction that is too long");
  }
}

}  // namespace

int layerOf(const Scene& scene, const Place& place) {
  if (!place.layer.empty()) return layerIndex(scene, place.layer);
  int best = -1;
  double least = INFINITY;
  for (std::size_t i = 0; i < scene.layers.size(); ++i) {
    if (!walkableAt(scene.layers[i], place.at)) continue;
    if (!place.z) return static_cast<int>(i);
    const double off = std::abs(heightAt(scene.layers[i], place.at) - *place.z);
    if (best < 0 || off < least) best = static_cast<int>(i), least = off;
  }
  return best;
}

void checkWalkability(const Walkability& walkability, const std::string& here, Findings& findings) {
  const Range range(findings);
  range.within(here + "/max_slope", walkability.max_slope, 0, 89, "degrees");
  range.within(here + "/step_height", walkability.step_height, 0, 10, "m");
  range.positive(here + "/body_height", walkability.body_height, 100, "m");
  range.positive(here + "/body_radius", walkability.body_radius, 10, "m");
  if (walkability.step_height >= walkability.body_height && !findings.broken(here))
    findings.error(here + "/step_height",
                   fmt::format("found {:g} m, and a body of {:g} m; allowed: less than the body's height",
                               walkability.step_height, walkability.body_height));
}

void checkMeshScene(const Scene& scene, Findings& findings) {
  const Range range(findings);
  if (scene.mesh) {
    range.positive("/mesh/unit", scene.mesh->unit, 1e6, "m per unit");
    const std::string& up = scene.mesh->up;
    if (up != "auto" && up != "x" && up != "y" && up != "z" && !findings.broken("/mesh/up"))
      findings.error("/mesh/up", fmt::format("found {}; allowed: \"auto\", \"x\", \"y\", \"z\"", inQuotes(up)));
    if (!findings.broken("/mesh/walkability")) checkWalkability(scene.mesh->walkability, "/mesh/walkability", findings);
  }
  range.within("/navigation_graph/precision", scene.navigation.precision, 0.02, 100, "m");
  range.positive("/navigation_graph/body_radius", scene.navigation.body_radius, 10, "m");
  checkScenePlaces(scene, findings);
  checkLevels(scene.levels, findings);
}

}  // namespace throng::scene
