// What emerges in a run, drawn: lanes, stripes and circulation as the metrics find them.
#pragma once

#include <string>
#include <vector>

#include "throng/draw.h"
#include "throng/recording.h"

namespace throng::app {

inline const std::vector<std::string> kPatternViews{"lanes", "stripes", "circulation"};

/// What to draw over the recording at settings.time or, when there is none, when people meet; that is then the
/// settings' time.
/// Throws InputError where the scene has no such thing. Leaves the recording at its beginning.
Overlay patternsOf(Recording& recording, const std::vector<std::string>& shows, DrawSettings& settings);

}  // namespace throng::app
