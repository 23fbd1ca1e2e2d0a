#include "ground/placement.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/predicates.h"
#include "ground/shapes.h"

namespace throng::ground {
namespace {

using testing::HasSubstr;

/// Rounding may let places touch that the user computed to touch; places at random keep a margin.
constexpr double kTouching = 2e-5;

Floor floorOf(const Layer& layer) { return WalkableSpace(sceneOf(layer)).floors()[0]; }

/// Distance to the nearest wall by all segments.
double fromWalls(const Floor& floor, Point p) {
  double best = 1e9;
  for (std::size_t i = 0; i < floor.walls.size(); ++i) {
    const Vec2 a = floor.walls.a[i], b = floor.walls.b[i];
    best = std::min(best, geometry::distanceToSegment(p, {a.x, a.y}, {b.x, b.y}));
  }
  return best;
}

/// Smallest gap between any two discs, by all pairs.
double smallestGap(const std::vector<Point>& places, std::span<const double> radii, std::span<const Disc> taken) {
  double gap = 1e9;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) gap = std::min(gap, length(places[i] - places[k]) - radii[i] - radii[k]);
    for (const Disc& d : taken) gap = std::min(gap, length(places[i] - d.centre) - radii[i] - d.radius);
  }
  return gap;
}

void expectGoodPlaces(const std::vector<Point>& places, std::span<const double> radii, const Floor& floor,
                      std::span<const Disc> taken, double tolerance) {
  ASSERT_LE(places.size(), radii.size());
  EXPECT_GE(smallestGap(places, radii, taken), -tolerance);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Point p = places[i];
    EXPECT_TRUE(geometry::contains(floor.bounded ? floor.free : floor.solid, p) == floor.bounded) << p.x << ", " << p.y;
    EXPECT_GE(fromWalls(floor, p), radii[i] - tolerance);
    EXPECT_EQ(p.x, static_cast<float>(p.x));
    EXPECT_EQ(p.y, static_cast<float>(p.y));
  }
}

std::vector<Point> placed(const Start& start, std::span<const double> radii, const Floor& floor, std::string& problem,
                          std::uint64_t seed = 1, std::span<const Disc> taken = {}) {
  base::Random random(seed, 0);
  return place(start, radii, floor, taken, random, problem);
}

TEST(Placement, PointsInTheirOrder) {
  const std::vector<Point> points{{1, 2}, {3, 4}, {0, 0}};
  const Start start{StartPoints{points}};
  const std::vector<double> radii(3, 0.25);
  std::string problem = "old";
  EXPECT_EQ(placed(start, radii, {}, problem), points);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(placed(start, std::vector<double>(4, 0.25), {}, problem).size(), 3u);
  EXPECT_THAT(problem, HasSubstr("3 points for 4 people"));
}

TEST(Placement, SaysWhichPlaceIsNotFreeAndWhy) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  layer.obstacles = {box(4, 4, 6, 6)};
  const Floor floor = floorOf(layer);
  Start start;
  const std::vector<double> radii(3, 0.25);
  std::string problem;

  start.shape = StartPoints{{{1, 1}, {2, 2}, {0.1, 5}}};
  EXPECT_EQ(placed(start, radii, floor, problem).size(), 2u);
  EXPECT_EQ(problem, "place 3 of the points at (0.100, 5.000) is 0.1 m from a wall; radius is 0.25 m");
  start.shape = StartPoints{{{1, 1}, {1.4, 1}, {3, 3}}};
  EXPECT_EQ(placed(start, radii, floor, problem).size(), 1u);
  EXPECT_EQ(problem,
            "place 2 of the points at (1.400, 1.000) is 0.4 m from somebody at (1.000, 1.000); the radii need 0.5 m");
  start.shape = StartPoints{{{5, 5}}};
  EXPECT_TRUE(placed(start, radii, floor, problem).empty());
  EXPECT_EQ(problem, "place 1 of the points at (5.000, 5.000) is not on walkable ground");

  start.shape = StartLine{{{{1, 2}, {1, 5}, {10, 5}}}};
  EXPECT_EQ(placed(start, radii, floor, problem).size(), 1u);
  EXPECT_THAT(problem, HasSubstr("place 2 of the line at (4.000, 5.000) is 0 m from a wall"));
}

