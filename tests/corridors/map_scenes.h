// Places that the corridor map is tested in, and what walls alone say about them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "corridors/corridor_map.h"
#include "geometry/predicates.h"
#include "ground/shapes.h"

namespace throng::corridors {

using ground::box;
using ground::randomLayer;
using ground::regular;
using ground::sceneOf;

enum class Place { kConvex, kStars, kSheets, kRooms, kOpenPlane, kGrid, kTurnedGrid };
inline constexpr Place kPlaces[] = {Place::kConvex,    Place::kStars, Place::kSheets,    Place::kRooms,
                                    Place::kOpenPlane, Place::kGrid,  Place::kTurnedGrid};
inline constexpr double kWidth = 40, kHeight = 30;  // m

/// Concave, with corners at two distances from its centre by turns.
inline Polygon star(base::Random& random) {
  const Point centre{random.uniform(0, kWidth), random.uniform(0, kHeight)};
  Polygon polygon =
      regular(centre, random.uniform(1, 5), 2 * (3 + static_cast<int>(random.below(3))), random.uniform(0, 3));
  for (std::size_t i = 0; i < polygon.outer.size(); i += 2)
    polygon.outer[i] = centre + (polygon.outer[i] - centre) * random.uniform(0.2, 0.6);
  return polygon;
}

/// Square obstacles in rows. In the grid that is not turned all coordinates are whole numbers: lines of sight run
/// through corners and along walls exactly.
inline Layer gridLayer(double turn) {
  Layer layer;
  layer.walkable = {box(0, 0, kWidth, kHeight)};
  double s, c;
  base::sinCos(turn, s, c);
  for (int x = 0; x < 6; ++x)
    for (int y = 0; y < 4; ++y) {
      Polygon square = box(4 + 6 * x, 4 + 6 * y, 7 + 6 * x, 7 + 6 * y);
      for (Point& p : square.outer) {
        const Point q = p - Point{kWidth / 2, kHeight / 2};
        p = Point{kWidth / 2, kHeight / 2} + Point{c * q.x - s * q.y, s * q.x + c * q.y};
      }
      layer.obstacles.push_back(turn == 0 ? box(4 + 6 * x, 4 + 6 * y, 7 + 6 * x, 7 + 6 * y) : square);
    }
  return layer;
}

inline Layer placeLayer(Place place, base::Random& random) {
  Layer layer;
  const auto somewhere = [&] { return Point{random.uniform(0, kWidth), random.uniform(0, kHeight)}; };
  if (place != Place::kOpenPlane) layer.walkable = {box(0, 0, kWidth, kHeight)};
  switch (place) {
    case Place::kConvex:
    case Place::kOpenPlane:
      for (int i = 0; i < 14; ++i)
        layer.obstacles.push_back(
            regular(somewhere(), random.uniform(0.3, 3), 3 + static_cast<int>(random.below(6)), random.uniform(0, 3)));
      break;
    case Place::kStars:
      for (int i = 0; i < 8; ++i) layer.obstacles.push_back(star(random));
      break;
    case Place::kSheets:
      for (int i = 0; i < 14; ++i) layer.walls.push_back({{somewhere(), somewhere(), somewhere()}});
      break;
    case Place::kRooms:
      for (int i = 1; i < 5; ++i) {
        const double x = 8.0 * i, door = random.uniform(1, kHeight - 3);
        layer.obstacles.push_back(box(x, -1, x + 0.25, kHeight + 1));
        layer.openings.push_back(box(x - 1, door, x + 1, door + 1.5));
        layer.walls.push_back({{{x - 8, random.uniform(5, 25)}, {x - 3, random.uniform(5, 25)}}});
      }
      break;
    case Place::kGrid:
      return gridLayer(0);
    case Place::kTurnedGrid:
      return gridLayer(random.uniform(0.01, 1.5));
  }
  return layer;
}

struct TestMap {
  Scene scene;
  ground::WalkableSpace space;
  CorridorMap map;

  explicit TestMap(Scene s) : scene(std::move(s)), space(scene), map(space, scene.connections) {}
  explicit TestMap(Layer layer) : TestMap(sceneOf(std::move(layer))) {}
};

inline double segmentDistance(Segment s, Segment t) {
  if (geometry::segmentsIntersect(s.a, s.b, t.a, t.b)) return 0;
  return std::min({geometry::distanceToSegment(s.a, t.a, t.b), geometry::distanceToSegment(s.b, t.a, t.b),
                   geometry::distanceToSegment(t.a, s.a, s.b), geometry::distanceToSegment(t.b, s.a, s.b)});
}

/// The walls of a floor, frame included.
inline std::vector<Segment> wallsOn(const CorridorMap& map, std::uint16_t floor) {
  std::vector<Segment> walls;
  for (std::uint32_t i = 0; i < map.walls().size(); ++i)
    if (map.walls()[i].a != kNone && map.walls()[i].floor == floor) walls.push_back(map.wallSegment(i));
  return walls;
}

inline double distanceToWalls(const std::vector<Segment>& walls, Segment way) {
  double least = std::numeric_limits<double>::infinity();
  for (const Segment& wall : walls) least = std::min(least, segmentDistance(way, wall));
  return least;
}

}  // namespace throng::corridors
