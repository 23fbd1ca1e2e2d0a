#include "following/region_fan.h"

#include <cmath>
#include <gtest/gtest.h>

#include "geometry/predicates.h"
#include "ground/shapes.h"

namespace throng::following {
namespace {

using ground::box;
using ground::regular;

constexpr double kWide = 40, kHigh = 30;  // m
constexpr const char* kTypes[] = {"grass", "road", "mud", "water"};

/// Regions that overlap, with holes, some with sides in common; turned, mirrored and moved.
Scene randomRegions(base::Random& random) {
  double s, c;
  base::sinCos(random.uniform(0, 6.3), s, c);
  const bool mirrored = random.below(2) == 1;
  const Point by{random.uniform(-300, 300), random.uniform(-300, 300)};
  const auto moved = [&](Point p) {
    if (mirrored) p.x = -p.x;
    return Point{c * p.x - s * p.y, s * p.x + c * p.y} + by;
  };
  Layer layer;
  layer.walkable = {box(-1, -1, kWide + 1, kHigh + 1)};
  for (std::uint64_t i = 0, n = 1 + random.below(14); i < n; ++i) {
    Polygon polygon;
    const Point at{random.uniform(0, kWide), random.uniform(0, kHigh)};
    if (random.below(2)) {
      const double x = std::floor(at.x), y = std::floor(at.y);
      polygon = box(x, y, x + 2 + static_cast<double>(random.below(9)), y + 3);
    } else {
      polygon = regular(at, random.uniform(1, 8), 3 + static_cast<int>(random.below(6)), random.uniform(0, 3));
      if (random.below(2)) polygon.holes = {regular(at, 0.4, 3, random.uniform(0, 3)).outer};
    }
    layer.regions.push_back({kTypes[random.below(4)], {polygon}});
  }
  for (Polygon* polygon : {&layer.walkable[0]})
    for (Point& p : polygon->outer) p = moved(p);
  for (Region& region : layer.regions)
    for (Polygon& polygon : region.area) {
      for (Point& p : polygon.outer) p = moved(p);
      for (Ring& hole : polygon.holes)
        for (Point& p : hole) p = moved(p);
    }
  return ground::sceneOf(layer);
}

/// Of the border of a polygon, and how far it is.
std::pair<Point, double> nearestOn(const Polygon& polygon, Point p) {
  Point best;
  double least = HUGE_VAL;
  const auto look = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point q = geometry::nearestOnSegment(p, ring[i], ring[(i + 1) % ring.size()]);
      if (length(q - p) < least) least = length(q - p), best = q;
    }
  };
  look(polygon.outer);
  for (const Ring& hole : polygon.holes) look(hole);
  return {best, least};
}

/// A disc at one place: the dearest ground it touches, by all regions, of which the last counts where they overlap. A
/// type is touched where the nearest place of one of its parts is of that type just behind its border, or where one of
/// many places of the disc is of that type.
double dearest(const ground::Regions& regions, std::span<const float> weights, Point p, double radius) {
  double weight = weights[regions.typeAt(p, 0)];
  for (const ground::Regions::Part& part : regions.parts(0)) {
    const auto [nearest, distance] = nearestOn(part.area, p);
    if (distance >= radius || weights[part.type] <= weight) continue;
    const Point behind = nearest + (nearest - p) * (1e-4 / std::max(distance, 1e-9));
    if (regions.typeAt(behind, 0) == part.type) weight = weights[part.type];
  }
  for (int k = 0; k < 120; ++k) {
    double s, c;
    base::sinCos(6.2832 * k / 40, s, c);
    const Point q = p + Point{c, s} * (radius * (1 - static_cast<double>(k / 40) / 3));
    weight = std::max<double>(weight, weights[regions.typeAt(q, 0)]);
  }
  return weight;
}

TEST(RegionBorders, HaveTheTypesOfBothSides) {
  base::Random random(9);
  std::size_t lines = 0;
  for (int round = 0; round < 200; ++round) {
    const Scene scene = randomRegions(random);
    const ground::Regions regions(scene);
    const ground::RegionBorders borders(regions, 1);
    for (const auto& line : borders.lines(0)) {
      const Point way = line.b - line.a;
      if (length(way) < 0.01) continue;
      const Point middle = (line.a + line.b) * 0.5, left = Point{-way.y, way.x} * (1e-4 / length(way));
      EXPECT_EQ(regions.typeAt(middle + left, 0), line.left) << "round " << round << " length " << length(way);
      EXPECT_EQ(regions.typeAt(middle - left, 0), line.right) << "round " << round << " length " << length(way);
      ++lines;
    }
  }
  EXPECT_GT(lines, 1000u);
}

