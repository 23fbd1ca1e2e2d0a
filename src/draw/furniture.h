// What stands around the data: title, caption, scale bar, legend and colour bar, and where each finds room.
#pragma once

#include <string>
#include <vector>

#include "throng/draw.h"

#include "draw/canvas.h"

namespace throng::draw {

/// Of words and lines around the data.
inline constexpr Colour kInk = colour(0x222222);

/// The largest of 1, 2, 5 times a power of ten that is at most `value` (> 0).
double roundBelow(double value);
/// The smallest of 1, 2, 2.5, 5 times a power of ten that is at least `value` (> 0).
double roundAbove(double value);
/// A round number at or a little above `max`, to end a scale with; 1 when there is nothing.
double scaleEnd(double max);
/// At most `count` + 1 round numbers, evenly apart, in [from, to].
std::vector<double> ticks(double from, double to, int count);
/// "5 m", "0.5 m", "2 km".
std::string lengthText(double metres);
/// Thin spaces between thousands.
std::string countText(std::uint64_t count);

struct LegendEntry {
  enum class Mark { kDisc, kLine, kSquare, kStart, kGoal, kOpenDoor, kClosedDoor, kTurningDoor, kHatched, kDashed };
  Mark mark = Mark::kDisc;
  Colour colour;
  std::string label;
};

struct ColourBar {
  ColourMap map = ColourMap::kSpeed;
  double from = 0, to = 1;
  std::string label;        ///< with the unit
  bool more_above = false;  ///< values beyond `to` are shown in its colour
};

struct Furniture {
  std::string title, caption;
  std::vector<LegendEntry> legend;
  std::optional<ColourBar> bar;
  bool whole_legend = false;  ///< none of it is cut or left out
};

struct PlacedEntry {
  LegendEntry entry;
  Point at;  ///< left end, on the middle line of its row
};

struct PageLayout {
  int width = 0, height = 0;  ///< px
  double unit = 1;            ///< px; 1 on a page 1200 px wide
  bool furnished = true;      ///< pages under 200 px have no room for words
  Rectangle room;             ///< for the world
  Rectangle panel;            ///< where it goes, in the middle of its room
  Point title, caption;       ///< baselines
  Point scale_bar;            ///< left end, on the middle line of its row
  double scale_bar_room = 0;  ///< px
  Rectangle bar;              ///< of colours
  std::vector<PlacedEntry> legend;
};

/// Finds room: words above, the world in the middle, keys below. The height follows the view's shape unless given, up
/// to one and a half times the width. `even`: both sizes are even, as films must be.
PageLayout layoutPage(const Furniture& furniture, const DrawSettings& settings, const Rectangle& view, bool even);

/// Everything but the caption.
void paintFurniture(Canvas& canvas, const PageLayout& layout, const Furniture& furniture, const PageTransform& page);
void paintCaption(Canvas& canvas, const PageLayout& layout, const std::string& caption);

}  // namespace throng::draw
