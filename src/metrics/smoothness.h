// Does it look like walking? Jerk and changes of the sense of turning, from places that lie a fixed time apart, so that
// neither depends on how often one looks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "throng/metrics.h"

#include "metrics/journeys.h"

namespace throng::metrics {

/// Third derivative of a cubic through four places, m/s³; times and places from the latest to the earliest.
Point thirdDerivative(const std::array<double, 4>& time, const std::array<Point, 4>& place);

/// Counts how often somebody who has turned one way by an angle then turns the other way by as much. It remembers the
/// extreme heading since, so that many small turns in one sense are one turn, and trembling within the angle is none.
class TurnCounter {
 public:
  /// Direction in which somebody walked next, of any length. True when with it a turn against the one before is
  /// complete.
  bool walk(Point direction, double least_angle);
  /// They stood: what comes next is not a turn.
  void stand() { *this = {}; }

 private:
  Point direction_;
  double heading_ = 0;         ///< rad, since the first direction; turns add up
  double low_ = 0, high_ = 0;  ///< rad; extremes since the last turn began
  int sense_ = 0;              ///< of the last turn: 1 left, -1 right, 0 none yet
};

class Smoothness {
 public:
  explicit Smoothness(const MetricsSettings& settings);

  /// Once per frame, before its people.
  void beginFrame(double time);
  void observe(const Move& move);
  /// Fills jerk and heading_reversals.
  void report(MetricsReport& report) const;

 private:
  struct Person {
    std::array<Point, 3> places;  ///< m, at the last samples, latest first
    TurnCounter turns;
    double squares = 0;  ///< m²/s⁶, sum of jerk²
    double walked = 0;   ///< s, with a heading
    std::uint32_t jerks = 0, reversals = 0;
    std::uint8_t samples = 0;  ///< in a row, at most 3
  };
  void sample(Person& who, Point place) const;

  double interval_, walking_speed_, least_angle_;
  bool sampling_ = false;  ///< in this frame
  std::uint64_t samples_ = 0;
  std::array<double, 4> times_{};  ///< s, of the last samples, latest first
  std::vector<Person> people_;     ///< by Move::who
};

}  // namespace throng::metrics
