#include "ground/walkable_space.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "geometry/boxes.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "ground/wall_loops.h"
#include "ground/wrapping.h"

namespace throng::ground {
namespace {

void append(std::vector<Polygon>& to, const std::vector<Polygon>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Polygon box(const Rectangle& r) { return {geometry::cornersOf(r), {}}; }

/// Everything but the walkable area, as far out as the walls without thickness reach.
std::vector<Polygon> outsideOf(const std::vector<Polygon>& walkable, const std::vector<Polyline>& walls) {
  Rectangle around = *geometry::bounds(walkable);
  for (const Polyline& wall : walls) geometry::include(around, geometry::boxOf(wall.points));
  return geometry::differenceOfMerged({box(geometry::grown(around, 1))}, walkable);
}

/// The borders of polygons. `inside_is_solid` says on which side of them people cannot be.
void appendRings(const std::vector<Polygon>& polygons, bool inside_is_solid, std::vector<Ring>& rings) {
  const auto add = [&](Ring ring, bool counter_clockwise) {
    if ((geometry::signedArea(ring) > 0) != counter_clockwise) std::reverse(ring.begin(), ring.end());
    rings.push_back(std::move(ring));
  };
  for (const Polygon& polygon : polygons) {
    add(polygon.outer, inside_is_solid);
    for (const Ring& hole : polygon.holes) add(hole, !inside_is_solid);
  }
}

/// Walls without thickness where they matter: not in openings, not inside solids, not beyond the walkable area.
std::vector<Segment> sheetsOf(const Layer& layer, const Floor& floor, const std::vector<Polygon>& walkable) {
  if (layer.walls.empty()) return {};
  std::vector<Polygon> take = layer.openings;
  append(take, floor.solid);
  if (!walkable.empty()) append(take, outsideOf(walkable, layer.walls));
  std::vector<Segment> sheets;
  for (const Polyline& piece : take.empty() ? layer.walls : geometry::difference(layer.walls, take))
    for (std::size_t i = 1; i < piece.points.size(); ++i) sheets.push_back({piece.points[i - 1], piece.points[i]});
  return sheets;
}

/// The part of a segment in a rectangle, where there is one.
std::optional<Segment> clipped(const Segment& s, const Rectangle& r) {
  const Point way = s.b - s.a;
  double from = 0, to = 1;
  const auto cut = [&](double start, double change) {  // keeps where start + t · change >= 0
    if (change > 0) from = std::max(from, -start / change);
    if (change < 0) to = std::min(to, -start / change);
    if (change == 0 && start < 0) to = -1;
  };
  cut(s.a.x - r.min.x, way.x), cut(r.max.x - s.a.x, -way.x);
  cut(s.a.y - r.min.y, way.y), cut(r.max.y - s.a.y, -way.y);
  if (!(from < to)) return {};
  return Segment{from > 0 ? s.a + way * from : s.a, to < 1 ? s.a + way * to : s.b};
}

void wrapSheets(const Rectangle& wrap, std::vector<Segment>& sheets) {
  Rectangle around = wrap;
  for (const Segment& sheet : sheets) geometry::include(around, geometry::boxOf(sheet));
  const Repeats repeats(wrap, around);
  if (repeats.none()) return;
  std::vector<Segment> inside;
  repeats.forEach(wrap, [&](Point by) {
    for (const Segment& sheet : sheets)
      if (const auto part = clipped(sheet, {wrap.min + by, wrap.max + by}))
        inside.push_back({part->a - by, part->b - by});
  });
  sheets = std::move(inside);
}

Floor buildFloor(const Layer& layer, const std::vector<Segment>& passages) {
  Floor floor;
  floor.name = layer.name;
  floor.elevation = layer.elevation;
  floor.wall_height = static_cast<float>(layer.wall_height);
  floor.slope = layer.slope;
  floor.ground = Ground(layer.ground);
  floor.wrap = layer.wrap;
  floor.bounded = layer.wrap || !layer.walkable.empty();

  floor.solid = geometry::unionOf(layer.obstacles);
  if (!layer.openings.empty()) floor.solid = geometry::difference(floor.solid, layer.openings);
  if (!layer.played.empty()) {  // nobody who is simulated walks among patches
    append(floor.solid, layer.played);
    floor.solid = geometry::unionOf(floor.solid);
  }
  std::vector<Polygon> walkable = geometry::unionOf(layer.walkable);
  WallLines& lines = floor.lines;
  if (layer.wrap) {
    // The rectangle goes on on its other side, so its border is no wall: what is not walkable in it is solid.
    const std::vector<Polygon> whole{box(*layer.wrap)};
    if (!walkable.empty()) append(floor.solid, geometry::difference(whole, walkable));
    floor.solid = geometry::unionOf(floor.solid);
    wrapPolygons(*layer.wrap, floor.solid);
    floor.free = geometry::differenceOfMerged(whole, floor.solid);
    walkable.clear();
  } else if (floor.bounded) {
    floor.free = geometry::differenceOfMerged(walkable, floor.solid);
  }
  if (floor.bounded && !layer.wrap)
    appendRings(floor.free, false, lines.rings);
  else
    appendRings(floor.solid, true, lines.rings);
  lines.sheets = sheetsOf(layer, floor, walkable);
  if (layer.wrap) wrapSheets(*layer.wrap, lines.sheets);
  floor.walls = buildWalls(lines, passages);
  if (layer.wrap) floor.walls = withImages(std::move(floor.walls), *layer.wrap);
  floor.index = geometry::PolygonIndex(floor.bounded ? floor.free : floor.solid);
  return floor;
}

}  // namespace

bool Floor::contains(Point place) const {
  if (!inserted.empty() && geometry::contains(inserted, place)) return false;
  const std::vector<Polygon>& polygons = bounded ? free : solid;
  const bool inside = index.empty() ? geometry::contains(polygons, place) : index.contains(place);
  return bounded ? inside : !inside;
}

double Floor::clearance(Point place, double limit) const {
  const auto distance = [&](std::size_t i) {
    return geometry::distanceToSegment(place, wide(walls.a[i]), wide(walls.b[i]));
  };
  constexpr double kFirstLook = 4, kWholeFloor = 4096;  // m
  static thread_local std::vector<std::uint32_t> near;
  const Vec2 centre = narrow(place);
  // Look wider and wider; what is found within the looked-at range is the nearest.
  for (double range = std::min(limit, kFirstLook); range <= kWholeFloor; range = std::min(limit, 4 * range)) {
    // The grid answers for the rounded place: ask for a little more.
    const double rounding = 1e-6 * (std::abs(place.x) + std::abs(place.y) + range + 1);
    double best = limit;
    near.clear();
    walls.grid.query(centre, static_cast<float>(range + rounding), near);
    for (const std::uint32_t i : near) best = std::min(best, distance(i));
    if (best <= range || range >= limit) return best;
  }
  double best = limit;
  for (std::size_t i = 0; i < walls.size(); ++i) best = std::min(best, distance(i));
  return best;
}

WalkableSpace::WalkableSpace(const Scene& scene) {
  if (scene.layers.empty()) throw InputError("the scene has no layer; it needs at least one");
  for (const Layer& layer : scene.layers) floors_.emplace_back().name = layer.name;
  std::vector<std::vector<Segment>> passages(floors_.size());
  for (const Connection& connection : scene.connections) {
    passages[floor(connection.from_layer)].push_back(connection.from);
    passages[floor(connection.to_layer)].push_back(connection.to);
  }
  for (std::size_t i = 0; i < floors_.size(); ++i) floors_[i] = buildFloor(scene.layers[i], passages[i]);
}

std::uint16_t WalkableSpace::floor(std::string_view name) const {
  if (name.empty()) return 0;
  std::string known;
  for (std::size_t i = 0; i < floors_.size(); ++i) {
    if (floors_[i].name == name) return static_cast<std::uint16_t>(i);
    known += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", floors_[i].name);
  }
  throw InputError(fmt::format("there is no layer \"{}\"; the layers are {}", name, known));
}

std::uint16_t WalkableSpace::floor(LayerId id) const {
  if (!id) return 0;
  if (id.index() >= floors_.size())
    throw InputError(fmt::format("There is no layer {}; the scene has {} of them.", id.index(), floors_.size()));
  return static_cast<std::uint16_t>(id.index());
}

}  // namespace throng::ground
