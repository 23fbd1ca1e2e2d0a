// What a patch looks like: its plan, and the prism of space and time that it is.
#pragma once

#include "throng/patch_files.h"
#include "throng/patches.h"
#include "throng/scene.h"
#include "throng/views.h"

#pragma GCC visibility push(default)
namespace throng {

/// A picture of a patch: the ground, and what is drawn over it with drawOverlay().
struct PatchView {
  Scene scene;
  Overlay overlay;
};

/// The plan on the left; on the right the prism, seen obliquely, time going up. Walks are coloured by speed: blue slow,
/// green as people like to walk, red fast (Jordao 2015). Inputs are green dots, outputs red ones.
PatchView viewPatch(const Patch& patch);

/// The cells of a whole library in their places: the more people per m², the darker; borders that people cross are
/// green, others dark. Walks are thin lines, coloured by speed, unless there are too many to tell apart.
PatchView viewPatches(const PatchLibrary& library);

}  // namespace throng
#pragma GCC visibility pop
