// In what order: the world. A clock, a crowd and what it stands on (step::StepContext), and the table of systems that a
// step runs through (Systems).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "throng/scene.h"
#include "throng/sight.h"

#include "simulation/newcomers.h"
#include "simulation/queries.h"
#include "simulation/systems.h"
#include "simulation/unreachable.h"
#include "step/context.h"

namespace throng::simulation {

/// The scene's corridor map and navigation graph, where they were kept; else they are made when they are needed.
struct Kept {
  std::unique_ptr<graph::NavigationGraph> graph = {};
  std::unique_ptr<corridors::CorridorMap> map = {};
  std::vector<step::Inserted> doors = {};  ///< that are closed at time 0, as they are on the map
  bool nobody = false;                     ///< not even those who are there at time 0: for continueFrom()
};

class World {
 public:
  /// The scene must have passed the scene module's checks. Throws InputError when people do not fit.
  World(Scene scene, std::uint64_t seed, int threads, Kept kept = {});

  void step(double dt);
  bool finished() const { return ending() != RunEnd::kNotYet; }
  RunEnd ending() const { return systems_->endings->ending(); }
  std::vector<NotArrived> notArrived() const { return systems_->endings->notArrived(); }

  const Scene& scene() const { return context_->scene; }
  const step::StepContext& context() const { return *context_; }
  const agents::Crowd& crowd() const { return context_->crowd; }
  const ground::WalkableSpace& space() const { return context_->terrain.space(); }
  /// Null when nobody needs one and nothing ever changes.
  const corridors::CorridorMap* map() const { return context_->terrain.map(); }
  const flows::Flows& flows() const { return systems_->flows; }
  const levels::PeopleLevels& levels() const { return systems_->levels; }
  const goals::Goals& goals() const { return systems_->goals; }
  Systems& systems() { return *systems_; }
  const Systems& systems() const { return *systems_; }
  std::span<const Arrival> arrivals() const { return context_->arrivals; }
  /// Doors and obstacles, since the beginning.
  std::span<const Change> changes() const { return context_->terrain.changes(); }
  double time() const { return context_->clock.time(); }
  std::uint64_t steps() const { return context_->clock.steps(); }
  std::uint64_t waiting() const { return systems_->newcomers.waiting(); }
  std::size_t unreachable() const { return systems_->endings->unreachable(); }
  std::size_t memory() const { return systems_->memory(); }
  std::uint64_t hash() const;

  // People.
  AgentId add(const NewPerson& person, const std::vector<Goal>& goals, OnArrival on_arrival);
  void remove(AgentId id);
  void setGoals(AgentId id, const std::vector<Goal>& goals);
  void setPreferredSpeed(AgentId id, double speed);
  /// Throws InputError when the place is in a wall or outside.
  void setPosition(AgentId id, Point place, std::uint16_t layer);
  void setVelocity(AgentId id, Vec2 velocity);
  /// Instead of what following gives; nothing: as following gives it again.
  void setPreferredVelocity(AgentId id, std::optional<Vec2> velocity);
  void setUserData(std::uint32_t row, std::uint64_t data);
  std::uint64_t userData(std::uint32_t row) const;
  void setGroup(std::uint32_t row, std::uint32_t group);
  /// By row; empty while everybody is alone.
  std::span<const std::uint32_t> groups() const;
  /// What is left of somebody's route, from where they are.
  std::vector<Vec2> route(AgentId id) const;
  /// What the person in a row sees.
  SeenImage see(std::uint32_t row) const;
  /// Nobody (an empty id) for a number that nobody has now.
  AgentId find(std::uint32_t person) const { return queries_.find(*context_, person); }
  /// An index of everybody as they stand now, made when it is first asked for after a change.
  const agents::NeighbourIndex& index(float range) const { return queries_.index(*context_, range); }

  // Changes of the world between steps.
  /// A convex obstacle, or with two points a wall, that stands from now on. People in its way plan anew; those it would
  /// stand on are put at the nearest free place of the layer, and where there is none they stand still in it until it
  /// goes. Across the border of a wrapped layer it comes in on the other side. Returns its id. Throws InputError when
  /// it is not convex, and then nothing has changed.
  std::uint32_t insertObstacle(std::span<const Point> convex, std::uint16_t layer, std::string_view name = {});
  void removeObstacle(std::uint32_t obstacle);
  /// By name; throws InputError for an unknown one. True when that changed anything.
  bool setDoor(std::string_view name, bool open);
  std::uint16_t addFlow(Population population);
  void addPlace(const Place& place) { context_->scene.places.push_back(place); }
  /// From now on; none: everybody gets the highest level.
  void setCameras(std::vector<Camera> cameras);
  /// ms that a step may take; 0: no limit.
  void setBudget(double milliseconds);
  /// Goals of populations to which no way leads, with the doors as they are and those open that will be opened. Plans
  /// no route for those who get there: quick for large crowds.
  std::vector<UnreachableGoal> unreachableGoals() const;

  /// Everybody of another world goes on here, where they are; this one must have been made with nobody in it. See
  /// throng::World::continueFrom().
  void continueFrom(const World& before);

  /// Everything needed to go on bit for bit. load() throws InputError when the bytes are damaged or were saved from
  /// another scene, and changes nothing then.
  std::vector<std::byte> save() const;
  void load(std::span<const std::byte> bytes);

 private:
  void changed() { queries_.forget(); }

  std::unique_ptr<step::StepContext> context_;
  std::unique_ptr<Systems> systems_;
  mutable Queries queries_;
};

}  // namespace throng::simulation
