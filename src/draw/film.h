// Films of runs, from frames of any source.
#pragma once

#include <functional>
#include <string>

#include "throng/draw.h"

#include "draw/motion.h"

namespace throng::draw {

/// Throws InputError for settings and names that a film cannot have.
void checkFilm(const DrawSettings& settings, const std::string& path);
void drawFilmOf(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings,
                const std::function<bool(double)>& progress);

}  // namespace throng::draw
