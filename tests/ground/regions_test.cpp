#include "ground/regions.h"

#include <gtest/gtest.h>
#include <set>

#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "ground/region_weights.h"
#include "ground/slope.h"
#include "shapes.h"

namespace throng::ground {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();

/// Turned, mirrored, scaled and moved; exact for none of it, so that borders are in general position.
struct Motion {
  double s = 0, c = 1, scale = 1;
  bool mirrored = false;
  Point by;

  static Motion random(base::Random& random) {
    Motion motion;
    base::sinCos(random.uniform(0, 6.3), motion.s, motion.c);
    motion.scale = random.uniform(0.3, 3);
    motion.mirrored = random.below(2) == 1;
    motion.by = {random.uniform(-500, 500), random.uniform(-500, 500)};
    return motion;
  }
  Point operator()(Point p) const {
    if (mirrored) p.x = -p.x;
    return Point{c * p.x - s * p.y, s * p.x + c * p.y} * scale + by;
  }
  Polygon operator()(Polygon polygon) const {
    for (Point& p : polygon.outer) p = (*this)(p);
    for (Ring& hole : polygon.holes)
      for (Point& p : hole) p = (*this)(p);
    return polygon;
  }
};

/// Regions of four types that overlap, with holes, some aligned with others, on a floor of 40 m by 30 m.
Layer randomRegions(base::Random& random, const Motion& motion) {
  static const char* const kTypes[] = {"grass", "road", "mud", "water"};
  Layer layer;
  for (std::uint64_t i = 0, n = 1 + random.below(30); i < n; ++i) {
    Region region{kTypes[random.below(4)], {}};
    for (std::uint64_t k = 0, m = 1 + random.below(3); k < m; ++k) {
      const Point centre{random.uniform(0, 40), random.uniform(0, 30)};
      if (random.below(3) == 0) {  // on a lattice: borders that coincide
        const double x = std::floor(centre.x), y = std::floor(centre.y);
        region.area.push_back(box(x, y, x + 1 + static_cast<double>(random.below(9)), y + 2));
      } else {
        const double radius = random.uniform(0.5, 8);
        Polygon polygon = regular(centre, radius, 3 + static_cast<int>(random.below(9)), random.uniform(0, 3));
        if (random.below(2)) polygon.holes = {regular(centre, radius / 4, 3, random.uniform(0, 3)).outer};
        region.area.push_back(polygon);
      }
      region.area.back() = motion(region.area.back());
    }
    layer.regions.push_back(region);
  }
  return layer;
}

// The slow twin: all polygons, all edges.

RegionType slowTypeAt(const Layer& layer, const Regions& regions, Point place) {
  for (std::size_t i = layer.regions.size(); i-- > 0;)
    if (geometry::contains(layer.regions[i].area, place)) return regions.typeOf(layer.regions[i].type);
  return 0;
}

/// How much of a line lies in regions of each type: the line is cut at every edge, and each piece asked for by its
/// middle.
std::vector<double> slowLengths(const Layer& layer, const Regions& regions, Point a, Point b) {
  std::vector<double> cuts{0, 1};
  const Point way = b - a;
  const auto cut = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point u = ring[i], v = ring[(i + 1) % ring.size()];
      const double du = det(way, u - a), dv = det(way, v - a);
      if ((du > 0) == (dv > 0)) continue;
      const Point at = u + (v - u) * (du / (du - dv));
      const double t = dot(way, at - a) / lengthSquared(way);
      if (t > 0 && t < 1) cuts.push_back(t);
    }
  };
  for (const Region& region : layer.regions)
    for (const Polygon& polygon : region.area) {
      cut(polygon.outer);
      for (const Ring& hole : polygon.holes) cut(hole);
    }
  std::sort(cuts.begin(), cuts.end());
  std::vector<double> lengths(regions.types().size(), 0);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    lengths[slowTypeAt(layer, regions, a + way * ((cuts[i] + cuts[i + 1]) / 2))] +=
        (cuts[i + 1] - cuts[i]) * length(way);
  return lengths;
}

Point somewhere(base::Random& random, const Motion& motion) {
  return motion({random.uniform(-5, 45), random.uniform(-5, 35)});
}

