// The scenes that publications experiment in, with parameters stated in the documents or, where they are silent, here.
#pragma once

#include <cstdint>
#include <string>

#include "throng/scene.h"
#include "throng/world.h"

namespace throng::papers {

/// ONDREJ figure 7: 100 people evenly on a circle of radius 25 m; each walks to the diametrically opposed place.
Scene circleScene(const std::string& model);
inline constexpr double kCircleDistance = 50;  // m
/// Everybody on the circle walks to its middle at the preferred speed: walkers move at comfort speed by default (ONDREJ
/// section 3.4), so setting out from rest is no slow walking of theirs.
void walkFromTheStart(World& world);

/// ONDREJ figure 8: two groups change places, each of `deep` rows of 10 people behind one another. Everybody walks 40 m
/// straight ahead, so everybody has a goal of their own: the scene holds the populations, addSwappers() the people, who
/// walk from the start.
Scene groupSwapScene(const std::string& model, int deep);
void addSwappers(World& world, std::uint64_t seed, int deep);
inline constexpr double kSwapDistance = 40;  // m

inline constexpr double kPreferredSpeed = 1.3;  // m/s

}  // namespace throng::papers
