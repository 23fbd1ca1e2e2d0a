// Shapes that are fit for use, and things that lie where people can walk.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/math.h"
#include "base/overloaded.h"
#include "geometry/predicates.h"
#include "geometry/uniform_grid.h"
#include "scene/geometry_reader.h"
#include "scene/scene_check.h"
#include "scene/shape_cleaning.h"

namespace throng::scene {
namespace {

/// Polygons with their boxes, so that most of them need not be looked at.
class Area {
 public:
  Area() = default;
  explicit Area(std::vector<Polygon> polygons) : polygons_(std::move(polygons)) {
    std::erase_if(polygons_, [](const Polygon& polygon) { return polygon.outer.empty(); });
    for (const auto& polygon : polygons_) boxes_.push_back(geometry::boxOf(polygon.outer));
    grid_ = geometry::UniformGrid<double>::ofBoxes(boxes_);
  }

  bool empty() const { return polygons_.empty(); }
  const std::vector<Polygon>& polygons() const { return polygons_; }

  bool contains(Point p) const {
    return any([&](const Polygon& polygon) { return geometry::contains(polygon, p); }, {p, p});
  }
  bool strictlyContains(Point p) const {
    return any([&](const Polygon& polygon) { return geometry::strictlyContains(polygon, p); }, {p, p});
  }
  std::vector<Polygon> near(const Rectangle& box) const {
    std::vector<Polygon> found;
    any([&](const Polygon& polygon) { return found.push_back(polygon), false; }, box);
    return found;
  }
  bool touches(const std::vector<Polygon>& shape) const {
    // Usually a corner lies within, which is cheaper to see than an intersection.
    for (const auto& polygon : shape) {
      if (contains(polygon.outer.front())) return true;
    }
    return std::any_of(shape.begin(), shape.end(), [&](const Polygon& polygon) {
      const auto candidates = near(geometry::boxOf(polygon.outer));
      return !candidates.empty() && geometry::intersects({polygon}, candidates);
    });
  }
  bool touches(const Polyline& line) const {
    if (contains(line.points.front())) return true;
    const auto candidates = near(geometry::boxOf(line.points));
    return !candidates.empty() && geometry::intersects(std::vector<Polyline>{line}, candidates);
  }

 private:
  template <class Test>
  bool any(const Test& test, const Rectangle& box) const {
    std::vector<std::uint32_t> candidates;
    grid_.query(box.min, box.max, candidates);
    return std::any_of(candidates.begin(), candidates.end(),
                       [&](std::uint32_t i) { return geometry::overlap(boxes_[i], box) && test(polygons_[i]); });
  }

  std::vector<Polygon> polygons_;
  std::vector<Rectangle> boxes_;
  geometry::UniformGrid<double> grid_;
};

class PlaceCheck {
 public:
  PlaceCheck(const Scene& scene, Findings& findings) : scene_(scene), findings_(findings) {
    for (std::size_t i = 0; i < scene.layers.size(); ++i) floors_.push_back(floorOf(i));
  }

  void all() {
    // What was found in a mesh lies where it should.
    for (std::size_t i = 0; i < scene_.layers.size() && !scene_.mesh; ++i) layer(i);
    for (std::size_t i = 0; i < scene_.connections.size() && !scene_.mesh; ++i) connection(i);
    for (std::size_t i = 0; i < scene_.populations.size(); ++i) population(i);
    for (std::size_t i = 0; i < scene_.events.size(); ++i) event(i);
    measurements();
  }

 private:
  struct Floor {
    bool sound = false;  ///< no error in it: what lies where can be said
    bool bounded = false;
    Area walkable, solid, played;
    std::optional<Rectangle> wrap;
  };

