// Dense crowds steered by `throng`: as fast as measured, through doors, without overlaps. `throng validate` looks at
// more.
#include <cmath>
#include <gtest/gtest.h>
#include <throng/throng.h>

namespace throng {
namespace {

struct Place {
  double cosine, sine;
  bool mirrored;

  Place(double degrees, bool mirror)
      : cosine(std::cos(degrees * M_PI / 180)), sine(std::sin(degrees * M_PI / 180)), mirrored(mirror) {}
  Point at(Point p) const {
    const double y = mirrored ? -p.y : p.y;
    return {p.x * cosine - y * sine, y * cosine + p.x * sine};
  }
  Polygon polygon(std::vector<Point> corners) const {
    for (Point& corner : corners) corner = at(corner);
    if (mirrored) std::reverse(corners.begin(), corners.end());
    return {corners, {}};
  }
  Polygon box(double x0, double y0, double x1, double y1) const {
    return polygon({{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
  }
};

Scene crowd(std::uint64_t seed) {
  Scene scene;
  scene.layers.resize(1);
  Profile profile;
  profile.radius = Distribution::constant(0.2);
  profile.preferred_speed = Distribution::constant(1.34);
  profile.steering.model = "throng";
  scene.profiles = {profile};
  scene.run.seed = seed;
  return scene;
}

Population people(std::uint32_t count, const Polygon& from, const Goal& to) {
  Population population;
  population.count = count;
  population.start.shape = StartArea{{from}};
  population.goals = {to};
  return population;
}

/// People with somebody deeper than 1 cm in them.
std::size_t overlapping(const Frame& frame) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < frame.x.size(); ++i) {
    bool deep = false;
    for (std::size_t j = 0; j < frame.x.size() && !deep; ++j)
      deep = i != j && std::hypot(frame.x[i] - frame.x[j], frame.y[i] - frame.y[j]) <
                           double{frame.radius[i]} + frame.radius[j] - 0.01;
    count += deep ? 1 : 0;
  }
  return count;
}

TEST(DenseCrowds, WalkAsFastAsWeidmannSays) {
  for (const double density : {1.0, 2.0, 3.0, 4.0}) {
    SCOPED_TRACE(density);
    Scene scene = crowd(1000 + static_cast<std::uint64_t>(density));
    const Place place(0, false);
    scene.layers[0].walkable = {place.box(-5, 0, 17, 3)};
    scene.layers[0].wrap = Rectangle{{0, -1}, {12, 4}};
    scene.populations = {
        people(static_cast<std::uint32_t>(density * 36), place.box(0, 0.21, 12, 2.79), {GoalDirection{{1, 0}}})};
    scene.run.duration = 25;
    World world(scene);
    double speed = 0;
    std::size_t moments = 0, deep = 0;
    while (!world.finished()) {
      world.step();
      if (world.time() < 15) continue;
      for (const float v : world.velocityX()) speed += v, ++moments;
      deep += overlapping(world.frame());
    }
    const double weidmann = 1.34 * (1 - std::exp(-1.913 * (1 / density - 1 / 5.4)));
    EXPECT_NEAR(speed / static_cast<double>(moments), weidmann, 0.2);
    EXPECT_LE(deep, moments / 1000);
  }
}

/// Two rooms of so many metres, and a door of 0.7 m in a wall of 0.2 m.
Polygon doorForOne(const Place& place, double left, double right) {
  return place.polygon({{-left, -5},
                        {-0.1, -5},
                        {-0.1, -0.35},
                        {0.1, -0.35},
                        {0.1, -5},
                        {right, -5},
                        {right, 5},
                        {0.1, 5},
                        {0.1, 0.35},
                        {-0.1, 0.35},
                        {-0.1, 5},
                        {-left, 5}});
}

TEST(DenseCrowds, PassADoorForOne) {
  for (const double degrees : {0.0, 23.0, 90.0, 201.0}) {
    for (const bool mirrored : {false, true}) {
      SCOPED_TRACE(degrees + (mirrored ? 0.5 : 0));
      Scene scene = crowd(2000 + static_cast<std::uint64_t>(degrees));
      const Place place(degrees, mirrored);
      scene.layers[0].walkable = {doorForOne(place, 9, 8)};
      scene.populations = {people(60, place.box(-8, -4, -1, 4), {GoalArea{{place.box(3, -3, 7, 3)}}})};
      scene.run.until_all_arrived = true;
      scene.run.duration = 80;
      World world(scene);
      std::size_t arrived = 0, moments = 0, deep = 0;
      while (!world.finished()) {
        world.step();
        arrived += world.arrivals().size();
        moments += world.frame().x.size(), deep += overlapping(world.frame());
      }
      EXPECT_EQ(arrived, 60u);
      EXPECT_LE(deep, moments / 500);
    }
  }
}

// Five people before a narrow door can wedge one another, as stones in an arch; with others behind them they stood for
// minutes in one run of a hundred, and were pressed into one another meanwhile. These runs are some of those.
TEST(DenseCrowds, NoArchHoldsADoor) {
  for (const std::uint64_t seed : {43023u, 43118u, 41018u, 42083u}) {
    SCOPED_TRACE(seed);
    Scene scene = crowd(seed);
    scene.profiles[0].preferred_speed = Distribution::truncatedNormal(1.34, 0.2, 0.8, 1.9);
    const Place place(seed == 42083u ? 67 : seed == 41018u ? 31 : 17, false);
    scene.layers[0].walkable = {doorForOne(place, 10, 10)};
    scene.populations = {people(100, place.box(-9, -4, -1.5, 4), {GoalArea{{place.box(4, -3, 9, 3)}}})};
    scene.run.until_all_arrived = true;
    scene.run.duration = 100;
    World world(scene);
    std::size_t arrived = 0, moments = 0, deep = 0;
    while (!world.finished()) {
      world.step();
      arrived += world.arrivals().size();
      if (world.steps() % 5 != 0) continue;
      moments += world.frame().x.size(), deep += overlapping(world.frame());
    }
    EXPECT_EQ(arrived, 100u);
    EXPECT_LE(deep, moments / 1000);
  }
}

/// Two rooms and a door, people on both sides who want to be on the other.
Scene doorBothWays(const Place& place, std::uint64_t seed, double width, double depth, double middle, double half) {
  Scene scene = crowd(seed);
  const double low = middle - width / 2, high = middle + width / 2;
  scene.layers[0].walkable = {place.polygon({{-10, -half},
                                             {-depth, -half},
                                             {-depth, low},
                                             {depth, low},
                                             {depth, -half},
                                             {10, -half},
                                             {10, half},
                                             {depth, half},
                                             {depth, high},
                                             {-depth, high},
                                             {-depth, half},
                                             {-10, half}})};
  const double inner = half - 0.4;
  const Polygon left = place.box(-9.5, -inner, -depth - 1, inner), right = place.box(depth + 1, -inner, 9.5, inner);
  scene.populations = {people(25, left, {GoalArea{{place.box(5, -inner, 9.5, inner)}}}),
                       people(25, right, {GoalArea{{place.box(-9.5, -inner, -5, inner)}}})};
  scene.run.until_all_arrived = true;
  scene.run.duration = 150;
  return scene;
}

// Doors anywhere in the wall, in deep and in thin walls, in rooms and in corridors.
TEST(DenseCrowds, PassADoorBothWays) {
  std::uint64_t state = 77;
  const auto random = [&](double from, double to) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * static_cast<double>(state >> 40) / static_cast<double>(1 << 24);
  };
  for (std::uint64_t round = 0; round < 24; ++round) {
    const Place place(random(0, 360), round % 2 == 1);
    const double width = random(0.8, 1.6), depth = random(0.05, 0.8), half = round % 3 == 0 ? 2.0 : 5.0;
    const double middle = random(-half + width / 2, half - width / 2);
    SCOPED_TRACE(testing::Message() << "round " << round << ", width " << width << ", depth " << depth << ", at "
                                    << middle << " of " << half);
    World world(doorBothWays(place, 3000 + round, width, depth, middle, half));
    std::size_t arrived = 0;
    while (!world.finished()) world.step(), arrived += world.arrivals().size();
    EXPECT_EQ(arrived, 50u);
    EXPECT_LT(world.time(), 120);
  }
}

// Whose turn it is goes on, whatever the number of threads.
TEST(DenseCrowds, GoOnFromASnapshotAtADoor) {
  const Scene scene = doorBothWays(Place(33, false), 5, 0.9, 0.1, 1, 5);
  World whole(scene, {.threads = 1}), again(scene, {.threads = 2});
  for (int i = 0; i < 150; ++i) whole.step();
  again.restore(whole.snapshot());
  for (int i = 0; i < 150; ++i) {
    whole.step(), again.step();
    ASSERT_EQ(whole.hash(), again.hash()) << "after " << whole.time() << " s";
  }
  EXPECT_EQ(whole.snapshot(), again.snapshot());
}

// Exactly opposite one another in a passage as wide as two and a half of them: nobody is to the left or right of
// anybody.
TEST(DenseCrowds, TwoWhoFaceOneAnotherGetPast) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    Scene scene = crowd(seed);
    const Place place(40.0 * static_cast<double>(seed), seed % 2 == 0);
    scene.layers[0].walkable = {place.box(0, -0.5, 12, 0.5)};
    for (const bool left : {true, false}) {
      Population one = people(1, place.box(0, 0, 1, 1), {GoalPoint{place.at({left ? 11.0 : 1.0, 0}), 0.5}});
      one.start.shape = StartPoints{{place.at({left ? 1.0 : 11.0, 0})}};
      scene.populations.push_back(one);
    }
    scene.run.until_all_arrived = true;
    scene.run.duration = 40;
    World world(scene);
    std::size_t arrived = 0;
    while (!world.finished()) world.step(), arrived += world.arrivals().size();
    EXPECT_EQ(arrived, 2u);
  }
}

