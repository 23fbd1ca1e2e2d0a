// A way on foot through what is near: between walls and people who stand there, on a grid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/base.h"

#include "ground/walkable_space.h"

namespace throng::steering {

/// A square of 8 m of which is known where somebody's centre can be. Routes know walls only, and steering models look
/// straight on; this finds the gap in a row of people who stand, and where somebody in a doorway can step aside to.
class LocalWay {
 public:
  /// Everything is free.
  void clear(Vec2 centre);
  /// Nobody's centre comes nearer to a place than that, m.
  void close(Vec2 at, float radius);
  void close(const ground::Walls& walls, float radius);

  /// Is the straight way free?
  bool isFree(Vec2 from, Vec2 to) const;
  /// Where to walk to first, straight, on the shortest way from one place to within some metres of another; false where
  /// there is none.
  bool find(Vec2 from, Vec2 to, float within, Vec2& first);
  /// The place that is reached soonest of those at least so far (m) from a line; false where there is none.
  bool findAside(Vec2 from, std::span<const Vec2> line, float away, Vec2& place);

  static constexpr float kHalf = 4;  ///< m from the centre to the sides
  std::size_t memory() const { return closed_.capacity() + 4 * (steps_.capacity() + before_.capacity()); }

 private:
  static constexpr float kCell = 0.05f;  // m
  static constexpr int kAcross = 161;    // cells

  int index(float along) const { return static_cast<int>(along / kCell + 0.5f); }
  bool cellOf(Vec2 at, int& cell) const;
  Vec2 middleOf(int cell) const;
  bool freeStart(Vec2 from, int& cell) const;
  template <class IsThere, class Estimate>
  int search(int start, const IsThere& is_there, const Estimate& estimate);

  Vec2 corner_;                       ///< m: middle of the first cell
  std::vector<std::uint8_t> closed_;  ///< by cell, row by row
  std::vector<std::uint32_t> steps_;  ///< what it takes to get there
  std::vector<std::int32_t> before_;  ///< the cell before it
  std::vector<std::uint64_t> queue_;
};

/// m from a place to a line with corners.
float distanceToLine(Vec2 place, std::span<const Vec2> line);

}  // namespace throng::steering
