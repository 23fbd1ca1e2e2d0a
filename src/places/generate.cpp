#include "places/generate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "scene/shape_cleaning.h"

namespace throng {
namespace places {
namespace {

constexpr std::string_view kHostile = "hostile";
constexpr double kUsualDuration = 120;  // s

/// The rules for files hold for what was drawn by the generator as well.
void cleanLayer(Layer& layer, scene::Findings& findings, const std::string& pointer) {
  geometry::Shapes ground{std::move(layer.walkable), {}, {}, {}};
  scene::clean(ground, false, findings, pointer);
  layer.walkable = std::move(ground.polygons);
  geometry::Shapes solid{std::move(layer.obstacles), std::move(layer.walls), {}, {}};
  scene::clean(solid, true, findings, pointer);
  layer.obstacles = std::move(solid.polygons);
  layer.walls = std::move(solid.lines);
}

Scene generated(const std::string& name, std::uint64_t seed, std::uint32_t vertices) {
  if (name == "city-plan") return cityPlan(seed);
  if (name == "station") return station(seed);
  if (name == "military") return military(seed);
  if (name == "town") return townPlace(seed);
  if (name == "itranarium") return itranarium(seed);
  if (name == "planet-eight") return planetEight(seed);
  if (name == "abstract-regions") return abstractRegions(seed);
  return hostile(seed, vertices);
}

bool known(const std::string& name) {
  const auto names = placeNames();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::string_view> placeNames() {
  return {"city-plan", "station", "military", kHostile, "town", "itranarium", "planet-eight", "abstract-regions"};
}

std::optional<std::string> nameProblem(const std::string& name) {
  if (known(name)) return {};
  return fmt::format("there is no generator {}{}", scene::inQuotes(name), scene::suggestion(name, placeNames()));
}

std::optional<std::string> sizeProblem(const std::string& name, std::uint32_t vertices) {
  if (known(name) && name != kHostile)
    return fmt::format("\"vertices\" goes with \"hostile\" only; {} has a size of its own", scene::inQuotes(name));
  if (vertices < kFewestVertices || vertices > kMostVertices)
    return fmt::format("found {} vertices; allowed: {} to {}", vertices, kFewestVertices, kMostVertices);
  return {};
}

Scene made(const std::string& name, std::uint64_t seed, std::uint32_t vertices, scene::Findings& findings,
           const std::string& pointer) {
  Scene place = generated(name, seed, vertices);
  place.name = name;
  if (place.mesh) {
    place.mesh->generator = name;
    place.mesh->seed = seed;
  }
  if (name == kHostile)
    for (Layer& layer : place.layers) cleanLayer(layer, findings, pointer);
  return place;
}

Scene sceneOf(std::vector<Layer> layers, std::vector<Connection> connections) {
  Scene scene;
  scene.layers = std::move(layers);
  scene.connections = std::move(connections);
  scene.profiles.emplace_back();
  scene.run.duration = kUsualDuration;
  return scene;
}

Scene sceneOf(Mesh mesh, std::vector<Place> places) {
  Scene scene = sceneOf({});
  scene.mesh.emplace();
  scene.mesh->mesh = std::make_shared<const Mesh>(std::move(mesh));
  scene.mesh->walkability.unwalkable_materials = {"water"};
  scene.places = std::move(places);
  return scene;
}

Point toMillimetres(Point p) { return {std::floor(p.x * 1000 + 0.5) / 1000, std::floor(p.y * 1000 + 0.5) / 1000}; }

Ring box(double min_x, double min_y, double max_x, double max_y) {
  return {{min_x, min_y}, {max_x, min_y}, {max_x, max_y}, {min_x, max_y}};
}

Ring boxAround(Point centre, double width, double height) {
  return box(centre.x - width / 2, centre.y - height / 2, centre.x + width / 2, centre.y + height / 2);
}

Point unitAt(double angle) {
  Point p;
  base::sinCos(angle, p.y, p.x);
  return p;
}

Ring roundRing(Point centre, double radius, int corners, double phase) {
  Ring ring;
  for (int i = 0; i < corners; ++i) ring.push_back(centre + unitAt(phase + 2 * base::kPi * i / corners) * radius);
  return ring;
}

Point middleOf(const Ring& ring) {
  Point sum;
  for (const Point p : ring) sum += p;
  return sum / static_cast<double>(ring.size());
}

Ring placed(const Ring& local, Point origin, Point along) {
  Ring ring;
  for (const Point p : local) ring.push_back(origin + along * p.x + perpendicular(along) * p.y);
  return ring;
}

PlaceCount counted(const std::vector<Layer>& layers) {
  PlaceCount count;
  const auto corners = [](const std::vector<Polygon>& polygons) {
    std::size_t n = 0;
    for (const auto& polygon : polygons) {
      n += polygon.outer.size();
      for (const auto& hole : polygon.holes) n += hole.size();
    }
    return n;
  };
  for (const auto& layer : layers) {
    count.obstacles += layer.obstacles.size() + layer.walls.size();
    count.obstacle_vertices += corners(layer.obstacles);
    for (const auto& wall : layer.walls) count.obstacle_vertices += wall.points.size();
    count.vertices += corners(layer.walkable);
  }
  count.vertices += count.obstacle_vertices;
  return count;
}

}  // namespace places

Scene generatePlace(const std::string& name, std::uint64_t seed, std::uint32_t vertices) {
  auto problem = places::nameProblem(name);
  if (!problem && vertices != 0) problem = places::sizeProblem(name, vertices);
  if (problem) throw InputError(*problem);
  scene::Findings unheard;
  return places::made(name, seed, vertices == 0 ? places::kUsualVertices : vertices, unheard, "");
}

}  // namespace throng
