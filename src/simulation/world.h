// In what order: the world and its step. Each stage reads the frozen state and writes columns of its own; only
// `integrate` moves anybody.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "throng/scene.h"
#include "throng/sight.h"

#include "agents/crowd.h"
#include "agents/neighbour_index.h"
#include "base/parallel.h"
#include "corridors/corridor_map.h"
#include "corridors/route_store.h"
#include "following/followers.h"
#include "ground/placement.h"
#include "ground/walkable_space.h"
#include "levels/levels.h"
#include "planning/planners.h"
#include "scene/scene_parts.h"
#include "simulation/clock.h"
#include "simulation/journey.h"
#include "simulation/passage.h"
#include "simulation/population.h"
#include "simulation/progress.h"
#include "simulation/traffic.h"
#include "simulation/unreachable.h"
#include "steering/models.h"

namespace throng::simulation {

/// Populations have random streams too; they start beyond any person's number.
inline constexpr std::uint64_t kPopulationStream = std::uint64_t{1} << 40;

enum class StepStage {
  kChange,
  kAppear,
  kPlan,
  kLevels,
  kFollow,
  kNeighbours,
  kStream,
  kSteer,
  kIntegrate,
  kArrive,
  kCount
};
std::string_view stageName(StepStage stage);

/// One person to be added by a program; what is absent is drawn from the profile.
struct NewPerson {
  Point position;
  std::uint16_t profile = 0, population = 0, layer = 0;
  std::optional<double> radius, preferred_speed;
};

class World {
 public:
  /// The scene must have passed the scene room's checks. Throws InputError when people do not fit.
  /// `graph`: the scene's navigation graph, where it was kept; else it is made when flows or cameras need it.
  World(Scene scene, std::uint64_t seed, int threads, std::unique_ptr<graph::NavigationGraph> graph = {});

  void step(double dt);
  bool finished() const { return ending() != RunEnd::kNotYet; }
  RunEnd ending() const;
  std::vector<NotArrived> notArrived() const;

  const Scene& scene() const { return scene_; }
  const ground::WalkableSpace& space() const { return space_; }
  const agents::Crowd& crowd() const { return crowd_; }
  std::span<const Arrival> arrivals() const { return arrivals_; }
  /// Doors and obstacles, since the beginning.
  std::span<const Change> changes() const { return changes_; }
  double time() const { return clock_.time(); }
  std::uint64_t steps() const { return clock_.steps(); }
  std::uint64_t waiting() const;
  int threads() const { return threads_.count(); }
  std::size_t memory() const;
  std::uint64_t hash() const;
  double stageSeconds(StepStage stage, bool last) const;

  /// Index of a profile by name, the first for an empty name. Throws InputError for an unknown one.
  std::uint16_t profileIndex(std::string_view name) const;
  AgentId add(const NewPerson& person, const std::vector<Stage>& goals, OnArrival on_arrival);
  void remove(AgentId id);
  void setGoals(AgentId id, const std::vector<Stage>& goals);
  void setPreferredSpeed(AgentId id, double speed);
  /// Nobody (an empty id) for a number that nobody has now.
  AgentId find(std::uint32_t person) const;
  /// Throws InputError when the place is in a wall or outside.
  void setPosition(AgentId id, Point place, std::uint16_t layer);
  void setVelocity(AgentId id, Vec2 velocity);
  /// Instead of what following gives; nothing: as following gives it again.
  void setPreferredVelocity(AgentId id, std::optional<Vec2> velocity);
  void setUserData(std::uint32_t row, std::uint64_t data);
  std::uint64_t userData(std::uint32_t row) const;
  // Changes of the world between steps.
  /// A convex obstacle, or with two points a wall, that stands from now on. People in its way plan anew; those it would
  /// stand on are put at the nearest free place of the layer, and where there is none they stand still in it until it
  /// goes. Across the border of a wrapped layer it comes in on the other side. Returns its id. Throws InputError when
  /// it is not convex, and then nothing has changed.
  std::uint32_t insertObstacle(std::span<const Point> convex, std::uint16_t layer, std::string_view name = {});
  void removeObstacle(std::uint32_t obstacle);
  /// By name; throws InputError for an unknown one. True when that changed anything.
  bool setDoor(std::string_view name, bool open);
  /// A flow between two of the scene's places, from now on. Throws InputError when they cannot be joined or a name is
  /// not known. Returns the number of its population.
  std::uint16_t addFlow(Population population);
  /// From now on; none: everybody gets the highest level.
  void setCameras(std::vector<Camera> cameras);
  /// ms that a step may take; 0: no limit.
  void setBudget(double milliseconds);
  /// The factor by which the budget makes distances shorter now.
  double budgetScale() const { return budget_.scale(); }
  /// Null when there are neither flows nor cameras.
  const Traffic* traffic() const { return traffic_.get(); }
  /// How many people are simulated with care; the others walk on straight from gate to gate.
  std::size_t careful() const { return careful_; }

