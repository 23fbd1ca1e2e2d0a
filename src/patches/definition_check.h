// What may be wrong with a definition, as those who make patterns need it.
#pragma once

#include "throng/patches.h"

namespace throng::patches {

/// Can somebody cross a side there, as far as corners, objects and limits of speed are concerned?
bool fits(const PatchDefinition& patch, std::size_t side, bool out, const PatchPoint& point);

/// A definition with nobody in it; the area may go either way round. Throws InputError when it is not convex.
PatchDefinition emptyPatch(Ring area, double period);

}  // namespace throng::patches
