// What people see.
#pragma once

#include <vector>

#pragma GCC visibility push(default)
namespace throng {

/// What one person sees (World::see), row by row from the upper left pixel. Pixels that show nothing are NaN.
struct SeenImage {
  int columns = 0, rows = 0;
  std::vector<float>
      bearing_rate;           ///< rad/s: how fast the bearing angle of what is there changes, to the left positive
  std::vector<float> time;    ///< s until it is nearest; negative when it goes away
  std::vector<float> danger;  ///< rad/s: by how much a turn would have to change the bearing rate; 0 for none
};

}  // namespace throng
#pragma GCC visibility pop
