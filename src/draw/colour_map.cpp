#include "draw/colour_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "views/palette.h"

namespace throng::draw {
namespace {

constexpr std::size_t kAnchors = 7;
using Anchors = std::array<Lab, kAnchors>;

constexpr Anchors kSpeedAnchors{{{0.3000, +0.0746, -0.1065},
                                 {0.3967, +0.0226, -0.1280},
                                 {0.4933, -0.0336, -0.1256},
                                 {0.5900, -0.0769, -0.0538},
                                 {0.6867, -0.1063, +0.0285},
                                 {0.7833, -0.0964, +0.1149},
                                 {0.8800, -0.0435, +0.1623}}};
constexpr Anchors kTimeAnchors{{{0.3200, +0.0157, -0.1793},
                                {0.4067, +0.0900, -0.1559},
                                {0.4933, +0.1526, -0.0954},
                                {0.5800, +0.1793, -0.0157},
                                {0.6667, +0.1631, +0.0761},
                                {0.7533, +0.0945, +0.1126},
                                {0.8400, +0.0323, +0.1205}}};
constexpr Anchors kDensityAnchors{{{0.9700, -0.0022, +0.0249},
                                   {0.8583, +0.0065, +0.0747},
                                   {0.7467, +0.0549, +0.1178},
                                   {0.6350, +0.1302, +0.1093},
                                   {0.5233, +0.1691, +0.0616},
                                   {0.4117, +0.1504, +0.0000},
                                   {0.3000, +0.1088, -0.0507}}};

// As strong as all hues can be shown at this lightness; east is blue and west orange, which every reader can tell
// apart.
constexpr double kHueLightness = 0.64, kHueChroma = 0.106, kEast = 4.3;

const Anchors& anchors(ColourMap map) {
  switch (map) {
    case ColourMap::kTime:
      return kTimeAnchors;
    case ColourMap::kDensity:
      return kDensityAnchors;
    case ColourMap::kSpeed:
    case ColourMap::kDirection:
      break;
  }
  return kSpeedAnchors;
}

double toLinear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double fromLinear(double c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055; }

}  // namespace

Colour mixed(Colour a, Colour b, double share) {
  const auto mix = [share](double from, double to) { return from + (to - from) * share; };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue), mix(a.alpha, b.alpha)};
}

Colour populationColour(std::size_t population) {
  const views::Shade shade = views::populationShade(population);
  return mixed(colour(shade.rgb), colour(0x000000), shade.darker);
}

Colour regionColour(const std::string& type, std::size_t place) {
  struct Usual {
    const char* word;
    unsigned rgb;
  };
  static constexpr std::array<Usual, 11> kUsual{{{"grass", 0xdcebcf},
                                                 {"lawn", 0xdcebcf},
                                                 {"park", 0xdcebcf},
                                                 {"forest", 0xcbdfc0},
                                                 {"water", 0xcfe2f1},
                                                 {"road", 0xdfdfe2},
                                                 {"street", 0xdfdfe2},
                                                 {"pavement", 0xeae6de},
                                                 {"sidewalk", 0xeae6de},
                                                 {"sand", 0xf3e7c4},
                                                 {"stair", 0xe6dfee}}};
  for (const auto& usual : kUsual)
    if (type.find(usual.word) != std::string::npos) return colour(usual.rgb);
  static constexpr std::array<unsigned, 6> kTints{0xe3e0f2, 0xf6dfd3, 0xd6ece6, 0xf5e0ea, 0xf4ebc8, 0xd8e6f2};
  return colour(kTints[place % kTints.size()]);
}

Lab toLab(Colour c) {
  const double r = toLinear(c.red), g = toLinear(c.green), b = toLinear(c.blue);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Colour fromLab(Lab lab) {
  const auto cube = [](double v) { return v * v * v; };
  const double l = cube(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b);
  const double m = cube(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b);
  const double s = cube(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b);
  return {fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Colour mapColour(ColourMap map, double share) {
  if (!(share > 0)) share = 0;
  if (map == ColourMap::kDirection) {
    const double hue = 2 * std::numbers::pi * (share - std::floor(share)) + kEast;
    return fromLab({kHueLightness, kHueChroma * std::cos(hue), kHueChroma * std::sin(hue)});
  }
  const double place = std::min(share, 1.0) * (kAnchors - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kAnchors - 2);
  const double t = place - static_cast<double>(below);
  const Lab &p = anchors(map)[below], &q = anchors(map)[below + 1];
  const Colour c =
      fromLab({p.lightness + (q.lightness - p.lightness) * t, p.a + (q.a - p.a) * t, p.b + (q.b - p.b) * t});
  const auto shown = [](double v) { return std::clamp(v, 0.0, 1.0); };
  return {shown(c.red), shown(c.green), shown(c.blue), 1};
}

}  // namespace throng::draw
