// Everybody's routes in one arena: a route is a stretch of way-points, given by its start and its length. Routes are
// only ever shortened from the front or replaced; what that leaves behind is cleared out by compact().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "environment/route.h"

namespace throng::environment {

class RouteStore {
 public:
  /// Start of the stored copy.
  std::uint32_t add(std::span<const Vec2> route) {
    const auto start = static_cast<std::uint32_t>(points_.size());
    points_.insert(points_.end(), route.begin(), route.end());
    return start;
  }
  Vec2 at(std::uint32_t place) const { return points_[place]; }
  std::size_t size() const { return points_.size(); }
  std::size_t memory() const { return points_.capacity() * sizeof(Vec2); }

  /// Keeps only the stretches [starts[i], starts[i] + counts[i]), and tells each its new start.
  void compact(std::span<std::uint32_t> starts, std::span<const std::uint32_t> counts) {
    std::vector<Vec2> kept;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const auto from = points_.begin() + starts[i];
      starts[i] = static_cast<std::uint32_t>(kept.size());
      kept.insert(kept.end(), from, from + counts[i]);
    }
    points_.swap(kept);
  }

  const std::vector<Vec2>& points() const { return points_; }
  void assign(std::vector<Vec2> points) { points_ = std::move(points); }

 private:
  std::vector<Vec2> points_;
};

}  // namespace throng::environment
