// A file as a scene, whatever it is: a scene file, or a model that becomes one.
#pragma once

#include <string>

#include "throng/scene.h"

namespace throng::serve {

/// Reads a scene file, or a model, for which a scene file is written beside it; `file` is then that. Throws InputError,
/// FileError.
Scene openScene(std::string& file, bool is_model);

}  // namespace throng::serve
