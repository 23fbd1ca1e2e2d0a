// Parts of a program's own in the step: a system (people stop at a shop window), a steering model and a planner. They
// are registered by the same way as the built-in ones.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <throng/throng.h>
#include <vector>

namespace {

void expect(bool holds, const char* what) {
  std::printf("%s: %s\n", holds ? "ok" : "WRONG", what);
  if (!holds) std::exit(EXIT_FAILURE);
}

/// People stop for a while at a shop window that they come by.
class ShopWindow final : public throng::System {
 public:
  std::string_view name() const override { return "shop window"; }

  void run(throng::StepView& step) override {
    const throng::Frame frame = step.frame();
    const std::span<float> looked = step.column("looked");  // s, of everybody
    const std::span<float> vx = step.preferredVelocityX(), vy = step.preferredVelocityY();
    for (std::size_t row = 0; row < frame.size(); ++row) {
      if (std::hypot(frame.x[row] - 15, frame.y[row] - 10) > 4 || looked[row] > 5) continue;
      looked[row] += static_cast<float>(step.dt());
      vx[row] = vy[row] = 0;
      ++stops_;
    }
  }
  std::string save() const override { return std::to_string(stops_); }
  void load(const std::string& saved) override { stops_ = std::strtoull(saved.c_str(), nullptr, 10); }

  unsigned long long stops() const { return stops_; }

 private:
  unsigned long long stops_ = 0;
};

/// Everybody slows down for whoever is near.
throng::SteeringModel polite() {
  throng::SteeringModel model;
  model.description = {"polite",
                       "slow down for whoever is near",
                       "this example",
                       {{"distance", "m", 1.5, 0.5, 5, "People nearer than this are waited for."}}};
  model.range = [](std::span<const float> parameters) { return parameters[0]; };
  model.steer = [](throng::SteeringView& people, std::span<const float> parameters) {
    std::vector<throng::SeenPerson> near;
    for (std::size_t i = 0; i < people.size(); ++i) {
      people.neighbours(i, 4, parameters[0], near);
      people.setVelocity(i, people.preferredVelocity(i) / static_cast<float>(1 + near.size()));
    }
  };
  return model;
}

/// Everybody goes over the middle of the square.
throng::PlannerModel overTheMiddle() {
  throng::PlannerModel planner;
  planner.description = {"over-the-middle", "by way of one place", "this example", {}};
  planner.plan = [](const throng::PlanRequest& request, std::span<const float>,
                    std::vector<throng::PlannerModel::WayPoint>& route) {
    if (request.from.x < 15) route.push_back({{15, 10 + 4 * (request.preference - 0.5)}, request.layer});
    route.push_back({request.to, request.goal_layer});
    return true;
  };
  return planner;
}

throng::Scene square() {
  throng::Scene scene;
  scene.layers = {throng::Layer{}};
  scene.layers[0].walkable = {{{{0, 0}, {30, 0}, {30, 20}, {0, 20}}, {}}};
  scene.profiles = {throng::Profile{}};
  scene.profiles[0].planner.model = "over-the-middle";
  scene.profiles[0].steering = {"polite", {{"distance", 1.2}}};
  scene.run.duration = 3600;
  throng::Population people;
  people.name = "people";
  people.count = 30;
  const throng::Polygon west{{{1, 1}, {8, 1}, {8, 19}, {1, 19}}, {}};
  const throng::Polygon east{{{27, 1}, {29, 1}, {29, 19}, {27, 19}}, {}};
  people.start.shape = throng::StartArea{{west}};
  people.goals = {{throng::GoalArea{{east}}}};
  scene.populations = {people};
  return scene;
}

}  // namespace

int main() {
  try {
    throng::addSteeringModel(polite());
    throng::addPlanner(overTheMiddle());

    throng::World world(square());
    auto made = std::make_unique<ShopWindow>();
    const ShopWindow& window = *made;
    world.addSystem(std::move(made), "neighbours");

    std::size_t arrived = 0;
    std::vector<std::byte> half_way;
    unsigned long long stops_then = 0;
    for (int i = 0; i < 1500; ++i) {
      world.step(0.1);
      arrived += world.arrivals().size();
      if (i == 150) half_way = world.snapshot(), stops_then = window.stops();
    }
    expect(arrived == 30, "everybody has come by the window and to the other side");
    expect(window.stops() > 30 * 40, "and has stopped there for about five seconds");
    bool listed = false;
    for (const throng::SystemTime& system : world.systemTimes()) listed = listed || system.name == "shop window";
    expect(listed, "the table lists and times the system");

    // What it keeps goes into snapshots.
    throng::World again(square());
    auto second = std::make_unique<ShopWindow>();
    const ShopWindow& second_window = *second;
    again.addSystem(std::move(second), "neighbours");
    again.restore(half_way);
    expect(second_window.stops() == stops_then, "a snapshot holds what the system keeps");
    for (int i = 151; i < 1500; ++i) again.step(0.1);
    expect(again.hash() == world.hash() && second_window.stops() == window.stops(), "and goes on bit for bit");
  } catch (const throng::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
