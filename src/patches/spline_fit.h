// Splines through what was recorded.
#pragma once

#include <vector>

#include "throng/patches.h"

namespace throng::patches {

/// Where somebody was.
struct Sighting {
  double time = 0;  ///< s
  Point place;
};

/// A moment at which sightings jump, by so many m: the curve takes its time there.
struct Jump {
  double time = 0;
  double size = 0;
};

/// Moves the control points of a walk, but for those that its ends decide, so that the sum of squared distances from
/// the sightings is least. Around jumps the curve is smooth, over a longer time the farther they are.
void fitWalk(PatchWalk& walk, const std::vector<Sighting>& sightings, const std::vector<Jump>& jumps);

/// The closed curve of a resident through sightings between 0 and the period.
std::vector<Point> fitRing(double period, const std::vector<Sighting>& sightings, const std::vector<Jump>& jumps);

}  // namespace throng::patches
