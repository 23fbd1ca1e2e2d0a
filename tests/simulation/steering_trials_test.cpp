// Situations that every model that sees people has to come out of, neither frozen for ever nor trembling, and the same
// way every time. `linear` and `seek` avoid nobody: they are no part of this.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "simulation/scenes.h"
#include "simulation/world.h"
#include "steering/models.h"

namespace throng::simulation {
namespace {

constexpr double kDt = 0.1;

struct Trial {
  std::size_t arrived = 0;
  double last_arrival = 0;  ///< s
  double nearest = 1e9;     ///< m, least gap between two bodies; negative: overlap
  // Of those still there, in the last 5 s:
  double restless = 0;   ///< m/s², mean change of velocity
  double speed = 0;      ///< m/s, mean
  double reversals = 0;  ///< per person and minute: turns by more than 90° from one step to the next
  std::uint64_t hash = 0;
};

/// Velocities by person, who may be in another row after a step, or gone.
class LastVelocities {
 public:
  void remember(const agents::Crowd& crowd) {
    known_.assign(known_.size(), 0);
    for (std::uint32_t i = 0; i < crowd.size(); ++i) {
      const std::size_t person = crowd.person[i];
      if (person >= known_.size()) known_.resize(person + 1), velocity_.resize(person + 1);
      known_[person] = 1, velocity_[person] = {crowd.vx[i], crowd.vy[i]};
    }
  }
  Vec2 of(std::uint32_t person, Vec2 otherwise) const {
    return person < known_.size() && known_[person] ? velocity_[person] : otherwise;
  }

 private:
  std::vector<char> known_;
  std::vector<Vec2> velocity_;
};

/// Runs for `duration`, or until everybody has left; nobody may ever be faster than allowed, or nowhere.
Trial run(const Scene& scene, double duration, std::uint64_t seed = 1) {
  World world(scene, seed, 1);
  Trial trial;
  double samples = 0;
  LastVelocities last;
  while (world.time() < duration - 1e-9 && world.crowd().size() > 0) {
    last.remember(world.crowd());
    world.step(kDt);
    const agents::Crowd& crowd = world.crowd();
    trial.arrived += world.arrivals().size();
    if (!world.arrivals().empty()) trial.last_arrival = world.time();
    for (std::uint32_t i = 0; i < crowd.size(); ++i) {
      const Vec2 velocity{crowd.vx[i], crowd.vy[i]};
      EXPECT_LE(length(velocity), crowd.max_speed[i] * 1.001f) << i;  // false for NaN, too
      EXPECT_LT(std::abs(crowd.x[i]) + std::abs(crowd.y[i]), 1e3f) << i;
      for (std::uint32_t j = 0; j < i; ++j) {
        const double gap =
            std::hypot(crowd.x[i] - crowd.x[j], crowd.y[i] - crowd.y[j]) - crowd.radius[i] - crowd.radius[j];
        trial.nearest = std::min(trial.nearest, gap);
      }
      if (world.time() < duration - 5) continue;
      const Vec2 before = last.of(crowd.person[i], velocity);
      trial.restless += length(velocity - before) / kDt;
      trial.speed += length(velocity);
      constexpr float kMoving = 0.05f;  // m/s; slower is standing
      if (dot(before, velocity) < 0 && length(before) > kMoving && length(velocity) > kMoving) ++trial.reversals;
      ++samples;
    }
  }
  trial.hash = world.hash();
  if (samples > 0) trial.restless /= samples, trial.speed /= samples, trial.reversals *= 60 / kDt / samples;
  return trial;
}

struct Way {
  Point from, to;
};

/// What published models do not manage, by test: most know nothing that breaks a symmetry, and do not push (their pages
/// in docs/models say so).
bool isKnown(const std::string& model, const std::string& test) {
  const std::map<std::string, std::set<std::string>> known{
      {"karamouzas-2010",
       {"TwoPairsWhoMeetHeadOnPass", "TwoWhoMeetAtARightAnglePass", "ACornerIsLeftAndReached",
        "APassageBarelyWiderThanTheBodyIsPassed", "SixToASquareMetreGetOut"}},
      {"collision-free-speed",
       {"TwoWhoMeetHeadOnPass", "TwoPairsWhoMeetHeadOnPass", "TwoWhoMeetAtARightAnglePass", "FourFromFourSidesPass",
        "APassageBarelyWiderThanTheBodyIsPassed", "WhoStandsOnTheGoalStands"}},
      {"anticipation-velocity",
       {"TwoPairsWhoMeetHeadOnPass", "TwoWhoMeetAtARightAnglePass", "FourFromFourSidesPass", "ACornerIsLeftAndReached",
        "SixToASquareMetreGetOut"}},
      {"power-law", {"SixToASquareMetreWhoAllWantToOnePlaceCalmDown"}},
      {"gcfm",
       {"FourFromFourSidesPass", "SixToASquareMetreStandStill", "SixToASquareMetreWhoAllWantToOnePlaceCalmDown"}},
      {"optimal-steps", {"APassageBarelyWiderThanTheBodyIsPassed", "SixToASquareMetreGetOut"}}};
  const auto found = known.find(model);
  return found != known.end() && found->second.contains(test);
}

struct Steering : testing::TestWithParam<std::string> {
  Scene scene = emptyScene(GetParam());

