// Scenes in code, for tests of the simulation.
#pragma once

#include <string>

#include "throng/scene.h"

namespace throng::simulation {

inline Polygon box(double x0, double y0, double x1, double y1) {
  return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}};
}

inline Goal toPoint(Point p, double tolerance = 0.5) { return {GoalPoint{p, tolerance}}; }

inline Goal toArea(const Polygon& area) { return {GoalArea{{area}}}; }

/// Models of others by themselves; our own with all that goes with it.
inline Scene emptyScene(const std::string& steering = "linear") {
  Scene scene;
  scene.layers.emplace_back();
  scene.profiles.emplace_back();
  if (steering != "throng") scene.profiles[0] = withModelsAlone(scene.profiles[0]);
  scene.profiles[0].steering.model = steering;
  scene.run.duration = 60;
  return scene;
}

inline Population atPoints(std::vector<Point> points, std::vector<Goal> goals, const std::string& name = "people") {
  Population population;
  population.name = name;
  population.count = static_cast<std::uint32_t>(points.size());
  population.start.shape = StartPoints{std::move(points)};
  population.goals = std::move(goals);
  return population;
}

inline Population inArea(std::uint32_t count, const Polygon& area, std::vector<Goal> goals,
                         const std::string& name = "people") {
  Population population;
  population.name = name;
  population.count = count;
  population.start.shape = StartArea{{area}};
  population.goals = std::move(goals);
  return population;
}

}  // namespace throng::simulation
