// Films of runs, from frames of any source.
#pragma once

#include <functional>
#include <string>

#include "throng/draw.h"

#include "draw/motion.h"

namespace throng::draw {

void drawFilmOf(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings,
                const std::function<bool(double)>& progress);

}  // namespace throng::draw
