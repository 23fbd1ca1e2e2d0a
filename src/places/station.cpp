// "station": 568 obstacles, 1,800 vertices, 153 m × 111 m on several layers, the numbers of the environment Station in
// JAKLIN 2016, Table 11.1. A hall lies across four island platforms, 5.5 m above them; from its two long sides a stair
// leads down to each platform. Where a stair is, its platform has a hole, and the hall ends where the stair begins.
#include <algorithm>
#include <fmt/format.h>

#include "geometry/predicates.h"
#include "places/generate.h"

namespace throng::places {
namespace {

using base::Random;

constexpr double kStationLength = 153, kStationWidth = 111;  // m
constexpr double kHallWest = 45, kHallEast = 108;            // m, sides of the hall
constexpr double kPlatforms[] = {24, 45, 66, 87};            // m, middles
constexpr double kPlatformHalf = 6, kStairHalf = 2;          // m
constexpr double kStairLength = 11, kDrop = 5.5;             // m
constexpr double kGates[] = {13.5, 97.5};                    // m, rows of ticket gates
constexpr double kShopDepth = 6, kColumn = 0.8, kBench = 2;  // m
constexpr std::size_t kStationObstacles = 568, kStationVertices = 1800;

class Station {
 public:
  explicit Station(std::uint64_t seed) : random_(seed, 0x57a) {}

  Scene built() {
    layers_.resize(2);
    outlines();
    for (const double middle : kPlatforms) {
      for (const bool east : {false, true}) stair(middle, east);
    }
    for (const double middle : kPlatforms) furnishPlatform(middle);
    shops();
    for (const double row : kGates) ticketHall(row);
    concourse();
    fill();
    return sceneOf(std::move(layers_), std::move(connections_));
  }

 private:
  Layer& hall() { return layers_[0]; }
  Layer& platforms() { return layers_[1]; }

  void outlines() {
    hall().name = "hall";
    hall().wall_height = 8;
    hall().walkable = {{box(kHallWest, 0, kHallEast, kStationWidth), {}}};
    platforms().name = "platforms";
    platforms().elevation = -kDrop;
    platforms().wall_height = 1.2;
    for (const double middle : kPlatforms) {
      platforms().walkable.push_back({box(0, middle - kPlatformHalf, kStationLength, middle + kPlatformHalf), {}});
    }
  }

  /// Its own layer, between the hall's border and the end of a hole in the platform.
  void stair(double middle, bool east) {
    const double top = east ? kHallEast : kHallWest, way = east ? 1 : -1, bottom = top + way * kStairLength;
    const double low = middle - kStairHalf, high = middle + kStairHalf;
    const Ring ground = box(std::min(top, bottom), low, std::max(top, bottom), high);
    const auto number = static_cast<std::size_t>(std::find(kPlatforms, std::end(kPlatforms), middle) - kPlatforms);
    platforms().walkable[number].holes.emplace_back(ground.rbegin(), ground.rend());
    Layer stair;
    stair.name = fmt::format("stair {} {}", number + 1, east ? "east" : "west");
    stair.wall_height = 1;
    stair.slope = {-way * kDrop / kStairLength, 0};
    stair.elevation = -stair.slope.x * top;
    stair.walkable = {{ground, {}}};
    for (const bool up : {true, false}) {
      const Segment line{{up ? top : bottom, low}, {up ? top : bottom, high}};
      connections_.push_back({fmt::format("{} of {}", up ? "top" : "bottom", stair.name), up ? "hall" : "platforms",
                              line, stair.name, line});
    }
    keep_free_.push_back({{std::min(top, bottom) - 5, low - 1}, {std::max(top, bottom) + 5, high + 1}});
    layers_.push_back(std::move(stair));
  }

  void solid(Layer& layer, const Ring& ring) {
    Polygon polygon;
    for (const Point p : ring) polygon.outer.push_back(toMillimetres(p));
    layer.obstacles.push_back(std::move(polygon));
  }
  void solid(Layer& layer, Point middle, double width, double height) {
    solid(layer, boxAround(middle, width, height));
  }
  void wall(Layer& layer, Point a, Point b) { layer.walls.push_back({{toMillimetres(a), toMillimetres(b)}}); }

  /// Two rows of columns that carry the roof, waiting rooms, benches and boards between them.
  void furnishPlatform(double middle) {
    for (int i = 0; i < 13; ++i) {
      const double x = 6 + 11.75 * i;
      for (const double side : {-3.2, 3.2}) solid(platforms(), {x, middle + side}, kColumn, kColumn);
    }
    for (const double x : {22.0, 131.0}) solid(platforms(), {x, middle}, 7, 2.6);
    for (const double x : {8.0, 12.0, 141.0, 145.0}) {
      wall(platforms(), {x, middle}, {x + kBench, middle});
    }
    for (int i = 0; i < 6; ++i) {
      const double x = 50 + 9.5 * i + random_.uniform(-1, 1);
      wall(platforms(), {x, middle}, {x + kBench, middle});
      wall(platforms(), {x + 4, middle - 1.2}, {x + 4, middle + 1.2});
    }
  }

  /// Along both long sides, between the stairs.
  void shops() {
    const double fronts[] = {kGates[0], kPlatforms[0], kPlatforms[1], kPlatforms[2], kPlatforms[3], kGates[1]};
    for (std::size_t i = 0; i + 1 < std::size(fronts); ++i) {
      const double low = fronts[i] + (i == 0 ? 1.5 : kStairHalf + 3);
      const double high = fronts[i + 1] - (i + 2 == std::size(fronts) ? 1.5 : kStairHalf + 3);
      if (high - low < 3) continue;
      const double depth = kShopDepth + random_.uniform(-1, 0.5);
      solid(hall(), box(kHallWest, low, kHallWest + depth, high));
      solid(hall(), box(kHallEast - depth, low, kHallEast, high));
    }
  }

