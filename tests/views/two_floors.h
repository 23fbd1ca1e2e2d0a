// A place to be shown: a floor with a pillar, a stair beside it, and a floor beyond; and what to check of any view.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "throng/views.h"

#include "corridors/map_scenes.h"
#include "corridors/named_map.h"

namespace throng::views {

inline Scene twoFloors() {
  Scene scene = ground::sceneOf({});
  Layer lower, stair, upper;
  lower.name = "lower", stair.name = "stair", upper.name = "upper";
  lower.walkable = {ground::box(0, 0, 10, 10)};
  lower.obstacles = {ground::box(4, 4, 5, 6)};
  stair.walkable = {ground::box(10, 4, 16, 6)};
  upper.walkable = {ground::box(16, 0, 26, 10)};
  scene.layers = {lower, stair, upper};
  scene.connections = {{"bottom", "lower", {{10, 4}, {10, 6}}, "stair", {{10, 4}, {10, 6}}},
                       {"top", "stair", {{16, 4}, {16, 6}}, "upper", {{16, 4}, {16, 6}}}};
  Population up;
  up.name = "up";
  up.start.shape = StartArea{{ground::box(1, 1, 3, 9)}};
  up.goals = {{GoalArea{{ground::box(20, 1, 25, 9)}}, "upper"}};
  scene.populations = {up};
  return scene;
}

/// A scene, its map and the names of its layers.
struct ShownMap {
  corridors::TestMap test;
  std::vector<std::string> layers;
  std::vector<std::vector<Polygon>> walkable;

  explicit ShownMap(const Scene& scene) : test(scene) {
    for (const Layer& layer : scene.layers) {
      layers.push_back(layer.name);
      walkable.push_back(layer.walkable);
    }
  }
  corridors::NamedMap named() const { return {test.map, layers, walkable}; }
  /// Is a place on a layer, or on its border?
  bool holds(Point place, std::uint16_t layer) const {
    for (const Point d : {Point{0, 0}, {1e-5, 0}, {-1e-5, 0}, {0, 1e-5}, {0, -1e-5}})
      if (test.map.locate(place + d, layer)) return true;
    return false;
  }
  void expectOnTheirLayers(const Overlay& overlay) const {
    for (const Overlay::Line& line : overlay.lines) {
      ASSERT_GE(line.points.size(), 2u);
      for (std::size_t i = 0; i + 1 < line.points.size(); ++i)
        EXPECT_TRUE(holds((line.points[i] + line.points[i + 1]) * 0.5, line.layer))
            << line.points[i].x << " " << line.points[i].y << " on " << line.layer;
    }
  }
};

inline std::vector<std::string> keysOf(const Overlay& overlay) {
  std::vector<std::string> labels;
  for (const Overlay::Key& key : overlay.keys) labels.push_back(key.label);
  return labels;
}

inline double areaOf(const Overlay& overlay, std::uint16_t layer) {
  double sum = 0;
  for (const Overlay::Area& area : overlay.areas)
    if (area.layer == layer) sum += geometry::area(area.pieces);
  return sum;
}

}  // namespace throng::views
