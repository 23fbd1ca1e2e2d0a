// What the scenes of dense crowds have in common: who walks in them, and places that can be turned.
#pragma once

#include <cmath>
#include <initializer_list>

#include "throng/scene.h"

#include "papers/dense_crowds.h"

namespace throng::papers {

inline constexpr double kRadius = 0.2;  // m

/// The place, turned as a whole. Wrapped corridors stay as they are: what wraps is a rectangle along the axes.
class Place {
 public:
  explicit Place(double degrees) : cosine_(std::cos(degrees * M_PI / 180)), sine_(std::sin(degrees * M_PI / 180)) {}

  Point at(double x, double y) const { return {x * cosine_ - y * sine_, y * cosine_ + x * sine_}; }
  /// Back to where it was drawn.
  Point back(double x, double y) const { return {x * cosine_ + y * sine_, y * cosine_ - x * sine_}; }
  Polygon polygon(std::initializer_list<Point> corners) const {
    Polygon polygon;
    for (const Point& corner : corners) polygon.outer.push_back(at(corner.x, corner.y));
    return polygon;
  }
  Polygon box(double x0, double y0, double x1, double y1) const {
    return polygon({{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
  }

 private:
  double cosine_, sine_;
};

/// One layer without borders, and one profile: people who walk at 1.34 ± `deviation` m/s.
inline Scene crowdScene(const DenseRun& run, double deviation) {
  Scene scene;
  scene.layers.resize(1);
  Profile profile = run.model == "throng" ? Profile{} : withModelsAlone({});
  profile.radius = Distribution::constant(run.radius.value_or(kRadius));
  profile.preferred_speed = run.speed       ? Distribution::constant(*run.speed)
                            : deviation > 0 ? Distribution::truncatedNormal(1.34, deviation, 0.8, 1.9)
                                            : Distribution::constant(1.34);
  profile.steering.model = run.model;
  if (run.time_gap) profile.steering.parameters["time_gap"] = *run.time_gap;
  scene.profiles = {profile};
  scene.run.dt = run.dt;
  scene.run.seed = run.seed;
  return scene;
}

inline Population walkers(std::uint32_t count, const Polygon& from, const Goal& to) {
  Population people;
  people.count = count;
  people.start.shape = StartArea{{from}};
  people.goals = {to};
  return people;
}

}  // namespace throng::papers
