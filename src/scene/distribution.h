// A number that differs from person to person, drawn.
#pragma once

#include "throng/scene.h"

#include "base/random.h"

namespace throng::scene {

/// A value of the distribution within the limits. Of the numbers that a distribution gives only those beyond five
/// deviations of a normal one can lie outside (the scene's checks see to that); then it draws again, and at last
/// clamps.
double draw(const Distribution& distribution, base::Random& random, Limits limits);

}  // namespace throng::scene
