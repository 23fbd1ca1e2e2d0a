// What can be shown of a map, a graph, a route or a pattern: plain shapes with a hint of what they look like. Pictures
// draw them (drawOverlay, drawRecording, drawFrames), and whoever has a screen of their own can.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "throng/frame_source.h"
#include "throng/scene.h"
#include "throng/shapes.h"

#pragma GCC visibility push(default)
namespace throng {

/// 0xRRGGBB, and 1 for what hides everything below it.
struct Paint {
  std::uint32_t rgb = 0;
  double alpha = 1;
};
/// The colour that pictures have for a population.
Paint populationPaint(std::size_t population);

/// Lines, areas, dots and words that are drawn over a scene. Places are in m; widths and radii in px on a page 1200 px
/// wide, and grow with it. `layer` is an index in the scene's layers.
struct Overlay {
  /// A line with corners.
  struct Line {
    std::vector<Point> points;
    Paint paint;
    double width = 1.5;
    std::uint16_t layer = 0;
    double dash = 0;  ///< length of dashes and gaps; 0: none
  };
  /// A painted part of the floor.
  struct Area {
    std::vector<Polygon> pieces;  ///< that do not overlap
    Paint paint;
    std::uint16_t layer = 0;
  };
  /// A place that is marked.
  struct Dot {
    Point at;
    Paint paint;
    double radius = 4;
    std::uint16_t layer = 0;
  };
  /// Words at a place.
  struct Label {
    Point at;  ///< the words stand above it
    std::string text;
    Paint paint;
    std::uint16_t layer = 0;
  };
  /// A number for every place, as colours on the floor; places with a negative number are left as they are.
  struct Field {
    std::function<double(Point place, std::uint16_t layer)> value;
    std::string label;  ///< of its colour bar, with the unit
  };
  /// A line of the legend.
  struct Key {
    enum class Mark { kLine, kDot, kArea };
    Mark mark = Mark::kLine;
    Paint paint;
    std::string label;
  };

  std::optional<Field> field;
  std::vector<Area> areas;
  std::vector<Line> lines;
  std::vector<Dot> dots;
  std::vector<Label> labels;
  std::vector<Key> keys;              ///< of the legend
  std::string caption;                ///< under the title
  std::vector<std::uint16_t> layers;  ///< which to show; empty: all
  bool starts_and_goals = false;      ///< shows them too
};

/// Regions of a scene, with a legend of their types. With the name of a profile: what they cost its people, dark where
/// it is much. Throws InputError for an unknown profile.
void addRegions(Overlay& overlay, const Scene& scene, const std::string& profile = {});

/// What emerges where people meet (docs/metrics.md).
enum class Pattern : std::uint8_t { kLanes, kStripes, kCirculation };

/// What emerges in a run, as it is at one moment.
struct PatternView {
  double time = 0;  ///< s, of the frame that the shapes belong to
  Overlay overlay;
};

/// The last frame at or before a time (s) or, when none is given, that in which most people meet, with the patterns
/// that the metrics find in it. The source is read to its end, and left at its beginning where it can go back. Throws
/// InputError where the scene has no such thing, and for a time that the run does not reach.
PatternView viewPatterns(FrameSource& frames, const Scene& scene, std::span<const Pattern> patterns,
                         std::optional<double> time = {});

}  // namespace throng
#pragma GCC visibility pop
