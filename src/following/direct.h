// Straight from way-point to way-point.
#pragma once

#include "following/followers.h"

namespace throng::following {

inline constexpr ModelParameter kDirectParameters[] = {
    {"reach", "m", 0.5, 0.01, 100, "A way-point nearer than this is passed, and the next one becomes the target."},
};

/// Straight towards the next way-point at the preferred speed, slower only for the last step so as not to overshoot.
void followDirect(const FollowInput& input, std::span<const float> parameters, std::span<const std::uint32_t> rows);

}  // namespace throng::following
