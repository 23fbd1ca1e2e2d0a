// The shortest way between two places of a layer whose opposite borders are the same place.
#pragma once

#include <cmath>
#include <optional>
#include <span>

#include "throng/scene.h"

namespace throng::metrics {

/// The whole number of widths (heights) to add to `difference` to make it shortest; 0 when that changes nothing, so
/// that somebody who does not cross the border keeps their exact coordinates.
inline double imageShift(double difference, double period) {
  const double turns = difference / period;
  return turns >= -0.5 && turns <= 0.5 ? 0.0 : -std::floor(turns + 0.5) * period;
}

/// What to add to `to - from` to get the shortest displacement.
inline Point imageShift(Point from, Point to, const std::optional<Rectangle>& wrap) {
  if (!wrap) return {};
  return {imageShift(to.x - from.x, wrap->max.x - wrap->min.x), imageShift(to.y - from.y, wrap->max.y - wrap->min.y)};
}

/// Layers without an entry are not wrapped.
inline const std::optional<Rectangle>& wrapOf(std::span<const std::optional<Rectangle>> wrap, std::size_t layer) {
  static const std::optional<Rectangle> kNone;
  return layer < wrap.size() ? wrap[layer] : kNone;
}

}  // namespace throng::metrics
