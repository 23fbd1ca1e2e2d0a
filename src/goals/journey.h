// Where people go: journeys are lists of goals that many people share; a person knows the journey and the goal.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/scene.h"

#include "agents/crowd.h"
#include "ground/walkable_space.h"

namespace throng::goals {

/// m; home is reached this near to the starting place.
inline constexpr float kHomeTolerance = 0.5f;

struct Journey {
  struct Leg {
    Goal goal;
    std::uint16_t layer = 0;
    Rectangle bounds;  ///< of a goal that is an area
  };
  std::vector<Leg> legs;
  OnArrival on_arrival = OnArrival::kLeave;
  std::uint32_t users = 0;  ///< people and populations that refer to it
  bool repeats = false;     ///< after the last goal comes the first, for ever; every goal is an arrival
};

Journey makeJourney(const std::vector<Goal>& goals, OnArrival on_arrival, std::uint16_t layer,
                    const ground::WalkableSpace& space);

/// m: nearer than this to their own place in a goal somebody has reached it; 0 for areas, which are reached inside, and
/// for directions, which never are.
double toleranceOf(const Goal& goal);

/// Sets activity and the person's own place in their current goal. Draws from the person's stream for areas.
void beginGoal(agents::Crowd& crowd, std::uint32_t row, const Journey& journey, const ground::WalkableSpace& space);

/// Has somebody on the way reached their current goal?
bool reached(const agents::Crowd& crowd, std::uint32_t row, const Journey& journey);

/// What follows on a reached goal.
enum class Next { kGoOn, kArrived, kLeave };
/// Moves on to the next goal (or turns back, or stays). kArrived: reached the last goal and is still there;
/// kLeave: reached it and is to be removed; kGoOn: an intermediate goal.
Next advance(agents::Crowd& crowd, std::uint32_t row, const Journey& journey);

}  // namespace throng::goals
