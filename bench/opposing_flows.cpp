#include "bench/opposing_flows.h"

#include <cmath>

namespace throng::bench {
namespace {

constexpr double kDensity = 0.3;  // people per m²

/// ORCA's neighbours and horizon are part of the work; the other models have their defaults.
ModelChoice steering(const std::string& model) {
  if (model != "orca") return {model, {}};
  return {model, {{"time_horizon", 5}, {"neighbour_range", 5}, {"max_neighbours", 10}}};
}

}  // namespace

Scene opposingFlows(std::size_t people, const std::string& model) {
  const double side = std::sqrt(static_cast<double>(people) / kDensity);
  Scene scene;
  scene.name = "opposing-flows";
  Layer layer;
  layer.wrap = Rectangle{{0, 0}, {side, side}};
  scene.layers = {layer};
  // The models of others by themselves; our own with all that goes with it.
  Profile profile = model == "throng" ? Profile{} : withModelsAlone({});
  profile.radius = Distribution::constant(0.25);
  profile.preferred_speed = Distribution::constant(1.3);
  profile.steering = steering(model);
  scene.profiles = {profile};
  for (const double direction : {1.0, -1.0}) {
    Population flow;
    flow.name = direction > 0 ? "east" : "west";
    flow.count = static_cast<std::uint32_t>(direction > 0 ? people - people / 2 : people / 2);
    flow.start.shape = StartArea{{Polygon{{{0, 0}, {side, 0}, {side, side}, {0, side}}, {}}}};
    flow.goals = {{GoalDirection{{direction, 0}}}};
    scene.populations.push_back(flow);
  }
  scene.run.dt = 0.1;
  scene.run.duration = 1e6;  // s: longer than anybody times it
  return scene;
}

}  // namespace throng::bench
