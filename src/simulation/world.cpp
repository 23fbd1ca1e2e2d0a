#include "simulation/world.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/hash.h"
#include "base/narrowing.h"
#include "goals/arrive.h"
#include "simulation/bystanders.h"
#include "steering/vision_image.h"

namespace throng::simulation {
namespace {

constexpr std::string_view kUserData = "user";
constexpr std::string_view kGroup = "group";

}  // namespace

World::World(Scene scene, std::uint64_t seed, int threads, Kept kept)
    : context_(std::make_unique<step::StepContext>(std::move(scene), seed, threads)) {
  context_->terrain.give(std::move(kept.map), std::move(kept.doors));
  context_->terrain.give(std::move(kept.graph));
  systems_ = std::make_unique<Systems>(*context_, kept.nobody);
}

void World::step(double dt) {
  if (!(dt >= kShortestStep && dt <= kLongestStep))
    throw InputError(fmt::format("A step of {} s; allowed: {} to {} s.", dt, kShortestStep, kLongestStep));
  context_->dt = dt;
  systems_->run();
  changed();
}

std::uint64_t World::hash() const {
  base::Hash hash;
  context_->crowd.hash(hash);
  hash.add(context_->clock.steps());
  return hash.value();
}

AgentId World::add(const NewPerson& person, const std::vector<Goal>& goals, OnArrival on_arrival) {
  const AgentId id = systems_->newcomers.add(person, goals, on_arrival);
  changed();
  return id;
}

void World::remove(AgentId id) {
  goals::leave(*context_, systems_->goals, context_->crowd.row(id));
  changed();
}

void World::setGoals(AgentId id, const std::vector<Goal>& goals) {
  simulation::setGoals(*context_, systems_->goals, id, goals);
  changed();
}

void World::setPreferredSpeed(AgentId id, double speed) {
  agents::Crowd& crowd = context_->crowd;
  const std::uint32_t r = crowd.row(id);
  crowd.preferred_speed[r] = static_cast<float>(speed);
  crowd.max_speed[r] = static_cast<float>(speed * scene().profiles[crowd.profile[r]].max_speed_factor);
}

void World::setPosition(AgentId id, Point place, std::uint16_t layer) {
  agents::Crowd& crowd = context_->crowd;
  const ground::Floor& floor = space().floors()[layer];
  const bool finite = std::isfinite(place.x) && std::isfinite(place.y);
  const float radius = crowd.radius[crowd.row(id)];
  if (!finite || !floor.contains(place) || floor.clearance(place, radius) < radius)
    throw InputError(
        {Diagnostic{.at = place,
                    .message = fmt::format("Nobody with a radius of {:.3g} m can be put here: the place is "
                                           "in an obstacle, outside the walkable area or too near a wall.",
                                           radius)}});
  bringToFull(*context_, crowd.row(id));
  const std::uint32_t r = crowd.row(id);
  const Vec2 at = narrow(place);
  crowd.x[r] = at.x, crowd.y[r] = at.y;
  crowd.forget(r);
  crowd.layer[r] = layer;
  crowd.z[r] = floor.height(at);
  crowd.vx[r] = crowd.vy[r] = crowd.next_vx[r] = crowd.next_vy[r] = 0;
  systems_->levels.startAfresh(r);
  context_->bury(r, false);
  systems_->goals.progress().forget(id, time());
  if (crowd.guide[r] == agents::Guide::kWalk) {  // off their walk, which goes on without them
    crowd.guide[r] = agents::Guide::kGoals;
    crowd.goal[r] = std::max(crowd.goal[r], 0);
    systems_->goals.begin(*context_, r);
    changed();
    return;
  }
  if (crowd.guide[r] != agents::Guide::kGoals)
    crowd.lost[r] = 1;
  else if (crowd.activity[r] == agents::Activity::kWalking)
    context_->requests.routes.push_back(id);
  changed();
}

void World::setVelocity(AgentId id, Vec2 velocity) {
  agents::Crowd& crowd = context_->crowd;
  const std::uint32_t r = crowd.row(id);
  const float speed = length(velocity);
  if (speed > crowd.max_speed[r]) velocity = velocity * (crowd.max_speed[r] / speed);
  crowd.vx[r] = crowd.next_vx[r] = velocity.x, crowd.vy[r] = crowd.next_vy[r] = velocity.y;
  changed();
}

void World::setPreferredVelocity(AgentId id, std::optional<Vec2> velocity) {
  if (!velocity && !context_->anyWish()) return;
  bringToFull(*context_, context_->crowd.row(id));
  context_->setWish(context_->crowd.row(id), velocity);
  changed();
}

void World::setUserData(std::uint32_t row, std::uint64_t data) {
  agents::Crowd& crowd = context_->crowd;
  if (data != 0 || crowd.find<std::uint64_t>(kUserData)) crowd.attach<std::uint64_t>(kUserData)[row] = data;
}

void World::setGroup(std::uint32_t row, std::uint32_t group) {
  agents::Crowd& crowd = context_->crowd;
  if (group != 0 || crowd.find<std::uint32_t>(kGroup)) crowd.attach<std::uint32_t>(kGroup)[row] = group;
}

std::span<const std::uint32_t> World::groups() const {
  const auto* column = crowd().find<std::uint32_t>(kGroup);
  return column ? std::span<const std::uint32_t>(*column) : std::span<const std::uint32_t>();
}

std::uint64_t World::userData(std::uint32_t row) const {
  const auto* column = crowd().find<std::uint64_t>(kUserData);
  return column ? (*column)[row] : 0;
}

std::vector<Vec2> World::route(AgentId id) const {
  const agents::Crowd& people = crowd();
  const std::uint32_t r = people.row(id);
  std::vector<Vec2> points{{people.x[r], people.y[r]}};
  if (people.activity[r] != agents::Activity::kWalking) return points;
  points.push_back({people.target_x[r], people.target_y[r]});
  for (std::uint32_t i = 0; i < people.route_count[r]; ++i)
    points.push_back(context_->routes.at(people.route_start[r] + i));
  return points;
}

SeenImage World::see(std::uint32_t row) const {
  const auto& choice = systems_->steering.choices()[crowd().profile[row]];
  const steering::Eyes eyes = steering::eyesOf(choice.model->info.name, choice.parameters);
  const agents::NeighbourIndex& everybody = index(eyes.range());
  const auto people = everybody.people();
  const auto slot = std::find_if(people.begin(), people.end(), [&](auto s) { return everybody.row()[s] == row; });
  return eyes.see({crowd(), everybody, space().floors(), 0.1f, steps()}, *slot);
}

std::uint32_t World::insertObstacle(std::span<const Point> convex, std::uint16_t layer, std::string_view name) {
  const std::uint32_t id = systems_->changes.insert(convex, layer, name);
  carryOut(*context_, systems_->goals);
  changed();
  return id;
}

void World::removeObstacle(std::uint32_t obstacle) {
  systems_->changes.remove(obstacle);
  carryOut(*context_, systems_->goals);
  changed();
}

bool World::setDoor(std::string_view name, bool open) {
  const bool changes = systems_->changes.setDoor(name, open);
  carryOut(*context_, systems_->goals);
  changed();
  return changes;
}

std::uint16_t World::addFlow(Population population) {
  const std::uint16_t number = systems_->newcomers.addFlow(std::move(population));
  changed();
  return number;
}

void World::setCameras(std::vector<Camera> cameras) {
  context_->scene.levels.cameras = std::move(cameras);
  if (!scene().levels.cameras.empty()) context_->terrain.needGraph(context_->threads);
  systems_->attach();
  systems_->levels.camerasChanged();
  if (!scene().levels.cameras.empty()) return;
  // Nobody looks from anywhere any more: everybody is simulated in full.
  while (crowd().full() < crowd().size()) bringToFull(*context_, static_cast<std::uint32_t>(crowd().full()));
}

void World::setBudget(double milliseconds) {
  context_->scene.levels.budget = milliseconds;
  systems_->levels.setBudget(milliseconds);
}

}  // namespace throng::simulation
