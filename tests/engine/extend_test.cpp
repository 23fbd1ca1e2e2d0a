// Systems, steering models and planners of a program's own.
#include <cmath>
#include <gtest/gtest.h>
#include <throng/core.h>

namespace throng {
namespace {

Scene field(const std::string& steering) {
  Scene scene;
  scene.layers.emplace_back();
  scene.layers[0].walkable = {{{{0, 0}, {30, 0}, {30, 20}, {0, 20}}, {}}};
  scene.profiles.emplace_back();
  scene.profiles[0].steering.model = steering;
  scene.run.duration = 3600;
  Population people;
  people.name = "people", people.count = 40;
  people.start.shape = StartArea{{Polygon{{{1, 1}, {12, 1}, {12, 19}, {1, 19}}, {}}}};
  people.goals = {{GoalArea{{Polygon{{{27, 1}, {29, 1}, {29, 19}, {27, 19}}, {}}}}}};
  scene.populations = {people};
  return scene;
}

SteeringModel twinOfLinear() {
  SteeringModel model;
  model.description = {"own-linear", "as linear", "test", {{"share", "1", 1, 0, 2, "Of the preferred velocity."}}};
  model.range = [](std::span<const float>) { return 0.0f; };
  model.steer = [](SteeringView& people, std::span<const float> parameters) {
    for (std::size_t i = 0; i < people.size(); ++i) people.setVelocity(i, people.preferredVelocity(i) * parameters[0]);
  };
  return model;
}

TEST(OwnParts, ASteeringModelWorksLikeABuiltInOne) {
  addSteeringModel(twinOfLinear());
  EXPECT_THROW(addSteeringModel(twinOfLinear()), InputError);
  SteeringModel unnamed = twinOfLinear();
  unnamed.description.name.clear();
  EXPECT_THROW(addSteeringModel(unnamed), InputError);
  SteeringModel odd = twinOfLinear();
  odd.description.name = "odd", odd.description.parameters[0].value = 7;
  EXPECT_THROW(addSteeringModel(odd), InputError);
  bool listed = false;
  for (const ModelInfo& info : steeringModels()) listed |= info.name == "own-linear";
  EXPECT_TRUE(listed);

  World own(field("own-linear")), built_in(field("linear"));
  for (int i = 0; i < 100; ++i) own.step(), built_in.step();
  EXPECT_EQ(own.hash(), built_in.hash());

  Scene half = field("own-linear");
  half.profiles[0].steering.parameters["share"] = 0.5;
  World slow(half);
  slow.step(), slow.step();
  EXPECT_NEAR(std::hypot(slow.velocityX()[0], slow.velocityY()[0]), 0.65, 1e-3);
  half.profiles[0].steering.parameters["share"] = 3;
  EXPECT_THROW(World{half}, InputError);  // not allowed by its table
}

TEST(OwnParts, NeighboursAndWallsAreThoseOfTheWorld) {
  static std::size_t checked = 0;
  SteeringModel model = twinOfLinear();
  model.description.name = "own-looking";
  model.range = [](std::span<const float>) { return 3.0f; };
  model.steer = [](SteeringView& people, std::span<const float>) {
    std::vector<SeenPerson> near;
    std::vector<std::pair<Vec2, Vec2>> walls;
    for (std::size_t i = 0; i < people.size(); ++i) {
      people.neighbours(i, 5, 3, near);
      for (std::size_t k = 0; k < near.size(); ++k) {
        EXPECT_NEAR(length(near[k].to), near[k].distance, 1e-5);
        EXPECT_LT(near[k].distance, 3);
        EXPECT_NE(near[k].row, people.row(i));
        if (k > 0) {
          EXPECT_GE(near[k].distance, near[k - 1].distance);
        }
      }
      people.walls(i, 1, walls);
      const Vec2 at = people.position(i);
      const bool at_border = at.x < 1 || at.y < 1 || at.x > 29 || at.y > 19;
      if (at_border) {
        EXPECT_FALSE(walls.empty());
      }
      people.setVelocity(i, people.preferredVelocity(i));
      ++checked;
    }
  };
  addSteeringModel(model);
  World world(field("own-looking"), {.threads = 1});
  for (int i = 0; i < 50; ++i) world.step();
  EXPECT_GT(checked, 1000u);
}

TEST(OwnParts, APlannersRouteIsFollowed) {
  PlannerModel planner;
  planner.description = {"own-detour", "over a corner", "test", {}};
  planner.plan = [](const PlanRequest& request, std::span<const float>, std::vector<PlannerModel::WayPoint>& route) {
    route.push_back({{15, 18}, request.layer});
    route.push_back({request.to, request.goal_layer});
    return true;
  };
  addPlanner(planner);
  EXPECT_THROW(addPlanner(planner), InputError);
  Scene scene = field("linear");
  scene.profiles[0].planner.model = "own-detour";
  scene.profiles[0].follower.model = "direct";
  World world(scene);
  double highest = 0;
  std::size_t arrived = 0;
  for (int i = 0; i < 500; ++i) {
    world.step();
    for (const float y : world.frame().y) highest = std::max<double>(highest, y);
    arrived += world.arrivals().size();
  }
  EXPECT_GT(highest, 17.5);
  EXPECT_EQ(arrived, 40u);
}

/// Asks for everything that can be asked for.
class Asking final : public System {
 public:
  std::string_view name() const override { return "asking"; }
  void run(StepView& step) override {
    if (step.steps() != 10) return;
    const auto ids = step.ids();
    step.setGoals(ids[0], {{GoalPoint{{2, 2}}}});
    step.push(ids[1], {20, 10});
    EXPECT_THROW(step.push(ids[1], {40, 10}), InputError);
    step.leave(ids[2]);
    sent = ids[0], pushed = ids[1], left = ids[2];
  }
  AgentId sent, pushed, left;
};

TEST(OwnParts, ASystemAsksForGoalsPushesAndLeaving) {
  for (const int threads : {1, 3}) {
    World world(field("orca"), {.threads = threads});
    auto made = std::make_unique<Asking>();
    const Asking& asking = *made;
    world.addSystem(std::move(made), "plan");
    for (int i = 0; i < 11; ++i) world.step();
    EXPECT_FALSE(world.contains(asking.left));
    const std::size_t row = world.row(asking.pushed);
    EXPECT_NEAR(world.frame().x[row], 20, 1);
    for (int i = 0; i < 150; ++i) world.step();
    EXPECT_FALSE(world.contains(asking.sent)) << "has come home and left";
    EXPECT_THROW(world.addSystem(nullptr), InputError);
  }
}

TEST(OwnParts, AMapIsHandedToAWorldLikeAGraph) {
  Scene scene = field("orca");
  scene.layers[0].obstacles = {{{{14, 4}, {16, 4}, {16, 16}, {14, 16}}, {}}};
  scene.layers[0].doors = {{"shut", {{14, 0}, {14, 4}}, false}, {"open", {{14, 16}, {14, 20}}, true}};
  const NavigationMap map(scene);
  World with(scene, {.navigation_map = &map}), without(scene);
  for (int i = 0; i < 100; ++i) with.step(), without.step();
  EXPECT_EQ(with.hash(), without.hash());
  with.setDoor(with.door("shut"), true), without.setDoor(without.door("shut"), true);
  for (int i = 0; i < 100; ++i) with.step(), without.step();
  EXPECT_EQ(with.hash(), without.hash());

  NavigationMap changed = map;
  changed.setDoor(changed.door("open"), false);
  EXPECT_THROW((World{scene, {.navigation_map = &changed}}), InputError);
  Scene other = scene;
  other.layers[0].obstacles.clear();
  EXPECT_THROW((World{other, {.navigation_map = &map}}), InputError);
}

}  // namespace
}  // namespace throng
