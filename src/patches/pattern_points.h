// Points of patterns at random, where patches have room for them.
#pragma once

#include <functional>

#include "patches/sides.h"

namespace throng::patches {

/// m between those who cross a border.
inline constexpr double kCrossingRoom = 0.6;

/// May somebody cross here? `out`: outwards.
using PointAccepted = std::function<bool(const PatchPoint& point, bool out)>;

/// makePattern() with points that are accepted only.
PatchPattern randomPattern(const PatternType& type, double length, double period, std::size_t inputs,
                           std::size_t outputs, std::uint64_t seed, double speed, const PatternRoom& room,
                           const PointAccepted& accepted);

/// Is the body of somebody who crosses a side clear of all other sides, by `spare` m, and of objects, by twice that and
/// also if it goes straight on for a moment?
bool hasRoom(const PatchDefinition& patch, std::size_t side, const PatchPoint& point, bool out, double spare);

/// The same for both patches of a border; `other` may be null.
bool hasRoomOnBoth(const PatchDefinition& patch, std::size_t side, const PatchDefinition* other, std::size_t back,
                   const PatchPoint& point, bool out, double spare);

}  // namespace throng::patches
