// Going on in a changed scene: the people of one world, where they are and as they are, in another one that was made
// from the scene after the change. What hangs on the ground (routes, paths of flows) is found anew.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/narrowing.h"
#include "goals/arrive.h"
#include "ground/occupancy.h"
#include "planning/reachability.h"
#include "scene/distribution.h"
#include "scene/scene_check.h"
#include "scene/scene_parts.h"
#include "simulation/bystanders.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

constexpr std::uint16_t kGone = 0xffff;

bool same(const Distribution& a, const Distribution& b) {
  return a.kind == b.kind && a.mean == b.mean && a.deviation == b.deviation && a.min == b.min && a.max == b.max;
}

/// By its name where it has one; else the one at the same place in the list, if that has none either.
std::vector<std::uint16_t> counterparts(const std::vector<Population>& before, const std::vector<Population>& now) {
  std::map<std::string, std::uint16_t> named;
  std::vector<std::uint16_t> unnamed, found;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i].name.empty())
      unnamed.push_back(static_cast<std::uint16_t>(i));
    else
      named.emplace(now[i].name, static_cast<std::uint16_t>(i));
  }
  std::size_t next = 0;
  for (const Population& population : before) {
    const auto same_name = named.find(population.name);
    if (population.name.empty())
      found.push_back(next < unnamed.size() ? unnamed[next++] : kGone);
    else
      found.push_back(same_name != named.end() ? same_name->second : kGone);
    const std::uint16_t k = found.back();
    if (k != kGone && now[k].flow.has_value() != population.flow.has_value()) found.back() = kGone;
  }
  return found;
}

bool sameGoal(const goals::Journey& a, const goals::Journey& b, std::int32_t index) {
  const auto i = static_cast<std::size_t>(index);
  if (index < 0 || i >= a.legs.size() || i >= b.legs.size() || a.legs[i].layer != b.legs[i].layer) return false;
  Population first, second;
  first.goals = {a.legs[i].goal}, second.goals = {b.legs[i].goal};
  Scene one, other;
  one.populations = {first}, other.populations = {second};
  return scene::hashOf(scene::partsOfRun(one, one.populations, {}, 1)) ==
         scene::hashOf(scene::partsOfRun(other, other.populations, {}, 1));
}

}  // namespace

/// Takes people over from one world into another.
class Continuation {
 public:
  Continuation(step::StepContext& context, Systems& systems, const World& before)
      : context_(context),
        systems_(systems),
        before_(before),
        populations_(counterparts(before.scene().populations, context.scene.populations)),
        same_ground_(scene::groundHash(before.scene()) == scene::groundHash(context.scene)) {
    for (const Layer& layer : before.scene().layers) {
      const int now = scene::layerIndex(context.scene, layer.name);
      layers_.push_back(now < 0 ? kGone : static_cast<std::uint16_t>(now));
    }
    // A single floor is the same one under another name.
    if (layers_.size() == 1 && context.scene.layers.size() == 1) layers_[0] = 0;
  }

  void run() {
    const agents::Crowd& old = before_.crowd();
    for (std::uint32_t r = 0; r < old.size(); ++r) takeOver(r);
  }
  const std::vector<std::uint16_t>& populations() const { return populations_; }

 private:
  void takeOver(std::uint32_t row);
  bool findPlace(const agents::Crowd& old, std::uint32_t row, std::uint16_t layer, double radius, Point& place);
  std::uint32_t journeyOf(const agents::Crowd& old, std::uint32_t row, std::uint16_t population, std::uint16_t layer);
  void goOnFlow(const agents::Crowd& old, std::uint32_t row, std::uint32_t now);
  void keepGoal(const agents::Crowd& old, std::uint32_t row, std::uint32_t now);

  step::StepContext& context_;
  Systems& systems_;
  const World& before_;
  std::vector<std::uint16_t> populations_, layers_;
  bool same_ground_;
  std::map<std::uint32_t, std::uint32_t> journeys_;  ///< of programs' people: old to new
  /// By journey there and here, and goal.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, bool> same_goals_;
};

bool Continuation::findPlace(const agents::Crowd& old, std::uint32_t row, std::uint16_t layer, double radius,
                             Point& place) {
  const ground::Floor& floor = context_.terrain.floors()[layer];
  place = {old.x[row], old.y[row]};
  if (floor.contains(place)) return true;
  context_.terrain.needMap();
  for (const double share : {1.01, 0.5, 0.1}) {
    const auto free =
        planning::nearestFree(*context_.terrain.map(), place, layer, radius * share, [](Point) { return true; });
    if (!free.where) continue;
    place = free.at;
    return true;
  }
  return false;
}

