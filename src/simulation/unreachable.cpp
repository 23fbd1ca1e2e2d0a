#include "simulation/unreachable.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

#include "base/overloaded.h"
#include "geometry/predicates.h"
#include "planning/plan.h"
#include "planning/widest_way.h"
#include "scene/distribution.h"
#include "simulation/world.h"

namespace throng::simulation {
namespace {

using corridors::CorridorMap;
using corridors::Located;
using corridors::Retraction;

/// People looked at where there is nobody yet, and goals after the first: they begin and end at places drawn at random.
constexpr std::size_t kSamples = 16;
/// Routes that are really planned, for each goal.
constexpr std::size_t kPlans = 16;
/// Doors that are opened one by one to find the one that matters.
constexpr std::size_t kDoors = 32;
/// Random numbers of their own: looking changes nothing.
constexpr std::uint64_t kStream = std::uint64_t{1} << 42;

struct Walker {
  Point start;  ///< where they appeared
  Point from;
  std::uint16_t layer = 0;
  double radius = 0;
  std::optional<Point> first_goal;  ///< where it has been drawn already
};

struct Trip {
  Point from, to;
  std::uint16_t layer = 0, goal_layer = 0;
  double radius = 0;
};

}  // namespace

/// A map with some doors opened, and its widest ways. Made when it is first needed.
class ReachableWays {
 public:
  explicit ReachableWays(const CorridorMap& map) : map_(&map), ways_(map) {}
  ReachableWays(const CorridorMap& map, std::span<const std::uint32_t> opened)
      : own_(std::make_unique<CorridorMap>(map)), map_(own_.get()), ways_(without(*own_, opened)) {}

  const CorridorMap& map() const { return *map_; }
  bool reaches(const Trip& trip, planning::MedialScratch& scratch) const {
    const auto [from, to] = ends(trip);
    return from && to && ways_.reaches(*from, *to, trip.radius, scratch);
  }
  std::optional<planning::WidestWays::Way> widest(const Trip& trip) const {
    const auto [from, to] = ends(trip);
    return from && to ? ways_.between(*from, *to) : std::nullopt;
  }

 private:
  static const CorridorMap& without(CorridorMap& map, std::span<const std::uint32_t> opened) {
    for (const std::uint32_t id : opened) map.remove(id);
    return map;
  }
  std::pair<std::optional<Retraction>, std::optional<Retraction>> ends(const Trip& trip) const {
    std::pair<std::optional<Retraction>, std::optional<Retraction>> found;
    if (const Located from = map_->locate(trip.from, trip.layer)) found.first = map_->retract(from, trip.from);
    if (const Located to = map_->locate(trip.to, trip.goal_layer)) found.second = map_->retract(to, trip.to);
    return found;
  }

  std::unique_ptr<CorridorMap> own_;
  const CorridorMap* map_;
  planning::WidestWays ways_;
};

namespace {

std::string placeText(Point place) { return fmt::format("({:.4g}, {:.4g})", place.x, place.y); }

/// What an event opens or takes away, by name; null for one that does neither.
const std::string* openedBy(const Event& event) {
  if (const auto* open = std::get_if<OpenDoor>(&event.change)) return &open->door;
  if (const auto* removal = std::get_if<RemoveObstacle>(&event.change)) return &removal->name;
  return nullptr;
}

}  // namespace

/// What is known while looking through one world.
class UnreachableGoals {
 public:
  explicit UnreachableGoals(const World& world)
      : world_(world), context_(world.context()), random_(context_.seed, kStream) {
    // What will be opened counts as open.
    std::vector<std::uint32_t> opened;
    for (const Event& event : context_.scene.events) {
      const std::string* name = openedBy(event);
      if (!name || event.time <= context_.clock.due()) continue;
      for (const step::Inserted& there : context_.terrain.inserted())
        if (there.name == *name && std::find(opened.begin(), opened.end(), there.id) == opened.end())
          opened.push_back(there.id);
    }
    if (opened.empty())
      ways_ = std::make_unique<ReachableWays>(*context_.terrain.map());
    else
      ways_ = std::make_unique<ReachableWays>(*context_.terrain.map(), opened);
    for (const step::Inserted& there : context_.terrain.inserted())
      if (!there.name.empty() && there.shape.size() == 2 &&
          std::find(opened.begin(), opened.end(), there.id) == opened.end())
        closed_doors_.push_back(&there);
  }

