#pragma once

#include "scene/scene_file.h"

namespace throng::engine {

/// The tables of this program, for checking the models that a scene names.
scene::KnownModels knownModels();

/// A scene that was built in code gets the same checks as one from a file: throws InputError when there are errors.
const Scene& checked(const Scene& scene);

}  // namespace throng::engine
