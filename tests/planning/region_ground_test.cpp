// All planners in weighted regions, on all kinds of ground, turned and mirrored, before and after something comes into
// the way: they keep the body from walls, and cost what the regions of the scene, looked at one by one, say.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "geometry/predicates.h"
#include "planning/region_route.h"
#include "region_places.h"

namespace throng::planning {
namespace {

constexpr RegionMethod kMethods[] = {
    RegionMethod::kGrid,        RegionMethod::kSteiner,       RegionMethod::kTrianglePruning,
    RegionMethod::kEdgePruning, RegionMethod::kVertexPruning, RegionMethod::kRegions};

enum class Ground {
  kPatches,     ///< some regions that overlap
  kHoles,       ///< rings, with something else in the middle
  kChessboard,  ///< squares that touch at corners
  kCovered,     ///< one that covers everything, and more than that
  kDust,        ///< very many of them, smaller than people
  kNested       ///< one in the other
};

Polygon ringAt(Point at, double size, double turn) {
  Polygon polygon = regular(at, size, 9, turn);
  polygon.holes.push_back(regular(at, 0.6 * size, 7, turn).outer);
  return polygon;
}

void layGround(Ground kind, const Place& place, base::Random& random, std::vector<Region>& regions) {
  const auto type = [&](std::uint64_t i) { return std::string(1, static_cast<char>('a' + i % 4)); };
  const auto add = [&](std::uint64_t i, Polygon polygon) { regions.push_back({type(i), {std::move(polygon)}}); };
  const Rectangle& all = place.extent;
  switch (kind) {
    case Ground::kPatches:
      for (std::uint64_t i = 0; i < 9; ++i)
        add(i, regular(place.anywhere(random), random.uniform(1, 7), 3 + static_cast<int>(random.below(6)),
                       random.uniform(0, 3)));
      break;
    case Ground::kHoles:
      for (std::uint64_t i = 0; i < 6; ++i)
        add(i, ringAt(place.anywhere(random), random.uniform(2, 9), random.uniform(0, 3)));
      break;
    case Ground::kChessboard:
      for (double x = all.min.x; x < all.max.x; x += 4)
        for (double y = all.min.y; y < all.max.y; y += 4) add(random.below(4), box(x, y, x + 4, y + 4));
      break;
    case Ground::kCovered:
      add(0, box(all.min.x - 5, all.min.y - 5, all.max.x + 5, all.max.y + 5));
      break;
    case Ground::kDust:
      for (std::uint64_t i = 0; i < 1500; ++i)
        add(i, regular(place.anywhere(random), random.uniform(0.02, 0.25), 4, random.uniform(0, 3)));
      break;
    case Ground::kNested:
      for (std::uint64_t i = 0; i < 8; ++i) {
        const Point middle = (all.min + all.max) * 0.5;
        add(i, regular(middle, 14 - 1.6 * static_cast<double>(i), 8, 0.3 * static_cast<double>(i)));
      }
      break;
  }
}

/// Turned by 7°, mirrored or not, and far from the origin or not.
struct Elsewhere {
  bool mirrored = false;
  Point offset;

  Point operator()(Point p) const {
    constexpr double kCos = 0.992546151641322, kSin = 0.121869343405147;
    const Point q{mirrored ? -p.x : p.x, p.y};
    return Point{kCos * q.x - kSin * q.y, kSin * q.x + kCos * q.y} + offset;
  }
  void move(Polygon& polygon) const {
    for (Point& p : polygon.outer) p = (*this)(p);
    for (Ring& hole : polygon.holes)
      for (Point& p : hole) p = (*this)(p);
  }
  Scene operator()(Scene scene) const {
    for (Layer& layer : scene.layers) {
      for (Polygon& p : layer.walkable) move(p);
      for (Polygon& p : layer.obstacles) move(p);
      for (Polyline& wall : layer.walls)
        for (Point& p : wall.points) p = (*this)(p);
      for (Region& region : layer.regions)
        for (Polygon& p : region.area) move(p);
    }
    return scene;
  }
};

/// What a line costs, step by step, by the last of all regions at each; next to a border by the cheapest.
class SlowCost {
 public:
  SlowCost(const Layer& layer, const ground::Regions& regions, const ground::RegionWeights& weights)
      : layer_(layer), regions_(regions), weights_(weights) {
    for (const Region& region : layer.regions) {
      boxes_.push_back({{1e300, 1e300}, {-1e300, -1e300}});
      for (const Point p : region.area[0].outer) {
        Rectangle& box = boxes_.back();
        box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
        box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
      }
    }
  }

  double of(std::span<const Point> line) const {
    constexpr double kStep = 0.02;  // m
    double cost = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const Point way = line[i] - line[i - 1];
      const double whole = length(way), steps = std::max(4.0, std::ceil(whole / kStep));
      if (!(whole > 0)) continue;
      const Point aside = perpendicular(way) * (3e-4 / whole);
      for (double s = 0; s < steps; ++s) {
        const Point p = line[i - 1] + way * ((s + 0.5) / steps);
        cost += std::min({at(p), at(p + aside), at(p - aside)}) * whole / steps;
      }
    }
    return cost;
  }

