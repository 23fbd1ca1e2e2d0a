// Whoever does not get on sidesteps or steps back for a moment, whatever the steering model.
#pragma once

#include "steering/systems.h"

namespace throng::steering {

/// People who want to walk and stay where they are for longer than their patience, and who have nobody before them who
/// goes the same way (who waits in a queue waits), turn their preferred velocity for about a second: to the side, or
/// back. Two who face one another in a doorway, and three who lock it as an arch, come apart like that. How long the
/// patience is, which way and for how long differs from person to person and from time to time.
class GetUnstuck final : public step::System {
 public:
  explicit GetUnstuck(const Steering& steering) : steering_(steering) {}
  std::string_view name() const override { return "unstuck"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  void setsOut(step::StepContext& context, std::uint32_t row) override;

 private:
  /// Does the person in a slot turn now?
  bool decide(step::StepContext& context, std::uint32_t slot) const;
  void turn(step::StepContext& context, std::uint32_t row) const;  ///< somebody with time of turning left

  const Steering& steering_;
  base::Column<float>*x_ = nullptr, *y_ = nullptr;  ///< m: where somebody was when they last got on
  base::Column<float>* since_ = nullptr;            ///< s
  base::Column<float>*left_ = nullptr, *turn_cosine_ = nullptr, *turn_sine_ = nullptr;  ///< s of turning still to go
};

}  // namespace throng::steering
