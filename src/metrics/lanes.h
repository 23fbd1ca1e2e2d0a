// Lanes of people who walk against one another: strips along the streams, each of which belongs to the direction that
// more of its people walk in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "throng/metrics.h"

#include "metrics/streams.h"

namespace throng::metrics {

/// People in one strip, by stream.
struct Strip {
  std::uint32_t first = 0, second = 0;
  std::uint64_t place = 0;  ///< counted across the streams
};

/// Strips [begin, end) of a row that are one lane.
struct Lane {
  std::size_t begin = 0, end = 0;
  bool first = true;  ///< whose: the first stream's or the second's
};

/// Lanes side by side: runs of strips with the same majority. Runs whose majority is ahead by a single person are none.
std::uint32_t laneCount(std::span<const Strip> strips);

/// The same lanes, with their strips.
std::vector<Lane> lanesOf(std::span<const Strip> strips);

/// How many of `drawn` people are expected in the majority when they are drawn blindly from `first` + `second` people.
double expectedMajority(std::uint32_t first, std::uint32_t second, std::uint32_t drawn);

class LaneWatch {
 public:
  LaneWatch(MeetingPlace place, double lane_width, double lane_length);

  std::uint16_t layer() const { return place_.layer(); }
  void observe(std::uint16_t population, Point place);
  void endLook();
  LaneReport report() const;

  /// People at one moment: population and place.
  using Walkers = std::span<const std::pair<std::uint16_t, Point>>;
  void addShapes(Walkers walkers, std::size_t streams, std::vector<LaneShape>& shapes) const;

 private:
  struct Look {
    std::uint64_t sections = 0, lanes = 0, people = 0, majority = 0;
    double chance = 0;  ///< people expected in the majority if they were mixed
  };
  void lookAtSection(std::span<const std::uint64_t> people, Look& look);
  /// Section, strip and stream of somebody in one number; nothing for who is of neither stream or elsewhere.
  std::optional<std::uint64_t> key(std::uint16_t population, Point place) const;
  void addSectionShapes(std::span<const std::uint64_t> people, std::size_t streams,
                        std::vector<LaneShape>& shapes) const;

  MeetingPlace place_;
  Point axis_;    ///< unit; the first stream's direction, as far as the second goes against it
  Point origin_;  ///< along, across
  double section_length_, lane_width_;
  std::uint64_t sections_;
  // Scratch of one look: section, strip and stream in one number, by which they are sorted.
  std::vector<std::uint64_t> people_;
  std::vector<Strip> strips_;
  // One value per look in which there were enough people.
  std::vector<double> lanes_, purity_;
  std::uint64_t seen_ = 0, majority_ = 0;
  double chance_ = 0;
};

}  // namespace throng::metrics