TEST(Regions, TypeAtAPlaceIsThatOfTheLastRegionThere) {
  base::Random random(1);
  std::set<RegionType> seen;
  for (int i = 0; i < 60; ++i) {
    const Motion motion = i % 2 ? Motion::random(random) : Motion{};
    const Layer layer = randomRegions(random, motion);
    const Regions regions(sceneOf(layer));
    for (int k = 0; k < 400; ++k) {
      Point place = somewhere(random, motion);
      if (k % 4 == 0) {  // on corners and edges, exactly
        const Region& region = layer.regions[random.below(layer.regions.size())];
        const Ring& ring = region.area[random.below(region.area.size())].outer;
        const std::size_t at = random.below(ring.size());
        place = k % 8 == 0 ? ring[at] : (ring[at] + ring[(at + 1) % ring.size()]) / 2;
      }
      const RegionType type = regions.typeAt(place, 0);
      ASSERT_EQ(type, slowTypeAt(layer, regions, place)) << i << " " << place.x << " " << place.y;
      seen.insert(type);
    }
  }
  EXPECT_EQ(seen.size(), 5u);
}

TEST(Regions, PiecesOfALineAreThoseOfAllEdges) {
  base::Random random(2);
  std::vector<Regions::Piece> pieces;
  std::size_t many = 0;
  for (int i = 0; i < 60; ++i) {
    const Motion motion = i % 2 ? Motion::random(random) : Motion{};
    const Layer layer = randomRegions(random, motion);
    const Regions regions(sceneOf(layer));
    for (int k = 0; k < 100; ++k) {
      const Point a = somewhere(random, motion), b = somewhere(random, motion);
      regions.crossed(a, b, 0, pieces);
      ASSERT_EQ(pieces.front().from, 0);
      ASSERT_EQ(pieces.back().to, 1);
      std::vector<double> lengths(regions.types().size(), 0);
      double followed = 0;
      for (std::size_t p = 0; p < pieces.size(); ++p) {
        const Regions::Piece& before = pieces[p > 0 ? p - 1 : 0];
        ASSERT_EQ(pieces[p].from, p > 0 ? before.to : 0.0);
        ASSERT_FALSE(p > 0 && pieces[p].type == before.type && pieces[p].other == before.other);
        const double part = (pieces[p].to - pieces[p].from) * length(b - a);
        ASSERT_GE(part, 0);
        lengths[pieces[p].type] += part;
        if (pieces[p].type != pieces[p].other) followed += part;
      }
      // Of what a line follows it may be either side.
      const std::vector<double> slow = slowLengths(layer, regions, a, b);
      for (std::size_t t = 0; t < slow.size(); ++t) EXPECT_NEAR(lengths[t], slow[t], followed + 1e-6) << i << " " << k;
      EXPECT_LT(followed, 0.1);
      many += pieces.size() > 5;
    }
  }
  EXPECT_GT(many, 500u);
}

TEST(Regions, TheBorderOfTwoBelongsToTheCheaperOne) {
  base::Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Motion motion = Motion::random(random);
    Layer layer;
    // Two that share the edge x = 10, of which the line follows a part: as written, or cut in two by a third's corner.
    layer.regions = {{"grass", {motion(box(0, 0, 10, 20))}}, {"road", {motion(box(10, 0, 20, 20))}}};
    if (i % 2) std::swap(layer.regions[0], layer.regions[1]);
    const Regions regions(sceneOf(layer));
    RegionWeights weights(3, 1.0f);
    weights[regions.typeOf("grass")] = 2, weights[regions.typeOf("road")] = i % 3 ? 5 : kNever;
    // Even after rounding to the 32 bits of way-points.
    const Point a = wide(narrow(motion({10, random.uniform(1, 5)})));
    const Point b = wide(narrow(motion({10, random.uniform(10, 19)})));
    EXPECT_NEAR(regions.cost(a, b, 0, weights), 2 * length(b - a), 1e-9 * length(b - a));
    EXPECT_EQ(regions.cost(b, a, 0, weights), regions.cost(a, b, 0, weights));
    EXPECT_EQ(regions.typeAt((a + b) / 2, 0, weights), regions.typeOf("grass"));
    std::vector<Regions::Piece> pieces;
    regions.crossed(a, b, 0, pieces);
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_NE(pieces[0].type, pieces[0].other);
    // A line that crosses pays for both sides, at any angle.
    const Point c = motion({10 - random.uniform(1, 9), random.uniform(1, 19)});
    const Point d = motion({10 + random.uniform(1, 9), random.uniform(1, 19)});
    const std::vector<double> slow = slowLengths(layer, regions, c, d);
    const double exact = 2 * slow[regions.typeOf("grass")] + 5 * slow[regions.typeOf("road")];
    weights[regions.typeOf("road")] = 5;
    EXPECT_NEAR(regions.cost(c, d, 0, weights), exact, 0.02);
  }
}

