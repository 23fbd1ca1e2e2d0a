// Bridson 2007, "Fast Poisson disk sampling in arbitrary dimensions": new places are tried in the ring around an old
// one, between one and two spacings away; one around which nothing was found is not asked again.
#include <algorithm>
#include <cmath>

#include "ground/area_placement.h"

namespace throng::ground {
namespace {

/// Samples per area times spacing², measured on large squares. (The jamming limit is 0.697; Feder 1980.)
constexpr double kYield = 0.617;

/// Places all over the area, until no more fit.
std::vector<Point> sample(const AreaSampler& area, double spacing, double radius, const Occupancy& others,
                          base::Random& random) {
  constexpr int kCandidates = 30;  // Bridson's k
  constexpr int kSeeds = 100;      // parts of the area that no ring reaches are found by throwing darts
  const double expected = std::min(1.5 * area.area() / (spacing * spacing), 1e8);
  Occupancy samples(others.floor(), {}, spacing / 2, static_cast<std::size_t>(expected) + 16);
  std::vector<std::uint32_t> active;
  const auto accept = [&](Point p) {
    if (!samples.isOffOthers(p, spacing / 2, 0) || !area.contains(p) || !others.isFree(p, radius, kMargin))
      return false;
    active.push_back(samples.add(p, spacing / 2));
    return true;
  };
  for (int misses = 0; misses < kSeeds;) {
    if (!accept(area.sample(random))) {
      ++misses;
      continue;
    }
    while (!active.empty()) {
      const std::size_t chosen = random.below(active.size());
      const Point centre = samples[active[chosen]].centre;
      bool found = false;
      for (int k = 0; k < kCandidates && !found; ++k) {
        const double distance = spacing * std::sqrt(1 + 3 * random.uniform());
        double sine, cosine;
        base::sinCos(2 * base::kPi * random.uniform(), sine, cosine);
        found = accept(stored(centre + Point{cosine, sine} * distance));
      }
      if (found) continue;
      active[chosen] = active.back();
      active.pop_back();
    }
  }
  std::vector<Point> places(samples.size());
  for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = samples[i].centre;
  return places;
}

}  // namespace

std::vector<Point> placePoissonDisc(const AreaSampler& area, double spacing, std::span<const double> radii,
                                    Occupancy& occupancy, base::Random& random) {
  if (area.empty() || radii.empty()) return {};
  const double largest = *std::max_element(radii.begin(), radii.end());
  const auto people = static_cast<double>(radii.size());
  const double least = std::max({spacing, 2 * largest + kMargin, 1e-3});
  // With a spacing far below what so few people need, samples are drawn for four times their number and the rest is
  // left out at random; without one, for hardly more than their number.
  const double samples_per_person = spacing > 0 ? 4 : 1.03;
  double wide = std::max(least, std::sqrt(kYield * area.area() / (samples_per_person * people)));
  std::vector<Point> places = sample(area, wide, largest, occupancy, random);
  while (places.size() < radii.size() && wide > least) {
    const double share = std::clamp(static_cast<double>(places.size()) / people, 0.25, 0.98);
    wide = std::max(least, wide * std::sqrt(share) * 0.99);
    places = sample(area, wide, largest, occupancy, random);
  }
  for (std::size_t i = 0; i < std::min(places.size(), radii.size()); ++i)
    std::swap(places[i], places[i + random.below(places.size() - i)]);
  if (places.size() > radii.size()) places.resize(radii.size());
  for (std::size_t i = 0; i < places.size(); ++i) occupancy.add(places[i], radii[i]);
  return places;
}

}  // namespace throng::ground
