#pragma once

#include "throng/patch_city.h"

namespace throng::patches {

/// Throws InputError for sizes, templates and cells that are out of range.
void refuseMap(const PatchMap& map);

}  // namespace throng::patches
