// What worlds of patches have in common as sources of frames.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "throng/scene.h"

#include "base/random.h"

namespace throng::patches {

/// Which frame comes next, of so many per second up to a duration (s).
class FrameCount {
 public:
  FrameCount(double per_second, double duration) : per_second_(per_second), duration_(duration) {}
  std::uint64_t number() const { return next_; }
  double time() const { return static_cast<double>(next_) / per_second_; }
  bool isOver() const { return time() > duration_ + 1e-9; }
  void advance() { ++next_; }
  void restart() { next_ = 0; }
  /// Forwards only.
  void skipTo(double time) {
    const double number = std::ceil(std::min(time, duration_ + 1) * per_second_ - 1e-6);
    if (number > static_cast<double>(next_)) next_ = static_cast<std::uint64_t>(number);
  }
  double perSecond() const { return per_second_; }
  double duration() const { return duration_; }

 private:
  double per_second_, duration_;
  std::uint64_t next_ = 0;
};

/// Which version of a patch a place plays in a period: random, but the same for the same seed.
inline std::uint32_t versionPlayed(const std::vector<std::vector<std::uint32_t>>& versions, std::uint32_t patch,
                                   std::uint64_t seed, std::uint32_t place, std::int64_t round) {
  if (patch >= versions.size() || versions[patch].empty()) return patch;
  const auto& others = versions[patch];
  const std::uint64_t luck = base::mix(base::mix(seed ^ place) ^ static_cast<std::uint64_t>(round));
  const std::uint64_t which = luck % (others.size() + 1);
  return which == 0 ? patch : others[which - 1];
}

/// The scene of a world of patches: its ground, and the populations that frames name by number.
inline Scene sceneOf(std::string name, Layer ground, const FrameCount& frames) {
  Scene scene;
  scene.name = std::move(name);
  scene.layers.push_back(std::move(ground));
  scene.profiles.emplace_back();
  for (const char* population : {"walkers", "residents"}) scene.populations.emplace_back().name = population;
  scene.run.duration = frames.duration();
  scene.run.recording_rate = frames.perSecond();
  return scene;
}

}  // namespace throng::patches