/// Two streams of that many people per second each that cross at right angles in corridors of 6 m.
Scene crossing(const Place& place, std::uint64_t seed, double rate) {
  Scene scene = crowd(seed);
  constexpr double kHalf = 3, kReach = 18, kIn = 2.7;
  scene.layers[0].walkable = {place.polygon({{-kReach, -kHalf},
                                             {-kHalf, -kHalf},
                                             {-kHalf, -kReach},
                                             {kHalf, -kReach},
                                             {kHalf, -kHalf},
                                             {kReach, -kHalf},
                                             {kReach, kHalf},
                                             {kHalf, kHalf},
                                             {kHalf, kReach},
                                             {-kHalf, kReach},
                                             {-kHalf, kHalf},
                                             {-kReach, kHalf}})};
  scene.profiles[0].preferred_speed = Distribution::uniform(1.1, 1.6);
  scene.populations = {people(0, place.box(-17.7, -kIn, -14, kIn), {GoalArea{{place.box(14, -kIn, 17.7, kIn)}}}),
                       people(0, place.box(-kIn, -17.7, kIn, -14), {GoalArea{{place.box(-kIn, 14, kIn, 17.7)}}})};
  for (Population& stream : scene.populations) stream.rate = rate;
  scene.run.duration = 160;
  return scene;
}