  Floor floorOf(std::size_t index) const {
    Floor floor;
    const Layer& layer = scene_.layers[index];
    if (findings_.broken(at("/layers", index))) return floor;
    floor.sound = true;
    floor.bounded = !layer.walkable.empty();
    floor.walkable = Area(layer.walkable);
    floor.solid =
        Area(layer.openings.empty() ? layer.obstacles : geometry::difference(layer.obstacles, layer.openings));
    floor.played = Area(layer.played);
    floor.wrap = layer.wrap;
    return floor;
  }

  /// Null when nothing can be said about it.
  const Floor* floorNamed(const std::string& name) const {
    const int index = layerIndex(scene_, name);
    if (index < 0 || !floors_[static_cast<std::size_t>(index)].sound) return nullptr;
    return &floors_[static_cast<std::size_t>(index)];
  }

  void outside(const std::string& pointer, const char* what, Point where, bool error) {
    const std::string text = fmt::format("{} lies outside the walkable area", what);
    if (error) {
      findings_.error(pointer, text, where);
    } else {
      findings_.warning(pointer, text, where);
    }
  }

  void layer(std::size_t index) {
    const Layer& layer = scene_.layers[index];
    const Floor& floor = floors_[index];
    if (!floor.sound) return;
    const std::string here = at("/layers", index);
    if (floor.bounded) {
      for (const auto& polygon : layer.obstacles) {
        if (!floor.walkable.touches({polygon})) outside(here + "/obstacles", "an obstacle", polygon.outer[0], false);
      }
      for (const auto& wall : layer.walls) {
        if (!floor.walkable.touches(wall)) outside(here + "/obstacles", "a wall", wall.points[0], false);
      }
      for (std::size_t i = 0; i < layer.regions.size(); ++i) {
        if (floor.walkable.touches(layer.regions[i].area)) continue;
        outside(at((here + "/regions").c_str(), i) + "/area", "the region", layer.regions[i].area[0].outer[0], false);
      }
    }
    openings(layer, floor, here + "/openings");
    for (std::size_t i = 0; floor.bounded && i < layer.doors.size(); ++i) {
      const auto& [a, b] = layer.doors[i].line;
      if (floor.walkable.touches(Polyline{{a, b}})) continue;
      outside(at((here + "/doors").c_str(), i) + "/line", "the door", a, false);
    }
  }

  void event(std::size_t index) {
    const auto* insertion = std::get_if<InsertObstacle>(&scene_.events[index].change);
    if (!insertion) return;
    const std::string here = at("/events", index) + "/insert";
    const Floor* floor = floorNamed(insertion->layer);
    if (!floor || !floor->bounded || findings_.broken(here)) return;
    if (floor->walkable.touches({insertion->obstacle})) return;
    outside(here + "/obstacle", "the obstacle", insertion->obstacle.outer[0], false);
  }

  void openings(const Layer& layer, const Floor& floor, const std::string& here) {
    const Area obstacles(layer.obstacles);
    for (const auto& polygon : layer.openings) {
      const bool useful = obstacles.touches({polygon}) || geometry::intersects(layer.walls, {polygon});
      if (floor.bounded && !floor.walkable.touches({polygon})) {
        outside(here, "an opening", polygon.outer[0], false);
      } else if (!useful) {
        findings_.warning(here, "an opening touches no obstacle and no wall, so it opens nothing", polygon.outer[0]);
      }
    }
  }

  void connection(std::size_t index) {
    const Connection& connection = scene_.connections[index];
    const std::string here = at("/connections", index);
    border(here + "/from", connection.from_layer, connection.from);
    border(here + "/to", connection.to_layer, connection.to);
  }

  void border(const std::string& here, const std::string& layer, const Segment& line) {
    const Floor* floor = floorNamed(layer);
    if (!floor || findings_.broken(here + "/line") || !floor->bounded) return;
    if (!floor->walkable.touches(Polyline{{line.a, line.b}})) outside(here + "/line", "the border", line.a, false);
  }

  void inDistrict(const std::string& here, const char* what, Point where) {
    findings_.error(
        here, fmt::format("{} lies in a district of patches; allowed: places outside, or the district as a goal", what),
        where);
  }