 private:
  static Point perpendicular(Point p) { return {-p.y, p.x}; }
  double at(Point p) const {
    for (std::size_t i = layer_.regions.size(); i-- > 0;) {
      const Rectangle& box = boxes_[i];
      if (p.x < box.min.x || p.x > box.max.x || p.y < box.min.y || p.y > box.max.y) continue;
      if (geometry::contains(layer_.regions[i].area[0], p))
        return static_cast<double>(weights_[regions_.typeOf(layer_.regions[i].type)]);
    }
    return 1;
  }

  const Layer& layer_;
  const ground::Regions& regions_;
  const ground::RegionWeights& weights_;
  std::vector<Rectangle> boxes_;
};

class OnGround : public testing::Test {
 protected:
  static constexpr double kRadius = 0.25;
  int reached_ = 0, asked_ = 0;

  void ask(const Place& place, const ground::Regions& regions, const ground::RegionWeights& weights, RegionMaps& maps,
           Point from, Point to, const std::string& what) {
    const SlowCost slow(place.scene.layers[0], regions, weights);
    const auto made = maps.of(place.map, &regions, kRadius, {}, weights);
    RouteQuery query;
    query.from = from, query.to = to, query.radius = kRadius, query.weights = weights;
    findRoute(place.map, query, scratch_, answer_);
    const bool open = answer_.outcome == Outcome::kReached;
    const bool never = std::find(weights.begin(), weights.end(), kNeverWalked) != weights.end();
    for (const RegionMethod method : kMethods) {
      SCOPED_TRACE(what + ", method " + std::to_string(static_cast<int>(method)));
      findRegionRoute(place.map, *made, {method, 0.4, 0.4}, query, scratch_, answer_);
      ++asked_;
      if (!never && method != RegionMethod::kGrid) {
        EXPECT_EQ(answer_.outcome == Outcome::kReached, open);
      }
      if (answer_.outcome != Outcome::kReached) continue;
      ++reached_;
      EXPECT_EQ(answer_.points.front(), from);
      EXPECT_EQ(answer_.points.back(), to);
      for (std::size_t k = 1; k < answer_.points.size(); ++k)
        EXPECT_GE(place.clearanceOf(answer_.points[k - 1], answer_.points[k]), kRadius * 0.998)
            << "point " << k << " of " << answer_.points.size() << ", (" << answer_.points[k - 1].x << ", "
            << answer_.points[k - 1].y << ") to (" << answer_.points[k].x << ", " << answer_.points[k].y << ")";
      const double cost = slow.of(answer_.points);
      // Who starts or ends where they never walk, or beside it, pays for that in no number.
      if (!std::isfinite(cost) || !std::isfinite(answer_.cost) || never || method == RegionMethod::kGrid) continue;
      EXPECT_NEAR(answer_.cost, cost, 0.01 * cost + 0.02);
    }
  }

  Scratch scratch_;
  RouteAnswer answer_;
};

TEST_F(OnGround, KeepTheirRadiusAndCostWhatTheGroundDoesWhateverComes) {
  constexpr Ground kGrounds[] = {Ground::kPatches, Ground::kHoles, Ground::kChessboard,
                                 Ground::kCovered, Ground::kDust,  Ground::kNested};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Ground kind = kGrounds[seed % 6];
    base::Random random(seed, 91);
    Place plain = seed % 2 == 0 ? clutteredRoom(seed, 30, 20, 8) : roomsAndDoors(seed, 6, 4);
    layGround(kind, plain, random, plain.scene.layers[0].regions);
    const Elsewhere there{seed % 4 >= 2, seed % 3 == 0 ? Point{4000, -3500} : Point{3, 8}};
    Place place(there(plain.scene), plain.extent);
    const ground::Regions regions(place.scene);
    ground::RegionWeights weights{1};
    for (std::size_t t = 1; t < regions.types().size(); ++t)
      weights.push_back(static_cast<float>(random.below(2) == 0 ? random.uniform(0.05, 1) : random.uniform(1, 30)));
    if (seed % 5 == 0) weights.back() = kNeverWalked;
    const std::string what = "seed " + std::to_string(seed);
    std::vector<std::pair<Point, Point>> ways;
    for (int i = 0; i < 3; ++i) {
      const Point from = plain.somewhere(random, 0.3), to = plain.somewhere(random, 0.3);
      ways.push_back({there(from), there(to)});
    }
    RegionMaps maps;
    for (const auto& [from, to] : ways) ask(place, regions, weights, maps, from, to, what);
    std::vector<std::uint32_t> come;
    for (int i = 0; i < 4; ++i) {
      Ring shape = regular(plain.anywhere(random), random.uniform(0.2, 2), 5, random.uniform(0, 3)).outer;
      for (Point& p : shape) p = there(p);
      if (there.mirrored) std::reverse(shape.begin(), shape.end());
      bool free = true;
      for (const auto& [from, to] : ways)
        for (const Point p : {from, to}) free &= length(p - shape[0]) > 4.5;  // nobody stands in it
      if (free) come.push_back(place.map.insert(shape, 0));
    }
    for (const auto& [from, to] : ways) ask(place, regions, weights, maps, from, to, what + " with obstacles");
    for (const std::uint32_t obstacle : come) place.map.remove(obstacle);
    for (const auto& [from, to] : ways) ask(place, regions, weights, maps, from, to, what + " without them");
  }
  EXPECT_GT(reached_, asked_ / 3);
  EXPECT_GT(asked_, 500);
}

}  // namespace
}  // namespace throng::planning
