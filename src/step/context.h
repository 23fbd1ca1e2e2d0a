// What the systems of one world share. Who writes what stands beside each member; everybody else reads it. That the
// core columns of the crowd (who is there, where, how fast) change only by those who may is tested around every system
// (tests/simulation/systems_test.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/models.h"
#include "throng/scene.h"

#include "agents/crowd.h"
#include "agents/neighbour_index.h"
#include "base/parallel.h"
#include "corridors/route_store.h"
#include "ground/region_weights.h"
#include "step/clock.h"
#include "step/terrain.h"

namespace throng::step {

/// What systems ask for. What the crowd's rows and places are concerned with is carried out by the table, right after
/// the system that asked.
struct Requests {
  /// A new route, from the next planning on. Kept from step to step.
  std::vector<AgentId> routes;
  /// To be put at a place, or beside it where somebody stands there already.
  struct Push {
    AgentId id;
    Point place;
  };
  std::vector<Push> pushes;
  /// What has come and may cut routes.
  struct Cut {
    std::vector<Point> shape;
    std::uint16_t layer = 0;
  };
  std::vector<Cut> cuts;
  /// Other goals than before, for people who have some or none.
  struct NewGoals {
    AgentId id;
    std::vector<Goal> goals;
  };
  std::vector<NewGoals> goals;
  /// To leave the world, at the end of the step.
  std::vector<AgentId> leaving;
  /// Something has gone: whoever could not reach their goal may be able to now.
  bool freed = false;
  /// To be simulated in full, and to go on at a low level; first these, then those.
  std::vector<AgentId> full, low;
  /// The rows of those simulated in full, in their new order; empty: as they are.
  std::vector<std::uint32_t> order;
};

/// Levels of simulation, as far as others need to know of them. Set by the module `levels`.
struct Detail {
  std::span<const SimulationLevel> levels;
  const base::Column<std::uint8_t>* level = nullptr;  ///< of every row; null: everybody decides at every step
  const base::Column<std::uint8_t>* wait = nullptr;   ///< of rows at low levels: steps until their next decision

  bool any() const { return level != nullptr; }
  const SimulationLevel& of(std::uint32_t row) const { return levels[(*level)[row]]; }
};

class System;

struct StepContext {
  StepContext(Scene scene, std::uint64_t seed, int threads);
  StepContext(const StepContext&) = delete;
  StepContext& operator=(const StepContext&) = delete;

  Scene scene;  ///< with the flows and cameras that programs have added
  const std::size_t own_populations;
  const LevelSettings own_levels;  ///< the scene's, before programs changed them
  const std::uint64_t seed;
  base::Threads threads;

  Clock clock;      ///< advances when people have moved
  double dt = 0.1;  ///< s: length of this step
  Terrain terrain;
  ground::PeoplesWeights weights;              ///< what ground of each type costs whom
  std::vector<std::optional<Rectangle>> wrap;  ///< by layer
  std::vector<agents::Link> links;             ///< over which people of two layers see one another
  agents::Crowd crowd;
  corridors::RouteStore routes;       ///< written by planning
  agents::NeighbourIndex neighbours;  ///< of this step, written by the system of that name
  Detail detail;
  bool walks = false;  ///< somebody may be on a walk (agents::Guide::kWalk); set by the module `districts`
  Requests requests;
  std::vector<Arrival> arrivals;   ///< of this step
  std::vector<AgentId> planned;    ///< who got a new route in this step, written by planning
  std::vector<System*> listeners;  ///< everybody who hears of people who set out; set by the table

  float stepLength() const { return static_cast<float>(dt); }
  /// Does somebody who is simulated in full decide anew in this step?
  bool decides(std::uint32_t row) const {
    if (!detail.any()) return true;
    const std::uint32_t every = detail.of(row).every;
    return every <= 1 || (clock.steps() + crowd.person[row]) % every == 0;
  }
  /// Is somebody inside an obstacle, where there was no free place to put them?
  bool isBuried(std::uint32_t row) const { return buried_ && (*buried_)[row]; }
  void bury(std::uint32_t row, bool inside);
  /// Does a program say which velocity somebody prefers?
  bool isSteeredByProgram(std::uint32_t row) const { return wishing_ && (*wishing_)[row]; }
  /// m/s, instead of what following gives; nothing: as following gives it again.
  void setWish(std::uint32_t row, std::optional<Vec2> velocity);
  Vec2 wish(std::uint32_t row) const { return {(*wish_x_)[row], (*wish_y_)[row]}; }
  bool anyWish() const { return wishing_ != nullptr; }
  /// Tells all systems that somebody has another goal than before.
  void tellSetsOut(std::uint32_t row);
  /// After the crowd was loaded. Throws InputError when columns that belong together are not all there.
  static void requireColumns(const agents::Crowd& crowd);
  void findColumns();

  /// m, from where somebody is along all way-points to come, or straight to the goal.
  float routeLength(std::uint32_t row) const;

  /// Index of a profile by name, the first for an empty name. Throws InputError for an unknown one.
  std::uint16_t profileIndex(std::string_view name) const;

 private:
  base::Column<std::uint8_t>* buried_ = nullptr;  ///< null: nobody is
  base::Column<std::uint8_t>* wishing_ = nullptr;
  base::Column<float>*wish_x_ = nullptr, *wish_y_ = nullptr;
};

/// A model's parameters in the order of its table.
std::vector<float> parameterValues(const ModelInfo& info, const std::map<std::string, double>& differing);

}  // namespace throng::step
