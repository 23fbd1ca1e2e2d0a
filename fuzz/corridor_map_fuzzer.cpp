// Whatever walls there are, the corridor map of them holds together and knows the nearest wall; whatever the bytes,
// loading them gives such a map or an InputError.
//
// Coordinates are small whole numbers, sometimes off by a micrometre, so that shapes overlap, touch, lie on one another
// and have no width.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "base/archive.h"
#include "corridors/corridor_map.h"
#include "corridors/visibility.h"
#include "geometry/predicates.h"

namespace {

using namespace throng;
using namespace throng::corridors;
using namespace throng::ground;

constexpr int kSize = 12;        // m
constexpr double kClose = 2e-6;  // m

void require(bool fine, const std::string& what) {
  if (fine) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  __builtin_trap();
}

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool any() const { return at_ < size_; }
  unsigned next() { return any() ? data_[at_++] : 0u; }
  double coordinate() {
    const unsigned byte = next();
    return byte % (kSize + 1) + (byte >= 240 ? (byte % 5 - 2.0) * 1e-6 : byte >= 200 ? 0.25 : 0.0);
  }
  Point point() {
    const double x = coordinate();
    return {x, coordinate()};
  }
  std::vector<Point> points(unsigned count) {
    std::vector<Point> all;
    for (unsigned i = 0; i < count; ++i) all.push_back(point());
    return all;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

Polygon box(Point a, Point b) { return {{a, {b.x, a.y}, b, {a.x, b.y}}, {}}; }

/// One floor, or two that are joined along x = kSize.
Scene sceneOf(Bytes& bytes) {
  Scene scene;
  scene.profiles = {Profile{}};
  const unsigned kind = bytes.next();
  scene.layers.resize((kind & 2u) ? 2 : 1);
  scene.layers[0].name = "a";
  if (kind & 1u) scene.layers[0].walkable = {box({0, 0}, {kSize, kSize})};
  if (kind & 2u) {
    scene.layers[0].walkable = {box({0, 0}, {kSize, kSize})};
    scene.layers[1].name = "b";
    scene.layers[1].walkable = {box({kSize, 0}, {2 * kSize, kSize})};
    const Segment line{{kSize, bytes.coordinate()}, {kSize, bytes.coordinate()}};
    if (line.a != line.b) scene.connections = {{"k", "a", line, "b", line}};
  }
  for (int shapes = 0; shapes < 16 && bytes.any(); ++shapes) {
    const unsigned what = bytes.next();
    Layer& layer = scene.layers[what % scene.layers.size()];
    const Point shift{layer.name == "b" ? kSize : 0.0, 0};
    std::vector<Point> points = bytes.points(what % 8 == 0 ? 3 + what / 8 % 4 : what % 8 < 3 ? 2 + what / 8 % 3 : 2);
    for (Point& p : points) p += shift;
    if (what % 8 == 0)
      layer.obstacles.push_back({points, {}});
    else if (what % 8 < 3)
      layer.walls.push_back({points});
    else if (what % 8 == 3)
      layer.openings.push_back(box(points[0], points[1]));
    else if (what % 8 == 4)
      layer.walkable.push_back(box(points[0], points[1]));
    else
      layer.obstacles.push_back(box(points[0], points[1]));
  }
  return scene;
}

void checkPlace(const CorridorMap& map, const Floor& floor, Point p, bool unbounded_by_floors) {
  const Located cell = map.locate(p, 0);
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < map.walls().size(); ++i) {
    if (map.walls()[i].a == kNone || map.walls()[i].floor != 0) continue;
    const Segment wall = map.wallSegment(i);
    least = std::min(least, geometry::distanceToSegment(p, wall.a, wall.b));
  }
  const std::string where = " at (" + std::to_string(p.x) + ", " + std::to_string(p.y) + ")";
  if (least > 1e-4 && floor.contains(p) != static_cast<bool>(cell)) require(false, "free or not" + where);
  if (!cell) return;
  const double found = map.nearest(cell, p).distance;
  require(found >= 0 && (!unbounded_by_floors || std::abs(found - least) <= kClose),
          "nearest wall at " + std::to_string(found) + " m instead of " + std::to_string(least) + where);
  VisibilityScratch scratch;
  VisibilityPolygon polygon;
  visibilityPolygon(map, cell, p, scratch, polygon);
  const Sight sight = lookAlong(map, cell, p, {kSize - p.y, p.x}, 0.1);
  require(sight.cell != kNone, "sight ends nowhere" + where);
}

void useScene(Bytes bytes) {
  const Scene scene = sceneOf(bytes);
  try {
    const WalkableSpace space(scene);
    CorridorMap map(space, scene.connections);
    require(map.check().empty(), map.check());
    for (int i = 0; i < 40; ++i)
      checkPlace(map, space.floors()[0], {0.37 + (i * 7 % 40) * 0.3, 0.21 + i * 0.3}, scene.layers.size() == 1);
    map.wallsOf(0);
    const Point q = bytes.point(), r = bytes.point();
    const std::uint32_t id = map.insert(q.x == r.x || q.y == r.y ? std::vector<Point>{q, r} : box(q, r).outer, 0);
    require(map.check().empty(), "after an insertion: " + map.check());
    map.remove(id);
    require(map.check().empty(), "after a removal: " + map.check());
  } catch (const InputError&) {
  }
}

/// Bytes before the content, by which a file is told from a scene.
constexpr std::size_t kMark = 12;

void useFile(const std::string& bytes) {
  try {
    // Sealed here: otherwise nothing would come past the checksum.
    const std::string content = bytes.substr(std::min<std::size_t>(bytes.size(), kMark));
    const CorridorMap map = CorridorMap::load(base::sealed({"corridor map", 2}, 0, content));
    require(map.check().empty(), map.check());
    VisibilityScratch scratch;
    VisibilityPolygon polygon;
    for (int i = 0; i < 16; ++i) {
      const Point p{0.3 + i % 4 * 2, 0.7 + i / 4};
      const Located cell = map.locate(p, 0);
      if (!cell) continue;
      map.retract(cell, p);
      lookAlong(map, cell, p, {6 - p.x, p.y + 1}, 0.05);
      visibilityPolygon(map, cell, p, scratch, polygon);
    }
    const std::string saved = map.save();
    require(CorridorMap::load(saved).save() == saved, "saved again it is another file");
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  if (data[0] == 'T')  // a file begins like that
    useFile(std::string(reinterpret_cast<const char*>(data), size));
  else
    useScene(Bytes(data, size));
  return 0;
}
