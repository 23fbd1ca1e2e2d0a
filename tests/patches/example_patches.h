// Small patches that several tests use.
#pragma once

#include <vector>

#include "throng/patches.h"

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

}  // namespace throng::patches
