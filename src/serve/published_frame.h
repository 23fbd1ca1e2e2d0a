// Everybody at one moment, in whole numbers and in the order of their ids: made once, and read by all connections.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "throng/frame.h"

#include "serve/frame_codec.h"

namespace throng::serve {

struct PublishedFrame {
  double time = 0;  ///< s
  Box box;
  std::vector<Walker> walkers;  ///< in the order of their ids
};

/// `levels` of simulation, by row; none: all 0. Whoever is outside the box is put at its edge.
PublishedFrame publish(const Frame& frame, std::span<const std::uint8_t> levels, const Box& box);
/// A direction as 256ths of a turn, counter-clockwise from x; at most one beside what exactHeadingByte() says, which
/// takes ten times as long.
std::uint8_t headingByte(float x, float y);
std::uint8_t exactHeadingByte(float x, float y);
/// The same box while it holds everybody, else a larger one.
Box boxFor(const Frame& frame, const Box& box);

/// What a camera sees of the ground: a convex polygon. No corners: everything.
class ViewArea {
 public:
  static constexpr std::size_t kMostCorners = 16;

  ViewArea() = default;
  /// In either direction; throws InputError when it is not convex, has too many corners or places that are no numbers.
  explicit ViewArea(std::span<const Point> corners);
  bool contains(Point p) const;
  /// Those inside or within `margin` (m), in the order of their ids.
  void select(const PublishedFrame& frame, double margin, std::vector<Walker>& seen) const;

 private:
  /// Inside: x · p.x + y · p.y <= limit.
  struct Side {
    double x, y, limit;
  };
  std::vector<Side> sides_;
};

}  // namespace throng::serve
