// Where two streams meet, and who belongs to which.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "throng/metrics.h"

namespace throng::metrics {

class MeetingPlace {
 public:
  /// Throws InputError when the streams make no sense.
  MeetingPlace(Streams streams, std::uint16_t layer);

  const Streams& streams() const { return streams_; }
  std::uint16_t layer() const { return layer_; }
  /// rad, between the two directions.
  double angle() const { return angle_; }
  /// Do they walk against one another (rather than across)?
  bool opposed() const;
  /// 1: of the first stream, -1: of the second, 0: of neither, or elsewhere.
  int stream(std::uint16_t population, Point place) const;

 private:
  Streams streams_;
  Rectangle bounds_;
  double angle_;
  std::uint16_t layer_;
};

/// The two streams that the populations of a scene form, where they do: every population with goals has one, on its own
/// layer, and stays or leaves there; the straight ways from starts to goals fall into two directions, and meet.
std::optional<Streams> streamsOf(const Scene& scene);
/// The centres at which populations mirror their starts to get their goals.
std::vector<Circle> circlesOf(const Scene& scene);

}  // namespace throng::metrics
