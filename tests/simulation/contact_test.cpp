#include "simulation/contact.h"

#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"

namespace throng::simulation {
namespace {

ground::Walls wallsOf(const std::vector<Segment>& segments) {
  ground::Walls walls;
  for (const Segment& s : segments) {
    walls.a.push_back({static_cast<float>(s.a.x), static_cast<float>(s.a.y)});
    walls.b.push_back({static_cast<float>(s.b.x), static_cast<float>(s.b.y)});
  }
  walls.grid = geometry::SegmentGrid(walls.a, walls.b, 2.0f);
  return walls;
}

// An independent crossing test in 80-bit arithmetic.
long double side(Vec2 a, Vec2 b, Vec2 c) {
  return (static_cast<long double>(b.x) - a.x) * (static_cast<long double>(c.y) - a.y) -
         (static_cast<long double>(b.y) - a.y) * (static_cast<long double>(c.x) - a.x);
}
bool properlyCross(Vec2 p, Vec2 q, Vec2 a, Vec2 b) {
  return side(p, q, a) * side(p, q, b) < 0 && side(a, b, p) * side(a, b, q) < 0;
}

float distanceTo(const ground::Walls& walls, Vec2 p) {
  float nearest = INFINITY;
  for (std::size_t i = 0; i < walls.size(); ++i) {
    const Vec2 d = walls.b[i] - walls.a[i];
    const float t = std::clamp(dot(p - walls.a[i], d) / lengthSquared(d), 0.0f, 1.0f);
    nearest = std::min(nearest, length(p - (walls.a[i] + d * t)));
  }
  return nearest;
}

TEST(Contact, InTheOpenNothingIsChanged) {
  std::vector<std::uint32_t> near;
  EXPECT_EQ(moveAlongWalls(wallsOf({}), {1, 2}, 0.25f, {0.5f, -0.25f}, near), (Vec2{1.5f, 1.75f}));
  EXPECT_EQ(moveAlongWalls(wallsOf({{{50, 50}, {60, 50}}}), {1, 2}, 0.25f, {0.5f, -0.25f}, near), (Vec2{1.5f, 1.75f}));
}

TEST(Contact, StopsAtAWallAtOnesRadius) {
  std::vector<std::uint32_t> near;
  const auto walls = wallsOf({{{-10, 0}, {10, 0}}});
  const Vec2 to = moveAlongWalls(walls, {0, 1}, 0.25f, {0, -5}, near);
  EXPECT_NEAR(to.x, 0, 1e-4);
  EXPECT_NEAR(to.y, 0.25, 1e-4);
}

TEST(Contact, SlidesAlongAWall) {
  std::vector<std::uint32_t> near;
  const auto walls = wallsOf({{{-10, 0}, {10, 0}}});
  const Vec2 to = moveAlongWalls(walls, {0, 0.25f}, 0.25f, {1, -1}, near);
  EXPECT_NEAR(to.x, 1, 1e-3);
  EXPECT_NEAR(to.y, 0.25, 1e-3);
}

TEST(Contact, SlidesRoundACorner) {
  std::vector<std::uint32_t> near;
  const auto walls = wallsOf({{{0, 0}, {0, -10}}});  // its upper end is a corner at the origin
  Vec2 at{-1, -0.05f};
  for (int i = 0; i < 20; ++i) at = moveAlongWalls(walls, at, 0.25f, {0.2f, 0.02f}, near);
  EXPECT_GT(at.x, 1);  // over the top
}

TEST(Contact, StopsInANiche) {
  std::vector<std::uint32_t> near;
  const auto walls = wallsOf({{{0, 0}, {10, 1}}, {{0, 0}, {10, -1}}});
  Vec2 at{8, 0};
  for (int i = 0; i < 50; ++i) at = moveAlongWalls(walls, at, 0.25f, {-0.5f, 0}, near);
  EXPECT_GT(distanceTo(walls, at), 0.2f);
  EXPECT_NEAR(at.y, 0, 0.05);
}

TEST(Contact, NobodyWalksThroughAWallWhateverIsAsked) {
  base::Random random(7, 11);
  const auto uniform = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  std::vector<std::uint32_t> near;
  for (int scene = 0; scene < 60; ++scene) {
    std::vector<Segment> segments;
    for (int i = 0; i < 40; ++i) {
      const Point a{random.uniform(-10, 10), random.uniform(-10, 10)};
      segments.push_back({a, a + Point{random.uniform(-4, 4), random.uniform(-4, 4)}});
      if (i % 3 == 0) segments.push_back({segments.back().b, {random.uniform(-10, 10), random.uniform(-10, 10)}});
    }
    const auto walls = wallsOf(segments);
    const float radius = uniform(0.05, 0.5);
    Vec2 at{uniform(-10, 10), uniform(-10, 10)};
    while (distanceTo(walls, at) < radius) at = {uniform(-10, 10), uniform(-10, 10)};
    for (int step = 0; step < 400; ++step) {
      const float reach = step % 7 == 0 ? 10.0f : 1.0f;  // up to 20 m/s for half a second
      const Vec2 to = moveAlongWalls(walls, at, radius, {uniform(-reach, reach), uniform(-reach, reach)}, near);
      for (std::size_t i = 0; i < walls.size(); ++i)
        ASSERT_FALSE(properlyCross(at, to, walls.a[i], walls.b[i])) << scene << " " << step;
      ASSERT_GT(distanceTo(walls, to), radius - 2e-3f) << scene << " " << step;
      at = to;
    }
  }
}

}  // namespace
}  // namespace throng::simulation