TEST(Regions, NeverIsInfinityUnlessItIsTouchedOnly) {
  Layer layer;
  layer.regions = {{"stairs", {box(10, 0, 12, 10)}}};
  const Regions regions(sceneOf(layer));
  const RegionWeights weights{1, kNever};
  EXPECT_TRUE(std::isinf(regions.cost({0, 5}, {20, 5}, 0, weights)));
  EXPECT_TRUE(std::isinf(regions.cost({0, 5}, {10.01, 5}, 0, weights)));
  EXPECT_DOUBLE_EQ(regions.cost({0, 5}, {10, 5}, 0, weights), 10);
  EXPECT_NEAR(regions.cost({0, 5}, {10.0005, 5}, 0, weights), 10.0005, 1e-9);
  EXPECT_DOUBLE_EQ(regions.cost({10, 0}, {10, 10}, 0, weights), 10);  // along its border
  EXPECT_DOUBLE_EQ(regions.cost({8, 12}, {12, 8}, 0, {}), std::sqrt(32.0));
  EXPECT_DOUBLE_EQ(regions.cost({9, 11}, {11, 9}, 1, weights), std::sqrt(8.0));  // no such layer: no regions
}

TEST(Regions, PartsAreDisjointAndCoverAll) {
  base::Random random(4);
  for (int i = 0; i < 20; ++i) {
    const Motion motion = i % 2 ? Motion::random(random) : Motion{};
    const Layer layer = randomRegions(random, motion);
    const Regions regions(sceneOf(layer));
    std::vector<Polygon> all, given;
    for (const Regions::Part& part : regions.parts(0)) all.push_back(part.area);
    for (const Region& region : layer.regions) given.insert(given.end(), region.area.begin(), region.area.end());
    const double whole = geometry::area(geometry::unionOf(given));
    EXPECT_NEAR(geometry::area(all), whole, 1e-6 * whole);
    EXPECT_NEAR(geometry::area(geometry::unionOf(all)), whole, 1e-6 * whole);
    for (int k = 0; k < 200; ++k) {
      const Point place = somewhere(random, motion);
      RegionType type = 0;
      for (const Regions::Part& part : regions.parts(0))
        if (geometry::contains(part.area, place)) type = part.type;
      EXPECT_EQ(type, regions.typeAt(place, 0));
    }
  }
}

TEST(Regions, LayersAreApartAndWrappedOnesGoOn) {
  Scene scene;
  scene.layers.resize(3);
  scene.layers[1].regions = {{"grass", {box(0, 0, 5, 5)}}};
  scene.layers[2].wrap = Rectangle{{0, 0}, {20, 10}};
  scene.layers[2].regions = {{"mud", {box(18, 2, 23, 4)}}};  // comes in on the other side
  scene.profiles = {Profile{}};
  const Regions regions(scene);
  EXPECT_TRUE(regions.any());
  EXPECT_FALSE(regions.any(0));
  EXPECT_EQ(regions.typeAt({1, 1}, 0), 0);
  EXPECT_EQ(regions.typeAt({1, 1}, 1), regions.typeOf("grass"));
  EXPECT_EQ(regions.typeAt({1, 3}, 2), regions.typeOf("mud"));
  EXPECT_EQ(regions.typeAt({19, 3}, 2), regions.typeOf("mud"));
  EXPECT_EQ(regions.typeAt({39, 13}, 2), regions.typeOf("mud"));  // the next copy of the rectangle
  EXPECT_EQ(regions.typeAt({5, 3}, 2), 0);
  const RegionWeights weights{1, 1, 3};
  EXPECT_NEAR(regions.cost({15, 3}, {25, 3}, 2, weights), 3 + 3 * 5 + 2, 1e-9);
  EXPECT_NEAR(regions.cost({-5, 3}, {65, 3}, 2, weights), 70 + 2 * (3 + 2 + 15), 1e-9);
}

