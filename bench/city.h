// A city to walk in: the generated place city-plan, and random free places in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "throng/navigation.h"
#include "throng/scene.h"
#include "throng/world.h"

namespace throng::bench {

/// Without people.
Scene cityScene();
/// Two rows of rooms at a corridor: a map of about 190 cells.
Scene officeScene();

/// Free places of a scene with one layer, uniformly at random, at least `clearance` (m) from all walls.
class FreePlaces {
 public:
  FreePlaces(const Scene& scene, double clearance);
  Point draw(const NavigationMap& map);

 private:
  Rectangle box_;
  double clearance_;
  std::uint64_t random_ = 1;
};

/// What people in the city know of its ground.
enum class CityGround {
  kPlain,   ///< nothing: planner corridor, follower irm
  kRegions  ///< pavements, roads and lawns, which cost everybody something else: planner regions, follower miran
};

/// Everybody walks between two random places at least 50 m apart, for ever, with ORCA.
std::unique_ptr<World> cityWorld(std::size_t people, int threads, CityGround ground);

}  // namespace throng::bench
