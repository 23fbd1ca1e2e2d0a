// Small patches that several tests use.
#pragma once

#include <gtest/gtest.h>
#include <vector>

#include "throng/patches.h"

#include "patches/contact.h"

namespace throng::patches {

/// 8 m square, one walk from the left to the right.
inline PatchDefinition oneWalk() {
  PatchDefinition patch;
  patch.name = "one walk";
  patch.corners = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
  for (const char* name : {"south", "east", "north", "west"}) patch.sides.push_back({name, 8, 10, {}, {}});
  patch.sides[3].inputs.push_back({4, 1, 1.3, 0});
  patch.sides[1].outputs.push_back({4, 7.2, 1.3, 0});
  return patch;
}

inline PatchObject box(const char* name, double x, double y, double size) {
  return {name, {{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}}};
}

/// Everything that a patch promises, looked at every 1/20 s.
inline void expectSound(const Patch& patch) {
  const PatchDefinition& definition = patch.definition;
  const double period = definition.period;
  for (const PatchWalk& walk : patch.walks) {
    // Ends in space, time and velocity, from the pattern's own numbers.
    const PatchPoint& in = definition.sides[walk.input.side].inputs[walk.input.point];
    const Point corner = definition.corners[walk.input.side];
    const Point along = normalized(definition.corners[(walk.input.side + 1) % definition.corners.size()] - corner);
    const PatchState start = stateAt(walk, in.time);
    EXPECT_NEAR(length(start.position - (corner + along * in.position)), 0, 1e-12);
    EXPECT_NEAR(length(start.velocity - (perpendicular(along) * in.speed + along * in.along)), 0, 1e-11);
  }
  for (int i = 0; i < static_cast<int>(period * 20); ++i) {
    std::vector<Point> people;
    for (const PatchWalk& walk : patch.walks)
      for (double t = i / 20.0; t < walk.until; t += period) {
        if (t < walk.from) continue;
        const PatchState state = stateAt(walk, t);
        people.push_back(state.position);
        EXPECT_GE(length(state.velocity), kPatchSlowest - 1e-9);
        EXPECT_LE(length(state.velocity), kPatchFastest + 1e-9);
        for (const PatchObject& object : definition.objects)
          EXPECT_GE(distance(state.position, object.outline), kPatchRadius - 1e-6);
      }
    for (const PatchResident& resident : definition.residents)
      people.push_back(stateAt(resident, period, i / 20.0).position);
    for (std::size_t a = 0; a < people.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) EXPECT_GE(length(people[a] - people[b]), 2 * kPatchRadius - 1e-6);
  }
}

}  // namespace throng::patches
