#include "ground/region_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "base/random.h"
#include "scene/distribution.h"

namespace throng::ground {

RegionWeights weightsOf(const Regions& regions, const Profile& profile, std::uint64_t seed, std::uint32_t person) {
  RegionWeights room;
  const std::span<const float> found = PeoplesWeights(regions, {&profile, 1}, seed).of(0, person, room);
  return {found.begin(), found.end()};
}

PeoplesWeights::PeoplesWeights(const Regions& regions, std::span<const Profile> profiles, std::uint64_t seed) {
  const std::vector<std::string>& types = regions.types();
  for (const Profile& profile : profiles) {
    OfProfile& to = profiles_.emplace_back();
    for (std::size_t t = 1; t < types.size(); ++t) {
      const auto said = profile.region_weights.find(types[t]);
      if (said == profile.region_weights.end()) continue;
      const Distribution& weight = said->second;
      if (to.typical.empty()) to.typical.assign(types.size(), 1.0f);
      const double mean = weight.kind == Distribution::Kind::kTruncatedNormal
                              ? std::clamp(weight.mean, weight.min, std::max(weight.min, weight.max))
                              : weight.mean;
      to.typical[t] = static_cast<float>(mean);
      if (weight.kind == Distribution::Kind::kConstant) continue;
      base::Hash name;
      name.add(std::span<const char>(types[t]));
      to.varied.push_back({static_cast<RegionType>(t), seed ^ name.value(), weight});
    }
  }
}

bool PeoplesWeights::any() const {
  return std::any_of(profiles_.begin(), profiles_.end(), [](const OfProfile& p) { return !p.typical.empty(); });
}

std::span<const float> PeoplesWeights::of(std::uint16_t profile, std::uint32_t person, RegionWeights& room) const {
  if (!any(profile)) return {};
  const OfProfile& from = profiles_[profile];
  if (from.varied.empty()) return from.typical;
  room = from.typical;
  for (const OfProfile::Varied& varied : from.varied) {
    base::Random random(varied.stream, person);
    room[varied.type] = static_cast<float>(scene::draw(varied.weight, random, kRegionWeightLimits));
  }
  return room;
}

std::span<const float> PeoplesWeights::typical(std::uint16_t profile) const {
  if (!any(profile)) return {};
  return profiles_[profile].typical;
}

}  // namespace throng::ground
