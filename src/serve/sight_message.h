// What somebody sees, as bytes for a browser (docs/studio-protocol.md has the layout).
#pragma once

#include <cstdint>
#include <string>

#include "throng/sight.h"

namespace throng::serve {

/// Where the bytes of a pixel end: rad/s, s, rad/s.
inline constexpr double kSeenRate = 0.5, kSeenTime = 10, kSeenDanger = 0.5;

/// MessageKind::kSight: three bytes a pixel.
std::string sightMessage(std::uint32_t person, double time, const SeenImage& seen);

}  // namespace throng::serve
