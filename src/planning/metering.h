// How many people may come to every narrow place, and when: metering, as at the ramps of motorways (Papageorgiou et al.
// 1991, ALINEA), for the stretches of the medial axis.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "planning/stretches.h"

namespace throng::planning {

/// For every stretch who is on the way to it, by distance, and how many people per second it lets through.
class Metering {
 public:
  static constexpr double kFar = 150;  ///< m: who is farther away is not counted
  static constexpr double kRing = 3;   ///< m
  static constexpr auto kRings = static_cast<std::size_t>(kFar / kRing);

  /// All stretches carry what their width says.
  void reset(std::size_t stretches);
  void clear();
  /// Somebody will pass the narrow place of a stretch, after so many m; those farther away than `kFar` do not count.
  void countComing(std::uint32_t stretch, double metres);
  /// Somebody on a stretch wants to walk and stands.
  void countStanding(std::uint32_t stretch) { ++standing_[stretch]; }
  /// After all are counted: `seconds` since the last time.
  void estimate(const Stretches& stretches, double seconds);

  /// s that somebody who has so many m to go to the narrow place of a stretch comes too early: by then it will not have
  /// let through those who are nearer.
  double early(std::uint32_t stretch, double metres) const;
  /// People per second, both ways together.
  double carries(const Stretches& stretches, std::uint32_t stretch) const;

  /// Of every stretch: which share of what its width says it carries.
  const std::vector<float>& shares() const { return shares_; }
  void assign(std::vector<float> shares);
  std::size_t memory() const;

 private:
  struct Load {
    std::uint32_t stretch = 0;
    std::array<std::uint32_t, kRings> coming{};
    std::array<float, kRings> early{};
  };

  std::vector<float> shares_;
  std::vector<std::uint32_t> standing_;
  std::vector<std::uint32_t> index_;  ///< by stretch: of its load, or kNone
  std::vector<Load> loads_;
};

}  // namespace throng::planning
