// Parts of a program's own: systems of the step, steering models, planners. The built-in ones are registered in the
// same way (docs/programming.md, "Parts of your own"). Register models before worlds are made that use them, and not
// while other threads make worlds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/frame.h"
#include "throng/models.h"
#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// Somebody near, as seen by somebody else.
struct SeenPerson {
  std::uint32_t row = 0;  ///< of the frame
  Vec2 to;                ///< m: where they are from the one who looks, also across the border of a wrapped layer
  Vec2 velocity;          ///< m/s
  float radius = 0;       ///< m
  float distance = 0;     ///< m, between centres
};

/// A world while it makes a step, for a System: what it may read, write and ask for. Good until run() returns.
class StepView {
 public:
  double time() const;  ///< s, at the beginning of the step; after "move" at its end
  double dt() const;    ///< s
  std::uint64_t steps() const;
  const Scene& scene() const;
  /// Everybody now. Rows stay as they are while run() lasts.
  Frame frame() const;
  std::span<const AgentId> ids() const;

  /// What everybody would walk at if they were alone (m/s): written by "follow", "gates" and "wishes", read by
  /// "stream" and "steer".
  std::span<float> preferredVelocityX(), preferredVelocityY();
  /// What steering wants of everybody (m/s): written by "steer", read by "move".
  std::span<float> nextVelocityX(), nextVelocityY();
  /// A column of your own: one number for every row, 0 at first, that goes where the person goes, also into snapshots.
  std::span<float> column(std::string_view name);
  std::span<std::uint32_t> wholeColumn(std::string_view name);

  /// Up to `count` nearest people nearer than `range`, nearest first. After "neighbours", and no farther than the
  /// models of the scene look.
  void neighbours(std::size_t row, std::size_t count, float range, std::vector<SeenPerson>& found) const;
  /// body(begin, end) for pieces of [0, n), on all threads at once. What a body computes must depend on its piece
  /// alone.
  void forEach(std::size_t n, const std::function<void(std::size_t begin, std::size_t end)>& body) const;

  // Asked for, and done right after the system has run.
  void setGoals(AgentId id, std::vector<Goal> goals);
  /// To be put at a place of the layer they are on, or beside it where somebody stands there already.
  void push(AgentId id, Point place);
  /// Leaves the world at the end of the step.
  void leave(AgentId id);

  struct State;
  explicit StepView(State& state) : state_(state) {}

 private:
  State& state_;
};

/// A part of the step. It moves nobody: it writes preferred velocities, next velocities and columns of its own, and
/// asks for the rest. The same input must give the same output, or runs differ.
class System {
 public:
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;
  /// As systemTimes() shows it; no other system may have the same.
  virtual std::string_view name() const = 0;
  virtual void run(StepView& step) = 0;
  /// What goes on from step to step and is in no column, for snapshots. load() throws InputError for what it cannot
  /// read, and changes nothing until the world is restored with it.
  virtual std::string save() const { return {}; }
  virtual void load(const std::string& /*saved*/) {}
};

/// What parameters a model has, in strings of its own.
struct ModelDescription {
  /// A number that scenes can set.
  struct Parameter {
    std::string name, unit = "1";
    double value = 0, min = 0, max = 0;  ///< default, and what is allowed, both inclusive
    std::string description;
  };
  std::string name;   ///< as profiles call it
  std::string title;  ///< a few words
  std::string paper;  ///< where it is from
  std::vector<Parameter> parameters;
};

/// Some of the people of a profile while they are steered. Several may be at work at once, each on its own people.
class SteeringView {
 public:
  float dt() const;  ///< s
  std::uint64_t step() const;
  /// The people to be steered are 0 … size() - 1; everything below asks for one of these.
  std::size_t size() const;
  std::size_t row(std::size_t person) const;  ///< of the frame
  Vec2 position(std::size_t person) const;
  Vec2 velocity(std::size_t person) const;
  Vec2 preferredVelocity(std::size_t person) const;
  Vec2 goal(std::size_t person) const;
  float radius(std::size_t person) const;
  float preferredSpeed(std::size_t person) const;
  float maxSpeed(std::size_t person) const;
  std::uint32_t number(std::size_t person) const;
  /// Up to `count` nearest people nearer than `range` (which the model's range must not be less than), nearest first.
  void neighbours(std::size_t person, std::size_t count, float range, std::vector<SeenPerson>& found) const;
  /// Walls that come within `range`: free space lies on the right of a → b.
  void walls(std::size_t person, float range, std::vector<std::pair<Vec2, Vec2>>& found) const;
  /// Every person must be given one. No faster than maxSpeed() is walked, and not through walls.
  void setVelocity(std::size_t person, Vec2 velocity);

  struct State;
  explicit SteeringView(State& state) : state_(state) {}

 private:
  State& state_;
};

/// A steering model of a program's own: a batch kernel with a name.
struct SteeringModel {
  ModelDescription description;
  /// m: how far it looks for neighbours at most, given its parameters in the order of the description.
  std::function<float(std::span<const float> parameters)> range;
  std::function<void(SteeringView& people, std::span<const float> parameters)> steer;
};

/// From then on scenes can name it. Throws InputError when it has no name or that of another one.
void addSteeringModel(SteeringModel model);

/// One person's way, for a planner.
struct PlanRequest {
  Point from, to;
  std::uint16_t layer = 0, goal_layer = 0;  ///< indices into Scene::layers
  double radius = 0.25;                     ///< m
  double preference = 0.5;                  ///< in [0, 1): what sets this person apart
};

/// A planner of a program's own.
struct PlannerModel {
  ModelDescription description;
  /// A place on the way.
  struct WayPoint {
    Point at;
    std::uint16_t layer = 0;  ///< of the straight way to it
  };
  /// Way-points from after `from` to the goal or, where it returns false, to the nearest place that can be reached. May
  /// be called for several people at once.
  std::function<bool(const PlanRequest& request, std::span<const float> parameters, std::vector<WayPoint>& route)> plan;
};

void addPlanner(PlannerModel planner);

}  // namespace throng
#pragma GCC visibility pop