  /// One place where somebody stands or goes to.
  void place(const Floor& floor, Point p, const std::string& here, const char* what) {
    if (floor.played.strictlyContains(p)) {
      inDistrict(here, what, p);
    } else if (floor.bounded && !floor.walkable.contains(p)) {
      outside(here, what, p, true);
    } else if (floor.solid.strictlyContains(p)) {
      findings_.error(here, fmt::format("{} lies in an obstacle", what), p);
    }
  }

  /// An area that people stand in or go to: some of it must be free.
  void area(const Floor& floor, const std::vector<Polygon>& polygons, const std::string& here, const char* what) {
    std::vector<Polygon> free = polygons;
    const auto box = *geometry::bounds(polygons);
    const Point corner = polygons[0].outer[0];
    const auto played = floor.played.near(box);
    if (!played.empty()) {
      free = geometry::difference(free, played);
      if (geometry::area(free) < kLeastArea) return inDistrict(here, what, corner);
    }
    if (floor.bounded) {
      free = geometry::intersection(free, floor.walkable.near(box));
      if (geometry::area(free) < kLeastArea) return outside(here, what, corner, true);
    }
    const auto solid = floor.solid.near(box);
    if (!solid.empty() && geometry::area(geometry::difference(free, solid)) < kLeastArea) {
      findings_.error(here, fmt::format("{} lies entirely in obstacles", what), corner);
    }
  }

  void insideWrap(const Floor& floor, const std::vector<Point>& points, const std::string& here) {
    if (!floor.wrap) return;
    for (const Point p : points) {
      if (geometry::contains(Ring{floor.wrap->min,
                                  {floor.wrap->max.x, floor.wrap->min.y},
                                  floor.wrap->max,
                                  {floor.wrap->min.x, floor.wrap->max.y}},
                             p)) {
        continue;
      }
      findings_.error(here, "the start lies outside the layer's \"wrap\" rectangle", p);
      return;
    }
  }

  void population(std::size_t index) {
    const Population& population = scene_.populations[index];
    if (population.flow) return;
    const std::string here = at("/populations", index);
    const Floor* from = population.district.empty() ? floorNamed(population.layer) : nullptr;
    if (from && !findings_.broken(here + "/start")) start(*from, population.start, here + "/start");
    for (std::size_t i = 0; i < population.goals.size(); ++i) {
      const Goal& goal = population.goals[i];
      const std::string there = at((here + "/goals").c_str(), i);
      const Floor* floor = floorNamed(goal.layer.empty() ? population.layer : goal.layer);
      if (!floor) continue;
      const auto* to = std::get_if<GoalPoint>(&goal.target);
      if (to && !findings_.broken(there + "/point")) place(*floor, to->point, there + "/point", "the goal");
      const auto* in = std::get_if<GoalArea>(&goal.target);
      if (in && !findings_.broken(there + "/area")) area(*floor, in->area, there + "/area", "the goal");
    }
  }

  void start(const Floor& floor, const Start& start, const std::string& here) {
    std::visit(base::Overloaded{
                   [&](const StartPoints& those) { startPoints(floor, those.points, here + "/points"); },
                   [&](const StartArea& in) { startArea(floor, in.area, here + "/area"); },
                   [&](const StartLine& along) { startLine(floor, along.line, here + "/line"); },
                   [&](const StartCircle& circle) { startCircle(floor, circle, here + "/circle"); },
                   [&](const StartGrid& grid) { startArea(floor, grid.area, here + "/grid"); },
                   [&](const StartPoissonDisc& discs) { startArea(floor, discs.area, here + "/poisson_disc"); },
               },
               start.shape);
  }

  void startPoints(const Floor& floor, const std::vector<Point>& points, const std::string& here) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::string point = at(here.c_str(), i);
      place(floor, points[i], point, "the start point");
      insideWrap(floor, {points[i]}, point);
    }
  }

