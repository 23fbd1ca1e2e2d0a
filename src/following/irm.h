// The indicative route method (Karamouzas, Geraerts and Overmars 2009; JAKLIN 2016, sections 6.1 to 6.3).
#pragma once

#include "following/followers.h"

namespace throng::following {

void followIndicativeRoute(const FollowInput& input, std::span<const float> parameters,
                           std::span<const std::uint32_t> rows);

inline constexpr ModelParameter kIrmParameters[] = {
    {"lookahead", "m", 1.0, 0.1, 10,
     "Where the free disc is smaller than this, an attraction point up to this far ahead is taken if it is in sight."},
};

}  // namespace throng::following
