// People in an area: at random while there is room, and packed when there is hardly any.
#pragma once

#include <span>
#include <vector>

#include "ground/area_sampler.h"
#include "ground/occupancy.h"

namespace throng::ground {

/// Places for people with these radii, in order, as many as were found; they are added to `occupancy` in any order.
///
/// Each place is drawn uniformly from the area until one is free (32 tries). The first time that fails, the gaps that
/// are left are listed on a fine grid and filled in random order. That ends near half of the area covered with discs,
/// the jamming limit of putting down discs one after another (0.547; Feder 1980). Then everybody starts anew: the
/// largest first, and after that on lattices (rows and hexagons, both ways round, fitted to the area's box and to the
/// box less a radius), on the widest pitch that holds everybody, shaken where there is slack. Grids have at most about
/// four million places (or four per person). When no way places all, the way that placed most counts.
std::vector<Point> placeInArea(const AreaSampler& area, std::span<const double> radii, Occupancy& occupancy,
                               base::Random& random);

/// Poisson-disc samples (Bridson 2007): places for people with these radii in the area, no two nearer than `spacing`,
/// every one as far from walls as the largest radius. 0: as wide as their number allows. See placeInArea.
std::vector<Point> placePoissonDisc(const AreaSampler& area, double spacing, std::span<const double> radii,
                                    Occupancy& occupancy, base::Random& random);

/// Moves everybody from number `first` on by an offset of at most `amplitude` along x and y to a place that is free
/// and, when an area is given, in it. Somebody who finds none in 16 tries stays.
void jitter(std::uint32_t first, double amplitude, const AreaSampler* area, Occupancy& occupancy, base::Random& random);

}  // namespace throng::ground
