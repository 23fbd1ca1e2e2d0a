// An endless street of patches in a world: whoever is in the camera's view.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/patch_street.h"
#include "throng/scene.h"

namespace throng::districts {

class Street {
 public:
  Street(const PatchStreet& about, Point at);

  struct Person {
    std::uint32_t number = 0;
    PatchState state;
    Point heading;
    bool is_resident = false;
  };
  /// Everybody in view at a time, by number. Kept until another time is asked for. `dt`: s over which velocities are
  /// taken.
  const std::vector<Person>& seen(double time, double dt);
  std::size_t memory() const { return street_.patchBytes() + street_.borderBytes(); }

 private:
  double cameraAt(double time) const { return about_.camera + about_.speed * time; }

  PatchStreet about_;
  Point at_;
  EndlessStreet street_;
  double time_ = -1;
  std::vector<Person> seen_;
  FrameCopy now_, before_;
  std::vector<std::pair<std::uint32_t, std::size_t>> were_;  ///< scratch: people of `before_` by number
};

}  // namespace throng::districts
