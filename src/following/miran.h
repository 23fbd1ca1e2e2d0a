// Modified Indicative Routes and Navigation (Jaklin, Cook and Geraerts 2013; JAKLIN 2016, chapters 6 and 7): along the
// route, with shortcuts over ground that is worth it to the person who walks.
#pragma once

#include "following/followers.h"

namespace throng::following {

void followMiran(const FollowInput& input, std::span<const float> parameters, std::span<const std::uint32_t> rows);

inline constexpr ModelParameter kMiranParameters[] = {
    {"shortcut", "m", 5.0, 0.1, 1000,
     "How far along the route, from the place of it that is nearest, an attraction point may lie at most: how much of "
     "the route may be cut off."},
    {"sampling", "m", 1.0, 0.01, 1000,
     "How far apart the places are, along the route, that may become attraction point."},
    {"disc", "1", 1, 0, 1, "1: what the whole body can walk to straight is in sight. 0: what a point can walk to."},
    {"touch", "1", 1, 0, 1, "1: the dearest ground that the body touches counts. 0: the ground under its centre."},
};

}  // namespace throng::following
