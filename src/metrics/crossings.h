// People who cross a line, by direction. A place on the line itself counts as being on its right, and of the line's two
// ends only the first belongs to it: whoever stops on the line and walks on is counted once, by exact arithmetic.
#pragma once

#include <cstdint>

#include "throng/metrics.h"

#include "metrics/journeys.h"

namespace throng::metrics {

/// +1: from the left of a→b to its right, -1: the other way, 0: not across this line.
int crossing(Segment line, Point from, Point to);

class CrossingCounter {
 public:
  CrossingCounter(MeasurementLine line, std::uint16_t layer);

  std::uint16_t layer() const { return layer_; }
  void observe(const Move& move);
  LineReport report() const;

 private:
  void observePath(const Move& move, Point from, Point to);

  MeasurementLine line_;
  Rectangle bounds_;
  std::uint16_t layer_;
  std::uint64_t forward_ = 0, backward_ = 0;
  double first_ = 0, last_ = 0;  ///< s, of the first and the last crossing
};

}  // namespace throng::metrics