  /// Null when nobody needs one and nothing ever changes.
  const corridors::CorridorMap* map() const { return map_.get(); }
  /// People on the way who can get no nearer to their goal than the end of their route, or who are inside an obstacle.
  std::size_t unreachable() const;
  /// Goals of populations to which no way leads, with the doors as they are and those open that will be opened. Plans
  /// no route for those who get there: quick for large crowds.
  std::vector<UnreachableGoal> unreachableGoals() const;
  /// What is left of somebody's route, from where they are.
  std::vector<Vec2> route(AgentId id) const;

  /// An index of everybody as they stand now, made when it is first asked for after a change.
  const agents::NeighbourIndex& index(float range) const;

  /// What the person in a row sees.
  SeenImage see(std::uint32_t row) const;

  /// Everything needed to go on bit for bit. load() throws InputError when the bytes are damaged or were saved from
  /// another scene, and changes nothing then.
  std::vector<std::byte> save() const;
  void load(std::span<const std::byte> bytes);

 private:
  friend class UnreachableGoals;

  /// A profile with its models looked up and its parameters in table order.
  struct Kind {
    const planning::Planner* planner;
    const following::Follower* follower;
    const steering::Model* steering;
    std::vector<float> planner_parameters, follower_parameters, steering_parameters;
    std::vector<float> stream_parameters;  ///< empty: does not follow streams
  };

  struct Inserted {
    std::string name;  ///< of a door or of an event's obstacle; empty: a program's
    std::uint32_t id = 0;
    std::uint32_t whole = 0;  ///< the id it goes by: across a wrapped border an obstacle is in several pieces
    std::uint16_t layer = 0;
    std::vector<Point> shape;

    /// A name that it shares with nothing that is there.
    std::string uniqueName() const;
  };

  // The stages, in order.
  void change();
  void happen(const Event& event);
  void appear();
  void plan();
  void assignCare(double dt);
  void follow(float dt);
  void findNeighbours();
  void stream(float dt);
  void steer(float dt);
  void integrate(float dt);
  void arrive();

  // Flows and levels of simulation (world_flows.cpp, world_levels.cpp).
  void buildTraffic(std::unique_ptr<graph::NavigationGraph> graph);
  void needTraffic();
  FlowEnd flowEnd(const std::string& place) const;
  void insertFlow(std::size_t population);
  bool hasLevels() const { return !scene_.levels.cameras.empty(); }
  const SimulationLevel& levelOf(std::uint32_t row) const { return scene_.levels.levels[crowd_.level[row]]; }
  bool wantsCare(std::uint32_t row) const;
  void setLevel(std::uint32_t row, std::uint8_t level, double dt);
  void takeCareOf(std::uint32_t row);
  void releaseCareOf(std::uint32_t row);
  /// Does somebody who is simulated with care decide anew in this step?
  bool decides(std::uint32_t row) const {
    const std::uint32_t every = levelOf(row).every;
    return every <= 1 || (clock_.steps() + crowd_.person[row]) % every == 0;
  }
  // Columns that programs fill.
  static constexpr std::string_view kWish = "wish", kWishX = "wish.x", kWishY = "wish.y", kUserData = "user";
  void followWishes();
  bool hasWish(std::uint32_t row) const { return wishing_ && (*wishing_)[row]; }
  void findWishes();
  void followPiece(std::span<const std::uint32_t> rows, float dt);
  void walkUnheeding(float dt);
  void glide(std::uint32_t begin, std::uint32_t end, float dt);
  Vec2 unheedingVelocity(std::uint32_t row, float elapsed) const;
  void settle(std::uint32_t row, Vec2& velocity, float dt);