TEST(Placement, PlacesThatTouchAreFree) {
  StartPoints row;
  for (int i = 0; i < 50; ++i) row.points.push_back({1000.1 + 0.4 * i, 0.3});
  std::string problem;
  EXPECT_EQ(placed({row}, std::vector<double>(50, 0.2), {}, problem).size(), 50u) << problem;
}

TEST(Placement, LineHasHalfAStepAtItsEnds) {
  const Start start{StartLine{{{{0, 0}, {3, 0}, {3, 1}}}}};
  std::string problem;
  const auto places = placed(start, std::vector<double>(4, 0.25), {}, problem);
  EXPECT_THAT(places, testing::ElementsAre(Point{0.5, 0}, Point{1.5, 0}, Point{2.5, 0}, Point{3, 0.5}));
}

TEST(Placement, CircleBeginsAtItsPhase) {
  StartCircle circle{{10, 20}, 5, base::kPi / 2};
  std::string problem;
  const auto places = placed({circle}, std::vector<double>(4, 0.25), {}, problem);
  ASSERT_EQ(places.size(), 4u);
  const std::vector<Point> expected{{10, 25}, {5, 20}, {10, 15}, {15, 20}};
  for (int i = 0; i < 4; ++i) EXPECT_LT(length(places[i] - expected[i]), 1e-5);
  circle.radius = 0.5;
  EXPECT_LT(placed({circle}, std::vector<double>(20, 0.25), {}, problem).size(), 20u);
  EXPECT_THAT(problem, HasSubstr("of the circle at"));
}

TEST(Placement, GridRowByRow) {
  const Start start{StartGrid{{box(0, 0, 3.2, 2)}, 1}};
  std::string problem;
  const auto places = placed(start, std::vector<double>(6, 0.25), {}, problem);
  ASSERT_EQ(places.size(), 6u);
  const std::vector<Point> expected{{0.1, 0}, {1.1, 0}, {2.1, 0}, {3.1, 0}, {0.1, 1}, {1.1, 1}};
  for (int i = 0; i < 6; ++i) EXPECT_LT(length(places[i] - expected[i]), 1e-6);
  EXPECT_EQ(placed(start, std::vector<double>(13, 0.25), {}, problem).size(), 12u);
  EXPECT_THAT(problem, HasSubstr("12 of 13 people fit into the start grid of 6.4 m² with 1 m between them"));
}

TEST(Placement, GridWithoutSpacingIsTightForTheLargest) {
  std::vector<double> radii(400, 0.15);
  radii[7] = 0.25;
  std::string problem;
  const auto places = placed({StartGrid{{box(0.1, 0.3, 9.6, 9.8)}}}, radii, {}, problem);
  EXPECT_EQ(places.size(), 400u) << problem;
  expectGoodPlaces(places, radii, {}, {}, kTouching);
}

TEST(Placement, JitterNeverCostsAPlace) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  const Floor floor = floorOf(layer);
  const std::vector<double> radii(256, 0.25);
  const std::vector<Polygon> area{box(0.26, 0.26, 9.74, 9.74)};
  Start start{StartGrid{area, 0.6}};
  std::string problem;
  const auto still = placed(start, radii, floor, problem);
  start.jitter = 0.5;
  const auto places = placed(start, radii, floor, problem);
  ASSERT_EQ(places.size(), 256u) << problem;
  expectGoodPlaces(places, radii, floor, {}, 0);
  int moved = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_LE(std::abs(places[i].x - still[i].x), 0.5 + 1e-5);
    EXPECT_LE(std::abs(places[i].y - still[i].y), 0.5 + 1e-5);
    EXPECT_TRUE(geometry::contains(area, places[i]));
    moved += places[i] != still[i];
  }
  std::printf("%d of 256 moved\n", moved);
  EXPECT_GT(moved, 128);
}

