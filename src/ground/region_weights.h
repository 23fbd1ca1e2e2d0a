// What each type of ground costs whom.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/scene.h"

#include "ground/regions.h"

namespace throng::ground {

/// What each type costs one person: drawn from the profile, as a function of seed, person and name of the type only.
/// Empty when all that the profile says is nowhere in the scene.
RegionWeights weightsOf(const Regions& regions, const Profile& profile, std::uint64_t seed, std::uint32_t person);

/// The same for everybody of a scene, at no cost for profiles whose people are all alike.
class PeoplesWeights {
 public:
  PeoplesWeights() = default;
  PeoplesWeights(const Regions& regions, std::span<const Profile> profiles, std::uint64_t seed);

  /// Does any type cost people of a profile more or less than plain ground? People of any?
  bool any(std::uint16_t profile) const { return profile < profiles_.size() && !profiles_[profile].typical.empty(); }
  bool any() const;
  /// By RegionType; empty when nothing matters. In `room` where it is the person's own; that keeps its capacity.
  std::span<const float> of(std::uint16_t profile, std::uint32_t person, RegionWeights& room) const;
  /// Of somebody with the means of all distributions.
  std::span<const float> typical(std::uint16_t profile) const;

 private:
  struct OfProfile {
    RegionWeights typical;
    /// Types that differ from person to person.
    struct Varied {
      RegionType type;
      std::uint64_t stream;
      Distribution weight;
    };
    std::vector<Varied> varied;
  };

  std::vector<OfProfile> profiles_;
};

}  // namespace throng::ground
