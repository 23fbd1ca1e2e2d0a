// Pillars, benches, trees: what is smaller than a patch stands in it, rather than cutting it up (Yersin 2009, 7.2.1).
#pragma once

#include "throng/patches.h"

namespace throng::patches {

/// Fills holes of an area no larger than `most` m across, and takes out walls without thickness no larger than that
/// which touch nothing else; returns their convex hulls.
std::vector<PatchObject> takeSmallObstacles(std::vector<Polygon>& area, std::vector<Segment>& walls, double most);

/// A convex ring without corners that are in one place, to a millimetre, or on the line of their neighbours.
Ring withoutShortSides(const Ring& ring);

}  // namespace throng::patches
