#include "papers/suburb.h"

#include <algorithm>
#include <cmath>

#include "throng/models.h"

#include "papers/places.h"

namespace throng::papers {
namespace {

Polygon box(double x0, double y0, double x1, double y1) { return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}; }

Polygon ellipse(Point centre, double width, double height, int corners) {
  Polygon polygon;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * M_PI * i / corners;
    polygon.outer.push_back(centre + Point{width / 2 * std::cos(angle), height / 2 * std::sin(angle)});
  }
  return polygon;
}

Scene sceneOf(const char* name, Layer layer, const std::map<std::string, double>& weights) {
  Scene scene;
  scene.name = name;
  scene.layers = {std::move(layer)};
  scene.profiles.resize(1);
  for (const auto& [type, weight] : weights) scene.profiles[0].region_weights[type] = Distribution::constant(weight);
  scene.run.duration = 1e4;
  return scene;
}

}  // namespace

Scene suburbScene() {
  Layer layer;
  layer.walkable = {box(0, 0, 100, 100)};
  Region garden{"grass", {box(0, 0, 100, 100)}}, water{"water", {ellipse({24, 77}, 26, 20, 16)}};
  Region road{"road", {}}, pavement{"paving", {}}, path{"path", {}};
  for (const double at : {46.0, 92.0}) {  // a crossing in the middle, and a street at the border
    pavement.area.push_back(box(at - 2.5, 0, at + 8.5, 100));
    pavement.area.push_back(box(0, at - 2.5, 100, std::min(at + 8.5, 100.0)));
    road.area.push_back(box(at, 0, at + 6, 100));
    road.area.push_back(box(0, at, 100, at + 6));
  }
  // Houses with a path to the pavement below them, and trees between.
  for (const double y : {12.0, 30.0, 62.0, 80.0})
    for (const double x : {6.0, 24.0, 58.0, 76.0}) {
      if (x < 40 && y > 60) continue;  // the lake
      layer.obstacles.push_back(box(x, y, x + 11, y + 8));
      path.area.push_back(box(x + 4.5, y + 8, x + 6, y < 40 ? 43.5 : 89.5));
      layer.obstacles.push_back(ellipse({x + 14, y + 4}, 1.2, 1.2, 8));
      layer.obstacles.push_back(ellipse({x + 13.5, y - 4}, 0.8, 0.8, 8));
    }
  layer.regions = {garden, water, path, pavement, road};
  return sceneOf("suburb", std::move(layer), {{"paving", 1}, {"road", 4}, {"grass", 30}, {"water", 40}, {"path", 1}});
}

Scene carPuddleScene() {
  Layer layer;
  layer.walkable = {box(0, 0, 20, 20)};
  layer.obstacles = {box(3, 9, 8.2, 11), box(11.2, 9, 16.4, 11)};
  // As wide as what is left between the cars, but for a strip that a point walks on and a body does not fit.
  layer.regions = {{"puddle", {box(8.5, 8.2, 11.2, 11.8)}}};
  return sceneOf("car-puddle", std::move(layer), {{"puddle", 30}});
}

Scene abstractRegionsScene() {
  Scene scene = placeScene("abstract-regions");
  scene.name = "abstract-regions-16x16";
  scene.profiles.resize(1);
  for (const auto& [type, weight] : std::map<std::string, double>{
           {"grey", 4}, {"dark green", 30}, {"light green", 3}, {"blue", 30}, {"yellow", 6}, {"brown", 2}})
    scene.profiles[0].region_weights[type] = Distribution::constant(weight);
  scene.run.duration = 1e4;
  return scene;
}

Scene turned(Scene scene, double angle) {
  const double s = std::sin(angle), c = std::cos(angle);
  const auto turn = [&](std::vector<Polygon>& polygons) {
    for (Polygon& polygon : polygons)
      for (Point& p : polygon.outer) p = {c * p.x - s * p.y, s * p.x + c * p.y};
  };
  for (Layer& layer : scene.layers) {
    turn(layer.walkable), turn(layer.obstacles);
    for (Region& region : layer.regions) turn(region.area);
  }
  return scene;
}

std::string regionPlanner() {
  const auto known = planners();
  const bool there =
      std::any_of(known.begin(), known.end(), [](const ModelInfo& info) { return info.name == "regions"; });
  return there ? "regions" : "corridor";
}

}  // namespace throng::papers
