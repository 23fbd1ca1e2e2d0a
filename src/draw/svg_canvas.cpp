#include "draw/svg_canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <string_view>

#include "draw/image_canvas.h"

namespace throng::draw {
namespace {

/// A hundredth of a pixel, without the zeros that files of many numbers would be full of.
std::string number(double v) {
  std::string s = fmt::format("{:.2f}", v);
  while (s.back() == '0') s.pop_back();
  if (s.back() == '.') s.pop_back();
  return s == "-0" ? "0" : s;
}

std::string hex(Colour c) {
  const auto byte = [](double v) { return static_cast<int>(std::lround(v * 255)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(c.red), byte(c.green), byte(c.blue));
}

std::string paint(const char* what, Colour c) {
  std::string s = fmt::format(" {}=\"{}\"", what, hex(c));
  if (c.alpha < 1) s += fmt::format(" {}-opacity=\"{:.3g}\"", what, c.alpha);
  return s;
}

std::string escaped(const std::string& words) {
  std::string s;
  for (const char c : printable(words)) {
    switch (c) {
      case '&':
        s += "&amp;";
        break;
      case '<':
        s += "&lt;";
        break;
      case '>':
        s += "&gt;";
        break;
      case '"':
        s += "&quot;";
        break;
      default:
        s += c;
    }
  }
  return s;
}

/// RFC 4648.
std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned word = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    const std::size_t digits = std::min<std::size_t>(bytes.size() - i, 3) + 1;
    for (std::size_t k = 0; k < 4; ++k) text += k < digits ? kDigits[(word >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

}  // namespace

SvgCanvas::SvgCanvas(int width, int height) {
  body_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"DejaVu Sans, Verdana, Helvetica, sans-serif\" stroke-linejoin=\"round\" fill-rule=\"evenodd\" "
      "clip-rule=\"evenodd\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      width, height);
}

void SvgCanvas::append(const Path& path) {
  body_ += " d=\"";
  for (const Path::Part& part : path.parts) {
    char command = 'M';
    for (const Point& p : part.points) {
      body_ += command;
      body_ += number(p.x) + " " + number(p.y);
      command = 'L';
    }
    if (part.closed) body_ += 'Z';
  }
  body_ += '"';
}

void SvgCanvas::fill(const Path& path, Colour c) {
  body_ += "<path";
  append(path);
  body_ += paint("fill", c) + "/>\n";
}

void SvgCanvas::stroke(const Path& path, const Pen& pen) {
  body_ += "<path";
  append(path);
  body_ += " fill=\"none\"" + paint("stroke", pen.colour) + " stroke-width=\"" + number(pen.width) + '"';
  if (pen.dash > 0) body_ += " stroke-dasharray=\"" + number(pen.dash) + '"';
  body_ += "/>\n";
}

void SvgCanvas::disc(Point centre, double radius, Colour c) {
  body_ += "<circle cx=\"" + number(centre.x) + "\" cy=\"" + number(centre.y) + "\" r=\"" + number(radius) + '"' +
           paint("fill", c) + "/>\n";
}

void SvgCanvas::dots(const std::vector<Dot>& dots) {
  for (const Dot& dot : dots)
    for (const auto& [radius, colour] : discsOf(dot)) disc(dot.centre, radius, colour);
}

void SvgCanvas::cell(const Rectangle& place, Colour c) {
  body_ += "<rect x=\"" + number(place.min.x) + "\" y=\"" + number(place.min.y) + "\" width=\"" +
           number(place.max.x - place.min.x) + "\" height=\"" + number(place.max.y - place.min.y) +
           "\" shape-rendering=\"crispEdges\"" + paint("fill", c) + "/>\n";
}

void SvgCanvas::image(Point corner, const Raster& raster) {
  body_ += fmt::format(
               "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
               "xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"data:image/png;base64,",
               number(std::round(corner.x)), number(std::round(corner.y)), raster.width, raster.height) +
           base64(pngOf(raster)) + "\"/>\n";
}

void SvgCanvas::text(Point baseline, const std::string& words, const TextStyle& style) {
  body_ +=
      "<text x=\"" + number(baseline.x) + "\" y=\"" + number(baseline.y) + "\" font-size=\"" + number(style.size) + '"';
  if (style.bold) body_ += " font-weight=\"bold\"";
  if (style.anchor == Anchor::kMiddle) body_ += " text-anchor=\"middle\"";
  if (style.anchor == Anchor::kRight) body_ += " text-anchor=\"end\"";
  body_ += paint("fill", style.colour) + '>' + escaped(words) + "</text>\n";
}

void SvgCanvas::clip(const Path& path) {
  ++clips_;
  body_ += fmt::format("<clipPath id=\"clip{}\"><path", clips_);
  append(path);
  body_ += fmt::format("/></clipPath>\n<g clip-path=\"url(#clip{})\">\n", clips_);
}

void SvgCanvas::unclip() { body_ += "</g>\n"; }

void SvgCanvas::beginGroup(const std::string& name) { body_ += "<g id=\"" + escaped(name) + "\">\n"; }

void SvgCanvas::endGroup() { body_ += "</g>\n"; }

std::string SvgCanvas::file() { return body_ + "</svg>\n"; }

}  // namespace throng::draw
