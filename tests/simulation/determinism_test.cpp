// Same seed, same bytes: on any number of threads and after a restart; and nobody ever crosses a wall.
#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/predicates.h"
#include "simulation/scenes.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

/// A room with random convex obstacles and walls, and people of every model walking to and fro.
Scene randomScene(std::uint64_t seed, std::uint32_t people) {
  base::Random random(seed, 0);
  Scene scene = emptyScene();
  scene.profiles.clear();
  scene.layers[0].walkable = {box(0, 0, 30, 30)};
  for (int i = 0; i < 8; ++i) {
    const Point centre{random.uniform(4, 26), random.uniform(4, 26)};
    const double phase = random.uniform(0, 6), radius = random.uniform(0.3, 2);
    const int corners = 3 + static_cast<int>(random.below(5));
    Polygon polygon;
    for (int k = 0; k < corners; ++k)
      polygon.outer.push_back(
          centre + Point{std::cos(phase + 2 * M_PI * k / corners), std::sin(phase + 2 * M_PI * k / corners)} * radius);
    scene.layers[0].obstacles.push_back(polygon);
  }
  for (int i = 0; i < 3; ++i)
    scene.layers[0].walls.push_back(
        {{{random.uniform(2, 28), random.uniform(2, 28)}, {random.uniform(2, 28), random.uniform(2, 28)}}});
  const auto models = steering::models().entries();
  for (const auto& model : models) {
    Profile profile;
    profile.name = profile.steering.model = std::string(model.info.name);
    profile.radius = Distribution::uniform(0.15, 0.35);
    profile.preferred_speed = Distribution::truncatedNormal(1.3, 0.4, 0.5, 3);
    if (scene.profiles.size() % 2 == 0) profile.stream.emplace();
    scene.profiles.push_back(profile);
    // Few of those who render what they see, with few pixels: they take long.
    const bool renders = model.piece < 64;
    if (renders) scene.profiles.back().steering.parameters = {{"columns", 64}, {"rows", 12}};
    const std::uint32_t count = renders ? 6 : people / static_cast<std::uint32_t>(models.size());
    Population population =
        inArea(count, box(0, 0, 30, 30), {toArea(box(1, 1, 29, 3)), toArea(box(1, 27, 29, 29))}, profile.name);
    population.profile = profile.name;
    population.on_arrival = OnArrival::kGoBack;
    scene.populations.push_back(population);
  }
  return scene;
}

