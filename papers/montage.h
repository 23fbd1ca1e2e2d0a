// Runs side by side in one picture.
#pragma once

#include <string>
#include <vector>

#include "throng/scene.h"

namespace throng::papers {

struct MontagePanel {
  std::string label;
  std::string recording;
};

/// Everybody's way in each recording, in panels of one size that show the same part of the plane. Colours stand for
/// populations or, where there is one, for the direction in which somebody started from the origin.
void drawMontage(const std::vector<MontagePanel>& panels, const Rectangle& view, const std::string& picture,
                 const std::string& title);

}  // namespace throng::papers
