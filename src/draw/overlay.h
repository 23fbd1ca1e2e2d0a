// Scenes with something drawn over them, one panel per layer.
#pragma once

#include <string>
#include <vector>

#include "throng/draw.h"

#include "draw/canvas.h"
#include "draw/furniture.h"

namespace throng::draw {

/// What lies on one layer: areas, which people stand on, and what lies above people.
void paintOverlayAreas(Canvas& canvas, const PageTransform& page, const Overlay& overlay, std::size_t layer,
                       double unit);
void paintOverlayMarks(Canvas& canvas, const PageTransform& page, const Overlay& overlay, std::size_t layer,
                       double unit);
std::vector<LegendEntry> legendOf(const Overlay& overlay);

void drawOver(const Scene& scene, const Overlay& overlay, const std::string& path, const DrawSettings& settings);

}  // namespace throng::draw
