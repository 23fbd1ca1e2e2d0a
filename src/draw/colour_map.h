// Colours of pictures: one per population, and maps from numbers to colours.
#pragma once

#include <cstddef>
#include <string>

namespace throng::draw {

/// sRGB, each in [0, 1].
struct Colour {
  double red = 0, green = 0, blue = 0, alpha = 1;

  friend bool operator==(const Colour&, const Colour&) = default;
};

/// 0xRRGGBB.
constexpr Colour colour(unsigned rgb, double alpha = 1) {
  return {((rgb >> 16) & 0xff) / 255.0, ((rgb >> 8) & 0xff) / 255.0, (rgb & 0xff) / 255.0, alpha};
}
constexpr Colour withAlpha(Colour c, double alpha) { return {c.red, c.green, c.blue, alpha}; }
/// Share 0 gives a, share 1 gives b; alpha too.
Colour mixed(Colour a, Colour b, double share);

/// Unrounded; populationPaint() is the same to the nearest of 256 steps.
Colour populationColour(std::size_t population);
/// A light tint for the ground of one region type: the usual colour for grass, water and the like, and for any other
/// name one that depends on its place among the types of the layer.
Colour regionColour(const std::string& type, std::size_t place);

/// OKLab (Ottosson 2020): a space in which equal steps look equal.
struct Lab {
  double lightness = 0, a = 0, b = 0;
};
Lab toLab(Colour colour);
/// Without clamping; components outside [0, 1] cannot be shown.
Colour fromLab(Lab lab);

/// Seven anchors in OKLab, evenly apart in lightness and joined by straight lines, so that equal steps of the number
/// are equal steps of lightness, on paper without colour as well.
enum class ColourMap {
  kSpeed,      ///< dark violet over blue and green to yellow
  kTime,       ///< dark blue over magenta to light orange
  kDensity,    ///< cream over orange and red to dark purple: nothing looks like empty floor
  kDirection,  ///< once round the circle of hues, all equally light: the ends are the same
};
/// `share` is clamped to [0, 1]; not a number counts as 0.
Colour mapColour(ColourMap map, double share);

}  // namespace throng::draw
