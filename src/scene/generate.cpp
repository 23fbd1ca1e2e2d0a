#include "scene/generate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "scene/scene_reader.h"
#include "scene/shape_cleaning.h"

namespace throng {
namespace scene {
namespace {

constexpr std::string_view kHostile = "hostile";

/// The rules for files hold for what was drawn by the generator as well; `value` gets the warnings.
void cleanLayer(Layer& layer, const Value& value) {
  geometry::Shapes ground{std::move(layer.walkable), {}, {}, {}};
  clean(ground, false, value);
  layer.walkable = std::move(ground.polygons);
  geometry::Shapes solid{std::move(layer.obstacles), std::move(layer.walls), {}, {}};
  clean(solid, true, value);
  layer.obstacles = std::move(solid.polygons);
  layer.walls = std::move(solid.lines);
}

/// The name is known and the number allowed.
GeneratedPlace generated(const std::string& name, std::uint64_t seed, std::uint32_t vertices, const Value& value) {
  if (name == "city-plan") return cityPlan(seed);
  if (name == "station") return station(seed);
  if (name == "military") return military(seed);
  if (name == "town") return townPlace(seed);
  if (name == "itranarium") return itranarium(seed);
  if (name == "planet-eight") return planetEight(seed);
  GeneratedPlace place = hostile(seed, vertices);
  for (auto& layer : place.layers) cleanLayer(layer, value);
  return place;
}

bool known(const std::string& name) {
  const auto names = placeNames();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string unknownText(const std::string& name) {
  return fmt::format("there is no generator {}{}", inQuotes(name), suggestion(name, placeNames()));
}

std::string verticesText(std::uint64_t vertices) {
  return fmt::format("found {} vertices; allowed: {} to {}", vertices, kFewestVertices, kMostVertices);
}

std::string notHostileText(const std::string& name) {
  return fmt::format("\"vertices\" goes with \"hostile\" only; {} has a size of its own", inQuotes(name));
}

bool allowed(std::uint64_t vertices) { return vertices >= kFewestVertices && vertices <= kMostVertices; }

}  // namespace

std::vector<std::string_view> placeNames() {
  return {"city-plan", "station", "military", kHostile, "town", "itranarium", "planet-eight"};
}

GeneratedPlace readGenerated(const Value& value) {
  if (!value.isObject("generate")) return {};
  std::string name;
  if (const auto scene = value.require("scene")) {
    if (const auto text = scene->string()) {
      name = *text;
      if (!known(name)) scene->error(unknownText(name));
    }
  }
  std::uint64_t seed = 1, vertices = kUsualVertices;
  if (const auto number = value.find("seed")) {
    seed = number->wholeNumber(std::numeric_limits<std::uint64_t>::max()).value_or(seed);
  }
  if (const auto number = value.find("vertices")) {
    vertices = number->wholeNumber(std::numeric_limits<std::uint32_t>::max()).value_or(kUsualVertices);
    if (known(name) && name != kHostile) {
      number->error(notHostileText(name));
    } else if (!allowed(vertices)) {
      number->error(verticesText(vertices));
    }
  }
  if (value.findings().broken(value.pointer())) return {};
  return generated(name, seed, static_cast<std::uint32_t>(vertices), value);
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

}  // namespace scene

GeneratedPlace generatePlace(const std::string& name, std::uint64_t seed, std::uint32_t vertices) {
  if (!scene::known(name)) throw InputError(scene::unknownText(name));
  if (vertices != 0 && name != scene::kHostile) throw InputError(scene::notHostileText(name));
  if (vertices != 0 && !scene::allowed(vertices)) throw InputError(scene::verticesText(vertices));
  const nlohmann::ordered_json nowhere;
  scene::Findings unheard;
  return scene::generated(name, seed, vertices == 0 ? scene::kUsualVertices : vertices,
                          scene::Value(nowhere, "", unheard));
}

}  // namespace throng
