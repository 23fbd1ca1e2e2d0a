// Colours of populations.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::views {

struct Shade {
  std::uint32_t rgb = 0;  ///< 0xRRGGBB
  double darker = 0;      ///< share of black to mix in
};

/// Tells populations apart for readers with any kind of colour vision (Okabe and Ito 2008, "Color Universal Design"),
/// darkest and best told apart on a light floor first. Later rounds through the palette are darker.
Shade populationShade(std::size_t population);

}  // namespace throng::views