  void look(std::size_t population, std::vector<UnreachableGoal>& found) {
    const Population& people = context_.scene.populations[population];
    if (people.flow) return lookAtFlow(population, found);
    if (people.goals.empty() || !people.district.empty()) return;
    if (!world_.systems().plan->needsMap(context_.profileIndex(people.profile))) return;
    std::vector<Walker> walkers = present(population);
    addThoseToCome(population, walkers);
    for (std::size_t goal = 0; goal < people.goals.size() && !walkers.empty(); ++goal) {
      if (std::holds_alternative<GoalDirection>(people.goals[goal].target)) return;
      // Nobody knows where they come out of it.
      if (std::holds_alternative<GoalDistrict>(people.goals[goal].target)) return;
      lookAtGoal(population, goal, walkers, found);
      thin(walkers);
    }
  }

 private:
  /// A flow that is there has its paths; one that is to come will need some.
  void lookAtFlow(std::size_t population, std::vector<UnreachableGoal>& found) {
    const Population& people = context_.scene.populations[population];
    if (world_.flows().has(population) || people.count == 0) return;
    const flows::FlowEnd from = flows::Flows::end(context_, people.flow->from),
                         to = flows::Flows::end(context_, people.flow->to);
    const Goal end{GoalPoint{{to.at.x, to.at.y}, to.radius}};
    const Trip trip{
        {from.at.x, from.at.y}, {to.at.x, to.at.y}, from.floor, to.floor, context_.terrain.graph()->bodyRadius()};
    if (ways_->reaches(trip, scratch_.medial) || endsThere(end, trip)) return;
    UnreachableGoal flow{population, UnreachableGoal::kFlow, people.count, people.count, {}, {}};
    explain(trip, flow);
    found.push_back(std::move(flow));
  }

  /// Everybody of a population who is on the way to their first goal.
  std::vector<Walker> present(std::size_t population) const {
    std::vector<Walker> walkers;
    const agents::Crowd& crowd = context_.crowd;
    for (std::uint32_t r = 0; r < crowd.size(); ++r) {
      if (crowd.population[r] != population || crowd.journey[r] != population || crowd.goal[r] != 0 ||
          crowd.activity[r] != agents::Activity::kWalking)
        continue;
      const Point here{crowd.x[r], crowd.y[r]};
      walkers.push_back({{crowd.start_x[r], crowd.start_y[r]},
                         here,
                         crowd.layer[r],
                         crowd.radius[r],
                         Point{crowd.goal_x[r], crowd.goal_y[r]}});
    }
    return walkers;
  }

  void addThoseToCome(std::size_t population, std::vector<Walker>& walkers) {
    const Population& people = context_.scene.populations[population];
    if (!(people.rate > 0) && people.schedule.empty()) return;
    const std::uint16_t layer = context_.terrain.space().floor(people.layer);
    const Profile& profile = context_.scene.profiles[context_.profileIndex(people.profile)];
    for (std::size_t i = 0; i < kSamples; ++i) {
      const double radius = scene::draw(profile.radius, random_, kRadiusLimits);
      const auto place = ground::placeOne(people.start, radius, context_.terrain.floors()[layer], {}, random_);
      if (place) walkers.push_back({*place, *place, layer, radius, {}});
    }
  }

