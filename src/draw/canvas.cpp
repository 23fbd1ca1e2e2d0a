#include "draw/canvas.h"

#include <algorithm>

namespace throng::draw {
namespace {

/// Length of the UTF-8 sequence at `at`; 0 when the bytes there are not one (RFC 3629).
std::size_t sequenceLength(const std::string& s, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < s.size() ? s[i] : 0); };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned char first = byte(at);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  if (first >= 0xc2 && first <= 0xdf) return continues(at + 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const unsigned char second = byte(at + 1);
    if (first == 0xe0 && second < 0xa0) return 0;
    if (first == 0xed && second > 0x9f) return 0;                           // surrogates
    if (first == 0xef && second == 0xbf && byte(at + 2) >= 0xbe) return 0;  // U+FFFE and U+FFFF, not allowed in XML
    return continues(at + 1) && continues(at + 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const unsigned char second = byte(at + 1);
    if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
    return continues(at + 1) && continues(at + 2) && continues(at + 3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

Path rectanglePath(const Rectangle& r) { return {{{{r.min, {r.max.x, r.min.y}, r.max, {r.min.x, r.max.y}}, true}}}; }

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
    const std::size_t n = sequenceLength(words, i);
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
