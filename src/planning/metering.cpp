#include "planning/metering.h"

#include <algorithm>

namespace throng::planning {
namespace {

using corridors::kNone;

/// People per m and s, both ways together, that come through without standing, where nothing else is known.
constexpr double kCarries = 1.1;
constexpr double kLeastWidth = 0.5;  // m
/// People per m of width who may stand on a stretch: with more of them fewer are let come, with fewer more.
constexpr double kStanding = 1.5;
/// Share of what the width says by which that changes per second, at most down and up; and the least it can be.
constexpr double kDown = 0.05, kUp = 0.02, kLeast = 0.25, kMost = 1.4;
constexpr double kSpeed = 1.25;  // m/s: who comes, comes at about this speed

}  // namespace

void Metering::reset(std::size_t stretches) {
  shares_.assign(stretches, 1.0f);
  standing_.assign(stretches, 0);
  index_.assign(stretches, kNone);
  loads_.clear();
}

void Metering::assign(std::vector<float> shares) {
  reset(shares.size());
  shares_ = std::move(shares);
}

void Metering::clear() {
  for (const Load& load : loads_) index_[load.stretch] = kNone;
  loads_.clear();
  std::fill(standing_.begin(), standing_.end(), 0u);
}

void Metering::countComing(std::uint32_t stretch, double metres) {
  if (metres >= kFar) return;
  if (index_[stretch] == kNone) {
    index_[stretch] = static_cast<std::uint32_t>(loads_.size());
    loads_.emplace_back().stretch = stretch;
  }
  ++loads_[index_[stretch]].coming[static_cast<std::size_t>(metres / kRing)];
}

double Metering::carries(const Stretches& stretches, std::uint32_t stretch) const {
  return kCarries * std::max(stretches[stretch].width, kLeastWidth) * static_cast<double>(shares_[stretch]);
}

void Metering::estimate(const Stretches& stretches, double seconds) {
  for (std::uint32_t s = 0; s < shares_.size(); ++s) {
    const double standing = standing_[s] / (kStanding * std::max(stretches[s].width, kLeastWidth));
    const double change = standing > 1 ? -std::min(kDown, kDown * (standing - 1)) : kUp * (1 - standing);
    shares_[s] = static_cast<float>(std::clamp(static_cast<double>(shares_[s]) + change * seconds, kLeast, kMost));
  }
  // First come, first served: those of every ring are through when those before them are, and not before they are
  // there.
  for (Load& load : loads_) {
    const double each = 1 / carries(stretches, load.stretch);
    double through = 0;
    for (std::size_t k = 0; k < kRings; ++k) {
      const double there = kRing * static_cast<double>(k) / kSpeed;
      const std::uint32_t people = load.coming[k];
      through = std::max(through, there);
      load.early[k] = static_cast<float>(through - there + each * (people > 1 ? people - 1 : 0) / 2);
      through += each * people;
    }
  }
}

double Metering::early(std::uint32_t stretch, double metres) const {
  if (metres >= kFar || index_[stretch] == kNone) return 0;
  return static_cast<double>(loads_[index_[stretch]].early[static_cast<std::size_t>(metres / kRing)]);
}

std::size_t Metering::memory() const {
  return (shares_.capacity() + standing_.capacity() + index_.capacity()) * sizeof(float) +
         loads_.capacity() * sizeof(Load);
}

}  // namespace throng::planning
