// A canvas that writes SVG 1.1.
#pragma once

#include <string>

#include "draw/canvas.h"

namespace throng::draw {

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(int width, int height);

  void fill(const Path& path, Colour colour) override;
  void stroke(const Path& path, const Pen& pen) override;
  void disc(Point centre, double radius, Colour colour) override;
  void dots(const std::vector<Dot>& dots) override;
  void cell(const Rectangle& place, Colour colour) override;
  void image(Point corner, const Raster& raster) override;
  void text(Point baseline, const std::string& words, const TextStyle& style) override;
  void clip(const Path& path) override;
  void unclip() override;
  void beginGroup(const std::string& name) override;
  void endGroup() override;
  std::string file() override;

 private:
  void append(const Path& path);

  std::string body_;
  int clips_ = 0;
};

}  // namespace throng::draw