TEST(Regions, WeightsDifferFromPersonToPersonAndAreTheirOwn) {
  Scene scene = sceneOf({});
  scene.layers[0].regions = {{"grass", {box(0, 0, 5, 5)}}, {"road", {box(5, 0, 9, 5)}}, {"mud", {box(9, 0, 12, 5)}}};
  Profile& profile = scene.profiles[0];
  profile.region_weights["grass"] = Distribution::uniform(1.5, 4);
  profile.region_weights["road"] = Distribution::constant(std::numeric_limits<double>::infinity());
  profile.region_weights["lava"] = Distribution::constant(7);  // nowhere
  const Regions regions(scene);
  double sum = 0, least = 9, most = 0;
  for (std::uint32_t person = 0; person < 2000; ++person) {
    const RegionWeights weights = weightsOf(regions, profile, 1, person);
    ASSERT_EQ(weights.size(), 4u);
    EXPECT_EQ(weights[0], 1);
    EXPECT_TRUE(std::isinf(weights[regions.typeOf("road")]));
    EXPECT_EQ(weights[regions.typeOf("mud")], 1);
    const double grass = static_cast<double>(weights[regions.typeOf("grass")]);
    sum += grass, least = std::min(least, grass), most = std::max(most, grass);
  }
  EXPECT_NEAR(sum / 2000, 2.75, 0.06);
  EXPECT_LT(least, 1.51);
  EXPECT_GT(most, 3.99);
  // Whatever else there is: the same person, seed and name give the same weight.
  Scene other = scene;
  std::swap(other.layers[0].regions[0], other.layers[0].regions[2]);
  const Regions turned(other);
  EXPECT_EQ(weightsOf(regions, profile, 5, 17)[regions.typeOf("grass")],
            weightsOf(turned, profile, 5, 17)[turned.typeOf("grass")]);
  EXPECT_NE(weightsOf(regions, profile, 5, 17)[regions.typeOf("grass")],
            weightsOf(regions, profile, 6, 17)[regions.typeOf("grass")]);
  EXPECT_TRUE(weightsOf(regions, Profile{}, 1, 1).empty());
  EXPECT_TRUE(weightsOf(Regions(), profile, 1, 1).empty());
}

TEST(Regions, MoreTypesThanANumberHoldsAreAnError) {
  Layer layer;
  for (int i = 0; i < 256; ++i) layer.regions.push_back({"t" + std::to_string(i), {box(i, 0, i + 1, 1)}});
  EXPECT_THROW(Regions{sceneOf(layer)}, InputError);
  layer.regions.pop_back();
  EXPECT_EQ(Regions(sceneOf(layer)).types().size(), 256u);
}

TEST(Slope, UpAndDownCostApart) {
  Layer layer;
  layer.slope = {0.3, 0};
  const WalkableSpace plane(sceneOf(layer));
  const SlopeCost cost{4, 1};
  EXPECT_NEAR(slopeCost(plane.floors()[0], {0, 0}, {10, 0}, cost), 12, 1e-9);
  EXPECT_NEAR(slopeCost(plane.floors()[0], {10, 0}, {0, 0}, cost), 3, 1e-9);
  EXPECT_EQ(slopeCost(plane.floors()[0], {0, 0}, {0, 10}, cost), 0);
  EXPECT_NEAR(slopeFactor(plane.floors()[0], {0, 0}, {10, 0}, cost), 2.2, 1e-9);
  // Over a ridge, 2 m high, at x = 5.
  layer.ground = {{Point3{0, 0, 0}, {5, 0, 2}, {5, 9, 2}},
                  {Point3{0, 0, 0}, {5, 9, 2}, {0, 9, 0}},
                  {Point3{5, 0, 2}, {10, 0, 0}, {10, 9, 0}},
                  {Point3{5, 0, 2}, {10, 9, 0}, {5, 9, 2}}};
  const WalkableSpace hill(sceneOf(layer));
  const Climb over = climb(hill.floors()[0], {1, 4}, {9, 4});
  EXPECT_NEAR(over.up, 1.6, 1e-5);
  EXPECT_NEAR(over.down, 1.6, 1e-5);
}

}  // namespace
}  // namespace throng::ground
