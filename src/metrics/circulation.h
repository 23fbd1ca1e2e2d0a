// Do people who go to the opposite side of a circle all pass its centre on the same hand?
#pragma once

#include <cstdint>
#include <vector>

#include "throng/metrics.h"

#include "metrics/journeys.h"

namespace throng::metrics {

class CirculationWatch {
 public:
  CirculationWatch(Circle circle, std::uint16_t layer);

  std::uint16_t layer() const { return layer_; }
  void observe(std::uint16_t population, const Move& move);
  CirculationReport report() const;

 private:
  /// m², each a sum over moves Δ at distance r from the centre.
  struct Person {
    double around = 0;    ///< r × Δ: the angular momentum per kg, times the time
    double either = 0;    ///< |r × Δ|
    double possible = 0;  ///< |r| |Δ|
  };

  Circle circle_;
  std::uint16_t layer_;
  std::vector<Person> people_;  ///< by Move::who
};

}  // namespace throng::metrics