  static void thin(std::vector<Walker>& walkers) {
    if (walkers.size() <= kSamples) return;
    for (std::size_t i = 0; i < kSamples; ++i) walkers[i] = walkers[i * walkers.size() / kSamples];
    walkers.resize(kSamples);
  }

  std::optional<Point> placeOf(const Goal& goal, std::uint16_t layer, const Walker& walker) {
    using Place = std::optional<Point>;
    return std::visit(base::Overloaded{
                          [](const GoalPoint& to) -> Place { return to.point; },
                          [&](const GoalArea& in) {
                            if (walker.first_goal) return walker.first_goal;
                            return ground::samplePlace(in.area, walker.radius, context_.terrain.floors()[layer],
                                                       random_);
                          },
                          [&](const GoalOpposite& across) -> Place { return across.centre * 2.0 - walker.start; },
                          [](const GoalDirection&) { return Place(); },
                          [](const GoalDistrict&) { return Place(); },
                      },
                      goal.target);
  }

  /// Takes those who do not get there off the list; the others go on from there.
  void lookAtGoal(std::size_t population, std::size_t number, std::vector<Walker>& walkers,
                  std::vector<UnreachableGoal>& found) {
    const Population& people = context_.scene.populations[population];
    const Goal& goal = people.goals[number];
    const std::uint16_t layer = context_.terrain.space().floor(goal.layer.empty() ? people.layer : goal.layer);
    UnreachableGoal unreachable{population, number, 0, walkers.size(), {}, {}};
    std::size_t plans = 0, after_all = 0;
    std::vector<Walker> left;
    for (Walker& walker : walkers) {
      const auto to = placeOf(goal, layer, walker);
      if (!to) continue;
      const Trip trip{walker.from, *to, walker.layer, layer, walker.radius};
      bool gets_there = ways_->reaches(trip, scratch_.medial);
      if (!gets_there && plans < kPlans) {
        ++plans;
        gets_there = endsThere(goal, trip);
        after_all += gets_there;
        if (!gets_there && unreachable.people == 0) explain(trip, unreachable);
      } else if (!gets_there) {
        gets_there = after_all == plans;  // as it was with those whose routes were planned
      }
      unreachable.people += !gets_there;
      if (gets_there) left.push_back({walker.start, *to, layer, walker.radius, {}});
    }
    walkers = std::move(left);
    if (unreachable.people > 0) found.push_back(std::move(unreachable));
  }

  /// Does the route of somebody end near enough to the goal to have arrived, though it does not reach it?
  bool endsThere(const Goal& goal, const Trip& trip) {
    planning::RouteQuery query{trip.from, trip.to, trip.layer, trip.goal_layer, trip.radius};
    planning::findRoute(ways_->map(), query, scratch_, answer_);
    if (answer_.outcome == planning::Outcome::kReached) return true;
    if (answer_.outcome == planning::Outcome::kNowhere || answer_.end_floor != trip.goal_layer) return false;
    if (const auto* in = std::get_if<GoalArea>(&goal.target)) return geometry::contains(in->area, answer_.end);
    return length(answer_.end - trip.to) <= goals::toleranceOf(goal);
  }

