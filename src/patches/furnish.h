// What stands in a patch, chosen from what its template allows (Yersin 2009, 7.4.2).
#pragma once

#include "throng/patch_templates.h"

#include "base/random.h"

namespace throng::patches {

/// Puts objects and residents of a template into a patch, at random and turned at random, away from sides with people,
/// from what is there already and from each other; as many as find room.
void furnish(PatchDefinition& patch, const PatchTemplate& kind, base::Random random);

}  // namespace throng::patches