  Steering() {
    scene.profiles[0].radius = Distribution::constant(0.25);
    scene.profiles[0].preferred_speed = Distribution::constant(1.3);
  }
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    if (isKnown(GetParam(), name.substr(0, name.find('/')))) GTEST_SKIP() << "known: docs/models";
  }
  void add(Point from, Goal to) {
    scene.populations.push_back(atPoints({from}, {to}, "p" + std::to_string(scene.populations.size())));
  }
  void addAndStay(Point from, Goal to) {
    add(from, to);
    scene.populations.back().on_arrival = OnArrival::kStay;
  }
  /// Crowds are costly to render; a small picture does for them.
  void lookCoarsely() {
    if (GetParam() == "vision" || GetParam() == "vision-predictive")
      scene.profiles[0].steering.parameters = {{"columns", 64}, {"rows", 16}};
  }
  void print(const char* what, const Trial& trial) const {
    std::printf(
        "%-13s %-20s arrived %2zu by %5.1f s, gap %6.3f m, restless %.2f m/s², speed %.2f m/s, %3.0f reversals\n",
        GetParam().c_str(), what, trial.arrived, trial.last_arrival, trial.nearest, trial.restless, trial.speed,
        trial.reversals);
  }
  /// `vision` and `vision-points` turn and slow down by what they see ahead. They know of no bodies and may overlap,
  /// and turning is not enough between walls and in a throng (docs/models).
  bool turnsOnly() const { return GetParam() == "vision" || GetParam() == "vision-points"; }
  /// As published, whoever is held up before a wall, or by a throng, may stand for ever: nothing moves in what they
  /// see. With `escape`, which is ours, they set off again.
  void letThemEscape() {
    if (turnsOnly()) scene.profiles[0].steering.parameters["escape"] = 1;
  }
  void expectNoDeeper(const Trial& trial, double deepest) const {
    if (!turnsOnly()) {
      EXPECT_GT(trial.nearest, -deepest);
    }
  }
  void expectEverybodyArrived(const Trial& trial, std::size_t people) const { EXPECT_EQ(trial.arrived, people); }
  /// Everybody comes through, twice the same way, and also when left and right are swapped, or the order of people.
  void expectResolved(const char* what, std::vector<Way> ways, double within, double deepest) {
    const auto runOf = [&] {
      scene.populations.clear();
      for (const Way& way : ways) add(way.from, toPoint(way.to));
      return run(scene, within);
    };
    const Trial trial = runOf(), again = runOf();
    print(what, trial);
    EXPECT_EQ(trial.arrived, ways.size());
    expectNoDeeper(trial, deepest);
    EXPECT_EQ(trial.hash, again.hash);
    for (Way& way : ways) way.from.y *= -1, way.to.y *= -1;
    const Trial mirrored = runOf();
    EXPECT_EQ(mirrored.arrived, ways.size()) << "mirrored";
    expectNoDeeper(mirrored, deepest);
    std::reverse(ways.begin(), ways.end());
    const Trial reversed = runOf();
    EXPECT_EQ(reversed.arrived, ways.size()) << "mirrored and in reverse order";
    expectNoDeeper(reversed, deepest);
  }
};

TEST_P(Steering, AloneOneWalksStraightAtThePreferredSpeed) {
  add({0, 0}, toPoint({16, 12}));
  World world(scene, 1, 1);
  double off = 0, turned = 0;
  Vec2 last{0.8f, 0.6f};
  while (world.crowd().size() > 0 && world.time() < 30) {
    const agents::Crowd& crowd = world.crowd();
    const Vec2 heading{crowd.heading_x[0], crowd.heading_y[0]};
    off = std::max<double>(off, std::abs(0.6 * crowd.x[0] - 0.8 * crowd.y[0]));
    turned += std::abs(det(last, heading)), last = heading;
    if (world.time() > 5) {
      EXPECT_NEAR(std::hypot(crowd.vx[0], crowd.vy[0]), 1.3, 0.01);
    }
    world.step(kDt);
  }
  EXPECT_LT(off, 0.02);
  EXPECT_LT(turned, 0.1);  // rad, in all
  EXPECT_LT(world.time(), 19.5 / 1.3 + 2.5);
}

TEST_P(Steering, TwoWhoMeetHeadOnPass) { expectResolved("head-on", {{{-6, 0}, {6, 0}}, {{6, 0}, {-6, 0}}}, 25, 0.05); }

// Whatever the length of steps and people's width.
TEST_P(Steering, OneComesRoundACornerAndTwoPass) {
  lookCoarsely();
  const bool stops = isKnown(GetParam(), "TwoWhoMeetHeadOnPass");
  for (const double dt : {0.01, 0.05, 0.25})
    for (const double radius : {0.15, 0.35}) {
      scene.profiles[0].radius = Distribution::constant(radius);
      scene.run.dt = dt;
      scene.populations.clear();
      scene.layers[0].walkable = {box(-8, -8, 12, 5)};
      scene.layers[0].obstacles = {box(1, -5, 2, 2)};
      add({-3, 0}, toPoint({5, 0}));
      if (!stops) add({-6, -6.5}, toPoint({9, -6.5})), add({9, -6.5}, toPoint({-6, -6.5}));
      World world(scene, 1, 1);
      while (world.time() < 35 && world.crowd().size() > 0) world.step(dt);
      EXPECT_EQ(world.crowd().size(), 0u) << "still there, dt " << dt << ", radius " << radius;
    }
}

TEST_P(Steering, NobodyGetsThroughAThinWall) {
  lookCoarsely();
  for (const double dt : {0.05, 0.25})
    for (const double radius : {0.15, 0.35}) {
      scene.profiles[0].radius = Distribution::constant(radius);
      scene.profiles[0].planner.model = "direct";
      scene.profiles[0].follower.model = "direct";
      scene.populations.clear();
      scene.layers[0].walkable = {box(-8, -3, 8, 3)};
      scene.layers[0].obstacles = {box(0, -3, 0.05, 3)};
      std::vector<Point> places;
      for (int i = 0; i < 24; ++i) places.push_back({-1 - 0.8 * (i / 6), -2.2 + 0.85 * (i % 6)});
      scene.populations.push_back(atPoints(places, {toPoint({6, 0})}));
      World world(scene, 1, 1);
      while (world.time() < 12) {
        world.step(dt);
        for (std::size_t i = 0; i < world.crowd().size(); ++i) {
          ASSERT_TRUE(std::isfinite(world.crowd().y[i]));
          ASSERT_LE(world.crowd().x[i], 0.005 - radius * 0.98) << "dt " << dt << ", radius " << radius;
        }
      }
    }
}

TEST_P(Steering, TwoPairsWhoMeetHeadOnPass) {
  expectResolved("two pairs",
                 {{{-6, 0.4}, {6, 0.4}}, {{-6, -0.4}, {6, -0.4}}, {{6, 0.4}, {-6, 0.4}}, {{6, -0.4}, {-6, -0.4}}}, 30,
                 0.15);
}

TEST_P(Steering, TwoWhoMeetAtARightAnglePass) {
  expectResolved("right angle", {{{-6, 0}, {6, 0}}, {{0, -6}, {0, 6}}}, 25, 0.05);
}

TEST_P(Steering, FourFromFourSidesPass) {
  const std::vector<Way> ways{{{-6, 0}, {6, 0}}, {{0, -6}, {0, 6}}, {{6, 0}, {-6, 0}}, {{0, 6}, {0, -6}}};
  expectResolved("four sides", ways, 30, 0.1);
  scene.layers[0].walkable = {
      {{{-7, -2}, {-2, -2}, {-2, -7}, {2, -7}, {2, -2}, {7, -2}, {7, 2}, {2, 2}, {2, 7}, {-2, 7}, {-2, 2}, {-7, 2}},
       {}}};
  expectResolved("crossroads", ways, 40, 0.1);
}

TEST_P(Steering, ACornerIsLeftAndReached) {
  scene.layers[0].walkable = {box(0, 0, 8, 8)};
  add({0.26, 0.26}, toPoint({7.6, 7.6}));
  add({7.74, 0.26}, toPoint({0.4, 7.6}));
  const Trial trial = run(scene, 40);
  print("corners", trial);
  EXPECT_EQ(trial.arrived, 2u);
  expectNoDeeper(trial, 0.05);
}

TEST_P(Steering, ADeadEndIsLeftAlongTheKnownRoute) {
  letThemEscape();
  // A pocket that opens to the left; the goal is behind its back wall.
  scene.layers[0].walkable = {box(-6, -6, 12, 6)};
  scene.layers[0].obstacles = {box(0, 1, 5.2, 1.2), box(0, -1.2, 5.2, -1), box(5, -1.1, 5.2, 1.1)};
  add({4.6, 0}, toPoint({9, 0}));
  add({4, 0.2}, toPoint({9, 0.5}));
  const Trial trial = run(scene, 45);
  print("dead end", trial);
  expectEverybodyArrived(trial, 2);
  expectNoDeeper(trial, 0.05);
}

TEST_P(Steering, ADeadEndWithoutARouteIsNoPlaceToTremble) {
  // The same without a route: straight on is all that is known.
  scene.layers[0].walls.push_back({{{0, -1}, {5, -1}, {5, 1}, {0, 1}}});
  scene.profiles[0].planner.model = "direct";
  add({-3, 0}, toPoint({12, 0}));
  add({-4, 0.2}, toPoint({12, 0.2}));
  const Trial trial = run(scene, 40);
  print("without a route", trial);
  EXPECT_LT(trial.restless, 5);
  EXPECT_LT(trial.speed, 0.8);
}

TEST_P(Steering, APassageBarelyWiderThanTheBodyIsPassed) {
  // 2 cm to spare; one comes from outside, one starts within.
  scene.layers[0].walkable = {box(-6, -3, 0.1, 3), box(0, -0.26, 6, 0.26), box(5.9, -3, 12, 3)};
  add({-4, 0.5}, toPoint({10, 0}));
  add({2, 0}, toPoint({10, -1}));
  const Trial trial = run(scene, 60);
  print("narrow passage", trial);
  EXPECT_EQ(trial.arrived, 2u);
}

TEST_P(Steering, WhoStandsOnTheGoalStands) {
  addAndStay({0, 0}, toPoint({0, 0}));
  const Trial alone = run(scene, 8);
  EXPECT_EQ(alone.arrived, 1u);
  EXPECT_EQ(alone.speed, 0);
  // Others want to the same place.
  for (int i = 0; i < 7; ++i) {
    const double angle = 0.9 * i;
    addAndStay({(3 + 0.4 * i) * std::cos(angle), (3 + 0.4 * i) * std::sin(angle)}, toPoint({0, 0}));
  }
  const Trial trial = run(scene, 40);
  print("one goal", trial);
  EXPECT_GE(trial.arrived, 1u);
  EXPECT_LT(trial.restless, 1.0);
  EXPECT_LT(trial.speed, 0.3);
  EXPECT_LT(trial.reversals, 60);
  expectNoDeeper(trial, 0.15);
}

/// 25 people of 0.2 m radius, 6 to a square metre, in a room that they fill.
std::vector<Point> packed() {
  constexpr double kSpacing = 0.408;
  std::vector<Point> places;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) places.push_back({(i + 0.5) * kSpacing, (j + 0.5) * kSpacing});
  return places;
}
constexpr double kRoom = 5 * 0.408;

