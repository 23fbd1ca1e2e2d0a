// The lines of walls against what they are for: who keeps to them touches no wall before the time horizon, and who
// would touch none is not hindered.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "base/math.h"
#include "base/random.h"
#include "steering/orca.h"
#include "steering/orca_lines.h"
#include "steering/orca_reference.h"
#include "steering/small_world.h"

namespace throng::steering {
namespace {

constexpr float kHorizon = 2;
constexpr float kRadius = 0.25f;
constexpr float kSpeed = 1.95f;

std::vector<OrcaLine> wallLines(const SmallWorld& world, Vec2 position, Vec2 velocity) {
  OrcaWallScratch scratch;
  std::vector<OrcaLine> lines{{{9, 9}, {9, 9}}};
  orcaWallLines(world.floors[0].walls, {position, velocity, kRadius, kSpeed}, kHorizon, scratch, lines);
  return lines;
}

double distanceToSegment(Point p, Point a, Point b) {
  const Point span = b - a;
  const double t = std::clamp(dot(p - a, span) / std::max(1e-12, lengthSquared(span)), 0.0, 1.0);
  return length(p - (a + span * t));
}

bool cross(Point a, Point b, Point c, Point d) {
  return det(b - a, c - a) * det(b - a, d - a) < 0 && det(d - c, a - c) * det(d - c, b - c) < 0;
}

// The least distance to any wall on the way from `position` with `velocity` until the horizon.
double clearanceOnTheWay(const ground::Walls& walls, Vec2 position, Vec2 velocity) {
  const Point p{position.x, position.y}, q{p.x + kHorizon * velocity.x, p.y + kHorizon * velocity.y};
  double least = 1e9;
  for (std::size_t i = 0; i < walls.size(); ++i) {
    const Point a{walls.a[i].x, walls.a[i].y}, b{walls.b[i].x, walls.b[i].y};
    if (cross(p, q, a, b)) return 0;
    least = std::min({least, distanceToSegment(p, a, b), distanceToSegment(q, a, b), distanceToSegment(a, p, q),
                      distanceToSegment(b, p, q)});
  }
  return least;
}

bool inside(const std::vector<Vec2>& ring, Vec2 p) {
  bool in = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    if ((ring[i].y > p.y) != (ring[j].y > p.y) &&
        p.x < (ring[j].x - ring[i].x) * (p.y - ring[i].y) / (ring[j].y - ring[i].y) + ring[i].x) {
      in = !in;
    }
  }
  return in;
}

// A ring around the origin, counter-clockwise: solid inside. Without hollow corners, or with some.
std::vector<Vec2> star(base::Random& random, int corners, bool hollow) {
  std::vector<Vec2> ring;
  for (int i = 0; i < corners; ++i) {
    double sine, cosine;
    base::sinCos(2 * base::kPi * (i + random.uniform(0, 0.5)) / corners, sine, cosine);
    const double r = hollow ? random.uniform(0.6, 2.0) : 1.5;
    ring.push_back({static_cast<float>(r * cosine), static_cast<float>(r * sine)});
  }
  return ring;
}

Vec2 randomVelocity(base::Random& random, double speed) {
  double sine, cosine;
  base::sinCos(random.uniform(0, 2 * base::kPi), sine, cosine);
  const double s = speed * std::sqrt(random.uniform());
  return {static_cast<float>(s * cosine), static_cast<float>(s * sine)};
}

TEST(OrcaWalls, WhoWalksAtAWallStopsInFrontOfItAndSlidesAlong) {
  SmallWorld world;
  world.addRing({{-50, 1}, {50, 1}, {50, 3}, {-50, 3}});  // a block above y = 1
  const auto lines = wallLines(world, {0, 0}, {1, 1});
  ASSERT_EQ(lines.size(), 1u);
  const Vec2 v = orcaVelocity(lines, 1, kSpeed, {1, 1}, 0).velocity;
  EXPECT_NEAR(v.x, 1, 1e-5f);
  EXPECT_NEAR(v.y, (1 - kRadius) / kHorizon, 1e-5f);
}

TEST(OrcaWalls, FarWallsAndBackSidesDoNotMatter) {
  SmallWorld world;
  world.addRing({{-50, 1}, {50, 1}, {50, 3}, {-50, 3}});
  EXPECT_TRUE(wallLines(world, {0, -4}, {0, 1.95f}).empty());
  EXPECT_FALSE(wallLines(world, {0, -3}, {0, 1.95f}).empty());
  // Somebody who got into the block is held by no wall of it.
  const auto lines = wallLines(world, {0, 2}, {0, 1});
  EXPECT_TRUE(lines.empty());
}

TEST(OrcaWalls, ARoomKeepsPeopleInEveryCorner) {
  SmallWorld world;
  world.addRing({{0, 0}, {0, 4}, {4, 4}, {4, 0}});  // clockwise: solid outside, every corner hollow
  for (const std::uint8_t convex : world.floors[0].walls.convex) EXPECT_EQ(convex, 0);
  for (const Vec2 wish : {Vec2{1.3f, 1.3f}, Vec2{-1.3f, 1.3f}, Vec2{-1.3f, -1.3f}, Vec2{1.3f, -1.3f}}) {
    Vec2 p{2, 2}, v{};
    for (int i = 0; i < 100; ++i) {
      const auto lines = wallLines(world, p, v);
      v = orcaVelocity(lines, lines.size(), kSpeed, wish, 0).velocity;
      p += v * 0.1f;
      ASSERT_GE(std::min({p.x, p.y, 4 - p.x, 4 - p.y}), kRadius - 1e-4f);
    }
    EXPECT_NEAR(p.x, wish.x > 0 ? 3.75f : 0.25f, 0.05f);
    EXPECT_NEAR(p.y, wish.y > 0 ? 3.75f : 0.25f, 0.05f);
  }
}

TEST(OrcaWalls, AThinWallIsPassedAroundItsEnd) {
  SmallWorld world;
  world.addRing({{0, -1}, {0, 1}});  // there and back
  Vec2 p{-3, 0.8f}, v{1.3f, 0};
  double least = 1e9;
  for (int i = 0; i < 80; ++i) {
    const Vec2 wish = normalized(Vec2{4, 1.5f} - p) * 1.3f;
    const auto lines = wallLines(world, p, v);
    v = orcaVelocity(lines, lines.size(), kSpeed, wish, 0).velocity;
    p += v * 0.1f;
    least = std::min(least, clearanceOnTheWay(world.floors[0].walls, p, {0, 0}));
  }
  EXPECT_GT(p.x, 2);
  EXPECT_GE(least, kRadius - 1e-3);
}

TEST(OrcaWalls, WhoTouchesMovesNoCloser) {
  SmallWorld world;
  world.addRing({{0, 0}, {2, 0}, {2, 2}, {0, 2}});
  struct Touch {
    Vec2 place, towards;
  };
  for (const Touch& t : {Touch{{1, -0.2f}, {0, 1}}, Touch{{-0.1f, -0.1f}, {1, 1}}, Touch{{2.15f, 1}, {-1, 0}},
                         Touch{{2.1f, 2.1f}, {-1, -1}}}) {
    const auto lines = wallLines(world, t.place, t.towards);
    const Vec2 v = orcaVelocity(lines, lines.size(), kSpeed, t.towards, 0).velocity;
    EXPECT_LE(dot(v, t.towards), 1e-5f);
    const Vec2 away = orcaVelocity(lines, lines.size(), kSpeed, -t.towards, 0).velocity;
    EXPECT_NEAR(length(away + t.towards), 0, 1e-5f);
  }
}

// Velocities allowed by the lines bring nobody onto a wall before the horizon; and a velocity that would not do so
// either is allowed when it is the current one, since every line touches the forbidden set where it is nearest to that.
// (The second holds for convex solids only: at a hollow corner a wall's forbidden set goes on straight for ever, behind
// the next wall mostly but beyond its end too.)
TEST(OrcaWalls, AllowedMeansFreeAndFreeMeansAllowed) {
  base::Random random(21);
  int allowed = 0, free = 0, forbidden = 0;
  for (int scene = 0; scene < 300; ++scene) {
    SmallWorld world;
    const bool hollow = scene % 2 == 1;
    const auto ring = star(random, 3 + scene % 6, hollow);
    world.addRing(ring);
    const ground::Walls& walls = world.floors[0].walls;
    for (int i = 0; i < 40; ++i) {
      const Vec2 p{static_cast<float>(random.uniform(-4, 4)), static_cast<float>(random.uniform(-4, 4))};
      if (inside(ring, p) || clearanceOnTheWay(walls, p, {}) < kRadius + 1e-3) continue;
      const Vec2 v = randomVelocity(random, kSpeed);
      const auto lines = wallLines(world, p, v);
      const auto keeps = [&](Vec2 u, float margin) {
        return std::all_of(lines.begin(), lines.end(),
                           [&](const OrcaLine& line) { return det(line.direction, line.point - u) <= margin; });
      };
      const double now = clearanceOnTheWay(walls, p, v);
      if (now > kRadius + 1e-3 && !hollow) {
        ++free;
        EXPECT_TRUE(keeps(v, 1e-3f)) << "free but forbidden";
      }
      if (now < kRadius - 1e-3) {
        ++forbidden;
        EXPECT_FALSE(keeps(v, -1e-3f)) << "not free but allowed";
      }
      for (int k = 0; k < 10; ++k) {
        const Vec2 u = randomVelocity(random, kSpeed);
        if (!keeps(u, -1e-4f)) continue;
        ++allowed;
        EXPECT_GE(clearanceOnTheWay(walls, p, u), kRadius - 2e-3);
      }
      if (HasFailure()) {
        std::string text;
        for (const Vec2 c : ring) text += " (" + std::to_string(c.x) + ", " + std::to_string(c.y) + ")";
        FAIL() << "ring" << text << " from (" << p.x << ", " << p.y << ") with (" << v.x << ", " << v.y << ")";
      }
    }
  }
  std::printf("%d allowed velocities were free; of the current ones %d free and %d not\n", allowed, free, forbidden);
  EXPECT_GT(allowed, 5000);
  EXPECT_GT(free, 1000);
  EXPECT_GT(forbidden, 500);
}

}  // namespace
}  // namespace throng::steering
