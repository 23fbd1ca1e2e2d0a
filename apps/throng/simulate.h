// Running a world to its end, with everything that watches it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "throng/metrics.h"
#include "throng/recording.h"
#include "throng/world.h"

namespace throng::app {

struct Simulated {
  MetricsReport metrics;
  double seconds = 0;    ///< wall clock
  double simulated = 0;  ///< s
  std::uint64_t steps = 0;
  std::uint64_t agent_steps = 0;
  std::uint64_t frames = 0;  ///< recorded
  std::uint64_t waiting = 0;
  std::uint64_t unreachable = 0;    ///< people at the end whose goal cannot be reached
  RunEnd ending = RunEnd::kNotYet;  ///< kNotYet: interrupted
  std::vector<NotArrived> not_arrived;
  bool interrupted = false;
};

/// Steps the world until it is finished or the user interrupts. `recorder` gets a frame at the scene's recording rate
/// and is closed at the end.
Simulated simulate(World& world, Recorder* recorder, bool show_progress);

}  // namespace throng::app
