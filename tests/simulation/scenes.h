// Scenes in code, for tests of the simulation.
#pragma once

#include <string>

#include "throng/scene.h"

namespace throng::simulation {

inline Polygon box(double x0, double y0, double x1, double y1) {
  return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}};
}

inline Stage toPoint(Point p, double tolerance = 0.5) {
  Stage stage;
  stage.point = p;
  stage.tolerance = tolerance;
  return stage;
}

inline Stage toArea(const Polygon& area) {
  Stage stage;
  stage.kind = Stage::Kind::kArea;
  stage.area = {area};
  return stage;
}

inline Scene emptyScene(const std::string& steering = "linear") {
  Scene scene;
  scene.layers.emplace_back();
  scene.profiles.emplace_back();
  scene.profiles[0].steering.model = steering;
  scene.run.duration = 60;
  return scene;
}

inline Population atPoints(std::vector<Point> points, std::vector<Stage> goals, const std::string& name = "people") {
  Population population;
  population.name = name;
  population.count = static_cast<std::uint32_t>(points.size());
  population.start.points = std::move(points);
  population.goals = std::move(goals);
  return population;
}

inline Population inArea(std::uint32_t count, const Polygon& area, std::vector<Stage> goals,
                         const std::string& name = "people") {
  Population population;
  population.name = name;
  population.count = count;
  population.start.kind = Start::Kind::kArea;
  population.start.area = {area};
  population.goals = std::move(goals);
  return population;
}

}  // namespace throng::simulation
