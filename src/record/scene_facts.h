// What a recording tells of the scene it was made from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/row.h"

namespace throng::record {

/// Walkable area of all layers seen from above, obstacles cut out. For a layer without borders, the rectangle around
/// everything in it, a few metres larger.
std::string walkableWkt(const Scene& scene);

Facts sceneFacts(const Scene& scene, double frames_per_second);

/// What a scene's events do, in order.
std::vector<Change> plannedChanges(const Scene& scene);
/// What is known to have changed: what the file says, or else what its scene had in mind.
std::vector<Change> knownChanges(const Facts& facts);

/// The scene of a recording; nothing when the text is not a scene of this version of Throng.
std::optional<Scene> sceneOfText(const std::string& json);

}  // namespace throng::record
