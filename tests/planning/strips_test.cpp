// The planner `strips` and what it knows of the ground.
#include "planning/strips.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "places.h"
#include "planning/axis_grounds.h"
#include "planning/crowding.h"
#include "planning/planners.h"

namespace throng::planning {
namespace {

constexpr float kClosed = std::numeric_limits<float>::infinity();

/// A street from wall to wall: pavements of 2.5 m, a road of 9 m between, zebra crossings at 30 and at 70 m.
Layer street() {
  Layer layer;
  layer.walkable = {box(0, 0, 100, 14)};
  layer.regions = {{"road", {box(-1, 2.5, 101, 11.5)}}, {"zebra", {box(28, 2.5, 32, 11.5), box(68, 2.5, 72, 11.5)}}};
  return layer;
}

Point laid(Point p, bool turned, bool mirrored) {
  if (mirrored) p.x = -p.x;
  return turned ? Point{0.6 * p.x - 0.8 * p.y + 40, 0.8 * p.x + 0.6 * p.y - 7} : p;
}
Scene laid(Scene scene, bool turned, bool mirrored) {
  Layer& layer = scene.layers[0];
  const auto move = [&](std::vector<Polygon>& polygons) {
    for (Polygon& polygon : polygons) {
      for (Point& p : polygon.outer) p = laid(p, turned, mirrored);
      if (mirrored) std::reverse(polygon.outer.begin(), polygon.outer.end());
    }
  };
  move(layer.walkable), move(layer.obstacles);
  for (Region& region : layer.regions) move(region.area);
  return scene;
}

struct Walk {
  std::vector<Point> points;
  double cost = 0;
  double on(const ground::Regions& regions, std::string_view type) const {
    ground::RegionWeights only(regions.types().size(), 0);
    only[regions.typeOf(type)] = 1;
    double metres = 0;
    for (std::size_t i = 1; i < points.size(); ++i) metres += regions.cost(points[i - 1], points[i], 0, only);
    return metres;
  }
};

struct Weighed {
  Place place;
  ground::Regions regions;
  AxisGrounds grounds;
  explicit Weighed(Place made) : place(std::move(made)), regions(place.scene), grounds(place.map, regions) {}

  Walk walk(Point from, Point to, std::span<const float> weights, bool by_strips = true, double preference = 0.5,
            double side = 0, const WayCosts* costs = nullptr) const {
    RouteQuery query;
    query.costs = costs;
    query.from = from, query.to = to, query.clearance = 1, query.side = side, query.preference = preference;
    query.weights = weights;
    if (by_strips) query.grounds = &grounds;
    Scratch scratch;
    RouteAnswer answer;
    findRoute(place.map, query, scratch, answer);
    Walk walk;
    if (answer.outcome != Outcome::kReached) return walk;
    walk.points = answer.points;
    for (std::size_t i = 1; i < walk.points.size(); ++i)
      walk.cost += regions.cost(walk.points[i - 1], walk.points[i], 0, weights);
    return walk;
  }
};

TEST(GroundRaster, KnowsTheTypeAwayFromBorders) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Place place = clutteredRoom(seed, 40, 30, 8);
    base::Random random(seed, 90);
    for (int i = 0; i < 8; ++i)
      place.scene.layers[0].regions.push_back(
          {std::string(1, static_cast<char>('a' + i % 3)),
           {regular(place.anywhere(random), random.uniform(1, 8), 3 + static_cast<int>(random.below(5)), 1)}});
    const ground::Regions regions(place.scene);
    const GroundRaster raster(place.map, regions);
    int compared = 0;
    for (int i = 0; i < 4000; ++i) {
      const Point p = place.anywhere(random);
      const ground::RegionType type = regions.typeAt(p, 0);
      const double half = raster.cell();
      bool alike = true;
      for (int k = 0; k < 25; ++k)
        alike &= regions.typeAt(p + Point{(k % 5 - 2) * half / 2, (k / 5 - 2) * half / 2}, 0) == type;
      if (!alike) continue;
      ++compared;
      EXPECT_EQ(raster.typeAt(p, 0), type) << seed << " " << p.x << " " << p.y;
    }
    EXPECT_GT(compared, 1000);
    EXPECT_EQ(raster.typeAt({-50, 3}, 0), 0);
    EXPECT_EQ(raster.typeAt({3, 3}, 7), 0);
  }
}