TEST(Determinism, ThreadsDoNotChangeABit) {
  const Scene scene = randomScene(3, 600);
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 7}) {
    World world(scene, 5, threads);
    for (int i = 0; i < 80; ++i) world.step(0.1);
    hashes.push_back(world.hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
  World other(scene, 6, 1);
  for (int i = 0; i < 80; ++i) other.step(0.1);
  EXPECT_NE(other.hash(), hashes[0]) << "another seed is another run";
}

// Enough people that every system is cut into many pieces.
TEST(Determinism, NorInALargeCrowd) {
  constexpr double kSide = 260;  // m, for 20,000 people: 0.3 a square metre
  Scene scene = emptyScene();
  scene.layers[0].wrap = Rectangle{{0, 0}, {kSide, kSide}};
  scene.profiles.clear();
  for (const char* model : {"orca", "social-force"}) {
    Profile profile;
    profile.name = profile.steering.model = model;
    scene.profiles.push_back(profile);
    const Goal ahead{GoalDirection{{scene.populations.empty() ? 1.0 : -1.0, 0.2}}};
    scene.populations.push_back(inArea(10000, box(0, 0, kSide, kSide), {ahead}, model));
    scene.populations.back().profile = model;
  }
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 7}) {
    World world(scene, 5, threads);
    for (int i = 0; i < 5; ++i) world.step(0.1);
    hashes.push_back(world.hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(Determinism, ARestartGoesOnBitForBit) {
  Scene scene = randomScene(4, 200);
  Population late = inArea(0, box(0, 0, 30, 4), {toArea(box(1, 27, 29, 29))}, "late");
  late.rate = 3;
  late.profile = "orca";
  scene.populations.push_back(late);
  World whole(scene, 9, 2);
  World first(scene, 9, 2);
  const AgentId added =
      first.add({{15, 15}, 0, 0, 0, 0.05, {}}, {toPoint({2, 2}), toArea(box(20, 20, 25, 25))}, OnArrival::kStay);
  whole.add({{15, 15}, 0, 0, 0, 0.05, {}}, {toPoint({2, 2}), toArea(box(20, 20, 25, 25))}, OnArrival::kStay);
  ASSERT_TRUE(first.crowd().contains(added));
  for (int i = 0; i < 45; ++i) first.step(0.1), whole.step(0.1);
  const auto bytes = first.save();
  World second(scene, 9, 1);
  second.load(bytes);
  EXPECT_EQ(second.hash(), first.hash());
  for (int i = 0; i < 75; ++i) {
    second.step(0.1), whole.step(0.1);
    ASSERT_EQ(second.hash(), whole.hash()) << i;
    ASSERT_EQ(second.arrivals().size(), whole.arrivals().size()) << i;
  }
}

TEST(Determinism, ARestartRemembersWhatSteeringKeepsOfPeople) {
  for (const char* model : {"short-term-1", "short-term-2", "vision", "vision-points", "vision-predictive"}) {
    SCOPED_TRACE(model);
    Scene scene = emptyScene(model);
    scene.populations.push_back(inArea(12, box(-6, -3, -1, 3), {toPoint({20, 0})}, "east"));
    scene.populations.push_back(inArea(12, box(1, -3, 6, 3), {toPoint({-20, 0})}, "west"));
    World whole(scene, 3, 1), even(scene, 3, 2), odd(scene, 3, 2);
    for (int i = 0; i < 20; ++i) whole.step(0.1);
    // The short-term models decide in every other step: a restart before either kind.
    even.load(whole.save());
    whole.step(0.1), even.step(0.1);
    odd.load(whole.save());
    const agents::Crowd& crowd = whole.crowd();
    bool kept = std::string(model) == "vision-predictive";  // which keeps nothing
    if (const auto* memory = crowd.find<float>("steering.memory_x"))
      for (std::uint32_t i = 0; i < crowd.size(); ++i) kept = kept || (*memory)[i] != 0;
    EXPECT_TRUE(kept);
    for (int i = 0; i < 15; ++i) {
      whole.step(0.1), even.step(0.1), odd.step(0.1);
      ASSERT_EQ(whole.hash(), even.hash()) << i;
      ASSERT_EQ(whole.hash(), odd.hash()) << i;
    }
  }
}

TEST(Walls, NobodyEverCrossesOne) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Scene scene = randomScene(seed, 120);
    for (Profile& profile : scene.profiles) profile.preferred_speed = Distribution::uniform(0.5, 6);
    World world(scene, seed, 2);
    const auto& walls = world.space().floors()[0].walls;
    const double dt = 0.5 / static_cast<double>(seed % 3 + 1);
    std::vector<std::pair<std::uint32_t, Point>> before;
    for (int i = 0; i < 60; ++i) {
      before.clear();
      for (std::size_t r = 0; r < world.crowd().size(); ++r)
        before.emplace_back(world.crowd().person[r], Point{world.crowd().x[r], world.crowd().y[r]});
      std::sort(before.begin(), before.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      world.step(dt);
      for (std::size_t r = 0; r < world.crowd().size(); ++r) {
        const auto who = std::lower_bound(before.begin(), before.end(), world.crowd().person[r],
                                          [](const auto& entry, std::uint32_t p) { return entry.first < p; });
        const Point from = who->second, to{world.crowd().x[r], world.crowd().y[r]};
        for (std::size_t w = 0; w < walls.size(); ++w)
          ASSERT_FALSE(
              geometry::segmentsIntersect(from, to, {walls.a[w].x, walls.a[w].y}, {walls.b[w].x, walls.b[w].y}))
              << "seed " << seed << " step " << i << " person " << world.crowd().person[r] << " "
              << scene.profiles[world.crowd().profile[r]].name;
      }
    }
  }
}

}  // namespace
}  // namespace throng::simulation
