#include <algorithm>
#include <cmath>

#include "levels/levels.h"

namespace throng::levels {
namespace {

constexpr double kSmoothing = 0.3;   // weight of the last step in the mean
constexpr double kTarget = 0.9;      // of the budget, so that noise stays below it
constexpr double kTolerance = 0.05;  // of the budget around the target, in which nothing is changed
// The number of careful people grows with the square of the scale, what they cost with up to the square of that. This
// much per step, of what is missing, is still stable then (the loop's poles stay inside of 0.9).
constexpr double kGain = 0.08;
constexpr double kLeastFactor = 0.8;  // per step

}  // namespace

void Budget::spent(double milliseconds) {
  if (!active() || !std::isfinite(milliseconds) || milliseconds < 0) return;
  mean_ = mean_ > 0 ? mean_ + kSmoothing * (milliseconds - mean_) : milliseconds;
  const double missing = kTarget - mean_ / budget_;
  if (std::fabs(missing) <= kTolerance) return;
  scale_ = std::clamp(scale_ * std::max(kLeastFactor, 1 + kGain * missing), kLeastScale, 1.0);
}

}  // namespace throng::levels