std::uint32_t Continuation::journeyOf(const agents::Crowd& old, std::uint32_t row, std::uint16_t population,
                                      std::uint16_t layer) {
  const std::uint32_t number = old.journey[row];
  if (number < before_.scene().populations.size()) return population;
  if (const auto known = journeys_.find(number); known != journeys_.end()) return known->second;
  const goals::Journey& journey = before_.goals()[number];
  std::vector<Goal> goals;
  for (const auto& leg : journey.legs) goals.push_back(leg.goal);
  goals::Journey copy = goals::makeJourney(goals, journey.on_arrival, layer, context_.terrain.space());
  for (std::size_t i = 0; i < copy.legs.size(); ++i)
    if (layers_[journey.legs[i].layer] != kGone) copy.legs[i].layer = layers_[journey.legs[i].layer];
  copy.repeats = journey.repeats;
  return journeys_[number] = systems_.goals.add(std::move(copy));
}

/// Whose goal is the same keeps their own place in it, if that can still be walked on.
void Continuation::keepGoal(const agents::Crowd& old, std::uint32_t r, std::uint32_t now) {
  agents::Crowd& crowd = context_.crowd;
  const goals::Journey& journey = systems_.goals.of(crowd, now);
  const goals::Journey& earlier = before_.goals()[old.journey[r]];
  const auto last = static_cast<std::int32_t>(journey.legs.size()) - 1;
  const bool home = old.returning[r] != 0 && journey.on_arrival == OnArrival::kGoBack;
  crowd.returning[now] = home;
  crowd.goal[now] = home ? std::clamp(old.goal[r], agents::kStartGoal, std::max(last, 0))
                         : std::clamp(old.goal[r], 0, std::max(last, 0));
  const auto [known, is_new] = same_goals_.emplace(std::tuple(old.journey[r], crowd.journey[now], old.goal[r]), false);
  if (is_new) known->second = old.goal[r] == agents::kStartGoal || sameGoal(journey, earlier, old.goal[r]);
  const bool same_goal = crowd.goal[now] == old.goal[r] && known->second;
  const bool stays = old.activity[r] == agents::Activity::kStaying && last >= 0 && same_goal &&
                     journey.legs.size() == earlier.legs.size() && journey.on_arrival == earlier.on_arrival;
  systems_.goals.begin(context_, now);
  if (same_goal && old.activity[r] == agents::Activity::kWalking && crowd.activity[now] == old.activity[r]) {
    const Point own{old.goal_x[r], old.goal_y[r]};
    if (context_.terrain.floors()[crowd.goal_layer[now]].contains(own))
      crowd.goal_x[now] = old.goal_x[r], crowd.goal_y[now] = old.goal_y[r];
  }
  if (stays) {
    crowd.activity[now] = agents::Activity::kStaying;
    crowd.goal_x[now] = old.goal_x[r], crowd.goal_y[now] = old.goal_y[r];
  }
}

void Continuation::goOnFlow(const agents::Crowd& old, std::uint32_t r, std::uint32_t now) {
  agents::Crowd& crowd = context_.crowd;
  const flows::Flow* flow = systems_.flows.traffic()->of(crowd.population[now]);
  const flows::Flow* earlier = before_.flows().traffic()->of(old.population[r]);
  flows::Traffic::Spot spot{{crowd.x[now], crowd.y[now]}, crowd.z[now], crowd.layer[now]};
  spot.returning = old.returning[r] != 0;
  const auto& on = before_.flows().columns();
  const std::uint32_t path = on.path()[r] - 1;
  const bool on_path = earlier && path >= earlier->first_path && path < earlier->first_path + 2 * earlier->count;
  const bool keeps = same_ground_ && on_path && earlier->count == flow->count;
  spot.vertex = on.vertex()[r] - 1;
  spot.path = keeps ? path - earlier->first_path + flow->first_path : flow->field[spot.returning ? 0 : 1];
  spot.leg = keeps ? on.leg()[r] : 0;
  if (!same_ground_) {
    // Where they are now is found by the place alone; nobody there: at the end they come from.
    constexpr double kAnywhere = 1e6;  // m
    const std::uint32_t vertex = systems_.flows.traffic()->graph().locate(wide(spot.at), spot.floor, kAnywhere);
    spot.vertex = vertex == corridors::kNone ? flow->ends[spot.returning ? 1 : 0].vertex : vertex;
  }
  const Point start{old.start_x[r], old.start_y[r]};
  systems_.flows.take(context_, now, *flow, spot, old.preference[r]);
  crowd.start_x[now] = static_cast<float>(start.x), crowd.start_y[now] = static_cast<float>(start.y);
}

