#include "papers/places.h"

#include <algorithm>

#include "throng/places.h"

#include "papers/random.h"

namespace throng::papers {
namespace {

constexpr std::uint64_t kPlaceSeed = 1;
constexpr double kDuration = 3600;  // s: longer than anybody times it

Rectangle boxOf(const Layer& layer) {
  Rectangle box{layer.walkable.front().outer.front(), layer.walkable.front().outer.front()};
  for (const Polygon& polygon : layer.walkable) {
    for (const Point& p : polygon.outer) {
      box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
      box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
    }
  }
  return box;
}

std::size_t verticesOf(const std::vector<Polygon>& polygons) {
  std::size_t vertices = 0;
  for (const Polygon& polygon : polygons) {
    vertices += polygon.outer.size();
    for (const Ring& hole : polygon.holes) vertices += hole.size();
  }
  return vertices;
}

}  // namespace

Scene placeScene(const std::string& generator, std::uint32_t vertices) {
  Scene scene = generatePlace(generator, kPlaceSeed, vertices);
  scene.run.duration = kDuration;
  return scene;
}

Scene officeScene() {
  constexpr int kRooms = 5;                                         // of each row
  constexpr double kWide = 6, kDeep = 5, kCorridor = 3, kDoor = 1;  // m
  const double length = kRooms * kWide, height = 2 * kDeep + kCorridor;
  Scene scene;
  scene.name = "office";
  scene.profiles.resize(1);
  scene.run.duration = kDuration;
  Layer layer;
  layer.walkable = {Polygon{{{0, 0}, {length, 0}, {length, height}, {0, height}}, {}}};
  const auto wall = [&](Point a, Point b) { layer.walls.push_back({{a, b}}); };
  for (const bool upper : {false, true}) {
    const double front = upper ? height - kDeep : kDeep, back = upper ? height : 0;
    for (int room = 0; room < kRooms; ++room) {
      const double left = room * kWide, door = left + kWide / 2;
      if (room > 0) wall({left, back}, {left, front});
      wall({left, front}, {door - kDoor / 2, front});
      wall({door + kDoor / 2, front}, {left + kWide, front});
    }
  }
  scene.layers = {layer};
  return scene;
}

Complexity complexityOf(const Scene& scene) {
  Complexity complexity;
  for (const Layer& layer : scene.layers) {
    complexity.obstacles += layer.obstacles.size() + layer.walls.size();
    complexity.vertices += verticesOf(layer.walkable) + verticesOf(layer.obstacles);
    for (const Polyline& wall : layer.walls) complexity.vertices += wall.points.size();
  }
  return complexity;
}

FreePositions::FreePositions(const Scene& scene, std::uint64_t seed) : random_(seed * 0x632be59bd9b4e019u) {
  double area = 0;
  for (const Layer& layer : scene.layers) {
    const Rectangle box = boxOf(layer);
    area += (box.max.x - box.min.x) * (box.max.y - box.min.y);
    boxes_.push_back(box);
    areas_.push_back(area);
  }
}

std::optional<FreePositions::Position> FreePositions::draw(const NavigationMap& map, double clearance) {
  for (int tries = 0; tries < 100'000; ++tries) {
    const double share = uniform(random_) * areas_.back();
    const auto found = std::upper_bound(areas_.begin(), areas_.end(), share);
    const auto layer = static_cast<std::size_t>(std::min(found, areas_.end() - 1) - areas_.begin());
    const Rectangle& box = boxes_[layer];
    const double x = uniform(random_), y = uniform(random_);
    const Point at{box.min.x + x * (box.max.x - box.min.x), box.min.y + y * (box.max.y - box.min.y)};
    const double room = map.clearance(at, LayerId(layer));
    if (room > 0 && room >= clearance) return Position{at, static_cast<std::uint16_t>(layer)};
  }
  return {};
}

std::vector<FreePositions::Position> FreePositions::draw(const NavigationMap& map, double clearance,
                                                         std::size_t count) {
  std::vector<Position> positions;
  while (positions.size() < count) {
    const auto position = draw(map, clearance);
    if (!position) break;
    positions.push_back(*position);
  }
  return positions;
}

}  // namespace throng::papers