TEST(Placement, AreaIsUniformAlsoWherePolygonsOverlapAndAreThin) {
  // A square, the same square again, and a slanted strip 0.2 m wide: places by area, not by polygon.
  const std::vector<Polygon> area{
      box(0, 0, 10, 10), box(0, 0, 10, 10), {{{20, 0}, {20.2, 0}, {70.2, 50}, {70, 50}}, {}}};
  base::Random random(3, 3);
  int square = 0, lower_left = 0, lower_strip = 0, strip = 0;
  constexpr int kSamples = 20000;
  for (int i = 0; i < kSamples; ++i) {
    const auto p = samplePlace(area, 0, {}, random);
    ASSERT_TRUE(p);
    EXPECT_TRUE(geometry::contains(area, *p));
    const bool in_square = p->x <= 10;
    square += in_square, lower_left += in_square && p->x < 5 && p->y < 5;
    strip += !in_square, lower_strip += !in_square && p->y < 25;
  }
  // 100 m² of square, 10 m² of strip; five standard deviations.
  EXPECT_NEAR(square, kSamples / 1.1, 5 * std::sqrt(kSamples / 1.1 * 0.1 / 1.1));
  EXPECT_NEAR(lower_left, square / 4.0, 5 * std::sqrt(square * 0.25 * 0.75));
  EXPECT_NEAR(lower_strip, strip / 2.0, 5 * std::sqrt(strip * 0.25));
}

TEST(Placement, DenseAreasAreFilledAndTooSmallOnesSaySo) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  const Floor floor = floorOf(layer);
  const Start start{StartArea{layer.walkable}};
  std::string problem;
  // 0.55 of the floor covered with people is where putting them down at random ends; 20 rows of 19 and 18 are possible.
  for (const std::size_t people : {200u, 270u, 300u, 360u, 390u}) {
    const std::vector<double> radii(people, 0.25);
    const auto places = placed(start, radii, floor, problem);
    EXPECT_EQ(places.size(), people) << problem;
    EXPECT_EQ(problem, "");
    expectGoodPlaces(places, radii, floor, {}, 0);
  }
  const std::vector<double> radii(480, 0.25);  // denser than hexagons in the plane: 94% covered
  const auto places = placed(start, radii, floor, problem);
  EXPECT_GE(places.size(), 390u);
  EXPECT_LT(places.size(), 480u);
  EXPECT_EQ(problem, std::to_string(places.size()) + " of 480 people fit into the start area of 100.0 m²");
  expectGoodPlaces(places, radii, floor, {}, 0);
  std::printf("%zu of 480 people of radius 0.25 m in 100 m²\n", places.size());

  // Nine people in the square their centres can be in, and not ten.
  const Start small{StartArea{{box(5, 5, 6, 6)}}};
  EXPECT_EQ(placed(small, std::vector<double>(9, 0.25), floor, problem).size(), 9u) << problem;
  EXPECT_EQ(placed(small, std::vector<double>(10, 0.25), floor, problem).size(), 9u);
  EXPECT_THAT(problem, HasSubstr("9 of 10 people fit"));
}

TEST(Placement, LargePeopleAfterSmallOnesFindRoom) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  const Floor floor = floorOf(layer);
  std::vector<double> radii(300, 0.15);
  radii.insert(radii.end(), 5, 1.0);
  std::string problem;
  const auto places = placed({StartArea{layer.walkable}}, radii, floor, problem);
  EXPECT_EQ(places.size(), radii.size()) << problem;
  expectGoodPlaces(places, radii, floor, {}, 0);
}

