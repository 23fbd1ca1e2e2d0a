// The endless street of a scene as one that can be played.
#pragma once

#include "throng/patch_street.h"
#include "throng/scene.h"

namespace throng::patches {

StreetSettings settingsOf(const PatchStreet& street);

}  // namespace throng::patches
