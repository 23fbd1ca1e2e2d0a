#include "papers/weighted_scenes.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "throng/import.h"

namespace throng::papers {
namespace {

constexpr double kRadius = 0.25;  // m

Rectangle boxOf(const std::vector<Polygon>& area) {
  Rectangle box{{1e300, 1e300}, {-1e300, -1e300}};
  for (const Polygon& polygon : area)
    for (const Point p : polygon.outer) {
      box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
      box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
    }
  return box;
}

Point middleOf(const std::vector<Polygon>& area) {
  const Rectangle box = boxOf(area);
  return (box.min + box.max) * 0.5;
}

}  // namespace

WeightedScene::WeightedScene(const std::string& called)
    : WeightedScene(called, loadScene(std::string(THRONG_SOURCE_DIR "/scenes/") + called + ".json")) {}

WeightedScene::WeightedScene(const std::string& called, Scene made)
    : name(called), scene(std::move(made)), map(scene), box(boxOf(scene.layers.at(0).walkable)) {}

RouteRequest WeightedScene::request(Point from, Point to) const {
  RouteRequest request;
  request.from = from, request.to = to;
  request.radius = kRadius;
  for (const auto& [type, weight] : scene.profiles.at(0).region_weights) request.region_weights[type] = weight.mean;
  return request;
}

RouteRequest WeightedScene::usualRequest() const {
  const Population& population = scene.populations.at(0);
  const auto* start = std::get_if<StartArea>(&population.start.shape);
  const auto* goal = std::get_if<GoalArea>(&population.goals.at(0).target);
  if (start == nullptr || goal == nullptr)
    throw InputError("The scene's first population does not walk from one area to another.");
  return request(middleOf(start->area), middleOf(goal->area));
}

RouteRequest by(RouteRequest request, const char* planner, double epsilon, double cell) {
  request.planner = planner;
  if (epsilon > 0) request.parameters["epsilon"] = epsilon;
  if (cell > 0) request.parameters["cell"] = cell;
  return request;
}

}  // namespace throng::papers
