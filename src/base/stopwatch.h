// How long something takes.
#pragma once

#include <chrono>
#include <utility>

namespace throng::base {

class Stopwatch {
 public:
  /// Seconds since it was made, or since the last lap.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  /// The same, and begins anew.
  double lap() {
    const Clock::time_point now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(start_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace throng::base
