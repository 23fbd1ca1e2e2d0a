// People who cross a line, by direction. A place on the line itself counts as being on its right, and of the line's two
// ends only the first belongs to it: whoever stops on the line and walks on is counted once, by exact arithmetic.
//
// A line on a connection is on both of its layers: it counts who passes whichever layer it is given on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "throng/metrics.h"

#include "metrics/journeys.h"
#include "metrics/layer_paths.h"

namespace throng::metrics {

/// +1: from the left of a→b to its right, -1: the other way, 0: not across this line.
int crossing(Segment line, Point from, Point to);

class CrossingCounter {
 public:
  CrossingCounter(MeasurementLine line, std::uint16_t layer, const LayerPaths& paths = {});

  /// Of somebody who stayed on a layer.
  void observe(const Move& move, std::uint16_t layer);
  /// Of somebody who changed layers.
  void observe(const Move& move, const std::vector<LayerPiece>& pieces);
  LineReport report() const;

 private:
  /// The line as it lies on a layer.
  struct Watch {
    std::uint16_t layer;
    Segment line;
    Rectangle bounds;
    std::optional<Segment> connection;  ///< given: only what is crossed on this connection counts
  };
  void watch(std::uint16_t layer, Segment line, std::optional<Segment> connection);
  void observePath(const Watch& watch, Point from, Point to, double start, double duration);

  MeasurementLine line_;
  std::vector<Watch> watches_;
  std::uint64_t forward_ = 0, backward_ = 0;
  double first_ = 0, last_ = 0;  ///< s, of the first and the last crossing
};

}  // namespace throng::metrics
