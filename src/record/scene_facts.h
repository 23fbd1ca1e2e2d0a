// What a recording tells of the scene it was made from.
#pragma once

#include <optional>
#include <string>

#include "record/row.h"

namespace throng::record {

/// Walkable area of all layers seen from above, obstacles cut out. For a layer without borders, the rectangle around
/// everything in it, a few metres larger.
std::string walkableWkt(const Scene& scene);

Facts sceneFacts(const Scene& scene, double frames_per_second);

/// The scene of a recording; nothing when the text is not a scene of this version of Throng.
std::optional<Scene> sceneOfText(const std::string& json);

}  // namespace throng::record
