// A running simulation. Make it from a scene, step it, read its frame.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/extend.h"
#include "throng/frame.h"
#include "throng/navigation.h"
#include "throng/navigation_graph.h"
#include "throng/scene.h"
#include "throng/sight.h"

#pragma GCC visibility push(default)
namespace throng {

/// What is not the scene's to decide.
struct WorldOptions {
  int threads = 0;         ///< 0: all cores; the result does not depend on it
  std::uint64_t seed = 0;  ///< 0: the scene's
  /// The scene's navigation graph where it is at hand, such as from a file; null: made when flows or cameras need it.
  const NavigationGraph* navigation_graph = nullptr;
  /// The scene's navigation map where it is at hand, with its doors as they are at time 0; null: made when it is
  /// needed.
  const NavigationMap* navigation_map = nullptr;
  /// Nobody is there, not even at time 0: for World::continueFrom().
  bool nobody = false;
};

/// What one system of World::step took.
struct SystemTime {
  std::string_view name;
  double last = 0;   ///< s, in the last step
  double total = 0;  ///< s, since the beginning
};

/// How to add one person through the program interface.
struct Person {
  Point position;
  std::vector<Goal> goals;
  std::string profile;                    ///< empty: the scene's first
  LayerId layer;                          ///< null: the scene's first
  std::optional<double> radius;           ///< m; drawn from the profile when absent
  std::optional<double> preferred_speed;  ///< m/s
  OnArrival on_arrival = OnArrival::kLeave;
  std::uint16_t population = 0;  ///< whom they are counted and drawn with
  std::uint32_t group = 0;       ///< whom they are out with, see World::setGroup(); 0: alone
};

/// Somebody near a person or a place.
struct Neighbour {
  AgentId id;
  float distance = 0;  ///< m, between centres
};

/// People in a scene, from one step to the next.
class World {
 public:
  /// Places everybody who is there at time 0. Throws InputError when the scene is wrong or people do not fit.
  explicit World(const Scene& scene, const WorldOptions& options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Advances time by the scene's dt.
  void step();
  /// Advances time by dt, 0.001 to 0.5 s.
  void step(double dt);
  /// True when the scene's duration is over or, where it asks for that, everybody has arrived or nobody who is left
  /// can.
  bool finished() const { return ending() != RunEnd::kNotYet; }
  RunEnd ending() const;
  /// Who is on the way to a goal that they have not reached yet. People of flows, and those who walk in a direction or
  /// back and forth for ever, are not counted.
  std::vector<NotArrived> notArrived() const;

  /// s: the number of steps times their length, so that it does not drift.
  double time() const;
  std::uint64_t steps() const;
  /// Everybody now. The spans point into the world and hold until it changes.
  Frame frame() const;
  /// The id of each row of frame().
  std::span<const AgentId> ids() const;
  /// Velocities of each row of frame(), m/s.
  std::span<const float> velocityX() const;
  std::span<const float> velocityY() const;
  /// Who arrived in the last step.
  std::span<const Arrival> arrivals() const;
  /// People who are due (by rate or schedule) but found no free place yet.
  std::uint64_t waiting() const;

  // Between steps.
  /// Throws InputError when the place is in a wall, outside or taken.
  AgentId add(const Person& person);
  void remove(AgentId id);
  bool contains(AgentId id) const;
  /// Row of frame() that this person has now; throws InputError for somebody who has left.
  std::size_t row(AgentId id) const;
  /// The number that frames and recordings know somebody by, and back: nobody (an empty id) when they have left or
  /// never were.
  std::uint32_t number(AgentId id) const;
  AgentId find(std::uint32_t number) const;
  void setGoals(AgentId id, const std::vector<Goal>& goals);
  void setPreferredSpeed(AgentId id, double speed);
  /// Puts somebody at another place, on the layer they are on when none is given. They stand there, and plan their way
  /// anew. Others may be there: people who overlap walk apart. Throws InputError when the place is in a wall or
  /// outside.
  void setPosition(AgentId id, Point place, LayerId layer = {});
  /// m/s, from which steering goes on; no faster than the person can walk.
  void setVelocity(AgentId id, Point velocity);
  /// The velocity (m/s) that somebody would walk at if they were alone, instead of that along their route, until it is
  /// taken back with nothing. They still avoid others and walls, as their steering model does it. Their goals stay, and
  /// are reached when they come there.
  void setPreferredVelocity(AgentId id, std::optional<Point> velocity);
  /// 64 bits of your own for everybody, 0 at first: an index or an address of what you keep. They go where the person
  /// goes, and into snapshots.
  void setUserData(AgentId id, std::uint64_t data);
  std::uint64_t userData(AgentId id) const;
  /// People of the same group, a number of your own, belong together: frames and snapshots say so. No built-in system
  /// acts on it; one of yours can. 0: alone, as everybody is at first.
  void setGroup(AgentId id, std::uint32_t group);
  /// What is left of somebody's route: from where they are over the attraction point of now and the way-points to come.
  std::vector<Point> route(AgentId id) const;
  /// People on the way whose goal cannot be reached; they walk to the nearest place that can, and wait there.
  std::uint64_t unreachable() const;

  /// Goals of the scene's populations to which no way leads, as warnings: the pointer is that of the goal, `at` where
  /// the cause lies (a closed door, a passage that is too narrow, a connection that is not used).
  std::vector<Diagnostic> unreachableGoals() const;

  // Changes of the world between steps. Whose route is cut plans anew at the next step; everybody else goes on.
  /// A convex obstacle or, with two points, a wall without thickness, from now on. It may touch and overlap what is
  /// there. People it would stand on are put at the nearest free place of the layer; where there is none they stand
  /// still in it and count as unreachable until it goes. Across the border of a wrapped layer it comes in on the other
  /// side. Throws InputError when it is not convex, and then nothing has changed.
  ObstacleId insertObstacle(const Ring& convex, LayerId layer = {});
  /// Takes away what insertObstacle() has put there.
  void removeObstacle(ObstacleId obstacle);
  /// Opens or closes one of the scene's doors.
  void setDoor(DoorId door, bool open);
  bool isOpen(DoorId door) const;
  /// By the name that the scene gives them; obstacles those that its events have put there and not taken away. Throw
  /// InputError when there is none.
  LayerId layer(std::string_view name) const;
  DoorId door(std::string_view name) const;
  ObstacleId obstacle(std::string_view name) const;

  // Flows and levels of simulation (docs/flows.md, docs/levels.md).
  /// People who walk back and forth between two of the scene's places, from now on. Returns the number of their
  /// population. Throws InputError when a name is not known or no way leads from the one place to the other.
  std::uint16_t addFlow(const std::string& name, const FlowEnds& ends, std::uint32_t count,
                        const std::string& profile = {}, const Distribution& lane = Distribution::uniform(0, 1));
  /// One more of the scene's places, for flows. Throws InputError when there is one of that name.
  void addPlace(const Place& place);
  /// Paths of a flow by its population, and what they are estimated to take now; nothing for another population.
  struct FlowPathState {
    double length = 0;       ///< m
    double travel_time = 0;  ///< s, as densities are now
    std::uint64_t people = 0;
    std::vector<Point> points;  ///< the middles of its gates
  };
  std::vector<FlowPathState> flowPaths(std::uint16_t population) const;
  /// Who looks from where, from now on; none: everybody gets the highest level.
  void setCameras(const std::vector<Camera>& cameras);
  /// ms that a step may take; distances of levels shrink and grow to keep it. 0: they stay.
  void setBudget(double milliseconds);
  /// The level of each row of frame(); all 0 when there are no cameras.
  std::span<const std::uint8_t> levels() const;
  /// How many people go straight on from decision to decision, avoiding nobody: cheap ones.
  std::size_t atLowLevels() const;

  /// Up to `count` nearest people within `range` of somebody, nearest first.
  std::vector<Neighbour> neighbours(AgentId id, std::size_t count, double range) const;
  std::vector<Neighbour> neighbours(Point place, std::size_t count, double range, LayerId layer = {}) const;

  /// What somebody sees, with the parameters of their profile's steering where that is `vision` or `vision-predictive`,
  /// and as `vision` sees by default where it is not.
  SeenImage see(AgentId id) const;

  /// Goes on from another world, made from a scene that this one's has been changed from; this one must be new, and
  /// made with WorldOptions::nobody. Time goes on. People stay where they are, with their numbers, bodies and speeds,
  /// groups and data of your own; their ids are others here. They walk to the goals that this scene gives their
  /// population, as far as they had come, and plan their ways anew. Populations and layers are the same when their
  /// names are (those without one: in their order); people of one that is no more are not taken over. Where the scene
  /// has more people in a population they come now, as far as there is room; where it has fewer the last leave; where a
  /// profile has other radii or speeds people get theirs. Who stands where nobody can any more is put at the nearest
  /// place where there is room. Doors stay as they are, and obstacles that a program has put there; those of events are
  /// this scene's. Throws InputError, and then this world is of no more use: a scene has districts of crowd patches, a
  /// flow has no way.
  void continueFrom(const World& before);

  /// Everything needed to go on bit for bit, as bytes. restore() needs a world made from the same scene and seed
  /// (docs/file-formats.md says what may differ); it throws InputError for another one and for damaged bytes, and
  /// changes nothing then.
  std::vector<std::byte> snapshot() const;
  void restore(std::span<const std::byte> snapshot);
  /// The same as a file, which is there whole or not at all. Throws FileError when it exists and may not be replaced or
  /// cannot be written.
  void saveSnapshot(const std::string& path, bool replace = false) const;
  /// Throws FileError when it cannot be read, InputError with the file's name as restore() does.
  void loadSnapshot(const std::string& path);
  /// Hash of everybody's state; equal for equal runs, whatever the number of threads.
  std::uint64_t hash() const;

  /// In the order in which they run.
  std::span<const SystemTime> systemTimes() const;
  /// A part of the step of your own, from now on, before the one of that name (docs/architecture.md lists them). Throws
  /// InputError when there is none, or another system is called the same. A snapshot is restored into a world with the
  /// same systems.
  void addSystem(std::unique_ptr<System> system, std::string_view before = "steer");
  /// Memory held for people and the step's work, in bytes.
  std::size_t memory() const;
  const Scene& scene() const;
  int threads() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
#pragma GCC visibility pop
