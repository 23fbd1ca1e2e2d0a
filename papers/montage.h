// Runs side by side in one picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "throng/scene.h"
#include "throng/views.h"

namespace throng::papers {

struct MontagePanel {
  std::string label;
  std::string recording;
};

struct Montage {
  std::vector<MontagePanel> panels;
  Rectangle view;
  std::optional<double> time;  ///< s: everybody then, with a trail; else the whole ways
  std::string title, caption;
  int width = 1200;  ///< px
};

/// Everybody of a recording on one layer of a picture: at a time, each with a trail, or the whole ways.
void addMoment(Overlay& overlay, const std::string& recording, std::uint16_t layer, std::optional<double> time);

/// Recordings in panels of one size that show the same part of the plane. Colours stand for populations or, where there
/// is one, for the direction in which somebody started from the origin.
void drawMontage(const Montage& montage, const std::string& picture);

}  // namespace throng::papers
