// Goals to which no way leads, found before anybody walks, and why.
#pragma once

#include <cstdint>
#include <string>

#include "throng/base.h"

namespace throng::simulation {

struct UnreachableGoal {
  static constexpr std::size_t kFlow = ~std::size_t{0};

  std::size_t population = 0;
  std::size_t goal = 0;  ///< which of the population's; kFlow: the other end of a flow that is still to come
  /// Of those who were looked at: everybody who is there for the first goal, a few for those that follow and for people
  /// who will appear.
  std::uint64_t people = 0, looked_at = 0;
  std::string reason;  ///< a part of a sentence
  Point at;            ///< m: where the cause is
};

}  // namespace throng::simulation
