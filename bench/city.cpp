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

/// Roads 8 m wide every 40 m both ways, a pavement of 3 m on either side, and a lawn of 14 m between them.
std::vector<Region> groundOf(const Rectangle& box) {
  constexpr double kBlock = 40, kRoad = 8, kPavement = 3, kLawn = 14;  // m
  const auto strip = [&](double from, double to, bool upright) {
    const Point low = upright ? Point{from, box.min.y} : Point{box.min.x, from};
    const Point high = upright ? Point{to, box.max.y} : Point{box.max.x, to};
    return Polygon{{low, {high.x, low.y}, high, {low.x, high.y}}, {}};
  };
  Region grass{"grass", {}}, paving{"paving", {}}, road{"road", {}};
  for (double x = box.min.x + kBlock / 2; x < box.max.x; x += kBlock)
    for (double y = box.min.y + kBlock / 2; y < box.max.y; y += kBlock) {
      const Point at{x + (kBlock - kLawn) / 2 + kRoad / 2, y + (kBlock - kLawn) / 2 + kRoad / 2};
      grass.area.push_back({{at, {at.x + kLawn, at.y}, {at.x + kLawn, at.y + kLawn}, {at.x, at.y + kLawn}}, {}});
    }
  for (const bool upright : {true, false}) {
    const double from = upright ? box.min.x : box.min.y, to = upright ? box.max.x : box.max.y;
    for (double at = from + kBlock / 2; at + kRoad + kPavement < to; at += kBlock) {
      paving.area.push_back(strip(at - kPavement, at + kRoad + kPavement, upright));
      road.area.push_back(strip(at, at + kRoad, upright));
    }
  }
  return {grass, paving, road};
}

Rectangle boxOf(const Scene& scene) {
  const Ring& border = scene.layers.front().walkable.front().outer;
  Rectangle box{border.front(), border.front()};
  for (const Point& p : border) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  return box;
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

FreePlaces::FreePlaces(const Scene& scene, double clearance) : box_(boxOf(scene)), clearance_(clearance) {}

Point FreePlaces::draw(const NavigationMap& map) {
  Point place;
  do {
    const double x = uniform(random_), y = uniform(random_);
    place = {box_.min.x + x * (box_.max.x - box_.min.x), box_.min.y + y * (box_.max.y - box_.min.y)};
  } while (map.clearance(place) < clearance_);
  return place;
}

std::unique_ptr<World> cityWorld(std::size_t people, int threads, CityGround ground) {
  Scene scene = cityScene();
  Profile& profile = scene.profiles.front();
  profile.radius = Distribution::constant(kRadius);
  profile.preferred_speed = Distribution::constant(1.4);
  profile.planner = {"corridor", {}};
  profile.follower = {"irm", {}};
  profile.steering = {"orca", {}};
  profile = withModelsAlone(profile);
  if (ground == CityGround::kRegions) {
    scene.layers.front().regions = groundOf(boxOf(scene));
    profile.region_weights = {{"grass", Distribution::uniform(1.5, 4)},
                              {"paving", Distribution::constant(0.8)},
                              {"road", Distribution::constant(2)}};
    profile.planner = {"regions", {}};
    profile.follower = {"miran", {}};
  }
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
  const Frame frame = world->frame();  // nobody moves yet
  for (const AgentId id : ids) {
    const std::size_t row = world->row(id);
    Point goal;
    do goal = places.draw(map);
    while (length(goal - Point{frame.x[row], frame.y[row]}) < kLeastDistance);
    world->setGoals(id, {{GoalPoint{goal}}});
  }
  return world;
}

}  // namespace throng::bench