  void startArea(const Floor& floor, const std::vector<Polygon>& polygons, const std::string& here) {
    area(floor, polygons, here, "the start");
    for (const auto& polygon : polygons) insideWrap(floor, polygon.outer, here);
  }

  void startLine(const Floor& floor, const Polyline& line, const std::string& here) {
    if (floor.bounded && !floor.walkable.touches(line)) outside(here, "the start", line.points[0], true);
    insideWrap(floor, line.points, here);
  }

  void startCircle(const Floor& floor, const StartCircle& circle, const std::string& here) {
    constexpr int kCorners = 64;
    Polyline line;
    for (int i = 0; i <= kCorners; ++i) {
      double sine, cosine;
      base::sinCos(2 * base::kPi * (i % kCorners) / kCorners, sine, cosine);
      line.points.push_back(circle.centre + Point{cosine, sine} * circle.radius);
    }
    startLine(floor, line, here);
  }

  void measurements() {
    for (std::size_t i = 0; i < scene_.lines.size(); ++i) {
      const std::string here = at("/measurements/lines", i);
      const Floor* floor = floorNamed(scene_.lines[i].layer);
      if (!floor || !floor->bounded || findings_.broken(here + "/line")) continue;
      const auto& [a, b] = scene_.lines[i].line;
      if (!floor->walkable.touches(Polyline{{a, b}})) outside(here + "/line", "the measurement line", a, false);
    }
    for (std::size_t i = 0; i < scene_.areas.size(); ++i) {
      const std::string here = at("/measurements/areas", i);
      const Floor* floor = floorNamed(scene_.areas[i].layer);
      if (!floor || !floor->bounded || findings_.broken(here + "/area")) continue;
      const auto& area = scene_.areas[i].area;
      if (!floor->walkable.touches(area)) outside(here + "/area", "the measurement area", area[0].outer[0], false);
    }
  }

  const Scene& scene_;
  Findings& findings_;
  std::vector<Floor> floors_;
};

/// For scenes built in code: files have been through shape_cleaning, and pass.
class ShapeCheck {
 public:
  explicit ShapeCheck(Findings& findings) : findings_(findings) {}

  void polygons(const std::string& pointer, const std::vector<Polygon>& polygons, bool required) {
    if (findings_.broken(pointer)) return;
    if (polygons.empty() && required) findings_.error(pointer, "found no polygon; allowed: at least one");
    if (!finite(pointer, {polygons, {}, {}, {}})) return;
    for (const auto& polygon : polygons) {
      const auto problem = geometry::validity(polygon);
      if (problem) {
        findings_.error(pointer, fmt::format("the polygon is not valid ({})", problem->message), problem->at);
      } else if (geometry::area({polygon}) < kLeastArea) {
        findings_.error(pointer, "a polygon has no area", polygon.outer[0]);
      }
    }
  }

  void line(const std::string& pointer, const std::vector<Point>& points) {
    if (findings_.broken(pointer) || !finite(pointer, {{}, {Polyline{points}}, {}, {}})) return;
    const bool length = std::any_of(points.begin(), points.end(), [&](Point p) { return p != points.front(); });
    if (!length) {
      findings_.error(pointer, "a line has no length; allowed: at least two different points",
                      points.empty() ? std::nullopt : std::optional(points.front()));
    }
  }

  void point(const std::string& pointer, Point p) {
    if (!findings_.broken(pointer)) finite(pointer, {{}, {}, {p}, {}});
  }

 private:
  bool finite(const std::string& pointer, const geometry::Shapes& shapes) {
    const auto bad = firstOutOfRange(shapes);
    if (bad) findings_.error(pointer, outOfRangeText(*bad), *bad);
    return !bad;
  }

  Findings& findings_;
};

