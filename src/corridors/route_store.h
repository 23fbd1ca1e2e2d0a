// Everybody's routes in one arena: a route is a stretch of way-points, given by its start and its length. Routes are
// only ever shortened from the front or replaced; what that leaves behind is cleared out by compact().
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/column.h"
#include "corridors/route.h"

namespace throng::corridors {

class RouteStore {
 public:
  /// Start of the stored copy.
  std::uint32_t add(std::span<const WayPoint> route) {
    const auto start = static_cast<std::uint32_t>(points_.size());
    // By a quarter, not to twice of what is most of the memory that people take.
    if (const std::size_t needed = points_.size() + route.size(); needed > points_.capacity())
      points_.reserve(needed + needed / 4), layers_.reserve(needed + needed / 4);
    for (const WayPoint& point : route) points_.push_back(point.at), layers_.push_back(point.layer);
    return start;
  }
  Vec2 at(std::uint32_t place) const { return points_[place]; }
  /// Of the straight way to that way-point.
  std::uint16_t layer(std::uint32_t place) const { return layers_[place]; }
  /// Brings the first few points of stretches that will be asked for into the processor's memory, many at a time. They
  /// are read, for requests to fetch them (__builtin_prefetch) may be ignored, and then every one is waited for.
  template <class Starts>
  void fetch(std::size_t count, const Starts& start) const {
    constexpr std::size_t kPoints = 8, kLine = 8;
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = start(i), end = std::min(k + kPoints, points_.size()); k < end; k += kLine - 1)
        sum += points_[k].x;
    [[maybe_unused]] const volatile float read = sum;  // so that nothing of this is left out
  }
  std::size_t size() const { return points_.size(); }
  std::size_t memory() const {
    return (points_.capacity() + spare_points_.capacity()) * sizeof(Vec2) +
           (layers_.capacity() + spare_layers_.capacity()) * sizeof(std::uint16_t);
  }

  /// Keeps only the stretches [starts[i] - behind[i], starts[i] + counts[i]), and tells each its new start. `behind`
  /// may be empty: nothing before the starts.
  void compact(std::span<std::uint32_t> starts, std::span<const std::uint32_t> counts,
               std::span<const std::uint32_t> behind = {}) {
    std::size_t kept = 0;
    for (const std::uint32_t count : counts) kept += count;
    for (const std::uint32_t count : behind) kept += count;
    spare_points_.clear(), spare_layers_.clear();
    kept += kept / 8;  // for those who plan anew: growing copies everything
    if (points_.capacity() * sizeof(Vec2) <= kAtHand) kept = std::max(kept, points_.capacity());
    spare_points_.reserve(kept), spare_layers_.reserve(kept);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const auto before = behind.empty() ? 0u : std::min(behind[i], starts[i]);
      const auto from = starts[i] - before, to = starts[i] + counts[i];
      starts[i] = static_cast<std::uint32_t>(spare_points_.size()) + before;
      spare_points_.insert(spare_points_.end(), points_.begin() + from, points_.begin() + to);
      spare_layers_.insert(spare_layers_.end(), layers_.begin() + from, layers_.begin() + to);
    }
    points_.swap(spare_points_);
    layers_.swap(spare_layers_);
    // Much memory is not kept for the next time.
    if (spare_points_.capacity() * sizeof(Vec2) > kAtHand)
      spare_points_ = base::Column<Vec2>(), spare_layers_ = base::Column<std::uint16_t>();
  }

  /// compact(), where what people need of their routes is more than the processor keeps at hand: in the order of rows,
  /// which is that of places, they are then fetched one after the other.
  void inOrder(std::span<std::uint32_t> starts, std::span<const std::uint32_t> counts,
               std::span<const std::uint32_t> behind = {}) {
    if (points_.size() * sizeof(Vec2) > kAtHand) compact(starts, counts, behind);
  }

  const base::Column<Vec2>& points() const { return points_; }
  const base::Column<std::uint16_t>& layers() const { return layers_; }
  /// As many layers as points.
  void assign(base::Column<Vec2> points, base::Column<std::uint16_t> layers) {
    points_ = std::move(points);
    layers_ = std::move(layers);
  }

 private:
  static constexpr std::size_t kAtHand = std::size_t{16} << 20;  ///< bytes

  base::Column<Vec2> points_, spare_points_;
  base::Column<std::uint16_t> layers_, spare_layers_;  ///< spare: what compact() leaves, to be used again
};

}  // namespace throng::corridors
