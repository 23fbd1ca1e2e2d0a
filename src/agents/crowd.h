// The crowd's state: one row per person, one column per quantity. Rows are dense; a row number holds only until
// somebody is added or removed or the rows are put in order, an AgentId for as long as the person is there.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "throng/base.h"
#include "throng/frame.h"

#include "base/column.h"
#include "base/hash.h"

namespace throng::agents {

using throng::Activity;

/// What came of planning somebody's way.
enum class RouteState : std::uint8_t {
  kReaches,  ///< the goal
  kNearest,  ///< only the nearest place that can be reached
  kStraight  ///< no map: straight to the goal
};

/// Who leads somebody.
enum class Guide : std::uint8_t {
  kGoals,  ///< their own goals, by a route
  kFlow,   ///< a navigation flow, from gate to gate
  kWalk    ///< a walk of a crowd patch, or the curve that leads there or away: they go where it goes
};

/// Crowd::goal of somebody who is on the way back to where they started.
inline constexpr std::int32_t kStartGoal = -1;

/// One person as a value, for adding.
struct PersonState {
  Vec2 position, velocity, heading{1, 0};
  float z = 0;
  float radius = 0.25f;
  float preferred_speed = 1.3f;
  float max_speed = 1.95f;
  std::uint16_t profile = 0, population = 0, layer = 0;
  std::uint32_t journey = 0;
  std::uint32_t person = 0;
  std::uint64_t random = 0;
  float preference = 0.5f;
};

/// The attached column that frames take slopes from: m of height per m walked in the heading's direction.
inline constexpr std::string_view kSlope = "slope";

/// The attached column, where there is one, that says how far everybody is from walls: none is nearer (m) to where the
/// person is now. 0: not known. Whoever moves people sets it back to that.
inline constexpr std::string_view kRoom = "room";

/// The attached column, where there is one, that says how many way-points before route_start somebody still needs:
/// those between their reference point and their attraction point.
inline constexpr std::string_view kBehind = "route.behind";

/// What becomes of an attached column.
enum class Keep : std::uint8_t {
  kState,  ///< a part of everybody's state: hashed and saved
  kCache   ///< can be found anew at any time
};

struct Crowd {
  // Motion: read by every kernel, written by the system that moves people only.
  base::Column<float> x, y;                  // m
  base::Column<float> vx, vy;                // m/s
  base::Column<float> heading_x, heading_y;  // unit vector: where they walked last; read by models
  base::Column<float> z;                     // m
  base::Column<float> radius;                // m
  base::Column<float> preferred_speed;       // m/s
  base::Column<float> max_speed;             // m/s
  base::Column<float> facing_x, facing_y;    // unit vector: how the body stands; read by frames only, see Move
  // Written by following, turned towards streams where the profile asks for it, read by steering.
  base::Column<float> preferred_vx, preferred_vy;  // m/s
  // Written by steering, read by whatever moves people.
  base::Column<float> next_vx, next_vy;  // m/s
  // Where to.
  base::Column<float> goal_x, goal_y;      // m: the person's own place in the current goal (kHeading: unit vector)
  base::Column<float> target_x, target_y;  // m: way-point or attraction point of now, written by following
  base::Column<std::uint32_t> route_start, route_count;  // way-points still to come, in the world's RouteStore
  base::Column<std::uint16_t> goal_layer;
  base::Column<RouteState> route_state;
  base::Column<std::uint8_t> lost;       // written by following: cannot get back to the route, and needs a new one
  base::Column<std::int32_t> goal;       // index into the journey's goals, or kStartGoal
  base::Column<std::uint32_t> journey;   // index into the world's journeys (goals shared by many people)
  base::Column<std::uint8_t> returning;  // walking the journey backwards
  base::Column<Activity> activity;
  base::Column<Guide> guide;  // not hashed: it follows from what the guides keep
  // Who.
  base::Column<std::uint16_t> profile, population, layer;
  base::Column<std::uint32_t> person;  // never reused
  base::Column<AgentId> id;
  base::Column<float> preference;        // in [0, 1): how this person differs from others, for planners
  base::Column<std::uint64_t> random;    // state of the person's own stream
  base::Column<float> start_x, start_y;  // m: where they appeared, for going back
  base::Column<std::uint16_t> start_layer;

