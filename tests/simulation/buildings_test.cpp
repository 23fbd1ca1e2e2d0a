// People get from anywhere to anywhere in random buildings, whatever follows their routes and steers them.
#include "buildings.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "following/followers.h"
#include "geometry/predicates.h"
#include "simulation/world.h"
#include "steering/models.h"

namespace throng::simulation {
namespace {

/// THRONG_BUILDINGS=200 tries so many buildings per case instead of a few.
int buildingsPerCase(int usual) {
  const char* asked = std::getenv("THRONG_BUILDINGS");
  return asked != nullptr ? std::atoi(asked) : usual;
}

struct Walked {
  std::size_t arrived = 0;
  std::string trouble;
};

/// Runs until everybody is there, and watches every step of everybody.
Walked walkThrough(const Building& building, double dt, double limit) {
  World world(building.scene, 1, 1);
  const auto& crowd = world.crowd();
  const std::size_t people = crowd.size();
  struct Was {
    Vec2 at;
    float z = 0;
  };
  std::vector<Was> was(people + 1);
  for (std::uint32_t r = 0; r < people; ++r) was[crowd.person[r]] = {{crowd.x[r], crowd.y[r]}, crowd.z[r]};
  Walked walked;
  const auto complain = [&](std::uint32_t r, const std::string& what) {
    if (!walked.trouble.empty()) return;
    const std::uint16_t goal = crowd.goal_layer[r];
    walked.trouble = "person " + std::to_string(crowd.person[r]) + " at (" + std::to_string(crowd.x[r]) + ", " +
                     std::to_string(crowd.y[r]) + ") on " + world.space().floors()[crowd.layer[r]].name + ", to (" +
                     std::to_string(crowd.goal_x[r]) + ", " + std::to_string(crowd.goal_y[r]) + ") on " +
                     world.space().floors()[goal].name + ", at " + std::to_string(world.time()) + " s " + what +
                     "; route:";
    for (const Vec2 p : world.route(crowd.id[r]))
      walked.trouble += " (" + std::to_string(p.x) + ", " + std::to_string(p.y) + ")";
    walked.trouble += ", wants (" + std::to_string(crowd.preferred_vx[r]) + ", " +
                      std::to_string(crowd.preferred_vy[r]) + ")" + (crowd.lost[r] ? ", lost" : "");
  };
  while (walked.arrived < people && world.time() < limit) {
    world.step(dt);
    for (const Arrival& arrival : world.arrivals()) {
      ++walked.arrived;
      for (std::uint32_t r = 0; r < people; ++r)
        if (crowd.person[r] == arrival.person && crowd.layer[r] != crowd.goal_layer[r])
          complain(r, "has arrived on another layer than the goal's");
    }
    for (std::uint32_t r = 0; r < people; ++r) {
      const Vec2 at{crowd.x[r], crowd.y[r]};
      Was& before = was[crowd.person[r]];
      const double way = length(at - before.at), rise = std::abs(crowd.z[r] - before.z);
      if (rise > building.steepest * way + 0.005) complain(r, "rose by " + std::to_string(rise));
      if (way > 2.5 * dt + 0.01) complain(r, "jumped by " + std::to_string(way));
      const auto& floor = world.space().floors()[crowd.layer[r]];
      const Point place{at.x, at.y};
      if (!floor.contains(place)) {
        // On a connection's line rounding may say so.
        double off = 1;
        for (const Connection& c : building.scene.connections)
          off = std::min(off, geometry::distanceToSegment(place, c.from.a, c.from.b));
        if (off > 1e-3) complain(r, "is off their floor");
      }
      before = {at, crowd.z[r]};
    }
  }
  if (walked.arrived < people)
    for (std::uint32_t r = 0; r < people; ++r)
      if (crowd.activity[r] != agents::Activity::kStaying)
        complain(r, "has not arrived; unreachable: " + std::to_string(world.unreachable()));
  return walked;
}

void tryBuildings(const std::string& follower, const std::string& steering, int count, int people, std::uint64_t first,
                  double limit = 400) {
  constexpr double kSteps[] = {0.1, 0.05, 0.25, 0.5};
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    BuildingOptions options;
    options.people = people;
    Building building = randomBuilding(seed, options);
    building.scene.profiles[0].follower.model = follower;
    building.scene.profiles[0].steering.model = steering;
    // Long steps are for those who look ahead of themselves.
    const double dt = steering == "linear" || steering == "orca" ? kSteps[i % 4] : kSteps[i % 2];
    const Walked walked = walkThrough(building, dt, limit);
    EXPECT_EQ(walked.trouble, "") << "building " << seed << ", follower " << follower << ", steering " << steering
                                  << ", dt " << dt;
    EXPECT_EQ(walked.arrived, building.scene.populations.size()) << "building " << seed;
  }
}

/// The floor of the report: a stair that is narrower than the hole it comes up through.
TEST(Buildings, SomebodyGetsUpstairs) {
  Scene scene;
  Layer ground, stair, upper;
  ground.name = "ground", stair.name = "stair", upper.name = "upper";
  ground.walkable = {box(0, 0, 60, 40)};
  ground.obstacles = {box(50, 18, 58, 22)};
  stair.walkable = {box(50, 18, 58, 22)};
  stair.slope = {0.5, 0}, stair.elevation = -25;
  upper.walkable = {box(0, 0, 60, 40)};
  upper.obstacles = {box(48, 16, 58, 24)};
  upper.elevation = 4;
  scene.layers = {ground, stair, upper};
  scene.connections = {{"foot", "ground", {{50, 18}, {50, 22}}, "stair", {{50, 18}, {50, 22}}},
                       {"top", "stair", {{58, 18}, {58, 22}}, "upper", {{58, 18}, {58, 22}}}};
  scene.profiles.emplace_back();
  Population person = atPoints({{1, 17}}, {toPoint({20, 8})});
  person.layer = "ground", person.goals[0].layer = "upper", person.on_arrival = OnArrival::kStay;
  scene.populations = {person};
  scene.run.duration = 300;
  for (const auto& follower : following::followers().entries()) {
    Building building{scene, 2, 0.5};
    building.scene.profiles[0].follower.model = follower.info.name;
    const Walked walked = walkThrough(building, 0.1, 200);
    EXPECT_EQ(walked.trouble, "") << follower.info.name;
    EXPECT_EQ(walked.arrived, 1u) << follower.info.name;
  }
}

/// The map joins floors by splicing diagrams whose corners are rounded; in buildings turned by any angle a few of a
/// thousand connections do not fit, and stay closed for planning.
TEST(Buildings, NearlyAllConnectionsOpenInTheMap) {
  std::size_t all = 0, open = 0;
  for (int seed = 1; seed <= buildingsPerCase(24); ++seed) {
    const Building building = randomBuilding(static_cast<std::uint64_t>(seed));
    const corridors::CorridorMap map(ground::WalkableSpace(building.scene), building.scene.connections);
    EXPECT_EQ(map.check(), "") << "building " << seed;
    for (const auto& connection : map.connections()) ++all, open += connection.open;
  }
  RecordProperty("open", std::to_string(open) + " of " + std::to_string(all));
  EXPECT_GE(static_cast<double>(open), 0.99 * static_cast<double>(all)) << open << " of " << all;
}

TEST(Buildings, EverybodyArrivesWithEveryFollower) {
  for (const auto& follower : following::followers().entries())
    tryBuildings(std::string(follower.info.name), "linear", buildingsPerCase(24), 8, 1);
}

class SteeringInBuildings : public testing::TestWithParam<std::string> {};

TEST_P(SteeringInBuildings, EverybodyArrives) {
  const bool sees = GetParam().find("vision") != std::string::npos;
  tryBuildings("irm", GetParam(), buildingsPerCase(sees ? 1 : 5), sees ? 2 : 5, 1000);
}

std::vector<std::string> everyModel() {
  std::vector<std::string> names;
  for (const auto& model : steering::models().entries()) names.emplace_back(model.info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, SteeringInBuildings, testing::ValuesIn(everyModel()), [](const auto& test) {
  std::string name = test.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace throng::simulation
