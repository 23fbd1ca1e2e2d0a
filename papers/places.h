// The places of Jaklin's chapter 11 as Throng generates them, and random free positions in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "throng/navigation.h"
#include "throng/scene.h"

namespace throng::papers {

/// A generated place (docs/scene-generators.md) without people; `vertices` is for "hostile" only.
Scene placeScene(const std::string& generator, std::uint32_t vertices = 0);
/// An office: two rows of rooms at a corridor, as small as the maps with which game engines time their route queries.
Scene officeScene();

struct Complexity {
  std::size_t obstacles = 0;  ///< with walls without thickness
  std::size_t vertices = 0;   ///< of those and of the borders
};
Complexity complexityOf(const Scene& scene);

/// Free positions, uniformly at random over the walkable area of all layers.
class FreePositions {
 public:
  struct Position {
    Point at;
    std::uint16_t layer = 0;
  };

  FreePositions(const Scene& scene, std::uint64_t seed);
  /// At least `clearance` (m) from all walls that the map has now; nothing when 100,000 tries found none.
  std::optional<Position> draw(const NavigationMap& map, double clearance);
  /// As many as can be found, at most `count`.
  std::vector<Position> draw(const NavigationMap& map, double clearance, std::size_t count);

 private:
  std::vector<Rectangle> boxes_;
  std::vector<double> areas_;  ///< of this box and those before it, m²
  std::uint64_t random_;
};

}  // namespace throng::papers
