// How well did it go? The same numbers from a running world and from a recording, by one implementation that reads
// frames. Speeds are displacements between frames, so a run measured live and from a recording of every step agree.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "throng/frame.h"
#include "throng/frame_source.h"
#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// Two streams of people that meet: lanes are looked for where they walk against one another, stripes where they cross.
struct Streams {
  std::string name;
  std::vector<std::uint16_t> first, second;  ///< populations
  Point first_direction, second_direction;   ///< where each wants to go, of any length; at least 30° apart
  std::vector<Polygon> area;                 ///< where they meet
  std::string layer;                         ///< empty: the first
};

/// A place that people walk around.
struct Circle {
  std::string name;
  Point centre;
  std::vector<std::uint16_t> populations;
  std::string layer;  ///< empty: the first
};

/// What is measured, and from where on something counts.
struct MetricsSettings {
  double slow_speed = 0.5;          ///< m/s; ONDREJ Table 1: "slow walkers"
  double overlap_tolerance = 0.01;  ///< share of the sum of radii by which two people may overlap and not be counted
  double stuck_time = 10;           ///< s; somebody on the way who moved less than
  double stuck_distance = 0.5;      ///< m, in that time, is stuck
  double walking_speed = 0.2;       ///< m/s; whoever is slower stands, and has neither jerk nor heading
  double smooth_interval = 0.1;     ///< s between the places from which jerk and heading are taken, at least
  double reversal_degrees = 5;      ///< a heading that changes by less is no turn
  double pattern_interval = 0.5;    ///< s between looks for lanes and stripes, at least
  double lane_width = 0.6;          ///< m; strips in which people are told apart by direction
  double lane_length = 10;          ///< m; about how far along the streams one row of strips goes
  std::vector<MeasurementLine> lines;
  std::vector<MeasurementArea> areas;
  std::vector<Streams> streams;
  std::vector<Circle> circles;
  std::vector<std::optional<Rectangle>> wrap;  ///< per layer, see Layer::wrap
  std::vector<std::string> layers;             ///< names, in the order of Frame::layer; lines and areas name theirs
  std::vector<Connection> connections;         ///< over which people change layers; lines on them count who does
  std::vector<std::uint16_t> standing;         ///< populations without a goal: never on the way, so never slow or stuck
  std::vector<std::uint16_t> endless;          ///< populations that walk on when they have arrived: always on the way
};

/// Settings with the scene's own lines, areas, wrapping and connections, the two streams its populations form, if they
/// do, and the circles across which they go (docs/metrics.md).
MetricsSettings metricsSettings(const Scene& scene);

/// How a number is spread over people or frames.
struct Spread {
  std::uint64_t count = 0;
  double mean = 0, deviation = 0, min = 0, median = 0, p95 = 0, max = 0;
};

/// Who crossed a measurement line.
struct LineReport {
  std::string name;
  std::uint64_t forward = 0;  ///< crossed from the left to the right of a→b
  std::uint64_t backward = 0;
  double flow = 0;           ///< people per second, both ways, between the first and the last crossing
  double specific_flow = 0;  ///< per metre of the line
};

/// How full a measurement area was, and how fast people were in it.
struct AreaReport {
  std::string name;
  Spread density;  ///< people per m², over frames
  Spread speed;    ///< m/s, over frames, mean of those inside
};

/// Of two streams more than 135° apart.
struct LaneReport {
  std::string name;
  Spread lanes;      ///< number side by side, over looks
  Spread purity;     ///< share of people who walk in the majority direction of their lane, over looks
  double order = 0;  ///< purity beyond chance: 0 for people mixed at random, 1 for lanes that nobody walks against
};

