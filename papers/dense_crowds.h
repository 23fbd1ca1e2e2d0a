// Dense crowds in places of which measurements exist: corridors, doors, counterflow. Bodies of 0.2 m radius.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace throng::papers {

/// Who walks, and how it is computed.
struct DenseRun {
  std::string model = "throng";
  std::uint64_t seed = 1;
  double dt = 0.1;  ///< s
  int threads = 0;
  double turned = 0;               ///< degrees by which the whole place is turned
  std::optional<double> time_gap;  ///< s, of models that have one; nothing: its default
  std::optional<double> radius;    ///< m; nothing: 0.2
  std::optional<double> speed;     ///< m/s, everybody's; nothing: about 1.34
};

/// What came of it.
struct DenseResult {
  double speed = 0;         ///< m/s, mean along the wanted direction
  double flow = 0;          ///< people/s
  double density = 0;       ///< people/m² in front of the door
  double lanes = 0;         ///< 0 to 1: mean over 0.3 m bands of |n1 - n2| / (n1 + n2)
  double overlapping = 0;   ///< % of people and moments with an overlap deeper than 1 cm
  double last_arrival = 0;  ///< s
  std::size_t arrived = 0, people = 0;
};

/// Everybody the same way, in a corridor without ends.
DenseResult oneWayCorridor(const DenseRun& run, double width, double density);
/// Half of them each way.
DenseResult twoWayCorridor(const DenseRun& run, double width, double density);
/// 150 people leave a room 8 m wide through an opening; the flow is that of the middle half of them.
DenseResult bottleneck(const DenseRun& run, double width, double depth);
/// People from both sides through a door in a wall 0.2 m thick; 0 for nobody from there.
DenseResult door(const DenseRun& run, double width, std::uint32_t from_left, std::uint32_t from_right);

}  // namespace throng::papers
