// Scenes with a district of one patch, for tests of the simulation.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "throng/patch_district.h"

#include "base/math.h"
#include "simulation/scenes.h"

namespace throng::simulation {

/// How a scene is turned, mirrored and scaled.
struct Turned {
  double angle = 0;  ///< radians
  bool mirrored = false;
  double scale = 1;  ///< of the side: 8 m

  Point operator()(Point p) const {
    double sine = 0, cosine = 0;
    base::sinCos(angle, sine, cosine);
    if (mirrored) p.x = -p.x;
    return {p.x * cosine - p.y * sine, p.x * sine + p.y * cosine};
  }
};

inline PatchDefinition turned(const PatchDefinition& patch, const Turned& turn) {
  PatchDefinition out = patch;
  const std::size_t n = patch.corners.size();
  const auto points = [&](std::vector<PatchPoint>& list, double length) {
    for (PatchPoint& p : list) p.position = length - p.position, p.along = -p.along;
  };
  for (std::size_t j = 0; j < n; ++j) {
    out.corners[j] = turn(patch.corners[turn.mirrored ? n - 1 - j : j]);
    if (!turn.mirrored) continue;
    out.sides[j] = patch.sides[(2 * n - 2 - j) % n];
    points(out.sides[j].inputs, out.sides[j].length), points(out.sides[j].outputs, out.sides[j].length);
  }
  return out;
}

/// A square patch with random patterns on all sides, in two versions.
inline PatchLibrary onePatch(std::uint64_t seed, const Turned& turn, double density = 0.12) {
  const PatchDefinition patch = turned(randomPatch(density, seed, 8 * turn.scale), turn);
  PatchResult result = generateWalks(patch, {.seed = seed});
  EXPECT_TRUE(result.patch.has_value()) << seed;
  PatchLibrary library{{*result.patch}, {{0, {}}}, {}};
  addVersions(library, 2, seed);
  return library;
}

/// A square with people around it, who all mean to walk through the patch.
inline Scene plaza(std::uint64_t seed, const Turned& turn = {}, const std::string& steering = "orca") {
  Scene scene = emptyScene(steering);
  Polygon ground;
  for (const Point p : {Point{-12, -12}, Point{20, -12}, Point{20, 20}, Point{-12, 20}})
    ground.outer.push_back(turn(p * turn.scale));
  if (turn.mirrored) std::reverse(ground.outer.begin(), ground.outer.end());
  scene.layers[0].walkable = {ground};
  scene.profiles[0].preferred_speed = Distribution::uniform(1.1, 1.5);
  scene.run.seed = seed, scene.run.duration = 1000;
  placeDistrict(scene, {"patch", {}, {}, {}, {}, {}}, onePatch(seed, turn));
  Population natives;
  natives.name = "natives", natives.district = "patch";
  scene.populations.push_back(natives);
  std::vector<Point> places;
  for (int i = 0; i < 12; ++i) {
    const double x = -10 + 2.6 * i;
    places.push_back(turn(Point{x, -10} * turn.scale)), places.push_back(turn(Point{x, 18} * turn.scale));
  }
  scene.populations.push_back(atPoints(places, {{GoalDistrict{"patch"}}}, "visitors"));
  return scene;
}

}  // namespace throng::simulation
