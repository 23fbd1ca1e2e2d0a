// The page that `throng studio` shows: made of studio/ when the program is built, and part of it.
#pragma once

#include <vector>

#include "throng/studio.h"

namespace throng::app {

/// Nothing when the program was built without npm.
std::vector<StudioFile> studioPage();

}  // namespace throng::app
