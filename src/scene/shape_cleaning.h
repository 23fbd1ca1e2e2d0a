// Shapes as people draw them, made fit for use: what can be repaired without guessing is, and said; the rest is
// refused.
#pragma once

#include <optional>
#include <string>

#include "geometry/polygons.h"
#include "scene/findings.h"

namespace throng::scene {

/// Removes repeated points, repairs polygons that cross themselves, drops copies, turns polygons without width into
/// lines when `lines_allowed`. What was done is said about `pointer`. False after an error.
bool clean(geometry::Shapes& shapes, bool lines_allowed, Findings& findings, const std::string& pointer);

/// The first point that is not finite or too far out.
std::optional<Point> firstOutOfRange(const geometry::Shapes& shapes);
std::string outOfRangeText(Point point);

}  // namespace throng::scene