  /// Gates from side to side, ticket machines on the wall, queues before the counters.
  void ticketHall(double row) {
    const bool south = row < kStationWidth / 2;
    for (double x = kHallWest + 1; x < kHallEast; ++x) wall(hall(), {x, row - 0.8}, {x, row + 0.8});
    const double back = south ? 0.4 : kStationWidth - 0.4;
    for (const double start : {kHallWest + 4, kHallEast - 16.8}) {
      for (int i = 0; i < 9; ++i) solid(hall(), {start + 1.6 * i, back}, 1, 0.8);
    }
    const double counter = south ? 4.5 : kStationWidth - 4.5;
    for (const double x : {kHallWest + 7, kHallEast - 7}) {
      solid(hall(), {x, counter}, 8, 1.6);
      for (int i = -2; i <= 2; ++i) {
        const double way = south ? 1 : -1;
        wall(hall(), {x + 1.6 * i, counter + way * 1.6}, {x + 1.6 * i, counter + way * 4.4});
      }
    }
  }

  /// Columns, kiosks in the middle, glass screens beside them.
  void concourse() {
    for (int i = 0; i < 8; ++i) {
      const double y = 18.5 + 10.6 * i;
      for (const double x : {58.0, 70.0, 83.0, 95.0}) solid(hall(), {x, y}, 1, 1);
    }
    for (int i = 0; i < 7; ++i) {
      const Point middle{76.5 + random_.uniform(-0.6, 0.6), 23.8 + 10.6 * i};
      if (i % 2 == 0) {
        solid(hall(), roundRing(middle, 2.6, 8, base::kPi / 8));
      } else {
        solid(hall(), middle, 5, 3);
      }
      for (const double side : {-1.0, 1.0}) {
        const double x = middle.x + side * random_.uniform(9, 11);
        wall(hall(), {x, middle.y - 1.5}, {x, middle.y + 1.5});
      }
    }
  }

  /// Is a box of this half size free, with room to pass around it?
  bool free(const Layer& layer, Point p, double half_x, double half_y) const {
    constexpr double kPassage = 0.9;  // m
    const Rectangle needed{{p.x - half_x - kPassage, p.y - half_y - kPassage},
                           {p.x + half_x + kPassage, p.y + half_y + kPassage}};
    const auto meets = [&needed](const std::vector<Point>& points) {
      Rectangle bounds{points[0], points[0]};
      for (const Point q : points) {
        bounds.min = {std::min(bounds.min.x, q.x), std::min(bounds.min.y, q.y)};
        bounds.max = {std::max(bounds.max.x, q.x), std::max(bounds.max.y, q.y)};
      }
      return bounds.min.x < needed.max.x && needed.min.x < bounds.max.x && bounds.min.y < needed.max.y &&
             needed.min.y < bounds.max.y;
    };
    const Ring corners = box(needed.min.x, needed.min.y, needed.max.x, needed.max.y);
    for (const Point corner : corners) {
      if (!geometry::contains(layer.walkable, corner)) return false;
    }
    for (const auto& space : keep_free_) {
      if (meets({space.min, space.max})) return false;
    }
    for (const double row : kGates) {
      if (p.y > row - 3 && p.y < row + 3) return false;
    }
    return std::none_of(layer.obstacles.begin(), layer.obstacles.end(),
                        [&](const Polygon& polygon) { return meets(polygon.outer); }) &&
           std::none_of(layer.walls.begin(), layer.walls.end(),
                        [&](const Polyline& line) { return meets(line.points); });
  }

  /// Somewhere on one of the two floors.
  Point somewhere(bool on_platform, double half_x, double half_y) {
    for (;;) {
      const Point p = on_platform ? Point{random_.uniform(0, kStationLength),
                                          kPlatforms[random_.below(4)] + random_.uniform(-3.2, 3.2)}
                                  : Point{random_.uniform(kHallWest, kHallEast), random_.uniform(0, kStationWidth)};
      if (free(layers_[on_platform ? 1 : 0], p, half_x, half_y)) return p;
    }
  }

  /// Bins, plants and vending machines, and benches, until the numbers are those wanted: `boxes` of four corners and
  /// `benches` of two.
  void fill() {
    const PlaceCount count = counted(layers_);
    const std::size_t missing = kStationObstacles - count.obstacles, corners = kStationVertices - count.vertices;
    const std::size_t boxes = (corners - 2 * missing) / 2, benches = missing - boxes;
    for (std::size_t i = 0; i < boxes; ++i) {
      const double size = random_.uniform(0.5, 0.9);
      const bool on_platform = i % 2 == 0;
      solid(layers_[on_platform ? 1 : 0], somewhere(on_platform, size / 2, size / 2), size, size);
    }
    for (std::size_t i = 0; i < benches; ++i) {
      const bool on_platform = i % 3 == 0, across = !on_platform && random_.below(2) == 0;
      const Point half = across ? Point{0, kBench / 2} : Point{kBench / 2, 0};
      const Point p = somewhere(on_platform, half.x, half.y);
      wall(layers_[on_platform ? 1 : 0], p - half, p + half);
    }
  }

  Random random_;
  std::vector<Layer> layers_;
  std::vector<Connection> connections_;
  std::vector<Rectangle> keep_free_;  ///< the stairs, and the room before their ends
};

}  // namespace

Scene station(std::uint64_t seed) { return Station(seed).built(); }

}  // namespace throng::places
