#pragma once

#include "scene/scene_file.h"

namespace throng::api {

/// The tables of this program, for checking the models that a scene names.
scene::KnownModels knownModels();

}  // namespace throng::api