  /// The nearest cause that can be named; answer_ is the route of now.
  void explain(const Trip& trip, UnreachableGoal& goal) {
    const auto& layers = context_.scene.layers;
    goal.at = answer_.outcome == planning::Outcome::kNowhere ? trip.from : answer_.end;
    const auto widest = ways_->widest(trip);
    if (!ways_->map().locate(trip.to, trip.goal_layer)) {
      goal.reason = fmt::format("{} lies in an obstacle or outside the walkable area", placeText(trip.to));
      goal.at = trip.to;
    } else if (const auto door = closedDoor(trip)) {
      goal.reason = door->first;
      goal.at = door->second;
    } else if (widest) {
      goal.reason =
          fmt::format("the widest way there is only {:.3g} m wide, at {}; a radius of {:.3g} m needs {:.3g} m",
                      2 * widest->radius, placeText(widest->narrowest), trip.radius, 2 * trip.radius);
      goal.at = widest->narrowest;
    } else if (const Connection* connection = closedConnection(trip)) {
      goal.at = (connection->from.a + connection->from.b) * 0.5;
      goal.reason = fmt::format(
          "the connection \"{}\" at {} is not used: its lines are not the same in plan, or do not lie on borders of "
          "both layers",
          connection->name, placeText(goal.at));
    } else if (trip.layer != trip.goal_layer) {
      goal.reason = fmt::format("no way leads from layer \"{}\" to that part of layer \"{}\"", layers[trip.layer].name,
                                layers[trip.goal_layer].name);
    } else {
      goal.reason = "walls or obstacles all around lie between";
    }
    if (answer_.outcome != planning::Outcome::kNowhere && answer_.end_floor == trip.goal_layer)
      goal.reason += fmt::format("; the nearest place that can be reached is {}, {:.3g} m away", placeText(answer_.end),
                                 length(answer_.end - trip.to));
  }

  /// The door without which there would be a way.
  std::optional<std::pair<std::string, Point>> closedDoor(const Trip& trip) {
    if (closed_doors_.empty()) return std::nullopt;
    std::vector<std::uint32_t> all;
    for (const step::Inserted* door : closed_doors_) all.push_back(door->id);
    if (!all_open_) all_open_ = std::make_unique<ReachableWays>(ways_->map(), all);
    if (!all_open_->reaches(trip, scratch_.medial)) return std::nullopt;
    for (std::size_t i = 0; i < std::min(kDoors, all.size()); ++i) {
      auto& open = one_open_[i];
      if (!open) open = std::make_unique<ReachableWays>(ways_->map(), std::span(&all[i], 1));
      if (!open->reaches(trip, scratch_.medial)) continue;
      const step::Inserted& door = *closed_doors_[i];
      return std::pair{fmt::format("the door \"{}\" is closed, and nothing opens it", door.name),
                       (door.shape[0] + door.shape[1]) * 0.5};
    }
    std::string names;
    for (const step::Inserted* door : closed_doors_)
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", door->name);
    const step::Inserted& first = *closed_doors_[0];
    return std::pair{fmt::format("the doors {} are closed, and nothing opens them", names),
                     (first.shape[0] + first.shape[1]) * 0.5};
  }

  const Connection* closedConnection(const Trip& trip) const {
    const auto& connections = context_.scene.connections;
    const Connection* nearest = nullptr;
    double least = INFINITY;
    for (std::size_t i = 0; i < connections.size() && i < ways_->map().connections().size(); ++i) {
      if (ways_->map().connections()[i].open) continue;
      const auto a = context_.terrain.space().floor(connections[i].from_layer),
                 b = context_.terrain.space().floor(connections[i].to_layer);
      // Of the start's floor or the goal's: others are farther from the matter.
      if (a != trip.layer && b != trip.layer && a != trip.goal_layer && b != trip.goal_layer) continue;
      const double far = length((connections[i].from.a + connections[i].from.b) * 0.5 - trip.to);
      if (far < least) least = far, nearest = &connections[i];
    }
    return nearest;
  }

  const World& world_;
  const step::StepContext& context_;
  base::Random random_;
  std::unique_ptr<ReachableWays> ways_, all_open_;
  std::map<std::size_t, std::unique_ptr<ReachableWays>> one_open_;
  std::vector<const step::Inserted*> closed_doors_;
  planning::Scratch scratch_;
  planning::RouteAnswer answer_;
};

std::vector<UnreachableGoal> World::unreachableGoals() const {
  std::vector<UnreachableGoal> found;
  if (!map()) return found;
  UnreachableGoals goals(*this);
  for (std::size_t i = 0; i < scene().populations.size(); ++i) goals.look(i, found);
  return found;
}

}  // namespace throng::simulation