TEST_P(Steering, SixToASquareMetreGetOut) {
  letThemEscape();
  lookCoarsely();
  scene.profiles[0].radius = Distribution::constant(0.2);
  scene.layers[0].walkable = {box(0, 0, kRoom, kRoom), box(kRoom - 0.1, 0.5, kRoom + 0.3, 1.54),
                              box(kRoom + 0.2, -3, 12, 5)};
  scene.populations.push_back(atPoints(packed(), {toArea(box(9, -3, 12, 5))}));
  const Trial trial = run(scene, 90);
  print("6/m², an exit", trial);
  expectEverybodyArrived(trial, 25);
  expectNoDeeper(trial, 0.2);
}

TEST_P(Steering, SixToASquareMetreStandStill) {
  lookCoarsely();
  scene.profiles[0].radius = Distribution::constant(0.2);
  scene.layers[0].walkable = {box(0, 0, kRoom, kRoom)};
  scene.populations.push_back(atPoints(packed(), {toArea(box(0, 0, kRoom, kRoom))}));
  scene.populations.back().on_arrival = OnArrival::kStay;
  const Trial trial = run(scene, 15);
  print("6/m², standing", trial);
  EXPECT_EQ(trial.arrived, 25u);
  EXPECT_LT(trial.speed, 0.05);
  EXPECT_LT(trial.reversals, 6);
  expectNoDeeper(trial, 0.1);
}

