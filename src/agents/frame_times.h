// Which moments of a run are recorded.
#pragma once

#include <cmath>

namespace throng::agents {

/// Is a time (s) a whole number of frames but for the rounding of products? Steps are much farther apart.
inline bool isFrameTime(double time, double frames_per_second) {
  const double frames = time * frames_per_second;
  return std::abs(frames - std::round(frames)) <= 1e-8 + 1e-14 * frames;
}

}  // namespace throng::agents
