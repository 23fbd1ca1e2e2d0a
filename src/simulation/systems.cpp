#include "simulation/systems.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "districts/systems.h"
#include "flows/systems.h"
#include "flows/turns.h"
#include "following/follow.h"
#include "goals/arrive.h"
#include "levels/systems.h"
#include "planning/congestion.h"
#include "planning/pace.h"
#include "planning/plan.h"
#include "simulation/bystanders.h"
#include "simulation/move.h"
#include "steering/give_way.h"
#include "steering/go_round.h"
#include "steering/keep_clear.h"
#include "steering/keep_side.h"
#include "steering/pass_standing.h"
#include "steering/unstuck.h"

namespace throng::simulation {

Systems::Systems(step::StepContext& context, bool nobody)
    : districts(context, goals),
      steering(context.scene),
      newcomers(context, goals, flows, districts),
      changes(context, goals),
      context_(context) {
  const Scene& scene = context.scene;
  events = &add<HappenEvents>(scene, changes);
  add<Appear>(newcomers);
  auto& congestion = add<planning::Congestion>(scene);
  add<flows::SetOutByTurns>(goals, congestion);
  auto& planning = add<planning::PlanRoutes>(scene, congestion);
  plan = &planning;
  auto& expect = add<steering::ExpectTimes>(steering);
  add<flows::ChoosePaths>(flows);
  add<levels::AssignLevels>(levels);
  auto& following = add<following::FollowRoutes>(scene);
  add<flows::FollowGates>(flows);
  add<levels::DecideLow>(levels);
  add<following::FollowWishes>();
  add<planning::Pace>(scene, congestion);
  add<districts::Enter>(districts);
  add<steering::OrderRows>(steering);
  add<steering::FindNeighbours>(steering);
  add<steering::FollowStreams>(steering);
  add<levels::WalkStraight>(levels);
  add<steering::GoRound>(steering);
  add<steering::PassStanding>(steering);
  add<steering::KeepSide>(steering);
  add<steering::GiveWay>(steering);
  add<steering::KeepClear>(steering);
  add<steering::GetUnstuck>(steering);
  auto& steer = add<steering::Steer>(steering);
  add<districts::Settle>(districts);
  auto& move = add<Move>(scene, context.terrain.space(), levels);
  add<districts::Play>(districts);
  add<flows::TurnBack>(flows);
  add<goals::Arrive>(scene, goals);

  endings = std::make_unique<Endings>(context, goals, newcomers, *events);
  context.links = makeLinks(move.passages().list(), context.terrain.floors());
  // Columns are hashed in the order in which they were attached.
  expect.attach(context), steer.attach(context), move.attach(context);
  listen();

  // Where there are no walls, everybody goes straight anyway.
  bool walls = false, map = !scene.events.empty();
  for (const ground::Floor& floor : context.terrain.floors()) walls |= floor.walls.size() > 0;
  for (const Layer& layer : scene.layers) map |= !layer.doors.empty();
  if (map || (walls && (planning.needsMap() || following.needsMap()))) {
    context.terrain.needMap();
    changes.closeDoors();
    carryOut(context, goals);
  }
  levels.setBudget(scene.levels.budget);
  const bool any_flow = std::any_of(scene.populations.begin(), scene.populations.end(),
                                    [](const Population& population) { return population.flow.has_value(); });
  if (any_flow || !scene.levels.cameras.empty()) context.terrain.needGraph(context.threads);
  context.terrain.isTheScenes();
  attach();
  newcomers.placeEverybody(nobody);
}

void Systems::attach() {
  flows.attach(context_);
  for (Entry& entry : table_) entry.system->attach(context_);
}

void Systems::listen() {
  context_.listeners.clear();
  for (Entry& entry : table_) context_.listeners.push_back(entry.system.get());
}

void Systems::insert(std::unique_ptr<step::System> system, std::string_view before) {
  const auto named = [&](std::string_view name) {
    return std::find_if(table_.begin(), table_.end(), [&](const Entry& entry) { return entry.system->name() == name; });
  };
  std::string names;
  for (const Entry& entry : table_) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", entry.system->name());
  if (named(system->name()) != table_.end())
    throw InputError(fmt::format("There is a system called \"{}\" already.", system->name()));
  const auto place = named(before);
  if (place == table_.end())
    throw InputError(fmt::format("There is no system called \"{}\" to be before; there are {}.", before, names));
  const auto entry = table_.insert(place, Entry{std::move(system)});
  entry->system->attach(context_);
  listen();
}

void Systems::run() {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
  const auto begun = Clock::now();
  auto now = begun;
  context_.arrivals.clear();
  for (Entry& entry : table_) {
    step::System& system = *entry.system;
    do {
      if (watcher_) watcher_->before(system);
      system.run(context_);
      if (watcher_) watcher_->after(system);
      carryOut(context_, goals);
      if (watcher_) watcher_->carriedOut(system);
    } while (system.again(context_));
    const auto then = std::exchange(now, Clock::now());
    entry.last = seconds(now - then);
    entry.total += entry.last;
  }
  endings->lookForProgress();
  levels.spent(1000 * seconds(Clock::now() - begun));
}

std::size_t Systems::memory() const {
  std::size_t bytes = context_.crowd.memory() + context_.neighbours.memory() + context_.routes.memory();
  for (const Entry& entry : table_) bytes += entry.system->memory();
  return bytes;
}

}  // namespace throng::simulation
