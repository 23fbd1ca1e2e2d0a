// Shapes as people draw them, made fit for use: what can be repaired without guessing is, and said; the rest is
// refused.
#pragma once

#include "geometry/polygons.h"
#include "scene/json_reader.h"

namespace throng::scene {

/// Removes repeated points, repairs polygons that cross themselves, drops copies, turns polygons without width into
/// lines when `lines_allowed`. False after an error.
bool clean(geometry::Shapes& shapes, bool lines_allowed, const Value& value);

/// The first point that is not finite or too far out.
std::optional<Point> firstOutOfRange(const geometry::Shapes& shapes);
std::string outOfRangeText(Point point);

}  // namespace throng::scene