TEST_P(Steering, SixToASquareMetreWhoAllWantToOnePlaceCalmDown) {
  lookCoarsely();
  scene.profiles[0].radius = Distribution::constant(0.2);
  scene.layers[0].walkable = {box(0, 0, kRoom, kRoom)};
  scene.populations.push_back(atPoints(packed(), {toPoint({kRoom / 2, kRoom / 2}, 0.05)}));
  scene.populations.back().on_arrival = OnArrival::kStay;
  const Trial trial = run(scene, 20);
  print("6/m², one goal", trial);
  EXPECT_LT(trial.speed, 0.3);
  EXPECT_LT(trial.reversals, 120);
  expectNoDeeper(trial, 0.2);
}

std::vector<std::string> modelsThatSeePeople() {
  std::vector<std::string> names;
  for (const steering::Model& model : steering::models().entries())
    if (model.info.name != "linear" && model.info.name != "seek") names.emplace_back(model.info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Models, Steering, testing::ValuesIn(modelsThatSeePeople()), [](const auto& model) {
  std::string name = model.param;
  std::erase(name, '-');
  return name;
});

/// 40 against 40 in a hallway 3 m wide, with a side preference: nobody gets stuck, whatever the model.
struct NarrowHallway : testing::TestWithParam<const char*> {};

TEST_P(NarrowHallway, PeopleWithASidePreferencePass) {
  Scene scene = emptyScene(GetParam());
  scene.profiles[0].radius = Distribution::constant(0.24);
  scene.profiles[0].preferred_speed = Distribution::uniform(0.85, 2.05);
  scene.profiles[0].stream = {{"side_preference", 45}};
  scene.layers[0].walkable = {box(0, 0, 50, 3)};
  scene.populations.push_back(inArea(40, box(3, 0.3, 14, 2.7), {toArea(box(47.5, 0.3, 49.5, 2.7))}));
  scene.populations.push_back(inArea(40, box(36, 0.3, 47, 2.7), {toArea(box(0.5, 0.3, 2.5, 2.7))}, "back"));
  const Trial trial = run(scene, 110, 3);
  std::printf("%-14s arrived %zu by %.1f s\n", GetParam(), trial.arrived, trial.last_arrival);
  EXPECT_EQ(trial.arrived, 80u);
}

INSTANTIATE_TEST_SUITE_P(Models, NarrowHallway, testing::Values("orca", "social-force", "karamouzas", "moussaid"),
                         [](const auto& model) {
                           std::string name = model.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace throng::simulation