// Who cannot get out of a crossing holds up everybody else who is in it.
TEST(DenseCrowds, KeepCrossingsClear) {
  std::size_t with = 0, without = 0;
  for (const std::uint64_t seed : {11u, 12u, 13u}) {
    Scene scene = crossing(Place(25.0 * static_cast<double>(seed), seed % 2 == 0), seed, 5);
    for (const bool clear : {true, false}) {
      scene.profiles[0].give_way = clear;
      World world(scene);
      while (!world.finished()) world.step(), (clear ? with : without) += world.arrivals().size();
    }
  }
  EXPECT_GT(with, without * 11 / 10) << without;
}

// Those who go one way are in nobody's way, also where they come together before a door.
TEST(DenseCrowds, WhoGoOneWayDoNotWaitForOneAnother) {
  for (const double width : {0.9, 1.4, 2.4}) {
    const Place place(130 * width, false);
    double times[2];
    for (const bool clear : {true, false}) {
      Scene scene = crowd(21);
      const double half = width / 2;
      scene.layers[0].walkable = {place.polygon({{-9, -5},
                                                 {-0.1, -5},
                                                 {-0.1, -half},
                                                 {0.1, -half},
                                                 {0.1, -5},
                                                 {8, -5},
                                                 {8, 5},
                                                 {0.1, 5},
                                                 {0.1, half},
                                                 {-0.1, half},
                                                 {-0.1, 5},
                                                 {-9, 5}})};
      scene.populations = {people(120, place.box(-8, -4, -1, 4), {GoalArea{{place.box(3, -3, 7, 3)}}})};
      scene.profiles[0].give_way = clear;
      scene.run.until_all_arrived = true;
      World world(scene);
      while (!world.finished()) world.step();
      times[clear ? 1 : 0] = world.time();
    }
    EXPECT_NEAR(times[1], times[0], 0.05 * times[0]) << width;
  }
}