void Continuation::takeOver(std::uint32_t r) {
  const agents::Crowd& old = before_.crowd();
  const Scene& earlier = before_.scene();
  const std::uint16_t layer = layers_[old.layer[r]];
  const bool nameless = earlier.populations.empty();
  const std::uint16_t population = nameless ? 0 : populations_[old.population[r]];
  if (layer == kGone || population == kGone || (nameless && !context_.scene.populations.empty())) return;
  NewPerson person{{}, 0, population, layer, {}, {}, old.person[r]};
  const Profile& was = earlier.profiles[old.profile[r]];
  const bool of_population = !nameless && earlier.populations[old.population[r]].profile == was.name;
  const auto& profiles = context_.scene.profiles;
  const std::string& name = of_population ? context_.scene.populations[population].profile : was.name;
  const auto found = std::find_if(profiles.begin(), profiles.end(), [&](const Profile& p) { return p.name == name; });
  person.profile = found == profiles.end() ? 0 : static_cast<std::uint16_t>(found - profiles.begin());
  const Profile& is = profiles[person.profile];
  // As they would have been from the beginning, where the profile says something else now.
  base::Random random(context_.seed, old.person[r]);
  const double drawn = scene::draw(is.radius, random, kRadiusLimits);
  person.radius = same(is.radius, was.radius) ? static_cast<double>(old.radius[r]) : drawn;
  person.preferred_speed = same(is.preferred_speed, was.preferred_speed)
                               ? static_cast<double>(old.preferred_speed[r])
                               : scene::draw(is.preferred_speed, random, kPreferredSpeedLimits);
  if (!findPlace(old, r, layer, *person.radius, person.position)) return;

  const bool on_flow = old.guide[r] == agents::Guide::kFlow;
  const flows::Flow* flow = on_flow && systems_.flows ? systems_.flows.traffic()->of(population) : nullptr;
  if (on_flow && !flow) return;
  const std::uint32_t journey = journeyOf(old, r, population, layer);
  const AgentId id = systems_.newcomers.takeOver(person, journey, base::Random(old.random[r]));
  agents::Crowd& crowd = context_.crowd;
  const std::uint32_t now = crowd.row(id);
  crowd.preference[now] = old.preference[r];
  crowd.start_x[now] = old.start_x[r], crowd.start_y[now] = old.start_y[r];
  crowd.start_layer[now] = layers_[old.start_layer[r]] == kGone ? layer : layers_[old.start_layer[r]];
  crowd.vx[now] = crowd.next_vx[now] = old.vx[r], crowd.vy[now] = crowd.next_vy[now] = old.vy[r];
  if (flow)
    goOnFlow(old, r, now);
  else
    keepGoal(old, r, now);
  crowd.heading_x[now] = old.heading_x[r], crowd.heading_y[now] = old.heading_y[r];
  crowd.facing_x[now] = old.facing_x[r], crowd.facing_y[now] = old.facing_y[r];
}

void World::continueFrom(const World& before) {
  if (crowd().size() != 0 || steps() != 0)
    throw InputError("Only a world that nobody has been in goes on from another one.");
  for (const Scene* scene : {&before.scene(), &this->scene()})
    if (!scene->districts.empty())
      throw InputError(
          "The people of crowd patches cannot go on in a changed scene: where they are is the patches' to say.");
  context_->clock = before.context_->clock;
  systems_->events->passOver(*context_);
  // What has been opened, closed and put there meanwhile.
  for (const Layer& layer : scene().layers)
    for (const Door& door : layer.doors) {
      const auto& layers = before.scene().layers;
      const bool known = std::any_of(layers.begin(), layers.end(), [&](const Layer& l) {
        return std::any_of(l.doors.begin(), l.doors.end(), [&](const Door& d) { return d.name == door.name; });
      });
      if (known) systems_->changes.setDoor(door.name, before.context_->terrain.find(door.name) == nullptr);
    }
  std::uint32_t last = 0;
  for (const step::Inserted& there : before.context_->terrain.inserted()) {
    if (!there.name.empty() || there.layer >= scene().layers.size() || there.whole == last) continue;
    last = there.whole;
    systems_->changes.insert(there.shape, there.layer, {});
  }
  systems_->newcomers.insertDueFlows();
  Continuation continuation(*context_, *systems_, before);
  continuation.run();
  changed();
  const agents::Crowd& old = before.crowd();
  for (std::uint32_t r = 0; r < old.size(); ++r) {
    const AgentId id = find(old.person[r]);
    if (!id) continue;
    if (!before.groups().empty()) setGroup(crowd().row(id), before.groups()[r]);
    setUserData(crowd().row(id), before.userData(r));
  }
  systems_->newcomers.continueFrom(before.systems_->newcomers, before.scene().populations, continuation.populations());
  systems_->goals.progress().begin(time());
  carryOut(*context_, systems_->goals);
  changed();
}

}  // namespace throng::simulation
