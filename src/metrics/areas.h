// How dense and how fast it is inside an area, frame by frame.
#pragma once

#include <cstdint>
#include <vector>

#include "throng/metrics.h"

#include "metrics/journeys.h"

namespace throng::metrics {

class AreaWatch {
 public:
  /// Throws InputError when the polygons enclose nothing.
  AreaWatch(MeasurementArea area, std::uint16_t layer);

  std::uint16_t layer() const { return layer_; }
  void observe(Point place, const Move& move);
  void endFrame();
  AreaReport report() const;

 private:
  MeasurementArea area_;
  Rectangle bounds_;
  double size_;  ///< m²
  std::uint16_t layer_;
  // This frame.
  std::uint64_t inside_ = 0, moving_ = 0;
  double speeds_ = 0;
  // One value per frame; the speed only of frames in which somebody inside has one.
  std::vector<double> density_, speed_;
};

}  // namespace throng::metrics
