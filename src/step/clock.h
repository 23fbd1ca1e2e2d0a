// Time as a number of steps, so that it does not drift: 36,000 steps of 0.1 s are 3600 s, which a sum of 36,000 rounded
// tenths is not.
#pragma once

#include <cmath>
#include <cstdint>

namespace throng::step {

class Clock {
 public:
  double time() const { return begin_ + static_cast<double>(steps_ - steps_before_) * dt_; }
  std::uint64_t steps() const { return steps_; }

  /// Steps of another length than before count from where that began.
  void advance(double dt) {
    if (dt != dt_) {
      begin_ = time();
      steps_before_ = steps_;
      dt_ = dt;
    }
    ++steps_;
  }

  /// Up to when things are due now. Later by a hair, far less than a step: 0.1 is no binary number, and what is to
  /// happen at 0.3 s is not to wait for the fourth step of 0.1 s.
  double due() const { return time() + kHair * dt_; }

  /// Can a world have got there?
  bool sound() const {
    constexpr double kMost = 1e15;  // s
    return begin_ >= 0 && begin_ < kMost && dt_ >= 0 && dt_ <= 1 && steps_before_ <= steps_ && time() < kMost;
  }

  /// For snapshots.
  template <class Archive>
  void fields(Archive& f) {
    f(begin_), f(dt_), f(steps_before_), f(steps_);
  }

 private:
  static constexpr double kHair = 1e-5;  // of a step

  double begin_ = 0;                ///< s: when steps of this length began
  double dt_ = 0;                   ///< s; 0 before the first step
  std::uint64_t steps_before_ = 0;  ///< before that
  std::uint64_t steps_ = 0;
};

}  // namespace throng::step
