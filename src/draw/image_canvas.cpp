#include "draw/image_canvas.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>

namespace throng::draw {
namespace {

/// Unhinted, so that letters keep their widths at every size and the same words give the same pixels.
void setFont(cairo_t* context, const TextStyle& style) {
  cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, style.size);
  const std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> options(
      cairo_font_options_create(), cairo_font_options_destroy);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context, options.get());
}

double advance(cairo_t* context, const std::string& words) {
  cairo_text_extents_t extents;
  cairo_text_extents(context, words.c_str(), &extents);
  return extents.x_advance;
}

/// A surface that borrows the raster's pixels.
std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surfaceOf(const Raster& raster) {
  auto* pixels = reinterpret_cast<unsigned char*>(const_cast<std::uint32_t*>(raster.pixels.data()));
  return {
      cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32, raster.width, raster.height, 4 * raster.width),
      cairo_surface_destroy};
}

std::string pngOf(cairo_surface_t* surface) {
  std::string bytes;
  const auto append = [](void* to, const unsigned char* data, unsigned int n) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), n);
    return CAIRO_STATUS_SUCCESS;
  };
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface, append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(std::string("making a PNG failed: ") + cairo_status_to_string(status));
  return bytes;
}

/// A disc over what is on the sheet. A pixel's share of it is that of a straight edge at the same distance.
void addDisc(Raster& sheet, Point centre, double radius, Colour c) {
  const auto limit = [](double v, int most) { return static_cast<int>(std::clamp(v, 0.0, static_cast<double>(most))); };
  const int x0 = limit(std::floor(centre.x - radius - 0.5), sheet.width);
  const int x1 = limit(std::ceil(centre.x + radius + 0.5), sheet.width);
  const int y0 = limit(std::floor(centre.y - radius - 0.5), sheet.height);
  const int y1 = limit(std::ceil(centre.y + radius + 0.5), sheet.height);
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const double dx = x + 0.5 - centre.x, dy = y + 0.5 - centre.y;
      const double share = std::clamp(radius + 0.5 - std::sqrt(dx * dx + dy * dy), 0.0, 1.0) * c.alpha;
      if (!(share > 0)) continue;
      std::uint32_t& pixel = sheet.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(sheet.width) +
                                          static_cast<std::size_t>(x)];
      const auto over = [&](int shift, double value) {
        const double under = (pixel >> shift) & 0xff;
        return static_cast<std::uint32_t>(under * (1 - share) + 255 * value * share + 0.5) << shift;
      };
      pixel = over(24, 1) | over(16, c.red) | over(8, c.green) | over(0, c.blue);
    }
}

void setColour(cairo_t* context, Colour c) { cairo_set_source_rgba(context, c.red, c.green, c.blue, c.alpha); }

}  // namespace

double textWidth(const std::string& words, const TextStyle& style) {
  thread_local ImageCanvas page(1, 1);
  return page.measure(printable(words), style);
}

ImageCanvas::ImageCanvas(int width, int height)
    : width_(width),
      height_(height),
      surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)),
      context_(cairo_create(surface_.get())) {
  check();
  setColour(context_.get(), colour(0xffffff));
  cairo_paint(context_.get());
  cairo_set_fill_rule(context_.get(), CAIRO_FILL_RULE_EVEN_ODD);
  cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
}

void ImageCanvas::check() const {
  const cairo_status_t status = cairo_status(context_.get());
  if (status != CAIRO_STATUS_SUCCESS) throw Error(std::string("drawing failed: ") + cairo_status_to_string(status));
}

void ImageCanvas::trace(const Path& path) {
  cairo_new_path(context_.get());
  for (const Path::Part& part : path.parts) {
    for (std::size_t i = 0; i < part.points.size(); ++i) {
      const Point& p = part.points[i];
      i == 0 ? cairo_move_to(context_.get(), p.x, p.y) : cairo_line_to(context_.get(), p.x, p.y);
    }
    if (part.closed) cairo_close_path(context_.get());
  }
}