TEST(Placement, PoissonDiscHonoursItsSpacingAndSpreads) {
  const std::vector<Polygon> area{box(0, 0, 30, 20)};
  const std::vector<double> radii(200, 0.2);
  std::string problem;
  for (const double spacing : {0.0, 0.5, 1.2}) {
    const auto places = placed({StartPoissonDisc{area, spacing}}, radii, {}, problem);
    ASSERT_EQ(places.size(), 200u) << problem;
    double nearest = 1e9;
    int quadrants[4] = {};
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_TRUE(geometry::contains(area, places[i]));
      for (std::size_t k = 0; k < i; ++k) nearest = std::min(nearest, length(places[i] - places[k]));
      ++quadrants[(places[i].x > 15) + 2 * (places[i].y > 10)];
    }
    // 200 people on 600 m² can have 1.3 m at random without being told.
    EXPECT_GE(nearest, spacing > 0 ? spacing : 1.2);
    for (const int count : quadrants) EXPECT_NEAR(count, 50, 20);
    std::printf("asked for %.1f m, nearest %.3f m\n", spacing, nearest);
  }
  const auto too_wide = placed({StartPoissonDisc{area, 3}}, radii, {}, problem);
  EXPECT_LT(too_wide.size(), 200u);
  EXPECT_GT(too_wide.size(), 35u);  // 0.5 of the most there could be
  EXPECT_THAT(problem,
              HasSubstr("of 200 people fit into the start Poisson-disc area of 600.0 m² with 3 m between them"));
}

TEST(Placement, AcrossTheBorderOfAWrappedFloor) {
  Layer layer;
  layer.wrap = Rectangle{{0, 0}, {6, 6}};
  const Floor floor = floorOf(layer);
  const std::vector<double> radii(60, 0.25);
  std::string problem;
  const auto places = placed({StartArea{{box(0, 0, 6, 6)}}}, radii, floor, problem);
  ASSERT_EQ(places.size(), 60u) << problem;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      double dx = std::abs(places[i].x - places[k].x), dy = std::abs(places[i].y - places[k].y);
      dx = std::min(dx, 6 - dx), dy = std::min(dy, 6 - dy);
      EXPECT_GE(dx * dx + dy * dy, 0.25);
    }
}

// Every kind of start on random floors, with people who are there already: nobody overlaps anybody or a wall, everybody
// is in the area, the same seed gives the same places, another seed others, and fewer places come with a reason.
TEST(Placement, RandomScenes) {
  int starts = 0, complete = 0;
  std::size_t people = 0;
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    base::Random random(seed, 11);
    const Floor floor = floorOf(randomLayer(random, seed % 2 == 0));
    const Point corner{random.uniform(0, 25), random.uniform(0, 20)};
    const std::vector<Polygon> area = {
        box(corner.x, corner.y, corner.x + random.uniform(1, 15), corner.y + random.uniform(1, 10)),
        regular({random.uniform(5, 35), random.uniform(5, 25)}, 4, 5)};
    std::vector<Point> points;
    for (int i = 0; i < 30; ++i) points.push_back({random.uniform(0, 40), random.uniform(0, 30)});
    const double radius = random.uniform(0.5, 14);
    const double spacing = random.below(2) == 0 ? 0 : random.uniform(0.3, 2);
    const std::array<decltype(Start::shape), 6> shapes{
        StartPoints{points},           StartArea{area},          StartLine{{{points.begin(), points.begin() + 3}}},
        StartCircle{{20, 15}, radius}, StartGrid{area, spacing}, StartPoissonDisc{area, spacing}};
    Start start{shapes[seed % 6]};
    start.jitter = random.below(2) == 0 ? 0 : random.uniform(0, 0.6);
    std::vector<Disc> taken;
    for (std::uint64_t i = 0, n = random.below(10); i < n; ++i)
      taken.push_back({{random.uniform(0, 40), random.uniform(0, 30)}, random.uniform(0.1, 0.6)});
    std::vector<double> radii(1 + random.below(120));
    for (double& r : radii) r = seed % 3 == 0 ? 0.25 : random.uniform(0.15, 0.35);

    std::string problem, again;
    const auto places = placed(start, radii, floor, problem, seed, taken);
    expectGoodPlaces(places, radii, floor, taken, kTouching);
    EXPECT_EQ(places, placed(start, radii, floor, again, seed, taken));
    EXPECT_EQ(problem, again);
    EXPECT_EQ(places.size() == radii.size(), problem.empty()) << problem;
    const bool poisson = std::holds_alternative<StartPoissonDisc>(start.shape);
    if (poisson || std::holds_alternative<StartArea>(start.shape)) {
      expectGoodPlaces(places, radii, floor, taken, 0);
      for (const Point& p : places) EXPECT_TRUE(geometry::contains(area, p));
      EXPECT_TRUE(places.empty() || places != placed(start, radii, floor, again, seed + 1000, taken));
    }
    if (poisson && start.jitter == 0) {
      EXPECT_GE(smallestGap(places, std::vector<double>(places.size(), spacing / 2), {}), 0);
    }
    ++starts, complete += problem.empty(), people += places.size();
    // Somebody more, as during a run.
    for (std::size_t i = 0; i < places.size(); ++i) taken.push_back({places[i], radii[i]});
    base::Random later(seed, 12), same(seed, 12);
    const auto one = placeOne(start, 0.3, floor, taken, later);
    EXPECT_EQ(one, placeOne(start, 0.3, floor, taken, same));
    if (one) expectGoodPlaces({*one}, std::vector<double>{0.3}, floor, taken, kTouching);
  }
  EXPECT_GT(complete, starts / 4);
  std::printf("%d starts, %d with a place for everybody, %zu people\n", starts, complete, people);
}

