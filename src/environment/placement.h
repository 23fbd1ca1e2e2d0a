// Where people can be put: never into walls, never into one another.
#pragma once

#include <span>
#include <vector>

#include "base/random.h"
#include "environment/walkable_space.h"
#include "throng/scene.h"

namespace throng::environment {

/// Somebody who already stands somewhere.
struct Disc {
  Point centre;
  double radius = 0;
};

/// Finds places for people with these radii, in order, by the rule in `start`. Returns as many as fit, at most
/// radii.size(); a result shorter than radii means the rest did not fit. For kPoints, kCircle, kLine and kGrid a place
/// belongs to a person, and one that is not free ends the search: `problem` then says which, where and why.
/// `taken` are people who are already there.
std::vector<Point> place(const Start& start, std::span<const double> radii, const Floor& floor,
                         std::span<const Disc> taken, base::Random& random, std::string& problem);

/// One place in the start's area, line, points or circle that is free now, or nothing. For people who appear during the run.
std::optional<Point> placeOne(const Start& start, double radius, const Floor& floor, std::span<const Disc> taken,
                              base::Random& random);

/// A place at random inside the polygons, at least `clearance` from every wall where such a place is found.
std::optional<Point> samplePlace(const std::vector<Polygon>& area, double clearance, const Floor& floor,
                                 base::Random& random);

}  // namespace throng::environment
