// Frames written by hand.
#pragma once

#include <vector>

#include "throng/frame.h"

#include "base/random.h"

namespace throng::metrics {

struct Standing {
  std::uint32_t person = 1;
  double x = 0, y = 0;
  double radius = 0.25;
  std::uint16_t layer = 0;
  std::uint16_t population = 0;
};

inline FrameCopy frameOf(double time, const std::vector<Standing>& people) {
  FrameCopy frame;
  frame.time = time;
  frame.resize(people.size());
  for (std::size_t i = 0; i < people.size(); ++i) {
    frame.person[i] = people[i].person;
    frame.x[i] = static_cast<float>(people[i].x);
    frame.y[i] = static_cast<float>(people[i].y);
    frame.heading_x[i] = 1;
    frame.radius[i] = static_cast<float>(people[i].radius);
    frame.layer[i] = people[i].layer;
    frame.population[i] = people[i].population;
  }
  return frame;
}

inline void shuffle(std::vector<Standing>& people, base::Random& random) {
  for (std::size_t i = people.size(); i > 1; --i) std::swap(people[i - 1], people[random.below(i)]);
}

}  // namespace throng::metrics
