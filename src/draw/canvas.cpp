#include "draw/canvas.h"

#include <algorithm>

#include "base/utf8.h"
#include "geometry/boxes.h"

namespace throng::draw {
namespace {

/// Length of the character that a text begins with; 0 when there is none, or none that can be drawn or stand in XML.
std::size_t printableLength(std::string_view text) {
  const base::Utf8Character c = base::firstCharacter(text);
  const bool control = c.code < 0x20 || c.code == 0x7f, forbidden = c.code == 0xfffe || c.code == 0xffff;
  return control || forbidden ? 0 : c.length;
}

}  // namespace

Path rectanglePath(const Rectangle& r) { return {{{geometry::cornersOf(r), true}}}; }

std::array<DotDisc, 3> discsOf(const Dot& dot) {
  const Colour& c = dot.colour;
  return {{{dot.radius + dot.rim, colour(0xffffff, 0.7 * c.alpha)},
           {dot.radius, mixed(c, colour(0x000000, c.alpha), 0.45)},
           {dot.radius - std::min(0.8 * dot.rim, 0.25 * dot.radius), c}}};
}

Path linePath(Point a, Point b) { return {{{{a, b}, false}}}; }

std::string printable(const std::string& words) {
  std::string result;
  for (std::size_t i = 0; i < words.size();) {
    const std::size_t n = printableLength(std::string_view(words).substr(i));
    result += n > 0 ? words.substr(i, n) : "\xef\xbf\xbd";
    i += std::max<std::size_t>(n, 1);
  }
  return result;
}

std::string fitted(const std::string& words, const TextStyle& style, double width) {
  std::string rest = printable(words);
  if (textWidth(rest, style) <= width) return rest;
  const auto shortened = [&] { return rest + "…"; };
  while (!rest.empty() && textWidth(shortened(), style) > width) {
    while (!rest.empty() && (static_cast<unsigned char>(rest.back()) & 0xc0) == 0x80) rest.pop_back();
    if (!rest.empty()) rest.pop_back();
  }
  return rest.empty() ? std::string() : shortened();
}

PageTransform::PageTransform(const Rectangle& view, const Rectangle& panel) : view_(view), panel_(panel) {
  scale_ = std::min((panel.max.x - panel.min.x) / (view.max.x - view.min.x),
                    (panel.max.y - panel.min.y) / (view.max.y - view.min.y));
  const Point middle = (view.min + view.max) / 2, centre = (panel.min + panel.max) / 2;
  origin_ = {centre.x - middle.x * scale_, centre.y + middle.y * scale_};
}

Path PageTransform::toPage(const Ring& ring) const {
  Path path{{{{}, true}}};
  for (const Point& p : ring) path.parts[0].points.push_back(toPage(p));
  return path;
}

Path PageTransform::toPage(const Polygon& polygon) const {
  Path path = toPage(polygon.outer);
  for (const Ring& hole : polygon.holes) path.parts.push_back(std::move(toPage(hole).parts[0]));
  return path;
}

Path PageTransform::toPage(const Polyline& line) const {
  Path path = toPage(line.points);
  path.parts[0].closed = false;
  return path;
}

}  // namespace throng::draw
