// "military": 15 buildings of 23 convex polygons on 200 m × 200 m, the numbers of the scene Military in JAKLIN 2016,
// sections 6.4 and 9.4 (a village for training). The buildings keep their shapes; the seed says which stands where, and
// how it is turned.
#include <array>

#include "places/generate.h"

namespace throng::places {
namespace {

constexpr int kRows = 4;           // of places; one stays free
constexpr double kSpacing = 46;    // m, between the middles of places
constexpr double kFirst = 31;      // m, the middle of the first
constexpr double kMostTurn = 0.3;  // rad
constexpr double kMostShift = 2;   // m

/// Convex parts that overlap by a metre or more, so that turning leaves no crack between them; around (0, 0), none
/// farther from it than 18 m.
using Building = std::vector<Ring>;

std::array<Building, 15> buildings() {
  return {{
      {box(-14, -10, 14, 0), box(-14, -1, -4, 11)},                         // headquarters
      {box(-13, -4, 7, 4), roundRing({8, 0}, 6, 8, base::kPi / 8)},         // church
      {box(-13, -2, 13, 6), box(-5, -12, 5, -1)},                           // town hall
      {box(-15, -8, 0, 8), box(-1, -5, 15, 5)},                             // warehouse
      {box(-14, -9, 3, 9), {{2, -4}, {10, -8}, {16, 0}, {10, 8}, {2, 4}}},  // guardhouse
      {box(-15, -4, 15, 4), box(-4, -15, 4, 15)},                           // hospital
      {box(-14, -10, -6, 10), box(-8, 2, 8, 10), box(6, -10, 14, 10)},      // school
      {box(-16, -7, 16, 7)},                                                // barracks
      {box(-16, -6, 16, 6)},                                                // barracks
      {box(-11, -7, 11, 7)},                                                // house
      {box(-9, -9, 9, 9)},                                                  // house
      {{{-12, -9}, {12, -9}, {12, 4}, {5, 9}, {-12, 9}}},                   // garage
      {roundRing({0, 0}, 7, 8)},                                            // tower
      {{{-14, -10}, {14, -6}, {14, 6}, {-14, 10}}},                         // hall
      {roundRing({0, 0}, 12, 6)},                                           // store
  }};
}

}  // namespace

Scene military(std::uint64_t seed) {
  base::Random random(seed, 0x317);
  std::array<int, kRows * kRows> places;
  for (int i = 0; i < kRows * kRows; ++i) places[static_cast<std::size_t>(i)] = i;
  for (std::size_t i = places.size(); i-- > 1;) std::swap(places[i], places[random.below(i + 1)]);
  Layer layer;
  layer.walkable = {{box(0, 0, 200, 200), {}}};
  layer.wall_height = 6;
  std::size_t next = 0;
  for (const auto& building : buildings()) {
    const int place = places[next++];
    const Point middle{kFirst + kSpacing * (place % kRows) + random.uniform(-kMostShift, kMostShift),
                       kFirst + kSpacing * (place / kRows) + random.uniform(-kMostShift, kMostShift)};
    const double quarters = static_cast<double>(random.below(4)) * (base::kPi / 2);
    const Point along = unitAt(quarters + random.uniform(-kMostTurn, kMostTurn));
    for (const auto& part : building) {
      Ring ring = placed(part, middle, along);
      for (auto& p : ring) p = toMillimetres(p);
      layer.obstacles.push_back({std::move(ring), {}});
    }
  }
  return sceneOf({std::move(layer)});
}

}  // namespace throng::places
