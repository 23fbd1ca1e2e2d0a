#include "ground/ground.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace throng::ground {
namespace {

/// A random height over each node of a bent lattice, two triangles per cell.
std::vector<std::array<Point3, 3>> terrain(int columns, int rows, base::Random& random) {
  std::vector<Point3> nodes;
  for (int y = 0; y <= rows; ++y)
    for (int x = 0; x <= columns; ++x)
      nodes.push_back({3 * x + random.uniform(-1, 1), 3 * y + random.uniform(-1, 1), random.uniform(-2, 2)});
  std::vector<std::array<Point3, 3>> triangles;
  const auto node = [&](int x, int y) { return nodes[static_cast<std::size_t>(y * (columns + 1) + x)]; };
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      triangles.push_back({node(x, y), node(x + 1, y), node(x + 1, y + 1)});
      triangles.push_back({node(x, y), node(x, y + 1), node(x + 1, y + 1)});  // clockwise: nothing depends on it
    }
  return triangles;
}

TEST(Ground, HasTheHeightOfTheTriangleAtEveryPlace) {
  base::Random random(1);
  std::size_t compared = 0;
  for (int i = 0; i < 20; ++i) {
    const auto triangles =
        terrain(1 + static_cast<int>(random.below(20)), 1 + static_cast<int>(random.below(20)), random);
    const Ground ground(triangles);
    for (int k = 0; k < 500; ++k) {
      const auto& [a, b, c] = triangles[random.below(triangles.size())];
      double u = random.uniform(0.01, 0.98), v = random.uniform(0.01, 0.98);
      if (u + v > 0.99) continue;
      const Vec2 at{static_cast<float>(a.x + u * (b.x - a.x) + v * (c.x - a.x)),
                    static_cast<float>(a.y + u * (b.y - a.y) + v * (c.y - a.y))};
      const GroundAt found = ground.at(at);
      EXPECT_NEAR(found.z, a.z + u * (b.z - a.z) + v * (c.z - a.z), 2e-3);
      // The rise along an edge is that of its ends.
      const double dx = b.x - a.x, dy = b.y - a.y;
      EXPECT_NEAR(found.gradient.x * dx + found.gradient.y * dy, b.z - a.z, 1e-3);
      ++compared;
    }
  }
  EXPECT_GT(compared, 3000u);
}

TEST(Ground, IsThereAHairBesideItsBorderToo) {
  const std::vector<std::array<Point3, 3>> triangles = {{Point3{0, 0, 5}, {10, 0, 5}, {10, 10, 5}},
                                                        {Point3{0, 0, 5}, {10, 10, 5}, {0, 10, 5}}};
  const Ground ground(triangles);
  EXPECT_FLOAT_EQ(ground.at({-0.01f, 5}).z, 5);
  EXPECT_FLOAT_EQ(ground.at({10.01f, 5}).z, 5);
  EXPECT_TRUE(Ground().empty());
  EXPECT_EQ(Ground().at({1, 1}).z, 0);
}

}  // namespace
}  // namespace throng::ground
