// Scenes with something drawn over them, one panel per layer.
#pragma once

#include <string>
#include <vector>

#include "throng/draw.h"

namespace throng::draw {

/// Where the panels of several layers go: all have one size and lie in rows.
struct PanelGrid {
  std::size_t columns = 1, rows = 1;
};
/// The grid for `count` panels of this shape (width by height) whose whole is nearest to a square.
PanelGrid panelGrid(std::size_t count, double aspect);

void drawOver(const Scene& scene, const Overlay& overlay, const std::string& path, const DrawSettings& settings);

}  // namespace throng::draw
