// The last metres before a gate: a smooth curve to the place, the time and the velocity of an input.
#pragma once

#include "throng/patches.h"

namespace throng::districts {

/// m/s²: nobody's velocity changes faster where they come to a gate or leave one.
inline constexpr double kGentle = 3;

/// A cubic in time from one state to another (Hermite): position and velocity are those of both ends, and the
/// acceleration is linear, so that it is largest at an end.
struct Approach {
  PatchState from, to;
  double begin = 0, end = 0;  ///< s

  PatchState at(double time) const;
  /// m/s², the largest.
  double acceleration() const;
};

}  // namespace throng::districts
