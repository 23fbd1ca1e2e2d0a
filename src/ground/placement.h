// Where people can be put: never into walls, never into one another.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "throng/scene.h"

#include "base/random.h"
#include "ground/walkable_space.h"

namespace throng::ground {

/// Somebody who already stands somewhere.
struct Disc {
  Point centre;
  double radius = 0;
};

/// Finds places for people with these radii, in order, by the rule in `start`. Returns as many as fit, at most
/// radii.size(); a result shorter than radii means the rest did not fit. Of points, a circle, a line and a grid a place
/// belongs to a person, and one that is not free ends the search: `problem` then says which, where and why.
/// `taken` are people who are already there.
///
/// Nobody overlaps anybody or a wall; places come back rounded to 32-bit floats, as they will be stored. Places on a
/// line are evenly spread with half a step at either end; a grid is centred in the area's box and filled along x, from
/// the lowest y; a Poisson-disc spacing is honoured as the least distance. Jitter moves nobody into a wall or another
/// person (and nobody out of an area); it does nothing for StartArea, where places are random already.
std::vector<Point> place(const Start& start, std::span<const double> radii, const Floor& floor,
                         std::span<const Disc> taken, base::Random& random, std::string& problem);

/// One place in the start's area, line, points or circle that is free now, or nothing. For people who appear during the
/// run. Tries all points, or 64 places at random.
std::optional<Point> placeOne(const Start& start, double radius, const Floor& floor, std::span<const Disc> taken,
                              base::Random& random);

/// A place at random inside the polygons, at least `clearance` from every wall where such a place is found in 64 tries;
/// else the farthest from walls of those; nothing when none was on the floor.
std::optional<Point> samplePlace(const std::vector<Polygon>& area, double clearance, const Floor& floor,
                                 base::Random& random);

}  // namespace throng::ground
