// Pictures and films (docs/command-line.md, draw): PNG, SVG, and MP4 through ffmpeg.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "throng/frame.h"
#include "throng/recording.h"
#include "throng/scene.h"

namespace throng {

enum class PictureKind { kMoment, kTrajectories, kDensity, kSpeed };
enum class ColourBy { kPopulation, kSpeed, kTime };

struct DrawSettings {
  PictureKind kind = PictureKind::kTrajectories;
  ColourBy colour_by = ColourBy::kPopulation;
  int width = 1200;  ///< pixels; the height follows the scene unless given
  std::optional<int> height;
  std::optional<Rectangle> view;  ///< m; everything when absent
  std::optional<double> time;     ///< kMoment: s; the last frame when absent
  double from = 0;                ///< s; kTrajectories, kDensity, kSpeed, film
  std::optional<double> to;
  double cell = 0.5;   ///< m; kDensity, kSpeed: size of a map cell
  double trail = 1.5;  ///< s; kMoment and film: tail behind each person, 0 for none
  std::string layer;   ///< empty: the first
  std::string title;
  double film_rate = 25;  ///< pictures per second of film
  double film_speed = 1;  ///< simulated seconds per second of film
  bool overwrite = false;
};

/// Draws a scene's geometry and, where a world has placed them, its people at the start. PNG or SVG by name.
void drawScene(const Scene& scene, const Frame* people, const std::string& path, const DrawSettings& settings = {});
/// Draws a recording.
void drawRecording(Recording& recording, const std::string& path, const DrawSettings& settings = {});
/// Makes an MP4. `progress` gets the share done and may return false to stop.
void drawFilm(Recording& recording, const std::string& path, const DrawSettings& settings = {},
              const std::function<bool(double)>& progress = {});

}  // namespace throng
