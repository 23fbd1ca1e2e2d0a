// Two streams that meet in corridors too narrow for two files each pass one another, each in their own half.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "base/math.h"
#include "simulation/scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

/// Where a corridor leads.
enum class Shape { kStraight, kBend, kBends };

struct Corridor {
  Shape shape = Shape::kStraight;
  double width = 1.2, length = 16;  ///< m
  double turned = 0;                ///< °
  bool mirrored = false;
  bool keeps_left = false;
  std::uint32_t each = 20;  ///< people
  bool one_way = false;
};

Polygon placed(const Corridor& corridor, std::vector<Point> points) {
  double s, c;
  base::sinCos(corridor.turned * base::kPi / 180, s, c);
  Polygon polygon;
  for (Point& p : points) {
    if (corridor.mirrored) p.y = -p.y;
    polygon.outer.push_back({p.x * c - p.y * s, p.x * s + p.y * c});
  }
  if (corridor.mirrored) std::reverse(polygon.outer.begin(), polygon.outer.end());
  return polygon;
}

/// Rooms of 6 m x 6 m at both ends.
Scene sceneOf(const Corridor& corridor) {
  const double h = corridor.width / 2, x = corridor.length;
  std::vector<Point> walkable{{-6, -3}, {0, -3}, {0, -h}};
  std::vector<Point> goal;
  const auto add = [&](std::vector<Point> more) { walkable.insert(walkable.end(), more.begin(), more.end()); };
  switch (corridor.shape) {
    case Shape::kStraight:
      add({{x, -h}, {x, -3}, {x + 6, -3}, {x + 6, 3}, {x, 3}, {x, h}});
      goal = {{x + 1, -2.7}, {x + 5.7, -2.7}, {x + 5.7, 2.7}, {x + 1, 2.7}};
      break;
    case Shape::kBend:
      add({{x / 2 + h, -h},
           {x / 2 + h, x / 2},
           {x / 2 + 3, x / 2},
           {x / 2 + 3, x / 2 + 6},
           {x / 2 - 3, x / 2 + 6},
           {x / 2 - 3, x / 2},
           {x / 2 - h, x / 2},
           {x / 2 - h, h}});
      goal = {
          {x / 2 - 2.7, x / 2 + 1}, {x / 2 + 2.7, x / 2 + 1}, {x / 2 + 2.7, x / 2 + 5.7}, {x / 2 - 2.7, x / 2 + 5.7}};
      break;
    case Shape::kBends: {  // left, right, and there
      const double a = x / 3, up = x / 3;
      add({{a + h, -h},
           {a + h, up - h},
           {2 * a, up - h},
           {2 * a, up - 3},
           {2 * a + 6, up - 3},
           {2 * a + 6, up + 3},
           {2 * a, up + 3},
           {2 * a, up + h},
           {a - h, up + h},
           {a - h, h}});
      goal = {{2 * a + 1, up - 2.7}, {2 * a + 5.7, up - 2.7}, {2 * a + 5.7, up + 2.7}, {2 * a + 1, up + 2.7}};
      break;
    }
  }
  add({{0, h}, {0, 3}, {-6, 3}});
  const Polygon west = placed(corridor, {{-5.7, -2.7}, {-1, -2.7}, {-1, 2.7}, {-5.7, 2.7}}),
                east = placed(corridor, goal);
  Scene scene = emptyScene("throng");
  scene.layers[0].walkable = {placed(corridor, walkable)};
  scene.profiles[0].radius = Distribution::constant(0.2);
  scene.profiles[0].preferred_speed = Distribution::truncatedNormal(1.34, 0.2, 0.8, 1.9);
  if (corridor.keeps_left) scene.profiles[0].steering.parameters["side_preference"] = -0.6;
  scene.populations = {inArea(0, west, {toArea(east)}, "east")};
  if (!corridor.one_way) scene.populations.push_back(inArea(0, east, {toArea(west)}, "west"));
  for (Population& people : scene.populations) people.rate = 2, people.rate_limit = corridor.each;
  scene.run.duration = 200;
  return scene;
}

struct Passing {
  std::size_t arrived = 0;
  double last_arrival = 0, longest_stay = 0;      ///< s
  std::size_t in_own_half = 0, in_the_other = 0;  ///< people and moments, in the middle of a straight corridor
  double overlaps = 0, moments = 0;
};

