// The scenes of Jaklin's chapter 4, and routes through them by any planner.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "throng/navigation.h"
#include "throng/scene.h"

namespace throng::papers {

/// A scene with its map, and what its ground costs by the first profile.
struct WeightedScene {
  std::string name;
  Scene scene;
  NavigationMap map;
  Rectangle box;  ///< of the walkable area

  /// From the folder of scenes.
  explicit WeightedScene(const std::string& name);
  WeightedScene(const std::string& name, Scene made);
  /// The same with nothing made yet.
  NavigationMap fresh() const { return NavigationMap(scene); }
  /// The middles of the first population's start and goal areas.
  RouteRequest usualRequest() const;
  RouteRequest request(Point from, Point to) const;
};

/// The same by another planner.
RouteRequest by(RouteRequest request, const char* planner, double epsilon = 0, double cell = 0);

}  // namespace throng::papers
