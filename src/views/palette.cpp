#include "views/palette.h"

#include <array>
#include <cmath>

#include "throng/views.h"

namespace throng {

views::Shade views::populationShade(std::size_t population) {
  // Blue, vermilion, bluish green, reddish purple, orange, sky blue of the palette; its yellow is too light for a light
  // floor and its black is the colour of walls and words, so brown and slate take their places.
  static constexpr std::array<std::uint32_t, 8> kPalette{0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                                         0xe69f00, 0x56b4e9, 0x7a4b2a, 0x5b6770};
  const auto round = static_cast<double>((population / kPalette.size()) % 3);
  return {kPalette[population % kPalette.size()], 0.25 * round};
}

Paint populationPaint(std::size_t population) {
  const views::Shade shade = views::populationShade(population);
  const auto byte = [&](int shift) {
    const double v = ((shade.rgb >> shift) & 0xff) / 255.0;
    return static_cast<std::uint32_t>(std::lround((v + (0 - v) * shade.darker) * 255)) << shift;
  };
  return {byte(16) | byte(8) | byte(0), 1};
}

}  // namespace throng
