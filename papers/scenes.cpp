#include "papers/scenes.h"

#include "papers/random.h"

namespace throng::papers {
namespace {

constexpr double kRadius = 0.25;    // m
constexpr double kJitter = 0.05;    // m: perfect symmetry is a standstill that no crowd knows
constexpr double kArrived = 0.5;    // m
constexpr double kDt = 0.1;         // s
constexpr int kWide = 10;           // people of a group across its way
constexpr double kSpacing = 1.5;    // m
constexpr double kTimeLimit = 300;  // s: more than seven times the way

Scene openScene(const std::string& name, const std::string& model) {
  Scene scene;
  scene.name = name;
  scene.layers.resize(1);
  // The published models do what was published; our own does all it can.
  Profile profile = model == "throng" ? Profile{} : withModelsAlone({});
  profile.radius = Distribution::constant(kRadius);
  profile.preferred_speed = Distribution::constant(kPreferredSpeed);
  profile.steering.model = model;
  scene.profiles = {profile};
  scene.run.dt = kDt;
  scene.run.duration = kTimeLimit;
  scene.run.until_all_arrived = true;
  scene.run.patience = kTimeLimit;  // whoever is held up is waited for until then
  return scene;
}

/// In [-1, 1).
double symmetric(std::uint64_t& random) { return 2 * uniform(random) - 1; }

}  // namespace

Scene circleScene(const std::string& model) {
  Scene scene = openScene("circle", model);
  Population walkers;
  walkers.name = "walkers";
  walkers.count = 100;
  walkers.start.shape = StartCircle{{0, 0}, kCircleDistance / 2};
  walkers.start.jitter = kJitter;
  walkers.goals = {{GoalOpposite{{0, 0}, kArrived}}};
  scene.populations = {walkers};
  return scene;
}

void walkFromTheStart(World& world) {
  const Frame frame = world.frame();
  const std::vector<AgentId> everybody(world.ids().begin(), world.ids().end());
  for (const AgentId id : everybody) {
    const std::size_t row = world.row(id);
    const Point to_centre{-frame.x[row], -frame.y[row]};
    world.setVelocity(id, to_centre * (kPreferredSpeed / length(to_centre)));
  }
}

Scene groupSwapScene(const std::string& model, int deep) {
  Scene scene = openScene("group-swap", model);
  // Nobody yet; the places and directions are for pictures and reports.
  for (const auto& [name, side] : {std::pair{"left", -1.0}, {"right", 1.0}}) {
    Population group;
    group.name = name;
    const double x = side * kSwapDistance / 2, half_deep = deep * kSpacing / 2, half_wide = kWide * kSpacing / 2;
    group.start.shape = StartArea{{Polygon{{{x - half_deep, -half_wide},
                                            {x + half_deep, -half_wide},
                                            {x + half_deep, half_wide},
                                            {x - half_deep, half_wide}},
                                           {}}}};
    group.goals = {{GoalPoint{{-side * kSwapDistance / 2, 0}, kArrived}}};
    scene.populations.push_back(group);
  }
  return scene;
}

void addSwappers(World& world, std::uint64_t seed, int deep) {
  std::uint64_t random = seed * 0x632be59bd9b4e019u;
  for (std::uint16_t group = 0; group < 2; ++group) {
    const double side = group == 0 ? -1 : 1;
    for (int i = 0; i < deep; ++i) {
      for (int j = 0; j < kWide; ++j) {
        Person person;
        person.position = {side * kSwapDistance / 2 + (i - (deep - 1) / 2.0) * kSpacing + kJitter * symmetric(random),
                           (j - (kWide - 1) / 2.0) * kSpacing + kJitter * symmetric(random)};
        person.goals = {{GoalPoint{{person.position.x - side * kSwapDistance, person.position.y}, kArrived}}};
        person.population = group;
        world.setVelocity(world.add(person), {-side * kPreferredSpeed, 0});
      }
    }
  }
}

}  // namespace throng::papers