TEST(PlaceOne, FindsAnyFreePointLineOrCircle) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  const Floor floor = floorOf(layer);
  base::Random random(5, 5);
  const std::vector<Point> points{{1, 1}, {2, 2}, {3, 3}};
  Start start{StartPoints{points}};
  std::vector<Disc> taken{{{1, 1}, 0.25}};
  int second = 0, third = 0;
  for (int i = 0; i < 100; ++i) {
    const auto p = placeOne(start, 0.25, floor, taken, random);
    ASSERT_TRUE(p);
    second += *p == points[1], third += *p == points[2];
  }
  EXPECT_EQ(second + third, 100);
  EXPECT_GT(second, 20);
  EXPECT_GT(third, 20);
  taken.insert(taken.end(), {{{2, 2}, 0.25}, {{3.3, 3}, 0.25}});
  EXPECT_FALSE(placeOne(start, 0.25, floor, taken, random));

  start.shape = StartLine{{{{1, 5}, {1, 5}, {9, 5}}}};
  double low = 10, high = 0;
  for (int i = 0; i < 200; ++i) {
    const auto p = placeOne(start, 0.25, floor, {}, random);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->y, 5);
    low = std::min(low, p->x), high = std::max(high, p->x);
  }
  EXPECT_LT(low, 1.5);
  EXPECT_GT(high, 8.5);

  start.shape = StartCircle{{5, 5}, 3};
  const auto p = placeOne(start, 0.25, floor, {}, random);
  ASSERT_TRUE(p);
  EXPECT_NEAR(length(*p - Point{5, 5}), 3, 1e-6);
  start.shape = StartArea{};
  EXPECT_FALSE(placeOne(start, 0.25, floor, {}, random));  // no area
}

TEST(SamplePlace, KeepsClearOfWallsWhereItCan) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  const Floor floor = floorOf(layer);
  base::Random random(6, 6);
  for (int i = 0; i < 100; ++i) {
    const auto p = samplePlace({box(-5, 0, 5, 10)}, 1, floor, random);
    ASSERT_TRUE(p);
    EXPECT_GE(fromWalls(floor, *p), 1);
  }
  const auto tight = samplePlace({box(0, 0, 10, 0.5)}, 1, floor, random);  // nothing there is 1 m from the wall
  ASSERT_TRUE(tight);
  EXPECT_GT(fromWalls(floor, *tight), 0.4);
  EXPECT_FALSE(samplePlace({box(20, 20, 30, 30)}, 1, floor, random));
}

}  // namespace
}  // namespace throng::ground
