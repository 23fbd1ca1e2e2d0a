// What pictures are painted on. Coordinates are pixels of the page, x to the right and y down, unless said otherwise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "throng/scene.h"

#include "draw/colour_map.h"

namespace throng::draw {

/// Lines and closed rings, many in one.
struct Path {
  struct Part {
    std::vector<Point> points;
    bool closed = false;
  };
  std::vector<Part> parts;

  bool empty() const { return parts.empty(); }
};

Path rectanglePath(const Rectangle& r);
Path linePath(Point a, Point b);

struct Pen {
  Colour colour;
  double width = 1;
  double dash = 0;  ///< length of a dash and of a gap; 0 draws the line in one
};

/// Pixels from the top down, each 0xAARRGGBB with its colours multiplied by alpha.
struct Raster {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;
};

/// A disc with a dark rim inside, to be seen on light ground, and a light one outside, to be seen on dark ground.
struct Dot {
  Point centre;
  double radius = 1;  ///< of the disc, without the light rim
  double rim = 1;
  Colour colour;
};
/// Its three discs, each over the one before.
struct DotDisc {
  double radius;
  Colour colour;
};
std::array<DotDisc, 3> discsOf(const Dot& dot);

enum class Anchor { kLeft, kMiddle, kRight };

struct TextStyle {
  double size = 16;  ///< px
  Colour colour;
  bool bold = false;
  Anchor anchor = Anchor::kLeft;
};

/// A page. Its two kinds draw the same things: pixels by cairo, and SVG with real circles and real text, so that a
/// figure can be edited.
class Canvas {
 public:
  virtual ~Canvas() = default;

  /// Even-odd, so that rings inside rings are holes.
  virtual void fill(const Path& path, Colour colour) = 0;
  virtual void stroke(const Path& path, const Pen& pen) = 0;
  virtual void disc(Point centre, double radius, Colour colour) = 0;
  /// Many of them, in this order.
  virtual void dots(const std::vector<Dot>& dots) = 0;
  /// A cell of a map: neighbouring cells neither overlap nor leave a gap.
  virtual void cell(const Rectangle& place, Colour colour) = 0;
  /// A picture in the picture, pixel by pixel, with its upper left corner here.
  virtual void image(Point corner, const Raster& raster) = 0;
  /// `baseline` is the left end, middle or right end of the line the letters stand on.
  virtual void text(Point baseline, const std::string& words, const TextStyle& style) = 0;
  /// Everything until the matching unclip() is drawn inside the path only (even-odd).
  virtual void clip(const Path& path) = 0;
  virtual void unclip() = 0;
  /// Names what follows until endGroup(); the SVG shows it.
  virtual void beginGroup(const std::string& name) = 0;
  virtual void endGroup() = 0;
  /// The bytes of the finished file.
  virtual std::string file() = 0;
};

/// Width in pixels of words as they will be drawn.
double textWidth(const std::string& words, const TextStyle& style);
/// The words themselves, or their beginning and an ellipsis when they are wider than `width`.
std::string fitted(const std::string& words, const TextStyle& style, double width);
/// Valid UTF-8 without control characters; every byte that is neither becomes U+FFFD.
std::string printable(const std::string& words);

/// From metres, y up, to pixels, y down: the view fills the panel.
class PageTransform {
 public:
  PageTransform(const Rectangle& view, const Rectangle& panel);

  Point toPage(Point world) const { return {origin_.x + world.x * scale_, origin_.y - world.y * scale_}; }
  double toPage(double metres) const { return metres * scale_; }
  Path toPage(const Polygon& polygon) const;
  Path toPage(const Polyline& line) const;
  Path toPage(const Ring& ring) const;
  const Rectangle& view() const { return view_; }
  const Rectangle& panel() const { return panel_; }

 private:
  Rectangle view_, panel_;
  double scale_;
  Point origin_;
};

}  // namespace throng::draw
