// Pictures and films (docs/command-line.md, draw): PNG, SVG, and MP4 through ffmpeg.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "throng/frame.h"
#include "throng/frame_source.h"
#include "throng/recording.h"
#include "throng/scene.h"
#include "throng/sight.h"
#include "throng/views.h"

#pragma GCC visibility push(default)
namespace throng {

enum class PictureKind { kMoment, kTrajectories, kDensity, kSpeed };
enum class ColourBy { kPopulation, kSpeed, kTime, kDirection };

/// From above and from one side, without perspective.
struct Oblique {
  double azimuth = 45;    ///< degrees; where one looks: 0 is east, 90 north
  double elevation = 35;  ///< degrees above the horizon, 5 to 90; 90 is straight down
};

/// What a picture or a film shows, and how large it is.
struct DrawSettings {
  PictureKind kind = PictureKind::kTrajectories;
  ColourBy colour_by = ColourBy::kPopulation;
  int width = 1200;  ///< pixels; the height follows the scene unless given
  std::optional<int> height;
  std::optional<Rectangle> view;  ///< m; everything when absent
  /// Scenes with a mesh: a moment, a film, or everybody at the start. Colours cannot show time then.
  std::optional<Oblique> oblique;
  std::optional<double> time;  ///< kMoment: s; the last frame when absent
  double from = 0;             ///< s; kTrajectories, kDensity, kSpeed, film
  std::optional<double> to;
  double cell = 0.5;   ///< m; kDensity, kSpeed: size of a map cell
  double trail = 1.5;  ///< s; kMoment and film: tail behind each person, 0 for none
  /// Which to show, by name; empty: all, those that lie above one another in panels of their own. In scenes with a mesh
  /// all are shown with the mesh behind, and those named here are drawn flat.
  std::vector<std::string> layers;
  bool axes = false;  ///< ticks in m around every panel
  std::string title;
  double film_rate = 25;  ///< pictures per second of film
  double film_speed = 1;  ///< simulated seconds per second of film
  bool overwrite = false;
  /// Recordings: the scene they were made from, instead of what the file holds of it, for what the file lacks: the
  /// mesh; layers, doors, connections and events of files of other programs. Not owned.
  const Scene* scene = nullptr;
};

/// Lines in a plane of two logarithmic axes: how something grows with something else. Every number is more than 0.
struct Chart {
  /// One line.
  struct Series {
    std::string name;
    std::vector<Point> points;  ///< from left to right
  };
  /// A number to compare with.
  struct Mark {
    double value = 0;  ///< on the vertical axis: a dashed line all across
    std::string label;
  };
  std::string x_label, y_label;  ///< with the unit
  std::vector<Series> series;
  std::vector<Mark> marks;
};

/// Throws InputError unless a picture (or, where that is allowed, a film) can have this name, by its ending, and
/// FileError for a film when the program that writes films is not installed.
void checkPictureName(const std::string& path, bool film = false);
/// Draws a scene's geometry and, where a world has placed them, its people at the start. PNG or SVG by name.
void drawScene(const Scene& scene, const Frame* people, const std::string& path, const DrawSettings& settings = {});
/// Draws a scene's geometry with something over it, from the field at the bottom to the labels on top. All layers are
/// shown unless the settings or the overlay name some; those that lie above one another in panels of their own. PNG or
/// SVG by name.
void drawOverlay(const Scene& scene, const Overlay& overlay, const std::string& path,
                 const DrawSettings& settings = {});
/// Draws a recording, with something over it: areas under the people, lines, dots and labels above. A field is left
/// out.
void drawRecording(Recording& recording, const std::string& path, const DrawSettings& settings = {},
                   const Overlay& overlay = {});
/// The same from any source of frames, in the scene that they were made in. The frames of a source that only goes
/// forwards, such as a world, are kept in memory, up to DrawSettings::to.
void drawFrames(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings = {},
                const Overlay& overlay = {});
/// Draws what somebody sees: bearing rates, times and what asks for a turn, like figure 6 of Ondřej et al. 2010. PNG.
void drawSight(const SeenImage& seen, const std::string& path, const DrawSettings& settings = {});
/// PNG or SVG by name.
void drawChart(const Chart& chart, const std::string& path, const DrawSettings& settings = {});
/// Makes an MP4. `progress` gets the share done and may return false to stop.
void drawFilm(Recording& recording, const std::string& path, const DrawSettings& settings = {},
              const std::function<bool(double)>& progress = {});
/// The same from any source of frames, as drawFrames() reads them.
void drawFilm(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings = {},
              const std::function<bool(double)>& progress = {});

}  // namespace throng
#pragma GCC visibility pop