TEST(RegionFan, OfADiscAgreesWithWhatItTouchesAtEveryPlace) {
  base::Random random(3);
  RegionFan fan;
  double worst = 0;
  int with_borders = 0;
  for (int round = 0; round < 24; ++round) {
    const Scene scene = randomRegions(random);
    const ground::Regions regions(scene);
    const ground::RegionBorders borders(regions, 1);
    std::vector<float> weights{1};
    for (std::size_t i = 1; i < regions.types().size(); ++i)
      weights.push_back(static_cast<float>(round % 2 ? random.uniform(1.1, 30) : random.uniform(0.2, 3)));
    const double radius = random.uniform(0.1, 0.6);
    const Point low = scene.layers[0].walkable[0].outer[0], along = scene.layers[0].walkable[0].outer[2] - low;
    const Point beside{scene.layers[0].walkable[0].outer[1] - low};
    const auto place = [&] { return low + beside * random.uniform() + (along - beside) * random.uniform(); };
    for (int i = 0; i < 6; ++i) {
      const Point from = place();
      fan.spread(regions, borders, 0, weights, from, radius, Touching::kDearest,
                 geometry::boxOf(scene.layers[0].walkable[0].outer));
      for (int k = 0; k < 4; ++k) {
        const Point to = place();
        constexpr int kSteps = 400;
        double expected = 0;
        bool crosses = false;
        for (int n = 0; n < kSteps; ++n) {
          const double weight = dearest(regions, weights, from + (to - from) * ((n + 0.5) / kSteps), radius);
          crosses |= weight != weights[0];
          expected += weight * length(to - from) / kSteps;
        }
        with_borders += crosses;
        const double found = fan.costTo(to), step = length(to - from) / kSteps;
        EXPECT_GE(found, fan.least() * length(to - from) * (1 - 1e-12));
        // Each border may be met anywhere within a step.
        const double error = std::abs(found - expected) / (step * 30);
        worst = std::max(worst, error);
        EXPECT_LT(error, 4) << "round " << round << ": " << found << " and not " << expected;
      }
    }
  }
  EXPECT_GT(with_borders, 250);
  std::printf("%d ways over borders, at most %.2f steps of the dearest ground apart\n", with_borders, worst);
}

TEST(RegionFan, OfAPointAgreesWithTheLinesThatRegionsCross) {
  base::Random random(4);
  RegionFan fan;
  double worst = 0;
  for (int round = 0; round < 60; ++round) {
    const Scene scene = randomRegions(random);
    const ground::Regions regions(scene);
    const ground::RegionBorders borders(regions, 1);
    std::vector<float> weights{1};
    for (std::size_t i = 1; i < regions.types().size(); ++i)
      weights.push_back(static_cast<float>(random.uniform(0.2, 30)));
    const Rectangle all = geometry::boxOf(scene.layers[0].walkable[0].outer);
    const auto place = [&] {
      // Now and then the end of a border: many routes lead along them.
      if (const auto lines = borders.lines(0); !lines.empty() && random.below(3) == 0)
        return lines[random.below(lines.size())].a;
      return Point{random.uniform(all.min.x, all.max.x), random.uniform(all.min.y, all.max.y)};
    };
    for (int i = 0; i < 40; ++i) {
      const Point from = place(), to = place();
      fan.spread(regions, borders, 0, weights, from, 0, Touching::kCheapest, all);
      const double expected = regions.cost(from, to, 0, weights), found = fan.costTo(to);
      worst = std::max(worst, std::abs(found - expected) / 30);
      EXPECT_NEAR(found, expected, 30 * 0.02) << "round " << round << ", " << length(to - from) << " m";
    }
  }
  std::printf("at most %.4f m of the dearest ground apart\n", worst);
}

TEST(RegionFan, WhoSlidesAlongTheGrassPaysForItAsADiscAndNotAsAPoint) {
  Layer layer;
  layer.walkable = {box(0, 0, 20, 20)};
  layer.regions = {{"grass", {box(0, 10, 20, 20)}}};
  const Scene scene = ground::sceneOf(layer);
  const ground::Regions regions(scene);
  const ground::RegionBorders borders(regions, 1);
  const std::vector<float> weights{1, 5};
  const Rectangle all{{0, 0}, {20, 20}};
  RegionFan fan;
  const auto cost = [&](double y, Touching touching) {
    fan.spread(regions, borders, 0, weights, {2, y}, 0.25, touching, all);
    return fan.costTo({12, y});
  };
  EXPECT_NEAR(cost(10, Touching::kCheapest), 10, 1e-9);  // on the border: the cheaper one counts
  EXPECT_NEAR(cost(9.9, Touching::kCheapest), 10, 1e-9);
  EXPECT_NEAR(cost(10.1, Touching::kCheapest), 50, 1e-9);
  EXPECT_NEAR(cost(9.9, Touching::kDearest), 50, 1e-9);  // the dearest that the body touches
  EXPECT_NEAR(cost(9.74, Touching::kDearest), 10, 1e-9);
  // Across: the disc is on the grass a radius earlier.
  fan.spread(regions, borders, 0, weights, {5, 5}, 0.25, Touching::kDearest, all);
  EXPECT_NEAR(fan.costTo({5, 15}), 4.75 + 5.25 * 5, 1e-9);
}

TEST(RegionFan, GroundWhereNobodyWalksCostsMoreThanAllElse) {
  Layer layer;
  layer.walkable = {box(0, 0, 20, 20)};
  layer.regions = {{"road", {box(8, 0, 12, 20)}}};
  const Scene scene = ground::sceneOf(layer);
  const ground::Regions regions(scene);
  const ground::RegionBorders borders(regions, 1);
  const std::vector<float> weights{1, std::numeric_limits<float>::infinity()};
  RegionFan fan;
  fan.spread(regions, borders, 0, weights, {5, 5}, 0.25, Touching::kDearest, {{0, 0}, {20, 20}});
  EXPECT_NEAR(fan.costTo({7, 19}), std::sqrt(200.0), 1e-9);
  EXPECT_GT(fan.costTo({7.9, 5}), 1e9);
  EXPECT_TRUE(std::isfinite(fan.costTo({15, 5})));
}

}  // namespace
}  // namespace throng::following
