// "abstract-regions": 16 × 16 tiles of 50 m × 50 m with regions of six types, after the scene abstractRegions16x16 of
// JAKLIN 2016, section 4.3.1, which names sizes, colours and weights; the shapes are ours. Every tile is cut into 3 × 3
// quadrangles around corners that the seed moves, and each of them is of a type by chance, so that there are neither
// gaps nor overlaps.
#include <array>

#include "places/generate.h"

namespace throng::places {
namespace {

constexpr std::size_t kTiles = 16, kCuts = 3, kLines = kTiles * kCuts + 1;
constexpr double kTile = 50;        // m
constexpr double kCornerShift = 5;  // m, of a corner within a tile
constexpr std::array<const char*, 6> kTypes = {"grey", "dark green", "light green", "blue", "yellow", "brown"};

}  // namespace

Scene abstractRegions(std::uint64_t seed) {
  base::Random random(seed, 0x1616);
  std::vector<Point> corners(kLines * kLines);
  for (std::size_t row = 0; row < kLines; ++row)
    for (std::size_t column = 0; column < kLines; ++column) {
      const auto along = [&](std::size_t line) {  // borders of tiles are straight
        const double shift = random.uniform(-kCornerShift, kCornerShift);
        return static_cast<double>(line) * (kTile / kCuts) + (line % kCuts == 0 ? 0 : shift);
      };
      const double x = along(column), y = along(row);
      corners[row * kLines + column] = toMillimetres({x, y});
    }
  Layer layer;
  layer.walkable = {{box(0, 0, kTile * kTiles, kTile * kTiles), {}}};
  for (const char* type : kTypes) layer.regions.push_back({type, {}});
  for (std::size_t row = 0; row + 1 < kLines; ++row)
    for (std::size_t column = 0; column + 1 < kLines; ++column) {
      const std::size_t at = row * kLines + column;
      layer.regions[random.below(kTypes.size())].area.push_back(
          {{corners[at], corners[at + 1], corners[at + kLines + 1], corners[at + kLines]}, {}});
    }
  return sceneOf({std::move(layer)});
}

}  // namespace throng::places
