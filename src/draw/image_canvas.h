// A canvas of pixels, drawn by cairo.
#pragma once

#include <cairo/cairo.h>
#include <cstddef>
#include <memory>
#include <string>

#include "draw/canvas.h"

namespace throng::draw {

/// The bytes of a PNG file.
std::string pngOf(const Raster& raster);

class ImageCanvas final : public Canvas {
 public:
  /// White. Throws Error when there is no memory for it.
  ImageCanvas(int width, int height);

  void fill(const Path& path, Colour colour) override;
  void stroke(const Path& path, const Pen& pen) override;
  void disc(Point centre, double radius, Colour colour) override;
  void dots(const std::vector<Dot>& dots) override;
  void cell(const Rectangle& place, Colour colour) override;
  void image(Point corner, const Raster& raster) override;
  void text(Point baseline, const std::string& words, const TextStyle& style) override;
  void clip(const Path& path) override;
  void unclip() override;
  void beginGroup(const std::string&) override {}
  void endGroup() override {}
  std::string file() override;

  int width() const { return width_; }
  int height() const { return height_; }
  double measure(const std::string& words, const TextStyle& style);
  /// Takes every pixel from a canvas of the same size.
  void copyFrom(const ImageCanvas& other);
  /// Four bytes a pixel (blue, green, red, unused on little-endian machines), rows of width() pixels from the top.
  const unsigned char* pixels();
  std::size_t byteCount() const { return std::size_t{4} * width_ * height_; }
  Colour pixel(int x, int y);

 private:
  struct DestroySurface {
    void operator()(cairo_surface_t* s) const { cairo_surface_destroy(s); }
  };
  struct DestroyContext {
    void operator()(cairo_t* c) const { cairo_destroy(c); }
  };
  void trace(const Path& path);
  void check() const;

  int width_, height_;
  std::unique_ptr<cairo_surface_t, DestroySurface> surface_;
  std::unique_ptr<cairo_t, DestroyContext> context_;
};

}  // namespace throng::draw