TEST(AxisGrounds, CostNoLessThanTheCheapestGroundAndAddUp) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Place place = clutteredRoom(seed, 40, 30, 10);
    base::Random random(seed, 91);
    for (int i = 0; i < 6; ++i)
      place.scene.layers[0].regions.push_back({std::string(1, static_cast<char>('a' + i % 3)),
                                               {regular(place.anywhere(random), random.uniform(2, 9), 5, 1)}});
    const Weighed in(std::move(place));
    const ground::RegionWeights alike(in.regions.types().size(), 1);
    ground::RegionWeights weights{1};
    while (weights.size() < alike.size()) weights.push_back(static_cast<float>(random.uniform(0.5, 6)));
    std::vector<float> plain, rates;
    EXPECT_EQ(in.grounds.ratesOf(alike, plain), 1);
    const double least = in.grounds.ratesOf(weights, rates);
    for (std::uint32_t c = 0; c < in.place.map.chains().size(); ++c) {
      const auto& chain = in.place.map.chains()[c];
      if (chain.first == corridors::kNone) continue;
      const double whole = double{chain.length}, part = whole * random.uniform();
      EXPECT_NEAR(in.grounds.cost(c, 0, whole, plain), whole, 1e-4 * whole + 1e-6);
      const double cost = in.grounds.cost(c, 0, whole, rates);
      EXPECT_GE(cost, least * whole * (1 - 1e-5) - 1e-6);
      EXPECT_LE(cost, 6 * whole * (1 + 1e-5) + 1e-6);
      EXPECT_NEAR(in.grounds.cost(c, part, 0, rates) + in.grounds.cost(c, part, whole, rates), cost,
                  1e-4 * cost + 1e-6);
    }
  }
}

TEST(Strips, KeepToThePavementAndCrossAtTheZebra) {
  for (const bool turned : {false, true})
    for (const bool mirrored : {false, true})
      for (const double preference : {0.0, 0.5, 0.99}) {
        const Weighed in(Place(laid(
                                   [] {
                                     Scene scene;
                                     scene.layers = {street()};
                                     return scene;
                                   }(),
                                   turned, mirrored),
                               {{-200, -200}, {200, 200}}));
        const ground::RegionWeights weights = [&] {
          ground::RegionWeights w(in.regions.types().size(), 1);
          w[in.regions.typeOf("road")] = 5, w[in.regions.typeOf("zebra")] = 1.1f;
          return w;
        }();
        const Point start = laid({3, 1.2}, turned, mirrored), same = laid({97, 1.2}, turned, mirrored),
                    other = laid({97, 12.8}, turned, mirrored);
        const Walk along = in.walk(start, same, weights, true, preference);
        ASSERT_FALSE(along.points.empty());
        EXPECT_LT(along.on(in.regions, "road"), 1) << turned << mirrored << preference;
        EXPECT_LT(along.cost, 98);
        const Walk over = in.walk(start, other, weights, true, preference);
        ASSERT_FALSE(over.points.empty());
        EXPECT_GT(over.on(in.regions, "zebra"), 4) << turned << mirrored << preference;
        EXPECT_LT(over.on(in.regions, "road"), 7) << turned << mirrored << preference;
        // Whom the road costs nothing crosses it anywhere.
        const ground::RegionWeights alike(in.regions.types().size(), 1);
        EXPECT_GT(in.walk(start, other, alike, true, preference).on(in.regions, "road"), 20);
      }
}

/// Of people who differ in what room they like: how many of `all` walk mostly on the road, with so many others per m².
int onTheRoad(const Weighed& in, double density, float road, int all, Point from, Point to, double side) {
  const Stretches stretches(in.place.map);
  Crowding crowding;
  for (std::uint32_t s = 0; s < stretches.all().size(); ++s)
    for (double n = 0; n < 1 + density * stretches[s].area; ++n) crowding.countOn(s);
  crowding.estimate(stretches, in.place.map.chains().size());
  const WayCosts costs(stretches, crowding, Walker{from});
  ground::RegionWeights weights(in.regions.types().size(), 1);
  weights[in.regions.typeOf("road")] = road;
  int count = 0, last = 0;
  for (int i = 0; i < all; ++i) {
    const Walk walk = in.walk(from, to, weights, true, (i + 0.5) / all, side, density > 0 ? &costs : nullptr);
    EXPECT_FALSE(walk.points.empty());
    const int spills = walk.on(in.regions, "road") > 30 ? 1 : 0;
    EXPECT_GE(spills, last) << "those who like room spill over first";
    count += spills, last = spills;
  }
  return count;
}