// A steering model sees the next few who stand there, not that there is room beside all of them.
TEST(DenseCrowds, WalkRoundAJam) {
  for (const bool mirrored : {false, true}) {
    const Place place(mirrored ? 7 : 163, mirrored);
    double last[2] = {0, 0};
    for (const bool go_round : {true, false}) {
      Scene scene = crowd(5);
      scene.layers[0].walkable = {place.box(0, -14, 40, 14)};
      scene.profiles[0].go_round = go_round;
      // Those who stand are nearer to one side, so that one is the shorter way.
      scene.populations = {people(200, place.box(17, -6, 23, 4.5), {GoalPoint{}}),
                           people(30, place.box(1, -3, 6, 3), {GoalArea{{place.box(34, -3, 39, 3)}}})};
      scene.populations[0].goals.clear();
      scene.populations[1].on_arrival = OnArrival::kLeave;
      scene.run.duration = 120;
      World world(scene);
      std::size_t arrived = 0;
      while (!world.finished() && arrived < 30) {
        world.step();
        arrived += world.arrivals().size();
        last[go_round ? 1 : 0] = world.time();
      }
      EXPECT_TRUE(!go_round || arrived == 30) << arrived;
    }
    EXPECT_LT(last[1], 50) << "38 m there, and some around";
    EXPECT_LT(last[1], 0.9 * last[0]) << last[0];
  }
}

// The same where benches leave a lane in the middle of it, through which the route leads: nobody passes a queue before
// a door, but past benches there is a way that leads through no door.
TEST(DenseCrowds, WalkRoundAJamBetweenBenches) {
  for (const double half : {0.9, 1.1})
    for (const bool mirrored : {false, true}) {
      SCOPED_TRACE(half);
      const Place place(mirrored ? 29 : 201, mirrored);
      std::size_t arrived[2] = {0, 0};
      for (const bool go_round : {true, false}) {
        Scene scene = crowd(6);
        scene.layers[0].walkable = {place.box(0, -14, 40, 14)};
        scene.layers[0].obstacles = {place.box(19, half, 21, half + 0.5), place.box(19, -half - 0.5, 21, -half)};
        scene.profiles[0].go_round = go_round;
        scene.profiles[0].avoid_congestion = false;  // routes lead through the lane
        scene.populations = {people(200, place.box(17, -6, 23, 4.5), {GoalPoint{}}),
                             people(30, place.box(1, -0.8, 9, 0.8), {GoalArea{{place.box(31, -0.8, 39, 0.8)}}})};
        scene.populations[0].goals.clear();
        scene.populations[1].on_arrival = OnArrival::kLeave;
        scene.run.duration = 55;
        World world(scene);
        while (!world.finished()) {
          world.step();
          arrived[go_round ? 1 : 0] += world.arrivals().size();
        }
      }
      EXPECT_GE(arrived[1], 28u) << "38 m there, and some around";
      EXPECT_GT(arrived[1], arrived[0] + 10);
    }
}

// Steps to the side are for those who are stuck, not for those who wait their turn.
TEST(DenseCrowds, NobodyTurnsRoundInAQueue) {
  Scene scene = crowd(7);
  const Place place(0, false);
  scene.layers[0].walkable = {place.box(0, 0, 30, 0.6)};
  scene.layers[0].doors = {{"end", {{25, 0}, {25, 0.6}}, true}};
  scene.populations = {people(20, place.box(1, 0.2, 14, 0.4), {GoalPoint{{29, 0.3}, 0.5}})};
  scene.events = {{1.0, CloseDoor{"end"}}, {30.0, OpenDoor{"end"}}};
  scene.run.duration = 30;
  World world(scene);
  while (!world.finished()) {
    world.step();
    for (const float v : world.velocityX()) ASSERT_GT(v, -0.25f) << "at " << world.time() << " s";
  }
}

}  // namespace
}  // namespace throng