Passing walk(const Corridor& corridor, std::uint64_t seed) {
  World world(sceneOf(corridor), seed, 1);
  Passing passing;
  struct Stay {
    Point at{1e9, 1e9};
    double since = 0;
  };
  std::vector<Stay> stays(4 * corridor.each);
  double s, c;
  base::sinCos(corridor.turned * base::kPi / 180, s, c);
  const std::size_t all = corridor.each * world.scene().populations.size();
  while (world.time() < 200 && passing.arrived < all) {
    world.step(0.1);
    passing.arrived += world.arrivals().size();
    passing.last_arrival = world.time();
    const agents::Crowd& crowd = world.crowd();
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      const Point at{crowd.x[i], crowd.y[i]};
      Stay& stay = stays[crowd.person[i]];
      if (length(at - stay.at) > 0.5) stay = {at, world.time()};
      passing.longest_stay = std::max(passing.longest_stay, world.time() - stay.since);
      bool overlaps = false;
      for (std::size_t j = 0; j < crowd.size(); ++j)
        overlaps |= j != i && length(at - Point{crowd.x[j], crowd.y[j]}) < 0.39;
      passing.overlaps += overlaps ? 1 : 0, passing.moments += 1;
      const double x = at.x * c + at.y * s, y = (at.y * c - at.x * s) * (corridor.mirrored ? -1 : 1);
      if (x < 0.3 * corridor.length || x > 0.7 * corridor.length || std::abs(y) > 0.6) continue;
      const bool east = crowd.population[i] == 0, right = (east ? -y : y) > 0;
      ++((right != corridor.mirrored) != corridor.keeps_left ? passing.in_own_half : passing.in_the_other);
    }
  }
  return passing;
}

TEST(Corridors, TwoStreamsPassOneAnotherInEveryShape) {
  base::Random random(11);
  for (const Shape shape : {Shape::kStraight, Shape::kBend, Shape::kBends})
    for (int i = 0; i < 4; ++i) {
      Corridor corridor;
      corridor.shape = shape;
      corridor.width = random.uniform(1.15, 1.8), corridor.length = random.uniform(12, 22);
      corridor.turned = random.uniform(0, 360), corridor.mirrored = random.below(2) == 0;
      corridor.keeps_left = random.below(3) == 0;
      SCOPED_TRACE(testing::Message() << "shape " << static_cast<int>(shape) << ", " << corridor.width << " m x "
                                      << corridor.length << " m, " << corridor.turned << "°, "
                                      << (corridor.mirrored ? "mirrored" : "not mirrored"));
      const Passing passing = walk(corridor, random.below(1000));
      EXPECT_EQ(passing.arrived, 40u);
      EXPECT_LT(passing.longest_stay, 30);
      EXPECT_LT(passing.last_arrival, 100);
      EXPECT_LE(passing.overlaps, 0.001 * passing.moments);
    }
}

TEST(Corridors, EverybodyKeepsToOneHalfWhereTheyMeet) {
  for (const bool left : {false, true})
    for (const bool mirrored : {false, true}) {
      Corridor corridor;
      corridor.turned = 33, corridor.mirrored = mirrored, corridor.keeps_left = left;
      const Passing passing = walk(corridor, 3);
      EXPECT_GT(passing.in_own_half, 12 * passing.in_the_other) << passing.in_own_half;
    }
}

TEST(Corridors, WhereNobodyComesTheOtherWayBothHalvesAreUsed) {
  Corridor corridor;
  corridor.one_way = true, corridor.turned = 33, corridor.each = 40;
  const Passing passing = walk(corridor, 3);
  EXPECT_EQ(passing.arrived, 40u);
  EXPECT_LT(passing.in_own_half, 2 * passing.in_the_other);
  EXPECT_LT(passing.in_the_other, 2 * passing.in_own_half);
}

/// Who has come along and when goes on from a snapshot, whatever the number of threads.
TEST(Corridors, GoOnWithTheSameBytes) {
  Corridor corridor;
  corridor.shape = Shape::kBend;
  const Scene scene = sceneOf(corridor);
  World whole(scene, 5, 1);
  for (int i = 0; i < 150; ++i) whole.step(0.1);
  const auto bytes = whole.save();
  World again(scene, 5, 2);
  again.load(bytes);
  ASSERT_EQ(again.save(), bytes);
  for (int i = 0; i < 150; ++i) {
    whole.step(0.1), again.step(0.1);
    ASSERT_EQ(whole.hash(), again.hash()) << i;
  }
}

}  // namespace
}  // namespace throng::simulation
