// Where people go: journeys are lists of stages that many people share; a person knows the journey and the stage.
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
    Stage stage;
    std::uint16_t layer = 0;
    Rectangle bounds;  ///< of an area stage
  };
  std::vector<Leg> legs;
  OnArrival on_arrival = OnArrival::kLeave;
  std::uint32_t users = 0;  ///< people and populations that refer to it
};

Journey makeJourney(const std::vector<Stage>& goals, OnArrival on_arrival, std::uint16_t layer,
                    const ground::WalkableSpace& space);

/// Sets activity and the person's own place in their current stage. Draws from the person's stream for area stages.
void beginStage(agents::Crowd& crowd, std::uint32_t row, const Journey& journey, const ground::WalkableSpace& space);

/// Has somebody on the way reached their current stage?
bool reached(const agents::Crowd& crowd, std::uint32_t row, const Journey& journey);

/// What follows on a reached stage.
enum class Next { kGoOn, kArrived, kLeave };
/// Moves on to the next stage (or turns back, or stays). kArrived: reached the last goal and is still there;
/// kLeave: reached it and is to be removed; kGoOn: an intermediate stage.
Next advance(agents::Crowd& crowd, std::uint32_t row, const Journey& journey);

}  // namespace throng::goals
