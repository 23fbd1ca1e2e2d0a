// Small places with a few people in them, in the manner of the test cases of steering benchmarks (SteerBench: Singh et
// al. 2009): people who meet, doors, rooms, mazes, somebody in the way. Each is another one with every seed: other
// sizes, other people, turned, mirrored and moved.
#pragma once

#include <cstdint>
#include <string>
#include <throng/scene.h>
#include <vector>

namespace throng::places_to_try {

/// Random numbers that are the same with every compiler.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) {}
  double between(double from, double to);
  int whole(int from, int to);  ///< both of them included
  bool coin() { return between(0, 1) < 0.5; }

 private:
  std::uint64_t state_;
};

/// A scene as it is drawn: with coordinates of its own, turned and moved as a whole.
class Drawing {
 public:
  explicit Drawing(std::uint64_t seed);

  Scene scene;
  Dice dice;

  Point at(Point p) const;
  Polygon polygon(std::vector<Point> corners) const;
  Polygon box(double x0, double y0, double x1, double y1) const {
    return polygon({{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
  }
  /// m: the largest radius that somebody can have here.
  double radius() const { return largest_; }

  void floor(double x0, double y0, double x1, double y1) { scene.layers[0].walkable.push_back(box(x0, y0, x1, y1)); }
  void block(double x0, double y0, double x1, double y1) { scene.layers[0].obstacles.push_back(box(x0, y0, x1, y1)); }
  /// A wall along the y axis with an opening.
  void wallWithDoor(double x, double thick, double from, double to, double door_from, double door_to);
  Goal point(Point p, double tolerance = 0.5) const { return {GoalPoint{at(p), tolerance}, {}}; }
  Goal area(double x0, double y0, double x1, double y1) const { return {GoalArea{{box(x0, y0, x1, y1)}}, {}}; }
  Population& walk(const std::vector<Point>& from, std::vector<Goal> to);
  Population& walk(int count, const Polygon& from, std::vector<Goal> to);
  /// Somebody who is where they want to be.
  void stand(Point p) { walk(std::vector<Point>{p}, {}).goals.clear(); }

 private:
  double cosine_, sine_, scale_, largest_;
  bool mirrored_;
  Point moved_;
};

struct SmallPlace {
  const char* name;
  void (*draw)(Drawing&);
};
/// All there are.
const std::vector<SmallPlace>& smallPlaces();
/// One of them, for everybody with a steering model.
Scene drawn(const SmallPlace& place, std::uint64_t seed, const std::string& model = "throng");

}  // namespace throng::places_to_try
