#include "draw/maps.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "synthetic.h"

namespace throng::draw {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// The Gaussian between two cells, cut at three standard deviations along x and y.
double weight(const Grid& grid, std::size_t a, std::size_t b, double sigma) {
  const Point d = (grid.place(a).min - grid.place(b).min) / sigma;
  const double reach = std::ceil(3 * sigma / grid.cell) * grid.cell / sigma + 1e-9;
  return std::abs(d.x) > reach || std::abs(d.y) > reach ? 0 : std::exp(-dot(d, d) / 2);
}

TEST(Maps, GridCoversTheViewOnWholeCells) {
  const Grid grid = gridOver({{-1.2, 0}, {3.1, 2}}, 0.5);
  EXPECT_DOUBLE_EQ(grid.origin.x, -1.5);
  EXPECT_DOUBLE_EQ(grid.origin.y, 0);
  EXPECT_EQ(grid.columns, 10u);
  EXPECT_EQ(grid.rows, 4u);
  EXPECT_EQ(grid.cellAt({-1.4, 0.1}), std::optional<std::size_t>(0));
  EXPECT_EQ(grid.cellAt({-0.9, 0.6}), std::optional<std::size_t>(11));
  EXPECT_FALSE(grid.cellAt({-1.6, 0.1}));
  EXPECT_FALSE(grid.cellAt({0, 2.1}));
  EXPECT_DOUBLE_EQ(grid.place(11).min.x, -1);
  EXPECT_NE(thrown<InputError>([] { gridOver({{0, 0}, {100, 1}}, 0.01); }).find("at least"), std::string::npos);
}

TEST(Maps, FloorSharesAreAreas) {
  Ground ground;
  const Grid grid = gridOver({{0, 0}, {4, 2}}, 1);
  EXPECT_DOUBLE_EQ(sum(floorShares(grid, ground)), 8);
  // A floor in two pieces that meet inside a cell, with an obstacle of 0.5 m².
  ground.floor = {box(0, 0, 1.5, 2), box(1.5, 0, 3.5, 2)};
  ground.solids = {box(0, 0, 0.5, 1)};
  const std::vector<double> shares = floorShares(grid, ground);
  EXPECT_NEAR(shares[0], 0.5, 1e-9);
  EXPECT_NEAR(shares[1], 1, 1e-9);
  EXPECT_NEAR(shares[3], 0.5, 1e-9);
  EXPECT_NEAR(sum(shares), 6.5, 1e-9);
}

struct RandomGround {
  Grid grid = gridOver({{0, 0}, {8, 6}}, 0.4);
  std::vector<double> floor, mass;

  RandomGround() {
    std::mt19937 random(7);
    for (std::size_t i = 0; i < grid.size(); ++i) {
      floor.push_back(random() % 3 == 0 ? 0 : static_cast<double>(random() % 100 + 1) / 100);
      mass.push_back(floor[i] > 0 ? static_cast<double>(random() % 10) : 0);
    }
  }
};

TEST(Maps, SpreadingKeepsTheMassAndStaysOnTheFloor) {
  const RandomGround ground;
  const std::vector<double> spread_mass = spread(ground.grid, ground.mass, ground.floor, 0.5);
  EXPECT_NEAR(sum(spread_mass), sum(ground.mass), 1e-9 * sum(ground.mass));
  for (std::size_t i = 0; i < spread_mass.size(); ++i) {
    if (ground.floor[i] == 0) {
      EXPECT_EQ(spread_mass[i], 0);
    }
  }
  std::printf("mass %.1f, after spreading %.12f\n", sum(ground.mass), sum(spread_mass));
}

// Balanced, what cell a gives to b per floor of b is what b gives to a per floor of a, and in proportion to the
// Gaussian times one factor for each of the two.
TEST(Maps, SpreadingIsABalancedGaussian) {
  RandomGround ground;
  const std::size_t a = 21, b = 43, c = 62;
  for (const std::size_t cell : {a, b, c}) ground.floor[cell] = 0.7;
  const auto given = [&](std::size_t from, std::size_t to) {
    std::vector<double> one(ground.grid.size());
    one[from] = 1;
    return spread(ground.grid, one, ground.floor, 0.5)[to] / ground.floor[to];
  };
  EXPECT_NEAR(given(a, b), given(b, a), 0.02 * given(a, b));
  const auto share = [&](std::size_t from, std::size_t to) {
    return given(from, to) / weight(ground.grid, from, to, 0.5);
  };
  EXPECT_NEAR(share(a, b) * share(c, c), share(a, c) * share(c, b), 0.02 * share(a, b) * share(c, c));
}

TEST(Maps, EvenlySpacedPeopleGiveAnEvenDensityUpToTheWalls) {
  Ground ground;
  ground.floor = {box(0, 0, 10, 5)};
  ground.solids = {box(4, 2, 5, 3)};
  const Grid grid = gridOver({{0, 0}, {10, 5}}, 0.5);
  MapSums sums(grid);
  std::vector<Walker> walkers;
  const std::vector<double> floor = floorShares(grid, ground);
  for (std::size_t i = 0; i < grid.size(); ++i)
    if (floor[i] > 0)
      walkers.push_back({static_cast<std::uint32_t>(i + 1), grid.place(i).min.x + 0.2, grid.place(i).min.y + 0.3});
  for (int k = 0; k < 3; ++k) sums.add(momentOf(frameOf(k * 0.1, walkers).view(), 0));
  const std::vector<double> density = sums.density(floor, 0.5);
  double people = 0, worst = 0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    if (floor[i] == 0) continue;
    people += density[i] * floor[i] * 0.25;
    worst = std::max(worst, std::abs(density[i] - 4));
  }
  std::printf("%zu people, %.9f on the map; density 4 within %.2g\n", walkers.size(), people, worst);
  EXPECT_NEAR(people, static_cast<double>(walkers.size()), 1e-9);
  EXPECT_LT(worst, 0.01);
}

TEST(Maps, NoFloorIsBlankAndSpeedIsTheMean) {
  Ground ground;
  ground.floor = {box(0, 0, 1, 1)};
  const Grid grid = gridOver({{0, 0}, {2, 1}}, 1);
  MapSums sums(grid);
  Moment moment{0, {}};
  for (const double speed : {1.0, 2.0, -1.0}) {
    Person p;
    p.position = {0.5, 0.5};
    p.speed = speed;
    moment.people.push_back(p);
  }
  sums.add(moment);
  EXPECT_DOUBLE_EQ(sums.speed()[0], 1.5);
  EXPECT_LT(sums.speed()[1], 0);
  const std::vector<double> density = sums.density(floorShares(grid, ground), 0.5);
  EXPECT_NEAR(density[0], 3, 1e-9);
  EXPECT_LT(density[1], 0);
}

}  // namespace
}  // namespace throng::draw
