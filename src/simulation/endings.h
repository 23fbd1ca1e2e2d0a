// When a run is over, and why: whether anybody still gets anywhere.
#pragma once

#include <vector>

#include "goals/goals.h"
#include "simulation/changes.h"
#include "simulation/newcomers.h"
#include "step/context.h"

namespace throng::simulation {

class Endings {
 public:
  Endings(const step::StepContext& context, goals::Goals& goals, const Newcomers& newcomers, const HappenEvents& events)
      : context_(context), goals_(goals), newcomers_(newcomers), events_(events) {}

  RunEnd ending() const;
  std::vector<NotArrived> notArrived() const;
  /// People on the way who can get no nearer to their goal than the end of their route, or who are inside an obstacle.
  std::size_t unreachable() const;
  /// After every step.
  void lookForProgress();

 private:
  bool moreToCome() const { return events_.moreToCome() || newcomers_.moreToCome(); }
  bool standsAtTheEnd(std::uint32_t row) const;
  float wayLeft(std::uint32_t row) const;

  const step::StepContext& context_;
  goals::Goals& goals_;
  const Newcomers& newcomers_;
  const HappenEvents& events_;
};

}  // namespace throng::simulation
