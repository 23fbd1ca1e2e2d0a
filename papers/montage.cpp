#include "papers/montage.h"

#include <cmath>
#include <map>
#include <numbers>

#include "throng/draw.h"
#include "throng/recording.h"

namespace throng::papers {
namespace {

constexpr double kShortest = 0.15;  // m, between two points of a line
constexpr double kAlpha = 0.5;

/// A wheel of hues of about equal lightness.
Paint wheelPaint(Point start) {
  const double angle = std::atan2(start.y, start.x);
  const auto channel = [&](double phase) {
    return static_cast<std::uint32_t>(std::lround(125 + 95 * std::cos(angle - phase * 2 * std::numbers::pi / 3)));
  };
  return {channel(0) << 16 | channel(1) << 8 | channel(2), kAlpha};
}

void addRun(Overlay& overlay, const std::string& path, std::uint16_t layer) {
  Recording recording(path);
  const bool one = recording.populations().size() <= 1;
  std::map<std::uint32_t, Overlay::Line> lines;
  FrameCopy frame;
  while (recording.next(frame)) {
    for (std::size_t i = 0; i < frame.person.size(); ++i) {
      const Point at{frame.x[i], frame.y[i]};
      const auto [entry, is_new] = lines.try_emplace(frame.person[i]);
      Overlay::Line& line = entry->second;
      if (is_new) {
        line.paint = one ? wheelPaint(at) : populationPaint(frame.population[i]);
        line.paint.alpha = kAlpha;
        line.width = 0.9;
        line.layer = layer;
      }
      if (is_new || length(at - line.points.back()) >= kShortest) line.points.push_back(at);
    }
  }
  for (auto& [person, line] : lines)
    if (line.points.size() > 1) overlay.lines.push_back(std::move(line));
}

}  // namespace

void drawMontage(const std::vector<MontagePanel>& panels, const Rectangle& view, const std::string& picture,
                 const std::string& title) {
  // One layer of an endless plane for each run: pictures of several layers have a panel for each.
  Scene scene;
  Overlay overlay;
  for (const MontagePanel& panel : panels) {
    scene.layers.emplace_back().name = panel.label;
    addRun(overlay, panel.recording, static_cast<std::uint16_t>(scene.layers.size() - 1));
  }
  DrawSettings settings;
  settings.view = view;
  settings.title = title;
  settings.overwrite = true;
  drawOverlay(scene, overlay, picture, settings);
}

}  // namespace throng::papers
