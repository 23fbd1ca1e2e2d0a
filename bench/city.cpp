#include "bench/city.h"

#include <algorithm>

#include "throng/places.h"

namespace throng::bench {
namespace {

constexpr double kRadius = 0.24;       // m
constexpr double kLeastDistance = 50;  // m between the ends of somebody's way
constexpr double kDuration = 1e6;      // s: longer than anybody times it

/// SplitMix64 (Steele, Lea & Flood 2014), in [0, 1).
double uniform(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

}  // namespace

Scene cityScene() {
  Scene scene = generatePlace("city-plan", 1);
  scene.run.duration = kDuration;
  return scene;
}

Scene officeScene() {
  constexpr double kRoom = 6, kCorridor = 3, kDoor = 1, kLength = 30;  // m
  Layer layer;
  layer.walkable = {Polygon{{{0, 0}, {kLength, 0}, {kLength, 2 * kRoom + kCorridor}, {0, 2 * kRoom + kCorridor}}, {}}};
  for (const double front : {kRoom, kRoom + kCorridor}) {
    const double back = front == kRoom ? 0 : front + kRoom;
    for (double x = 0; x < kLength; x += kRoom) {
      if (x > 0) layer.walls.push_back({{{x, back}, {x, front}}});
      layer.walls.push_back({{{x, front}, {x + (kRoom - kDoor) / 2, front}}});
      layer.walls.push_back({{{x + (kRoom + kDoor) / 2, front}, {x + kRoom, front}}});
    }
  }
  Scene scene;
  scene.name = "office";
  scene.layers = {layer};
  scene.profiles.resize(1);
  scene.run.duration = kDuration;
  return scene;
}

FreePlaces::FreePlaces(const Scene& scene, double clearance) : clearance_(clearance) {
  const Ring& border = scene.layers.front().walkable.front().outer;
  box_ = {border.front(), border.front()};
  for (const Point& p : border) {
    box_.min = {std::min(box_.min.x, p.x), std::min(box_.min.y, p.y)};
    box_.max = {std::max(box_.max.x, p.x), std::max(box_.max.y, p.y)};
  }
}

Point FreePlaces::draw(const NavigationMap& map) {
  Point place;
  do {
    const double x = uniform(random_), y = uniform(random_);
    place = {box_.min.x + x * (box_.max.x - box_.min.x), box_.min.y + y * (box_.max.y - box_.min.y)};
  } while (map.clearance(place) < clearance_);
  return place;
}

std::unique_ptr<World> cityWorld(std::size_t people, int threads) {
  Scene scene = cityScene();
  Profile& profile = scene.profiles.front();
  profile.radius = Distribution::constant(kRadius);
  profile.preferred_speed = Distribution::constant(1.4);
  profile.planner = {"corridor", {}};
  profile.follower = {"irm", {}};
  profile.steering = {"orca", {}};
  Population walkers;
  walkers.name = "walkers";
  walkers.count = static_cast<std::uint32_t>(people);
  walkers.start.shape = StartArea{scene.layers.front().walkable};
  walkers.on_arrival = OnArrival::kGoBack;
  scene.populations = {walkers};
  auto world = std::make_unique<World>(scene, WorldOptions{.threads = threads});

  const NavigationMap map(scene);
  FreePlaces places(scene, kRadius);
  const std::vector<AgentId> ids(world->ids().begin(), world->ids().end());
  for (const AgentId id : ids) {
    const Frame frame = world->frame();
    const std::size_t row = world->row(id);
    Point goal;
    do goal = places.draw(map);
    while (length(goal - Point{frame.x[row], frame.y[row]}) < kLeastDistance);
    world->setGoals(id, {{GoalPoint{goal}}});
  }
  return world;
}

}  // namespace throng::bench
