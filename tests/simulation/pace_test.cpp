// Nobody hurries to a queue: two squares, streets and a bridge between them, turned and mirrored.
#include <algorithm>
#include <gtest/gtest.h>

#include "base/math.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

struct Bridge {
  double width = 3;
  std::uint32_t people = 700;
  double degrees = 0;
  bool mirrored = false;

  Scene scene(bool harmonise) const {
    double sine, cosine;
    base::sinCos(degrees * base::kPi / 180, sine, cosine);
    const auto turned = [&](Point p) {
      if (mirrored) p.y = -p.y;
      return Point{cosine * p.x - sine * p.y, sine * p.x + cosine * p.y};
    };
    const double w = width / 2;
    std::vector<Point> ring{{-98, -15}, {-68, -15}, {-68, -4}, {-8, -4}, {-8, -w},  {8, -w},  {8, -4},
                            {68, -4},   {68, -15},  {98, -15}, {98, 15}, {68, 15},  {68, 4},  {8, 4},
                            {8, w},     {-8, w},    {-8, 4},   {-68, 4}, {-68, 15}, {-98, 15}};
    for (Point& p : ring) p = turned(p);
    if (mirrored) std::reverse(ring.begin(), ring.end());
    Scene scene;
    scene.layers.emplace_back().walkable = {{ring, {}}};
    Profile& profile = scene.profiles.emplace_back();
    profile.radius = Distribution::uniform(0.2, 0.25);
    profile.preferred_speed = Distribution::uniform(1.0, 1.6);
    profile.steering.parameters["time_gap"] = 0.4;
    profile.harmonise_speed = harmonise;
    scene.places = {{"west", turned({-83, 0}), {}, {}, 9}, {"east", turned({83, 0}), {}, {}, 9}};
    Population flow;
    flow.name = "walkers";
    flow.count = people;
    flow.flow = FlowEnds{"west", "east"};
    flow.flow->spread = true;
    scene.populations = {flow};
    scene.run.duration = 1000;
    return scene;
  }
};

/// Share of the time that people walk slower than 0.5 m/s, and how many have arrived.
struct Walked {
  double slow = 0;
  std::size_t arrivals = 0;
};

Walked walk(const Scene& scene, std::uint64_t seed, int seconds) {
  World world(scene, seed, 2);
  Walked walked;
  double all = 0, slow = 0;
  for (int i = 0; i < 10 * seconds; ++i) {
    world.step(0.1);
    walked.arrivals += world.arrivals().size();
    if (i % 10 != 0) continue;
    const agents::Crowd& crowd = world.crowd();
    for (std::uint32_t r = 0; r < crowd.size(); ++r) ++all, slow += length(Vec2{crowd.vx[r], crowd.vy[r]}) < 0.5f;
  }
  walked.slow = slow / all;
  return walked;
}

// More people want to cross than the bridge carries.
TEST(Pace, KeepsQueuesAwayFromABridge) {
  for (const Bridge& bridge : {Bridge{3, 700, 0, false}, Bridge{3, 700, 37, true}}) {
    const Walked with = walk(bridge.scene(true), 21, 150), without = walk(bridge.scene(false), 21, 150);
    EXPECT_LT(with.slow, 0.7 * without.slow);
    EXPECT_GT(static_cast<double>(with.arrivals), 0.85 * static_cast<double>(without.arrivals));
  }
}

TEST(Pace, WhoIsAloneWalksAsEverTheSameBits) {
  const Bridge bridge{3, 1, 11, false};
  World with(bridge.scene(true), 4, 1), without(bridge.scene(false), 4, 1);
  for (int i = 0; i < 600; ++i) {
    with.step(0.1), without.step(0.1);
    ASSERT_EQ(with.crowd().x[0], without.crowd().x[0]) << with.time();
    ASSERT_EQ(with.crowd().y[0], without.crowd().y[0]) << with.time();
  }
}

TEST(Pace, NobodyStrollsSlowerThanOneStrolls) {
  const Bridge bridge{3, 500, 0, false};
  World world(bridge.scene(true), 8, 2);
  bool any = false;
  for (int i = 0; i < 400; ++i) {
    world.step(0.1);
    const agents::Crowd& crowd = world.crowd();
    const auto* slack = crowd.find<float>("pace.slack");
    ASSERT_NE(slack, nullptr);
    for (std::uint32_t r = 0; r < crowd.size(); ++r) {
      any |= (*slack)[r] > 0.2f;
      ASSERT_GE((*slack)[r], 0.0f);
      ASSERT_GE((1 - (*slack)[r]) * crowd.preferred_speed[r], 0.7499f);
    }
  }
  EXPECT_TRUE(any);
}

TEST(Pace, GoesOnFromASnapshotWithAnyNumberOfThreads) {
  const Scene scene = Bridge{3, 400, 20, true}.scene(true);
  World world(scene, 5, 1), other(scene, 5, 3);
  for (int i = 0; i < 455; ++i) world.step(0.1);
  other.load(world.save());
  for (int i = 0; i < 155; ++i) world.step(0.1), other.step(0.1);
  EXPECT_EQ(world.hash(), other.hash());
}

}  // namespace
}  // namespace throng::simulation
