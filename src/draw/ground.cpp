#include "draw/ground.h"

#include <algorithm>

#include "geometry/boxes.h"
#include "geometry/polygons.h"

namespace throng::draw {
namespace {

constexpr Colour kFloor = colour(0xf5f3ee);
constexpr Colour kSolid = colour(0xbdbab4);
constexpr Colour kOutline = colour(0x6f6c67);
constexpr Colour kWall = colour(0x3a3835);

void append(std::vector<Point>& points, const std::vector<Polygon>& polygons) {
  for (const Polygon& p : polygons) points.insert(points.end(), p.outer.begin(), p.outer.end());
}

void paintRegions(Canvas& canvas, const PageTransform& page, const Ground& ground) {
  if (ground.regions.empty()) return;
  const std::vector<std::string> types = regionTypes(ground);
  canvas.clip(floorClip(page, ground));
  for (const Region& region : ground.regions) {
    const auto place = std::find(types.begin(), types.end(), region.type) - types.begin();
    for (const Polygon& p : region.area)
      canvas.fill(page.toPage(p), regionColour(region.type, static_cast<std::size_t>(place)));
  }
  canvas.unclip();
}

}  // namespace

Path wrapPath(const PageTransform& page, const Rectangle& wrap) {
  const Point a = page.toPage(wrap.min), b = page.toPage(wrap.max);
  return rectanglePath({{a.x, b.y}, {b.x, a.y}});
}

Ground groundOf(const Layer& layer) {
  Ground ground{layer.walkable, layer.obstacles, layer.walls, layer.regions, layer.wrap};
  if (ground.floor.size() > 1) {
    std::vector<Polygon> whole = geometry::unionOf(ground.floor);
    if (!whole.empty()) ground.floor = std::move(whole);
  }
  if (!layer.openings.empty()) {
    ground.solids = geometry::difference(ground.solids, layer.openings);
    ground.walls = geometry::difference(ground.walls, layer.openings);
  }
  return ground;
}

std::optional<Rectangle> boundsOf(const std::vector<Point>& points) {
  if (points.empty()) return {};
  return geometry::boxOf(points);
}

std::optional<Rectangle> joined(const std::optional<Rectangle>& a, const std::optional<Rectangle>& b) {
  if (!a || !b) return a ? a : b;
  Rectangle both = *a;
  geometry::include(both, *b);
  return both;
}

std::optional<Rectangle> boundsOf(const Ground& ground) {
  std::vector<Point> points;
  append(points, ground.floor);
  if (!points.empty()) return boundsOf(points);
  if (ground.wrap) return ground.wrap;
  append(points, ground.solids);
  for (const Polyline& wall : ground.walls) points.insert(points.end(), wall.points.begin(), wall.points.end());
  for (const Region& region : ground.regions) append(points, region.area);
  return boundsOf(points);
}

std::vector<std::string> regionTypes(const Ground& ground) {
  std::vector<std::string> types;
  for (const Region& region : ground.regions)
    if (std::find(types.begin(), types.end(), region.type) == types.end()) types.push_back(region.type);
  return types;
}

Path floorClip(const PageTransform& page, const Ground& ground) {
  if (ground.floor.empty()) return ground.wrap ? wrapPath(page, *ground.wrap) : rectanglePath(page.panel());
  Path clip;
  for (const Polygon& p : ground.floor)
    for (Path::Part& part : page.toPage(p).parts) clip.parts.push_back(std::move(part));
  return clip;
}

/// Lines under fills leave only their outer half to be seen: floor and obstacles keep their true size.
void paintFloor(Canvas& canvas, const PageTransform& page, const Ground& ground, double unit) {
  canvas.beginGroup("floor");
  for (const Polygon& p : ground.floor)
    for (const Ring& hole : p.holes) canvas.fill(page.toPage(hole), kSolid);
  for (const Polygon& p : ground.floor) canvas.stroke(page.toPage(p), {kOutline, 3 * unit});
  canvas.fill(floorClip(page, ground), kFloor);
  paintRegions(canvas, page, ground);
  if (ground.wrap) canvas.stroke(wrapPath(page, *ground.wrap), {withAlpha(kOutline, 0.8), 1.2 * unit, 6 * unit});
  canvas.endGroup();
}

void paintSolids(Canvas& canvas, const PageTransform& page, const Ground& ground, double unit) {
  canvas.beginGroup("obstacles");
  for (const Polygon& p : ground.solids) canvas.stroke(page.toPage(p), {kOutline, 2.4 * unit});
  for (const Polygon& p : ground.solids) canvas.fill(page.toPage(p), kSolid);
  for (const Polyline& wall : ground.walls) canvas.stroke(page.toPage(wall), {kWall, 2.4 * unit});
  canvas.endGroup();
}

}  // namespace throng::draw