  std::size_t size() const { return x.size(); }
  /// They stand and walk this way from now on, without a turn.
  void face(std::uint32_t row, Vec2 way) {
    heading_x[row] = facing_x[row] = way.x;
    heading_y[row] = facing_y[row] = way.y;
  }

  // Rows have two parts: first those who are simulated in full, then those at low levels, who walk straight on from one
  // decision to the next and are seen by nobody. New people are simulated in full.
  std::size_t full() const { return full_; }
  /// Moves the person of a row into the other part. Another person's row changes too.
  void toFull(std::uint32_t row);
  void toLow(std::uint32_t row);

  // Columns that only some crowds have.
  /// The column of this name, made with zeros for everybody when it is not there yet. It is added to, put in order,
  /// hashed and saved like all others, and stays where it is until the crowd is loaded. T: float, or a whole number of
  /// 8, 32 or 64 bits; the same every time.
  template <class T>
  base::Column<T>& attach(std::string_view name, Keep keep = Keep::kState) {
    if (base::Column<T>* there = find<T>(name)) return *there;
    return std::get<base::Column<T>>(
        attached_.emplace_back(Attached{std::string(name), base::Column<T>(size(), T{}), keep}).values);
  }
  /// Null when there is none.
  template <class T>
  base::Column<T>* find(std::string_view name) {
    for (Attached& column : attached_)
      if (column.name == name) return std::get_if<base::Column<T>>(&column.values);
    return nullptr;
  }
  template <class T>
  const base::Column<T>* find(std::string_view name) const {
    return const_cast<Crowd*>(this)->find<T>(name);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  }

  /// Of every row, see kBehind; empty where nobody needs any.
  std::span<const std::uint32_t> wayPointsBehind() const {
    const auto* column = find<std::uint32_t>(kBehind);
    return column ? std::span<const std::uint32_t>(*column) : std::span<const std::uint32_t>();
  }

  AgentId add(const PersonState& person);
  /// The last row of its part takes the freed row's place.
  void remove(AgentId id);
  bool contains(AgentId id) const;
  /// Row of somebody who is there; asserts that they are.
  std::uint32_t row(AgentId id) const;
  /// The people in two rows change places.
  void swapRows(std::uint32_t a, std::uint32_t b);
  /// Puts row order[i] at place i, for every i. Rows beyond the order stay where they are.
  void reorder(std::span<const std::uint32_t> order);
  /// Sets what was found out about somebody (Keep::kCache) to 0: they were put elsewhere.
  void forget(std::uint32_t row);

  Frame frame(double time, std::uint64_t step) const;
  /// Columns that nobody uses do not count, so that what a scene does not ask for leaves its hash as it is.
  void hash(base::Hash& hash) const;
  std::size_t memory() const;

  /// Everything, as bytes and back.
  void save(std::vector<std::byte>& bytes) const;
  /// Throws InputError when the bytes are not a crowd.
  void load(std::span<const std::byte>& bytes);

 private:
  /// f(column) for every column, in one fixed order.
  template <class Self, class F>
  static void forEachColumn(Self& self, F&& f);
  /// The same without those that are attached and those that follow from others.
  template <class Self, class F>
  static void forEachCoreColumn(Self& self, F&& f);
  struct Attached {
    std::string name;
    std::variant<base::Column<float>, base::Column<std::uint8_t>, base::Column<std::uint32_t>,
                 base::Column<std::uint64_t>>
        values;
    Keep keep = Keep::kState;
  };
  std::size_t full_ = 0;
  std::deque<Attached> attached_;  ///< in the order in which they came; references to them hold

  struct Handle {
    std::uint32_t row = 0;
    std::uint32_t generation = 1;
  };
  std::vector<Handle> handles_;  ///< by id.index()
  std::vector<std::uint32_t> free_handles_;
};

}  // namespace throng::agents