void checkLayerShapes(const Layer& layer, const std::string& here, Findings& findings, ShapeCheck& check) {
  check.polygons(here + "/walkable", layer.walkable, false);
  check.polygons(here + "/obstacles", layer.obstacles, false);
  for (const auto& wall : layer.walls) check.line(here + "/obstacles", wall.points);
  check.polygons(here + "/openings", layer.openings, false);
  for (std::size_t k = 0; k < layer.regions.size(); ++k) {
    const std::string region = at((here + "/regions").c_str(), k);
    check.polygons(region + "/area", layer.regions[k].area, true);
    if (layer.regions[k].type.empty() && !findings.broken(region + "/type")) {
      findings.error(region + "/type", "the type of a region may not be empty");
    }
  }
  for (std::size_t k = 0; k < layer.doors.size(); ++k) {
    check.line(at((here + "/doors").c_str(), k) + "/line", {layer.doors[k].line.a, layer.doors[k].line.b});
  }
}

void checkStartShapes(const Start& start, const std::string& here, ShapeCheck& check) {
  const auto checkPoints = [&](const StartPoints& those) {
    for (std::size_t k = 0; k < those.points.size(); ++k)
      check.point(at((here + "/points").c_str(), k), those.points[k]);
  };
  std::visit(base::Overloaded{
                 checkPoints,
                 [&](const StartArea& in) { check.polygons(here + "/area", in.area, true); },
                 [&](const StartLine& along) { check.line(here + "/line", along.line.points); },
                 [&](const StartCircle& circle) { check.point(here + "/circle/centre", circle.centre); },
                 [&](const StartGrid& grid) { check.polygons(here + "/grid", grid.area, true); },
                 [&](const StartPoissonDisc& discs) { check.polygons(here + "/poisson_disc", discs.area, true); },
             },
             start.shape);
}

}  // namespace

void checkShapes(const Scene& scene, Findings& findings) {
  ShapeCheck check(findings);
  // What was found in a mesh needs no second look.
  for (std::size_t i = 0; i < scene.layers.size() && !scene.mesh; ++i) {
    checkLayerShapes(scene.layers[i], at("/layers", i), findings, check);
  }
  for (std::size_t i = 0; i < scene.connections.size() && !scene.mesh; ++i) {
    const auto& [from, to] = std::pair(scene.connections[i].from, scene.connections[i].to);
    check.line(at("/connections", i) + "/from/line", {from.a, from.b});
    check.line(at("/connections", i) + "/to/line", {to.a, to.b});
  }
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    const std::string here = at("/populations", i);
    if (population.flow) continue;
    if (population.district.empty()) checkStartShapes(population.start, here + "/start", check);
    for (std::size_t k = 0; k < population.goals.size(); ++k) {
      const auto& target = population.goals[k].target;
      const std::string there = at((here + "/goals").c_str(), k);
      if (const auto* to = std::get_if<GoalPoint>(&target)) check.point(there + "/point", to->point);
      if (const auto* across = std::get_if<GoalOpposite>(&target)) check.point(there + "/opposite", across->centre);
      if (const auto* in = std::get_if<GoalArea>(&target)) check.polygons(there + "/area", in->area, true);
    }
  }
  for (std::size_t i = 0; i < scene.events.size(); ++i) {
    const auto* insertion = std::get_if<InsertObstacle>(&scene.events[i].change);
    if (insertion) check.polygons(at("/events", i) + "/insert/obstacle", {insertion->obstacle}, true);
  }
  for (std::size_t i = 0; i < scene.lines.size(); ++i) {
    check.line(at("/measurements/lines", i) + "/line", {scene.lines[i].line.a, scene.lines[i].line.b});
  }
  for (std::size_t i = 0; i < scene.areas.size(); ++i) {
    check.polygons(at("/measurements/areas", i) + "/area", scene.areas[i].area, true);
  }
}

void checkPlaces(const Scene& scene, Findings& findings) { PlaceCheck(scene, findings).all(); }

}  // namespace throng::scene