  void buildMap();
  void needMap();
  void findLinks();
  void wallsChanged(std::uint16_t layer);
  bool isDoor(std::string_view name) const;
  void logChange(const Inserted& thing, bool came);
  /// As they were when a snapshot was made; no map: as the scene says.
  void restoreWalls(std::unique_ptr<corridors::CorridorMap> map, std::vector<Inserted> inserted);
  void replanAround(std::span<const Point> shape, std::uint16_t layer);
  void pushOut(const Rectangle& box, std::uint16_t layer, const ground::Walls& before);
  bool pushOut(std::uint32_t row, const ground::Walls& before);
  void moveAside(std::uint32_t row, Point place);
  Point besideOthers(std::uint32_t row, Point place) const;
  void findBuried();
  void digOut(std::uint16_t layer);
  bool isBuried(std::uint32_t row) const {
    return !buried_.empty() && std::binary_search(buried_.begin(), buried_.end(), crowd_.person[row]);
  }
  void findObstructed();
  void lookAgain();
  bool isObstructed(std::uint32_t row) const;
  void replanTheStranded();
  bool standsAtTheEnd(std::uint32_t row) const;
  // How it ends (world_endings.cpp).
  bool moreToCome() const;
  bool everybodyIsThere() const;
  void lookForProgress();
  /// m, from where somebody is over the place they make for and the way-points to come.
  float wayLeft(std::uint32_t row) const;
  void planAll(std::span<const AgentId> people);
  /// m, from where somebody is.
  float routeLength(std::uint32_t row) const;
  void placeEverybody();
  AgentId join(const NewPerson& person, std::uint32_t journey, base::Random random);
  void leave(std::uint32_t row);
  std::uint32_t addJourney(Journey journey);
  void releaseJourney(std::uint32_t journey);
  void begin(std::uint32_t row);
  void moveInTheOpen(std::uint32_t begin, std::uint32_t end, float dt);
  void move(std::uint32_t row, float dt, std::vector<std::uint32_t>& near);
  std::vector<ground::Disc> peopleNear(const Start& start, std::uint16_t layer) const;
  /// Splits `people` (rows or slots) by profile, keeping their order; one list when there is one profile.
  void byProfile(std::span<const std::uint32_t> people, std::span<const std::uint32_t> row_of,
                 std::vector<std::vector<std::uint32_t>>& lists) const;
  /// Of the people of one profile, as found by findNeighbours().
  std::span<const std::uint32_t> slotsOf(std::size_t kind) const;
  // Snapshots (snapshot.cpp).
  struct Saved;
  std::vector<scene::ScenePart> sceneParts() const;
  std::unique_ptr<Traffic> restoredTraffic(const Saved& in, const std::vector<Population>& populations) const;
  static bool onTheGraph(const agents::Crowd& crowd, std::uint32_t row, const Traffic* traffic);
  void requireSound(const Saved& in, const agents::Crowd& crowd, const corridors::CorridorMap* map,
                    const Traffic* traffic) const;
  void changed() { query_index_ready_ = false; }

  Scene scene_;
  std::size_t own_populations_;  ///< the first so many are the scene's; the others came by addFlow()
  LevelSettings own_levels_;     ///< the scene's, before setCameras() and setBudget()
  std::uint64_t seed_;
  base::Threads threads_;
  ground::WalkableSpace space_;
  Passages passages_;
  std::unique_ptr<corridors::CorridorMap> map_;
  std::vector<Inserted> inserted_;
  std::vector<Change> changes_;           ///< for recordings; nothing in a step reads them
  std::vector<std::uint32_t> buried_;     ///< people inside an obstacle for whom there is no free place; ascending
  std::vector<std::uint8_t> obstructed_;  ///< by vertex of the graph: something inserted stands in it; empty: in none
  std::uint64_t next_event_ = 0;          ///< in the order of times
  std::vector<Kind> kinds_;
  std::vector<std::optional<Rectangle>> wrap_;
  std::vector<agents::Link> links_;  ///< over which people of two floors see one another
  float neighbour_range_ = 0;

  std::unique_ptr<Traffic> traffic_;
  bool graph_made_later_ = false;  ///< from the walls of then, not of the start
  levels::Budget budget_;
  std::vector<std::uint8_t> vertex_level_;
  bool levels_changed_ = false;  ///< cameras are others than at the last step

  agents::Crowd crowd_;
  /// The first so many rows are simulated with care; the others walk straight from decision to decision and are not
  /// seen by anybody.
  std::size_t careful_ = 0;
  agents::NeighbourIndex neighbours_;
  corridors::RouteStore routes_;
  std::vector<Journey> journeys_;  ///< the populations' first, in their order
  std::vector<std::uint32_t> free_journeys_;
  std::vector<Source> sources_;     ///< one per population
  std::vector<AgentId> unplanned_;  ///< who has a new goal and no route to it yet
  std::vector<Arrival> arrivals_;
  Clock clock_;
  Progress progress_;
  std::uint32_t next_person_ = 1;
  const base::Column<std::uint8_t>* wishing_ = nullptr;  ///< who has a preferred velocity from outside; null: nobody
  mutable std::vector<std::pair<std::uint32_t, AgentId>> numbers_;  ///< people by number, made when it is asked for
  mutable bool numbers_ready_ = false;

  std::vector<std::vector<std::uint32_t>> rows_by_profile_, slots_by_profile_;  ///< scratch
  std::vector<std::vector<std::uint32_t>> avoiding_;                            ///< scratch: slots by profile
  std::vector<std::uint32_t> order_;                                            ///< scratch: rows by cell
  std::vector<corridors::Route> planned_;                                       ///< scratch: of a group of people
  std::vector<planning::Outcome> outcomes_;
  std::vector<AgentId> leaving_;         ///< scratch
  std::vector<std::uint32_t> all_rows_;  ///< scratch: 0, 1, 2 …
  mutable agents::NeighbourIndex query_index_;
  mutable bool query_index_ready_ = false;
  mutable float query_range_ = 0;

  struct Seconds {
    double last = 0, total = 0;
  };
  std::array<Seconds, static_cast<std::size_t>(StepStage::kCount)> seconds_{};
};

}  // namespace throng::simulation