TEST(Strips, HoldSoManyAndTheOthersSpillOver) {
  constexpr int kPeople = 40;
  for (const bool turned : {false, true})
    for (const bool mirrored : {false, true}) {
      Scene scene;
      scene.layers = {street()};
      scene.layers[0].regions.pop_back();  // no zebra crossings
      scene.layers[0].regions[0].area = {box(-1, 2.5, 101, 11.5)};
      const Weighed in(Place(laid(scene, turned, mirrored), {{-200, -200}, {200, 200}}));
      const Point from = laid({3, 1.2}, turned, mirrored), to = laid({97, 1.2}, turned, mirrored);
      const double side = mirrored ? -1 : 1;
      EXPECT_EQ(onTheRoad(in, 0, 2, kPeople, from, to, side), 0) << "nobody else is there";
      int before = 0;
      for (const double times : {0.3, 1.0, 2.0}) {
        // 4.5 m of 13.5 m are pavement, without the bodies' radii; half a metre of it is rounded away or not.
        const double holds = 4.5 / 13.5 / times;
        const int spilled = onTheRoad(in, times * kStripHolds, 2, kPeople, from, to, side);
        EXPECT_NEAR(spilled, kPeople * std::max(0.0, 1 - holds), kPeople * 0.12) << times;
        EXPECT_GE(spilled, before);
        before = spilled;
        EXPECT_EQ(onTheRoad(in, times * kStripHolds, kClosed, kPeople, from, to, side), 0) << "who never walks there";
      }
    }
}

TEST(Strips, KeepFromWallsArriveAndCostLessThanTheShortWay) {
  double by_strips = 0, shortest = 0;
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Place place = clutteredRoom(seed, 40, 30, 12);
    base::Random random(seed, 92);
    for (int i = 0; i < 6; ++i)
      place.scene.layers[0].regions.push_back({std::string(1, static_cast<char>('a' + i % 3)),
                                               {regular(place.anywhere(random), random.uniform(2, 7), 6, 1)}});
    const Weighed in(std::move(place));
    ground::RegionWeights weights{1};
    while (weights.size() < in.regions.types().size()) weights.push_back(static_cast<float>(random.uniform(0.7, 6)));
    for (int i = 0; i < 8; ++i) {
      const Point from = in.place.somewhere(random, 0.3), to = in.place.somewhere(random, 0.3);
      const Walk plain = in.walk(from, to, weights, false);
      const Walk walk = in.walk(from, to, weights, true, random.uniform(), random.uniform(-1, 1));
      ASSERT_EQ(plain.points.empty(), walk.points.empty()) << seed << " " << i;
      if (plain.points.empty()) continue;
      EXPECT_EQ(walk.points.front(), from);
      EXPECT_EQ(walk.points.back(), to);
      for (std::size_t k = 1; k < walk.points.size(); ++k)
        EXPECT_GE(in.place.clearanceOf(walk.points[k - 1], walk.points[k]), 0.25 * 0.998) << seed << " " << i;
      by_strips += walk.cost, shortest += plain.cost, ++count;
    }
  }
  EXPECT_GE(count, 60);
  EXPECT_LT(by_strips, 0.97 * shortest);
}

TEST(Strips, NeverTakeTheStairsAWheelchairCannot) {
  // Two ways round a block: the short one over stairs from wall to wall.
  Layer layer;
  layer.walkable = {box(0, 0, 60, 30)};
  layer.obstacles = {box(10, 4, 50, 22)};
  layer.regions = {{"stairs", {box(28, -1, 32, 5)}}};
  const Weighed in(Place(layer, {{0, 0}, {60, 30}}));
  const ground::RegionWeights walker{1, 1}, wheelchair{1, kClosed};
  EXPECT_GT(in.walk({5, 2}, {55, 2}, walker).on(in.regions, "stairs"), 3);
  const Walk round = in.walk({5, 2}, {55, 2}, wheelchair);
  ASSERT_FALSE(round.points.empty());
  for (const Point p : round.points) EXPECT_FALSE(p.x > 28 && p.x < 32 && p.y < 5) << p.x << " " << p.y;
}

}  // namespace
}  // namespace throng::planning