/// Of two streams 30° to 135° apart.
struct StripeReport {
  std::string name;
  std::uint64_t looks = 0;      ///< in which there were enough people of both
  double angle_degrees = 0;     ///< from the first stream's direction to the stripes, away from the second's; -90 to 90
  double expected_degrees = 0;  ///< of stripes perpendicular to the mean of both directions: 45 for a right angle
  double wavelength = 0;        ///< m, from one stripe of a stream to its next
  double strength = 0;          ///< 0: none, 1: stripes that nobody of the other stream is in
};

/// On which side people pass the middle of a circle.
struct CirculationReport {
  std::string name;
  std::uint64_t people = 0;
  double circulation = 0;  ///< 1: all pass with the centre on their left (anticlockwise), -1: on their right, 0: either
  double rotation = 0;     ///< share of all walking that goes around the centre, by sense: 1 for a ring that turns
};

/// All numbers of a run (docs/metrics.md).
struct MetricsReport {
  double time = 0;  ///< s, of the last frame
  std::uint64_t frames = 0;
  std::uint64_t people = 0;  ///< everybody seen, or reported as arrived
  std::uint64_t arrivals = 0;
  Spread travel_time;     ///< s, of those who arrived
  Spread distance;        ///< m, walked
  Spread speed;           ///< m/s, each person's mean
  double slow_share = 0;  ///< mean over people of the share of their time below slow_speed
  /// Of people who walk to and fro for ever: mean share of their time that they stay at a place before they set out
  /// again, which does not count as being on the way; and that share with the slow one. Frames of a recording do not
  /// say who stays: there it is all on the way.
  double staying_share = 0, slow_or_staying_share = 0;
  std::uint64_t collision_pairs = 0;        ///< different pairs that overlapped at some time
  std::uint64_t collision_agent_steps = 0;  ///< sum over frames of the people who overlap somebody
  double collision_share = 0;               ///< of all agent-steps
  double deepest_overlap = 0;               ///< m
  double energy = 0;                        ///< J/kg: mean over people of the mean |Δ(v²/2)| per frame, JAKLIN §9.4
  double jerk = 0;                          ///< m/s³: root mean square of the third derivative of people's places
  double heading_reversals = 0;             ///< per person and minute: from turning one way to turning the other
  std::uint64_t stuck = 0;                  ///< people who are stuck at the end
  bool deadlock = false;                    ///< somebody is stuck at the end
  std::vector<LineReport> lines;
  std::vector<AreaReport> areas;
  std::vector<LaneReport> lanes;
  std::vector<StripeReport> stripes;
  std::vector<CirculationReport> circulations;
};

/// A lane as it is at one moment, in one section of the place where two streams meet.
struct LaneShape {
  Ring corners;  ///< m: a rectangle along the streams
  std::uint16_t layer = 0;
  std::size_t streams = 0;                ///< index in MetricsSettings::streams
  std::size_t section = 0;                ///< counted along the first stream
  bool first = true;                      ///< whose lane it is: the first stream's or the second's
  std::uint32_t people = 0, against = 0;  ///< everybody in it, and those of them who walk against it
};

/// The middle line of a stripe as it is at one moment.
struct StripeShape {
  Segment line;  ///< m
  std::uint16_t layer = 0;
  std::size_t streams = 0;
  bool first = true;
};

/// What emerges, as it lies on the floor.
struct Patterns {
  std::vector<LaneShape> lanes;
  std::vector<StripeShape> stripes;
};

/// Feed it every frame in order, and every arrival before the first frame after it.
class Metrics {
 public:
  explicit Metrics(MetricsSettings settings = {});
  ~Metrics();
  Metrics(Metrics&&) noexcept;
  Metrics& operator=(Metrics&&) noexcept;

  void observe(const Frame& frame, std::span<const Arrival> arrivals = {});
  /// Every frame that a source has left, with all arrivals.
  void observe(FrameSource& frames);
  MetricsReport report() const;
  /// Where the lanes and stripes are in one of the frames observed. Stripes have the angle and the wavelength of the
  /// report, and lie where they fit this frame best.
  Patterns patterns(const Frame& frame) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
#pragma GCC visibility pop