void ImageCanvas::fill(const Path& path, Colour c) {
  trace(path);
  setColour(context_.get(), c);
  cairo_fill(context_.get());
}

void ImageCanvas::stroke(const Path& path, const Pen& pen) {
  trace(path);
  setColour(context_.get(), pen.colour);
  cairo_set_line_width(context_.get(), pen.width);
  cairo_set_dash(context_.get(), &pen.dash, pen.dash > 0 ? 1 : 0, 0);
  cairo_stroke(context_.get());
}

void ImageCanvas::disc(Point centre, double radius, Colour c) {
  cairo_new_path(context_.get());
  cairo_arc(context_.get(), centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
  setColour(context_.get(), c);
  cairo_fill(context_.get());
}

/// Pixel by pixel on a sheet of their own, many times faster than cairo's arcs.
void ImageCanvas::dots(const std::vector<Dot>& dots) {
  Raster sheet{width_, height_, std::vector<std::uint32_t>(static_cast<std::size_t>(width_) * height_)};
  for (const Dot& dot : dots)
    for (const auto& [radius, colour] : discsOf(dot)) addDisc(sheet, dot.centre, radius, colour);
  image({0, 0}, sheet);
}

void ImageCanvas::cell(const Rectangle& place, Colour c) {
  // On whole pixels: then the border between two cells is the same pixel for both.
  const double left = std::round(place.min.x), top = std::round(place.min.y);
  cairo_new_path(context_.get());
  cairo_rectangle(context_.get(), left, top, std::max(std::round(place.max.x) - left, 1.0),
                  std::max(std::round(place.max.y) - top, 1.0));
  setColour(context_.get(), c);
  cairo_fill(context_.get());
}

void ImageCanvas::image(Point corner, const Raster& raster) {
  const auto surface = surfaceOf(raster);
  cairo_save(context_.get());
  cairo_set_source_surface(context_.get(), surface.get(), std::round(corner.x), std::round(corner.y));
  cairo_pattern_set_filter(cairo_get_source(context_.get()), CAIRO_FILTER_NEAREST);
  cairo_paint(context_.get());
  cairo_restore(context_.get());
}

double ImageCanvas::measure(const std::string& words, const TextStyle& style) {
  setFont(context_.get(), style);
  return advance(context_.get(), words);
}

void ImageCanvas::text(Point baseline, const std::string& words, const TextStyle& style) {
  const std::string shown = printable(words);
  const double width = measure(shown, style);
  const double share = style.anchor == Anchor::kLeft ? 0 : style.anchor == Anchor::kMiddle ? 0.5 : 1;
  setColour(context_.get(), style.colour);
  cairo_move_to(context_.get(), baseline.x - share * width, baseline.y);
  cairo_show_text(context_.get(), shown.c_str());
}

void ImageCanvas::clip(const Path& path) {
  cairo_save(context_.get());
  trace(path);
  cairo_clip(context_.get());
}

void ImageCanvas::unclip() { cairo_restore(context_.get()); }

std::string ImageCanvas::file() {
  check();
  return pngOf(surface_.get());
}

std::string pngOf(const Raster& raster) { return pngOf(surfaceOf(raster).get()); }

const unsigned char* ImageCanvas::pixels() {
  check();
  cairo_surface_flush(surface_.get());
  return cairo_image_surface_get_data(surface_.get());
}

Colour ImageCanvas::pixel(int x, int y) {
  std::uint32_t value = 0;
  std::memcpy(&value, pixels() + std::size_t{4} * (static_cast<std::size_t>(y) * width_ + x), sizeof value);
  return colour(value & 0xffffff);
}

void ImageCanvas::copyFrom(const ImageCanvas& other) {
  cairo_surface_flush(surface_.get());
  std::memcpy(cairo_image_surface_get_data(surface_.get()), cairo_image_surface_get_data(other.surface_.get()),
              byteCount());
  cairo_surface_mark_dirty(surface_.get());
}

}  // namespace throng::draw
