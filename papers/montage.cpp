#include "papers/montage.h"

#include <cmath>
#include <map>
#include <numbers>

#include "throng/draw.h"
#include "throng/recording.h"

namespace throng::papers {
namespace {

constexpr double kShortest = 0.15;  // m, between two points of a line
constexpr double kTrail = 5;        // s

/// A wheel of hues of about equal lightness.
Paint wheelPaint(Point start) {
  const double angle = std::atan2(start.y, start.x);
  const auto channel = [&](double phase) {
    return static_cast<std::uint32_t>(std::lround(125 + 95 * std::cos(angle - phase * 2 * std::numbers::pi / 3)));
  };
  return {channel(0) << 16 | channel(1) << 8 | channel(2), 1};
}

}  // namespace

void addMoment(Overlay& overlay, const std::string& path, std::uint16_t layer, std::optional<double> time) {
  Recording recording(path);
  const bool one = recording.populations().size() <= 1;
  const double begin = time ? *time - kTrail : 0;
  struct Walker {
    Paint paint;
    std::vector<Point> points;
  };
  std::map<std::uint32_t, Walker> walkers;
  FrameCopy frame, last;
  while (recording.next(frame) && (!time || frame.time <= *time + 1e-6)) {
    for (std::size_t i = 0; i < frame.person.size(); ++i) {
      const Point at{frame.x[i], frame.y[i]};
      const auto [entry, is_new] = walkers.try_emplace(frame.person[i]);
      Walker& walker = entry->second;
      if (is_new) walker.paint = one ? wheelPaint(at) : populationPaint(frame.population[i]);
      if (frame.time < begin) continue;
      if (walker.points.empty() || length(at - walker.points.back()) >= kShortest) walker.points.push_back(at);
    }
    last = frame;
  }
  for (const auto& [person, walker] : walkers)
    if (walker.points.size() > 1)
      overlay.lines.push_back({walker.points, {walker.paint.rgb, time ? 0.6 : 0.5}, time ? 1.2 : 0.9, layer});
  for (std::size_t i = 0; time && i < last.person.size(); ++i)
    overlay.dots.push_back({{last.x[i], last.y[i]}, walkers[last.person[i]].paint, 2.4, layer});
}

void drawMontage(const Montage& montage, const std::string& picture) {
  // One layer of an endless plane for each run: pictures of several layers have a panel for each.
  Scene scene;
  Overlay overlay;
  overlay.caption = montage.caption;
  for (const MontagePanel& panel : montage.panels) {
    scene.layers.emplace_back().name = panel.label;
    addMoment(overlay, panel.recording, static_cast<std::uint16_t>(scene.layers.size() - 1), montage.time);
  }
  DrawSettings settings;
  settings.view = montage.view;
  settings.title = montage.title;
  settings.width = montage.width;
  settings.overwrite = true;
  drawOverlay(scene, overlay, picture, settings);
}

}  // namespace throng::papers
