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
#include "throng/scene.h"

namespace throng {

struct MetricsSettings {
  double slow_speed = 0.5;          ///< m/s; ONDREJ Table 1: "slow walkers"
  double overlap_tolerance = 0.01;  ///< share of the sum of radii by which two people may overlap and not be counted
  double stuck_time = 10;           ///< s; somebody on the way who moved less than
  double stuck_distance = 0.5;      ///< m, in that time, is stuck
  std::vector<MeasurementLine> lines;
  std::vector<MeasurementArea> areas;
  std::vector<std::optional<Rectangle>> wrap;  ///< per layer, see Layer::wrap
  std::vector<std::string> layers;             ///< names, in the order of Frame::layer; lines and areas name theirs
  std::vector<std::uint16_t> standing;         ///< populations without a goal: never on the way, so never slow or stuck
};

/// Settings with the scene's own lines, areas and wrapping.
MetricsSettings metricsSettings(const Scene& scene);

struct Spread {
  std::uint64_t count = 0;
  double mean = 0, deviation = 0, min = 0, median = 0, p95 = 0, max = 0;
};

struct LineReport {
  std::string name;
  std::uint64_t forward = 0;  ///< crossed from the left to the right of a→b
  std::uint64_t backward = 0;
  double flow = 0;           ///< people per second, both ways, between the first and the last crossing
  double specific_flow = 0;  ///< per metre of the line
};

struct AreaReport {
  std::string name;
  Spread density;  ///< people per m², over frames
  Spread speed;    ///< m/s, over frames, mean of those inside
};

struct MetricsReport {
  double time = 0;  ///< s, of the last frame
  std::uint64_t frames = 0;
  std::uint64_t people = 0;  ///< everybody seen, or reported as arrived
  std::uint64_t arrivals = 0;
  Spread travel_time;                       ///< s, of those who arrived
  Spread distance;                          ///< m, walked
  Spread speed;                             ///< m/s, each person's mean
  double slow_share = 0;                    ///< mean over people of the share of their time below slow_speed
  std::uint64_t collision_pairs = 0;        ///< different pairs that overlapped at some time
  std::uint64_t collision_agent_steps = 0;  ///< sum over frames of the people who overlap somebody
  double collision_share = 0;               ///< of all agent-steps
  double deepest_overlap = 0;               ///< m
  double energy = 0;                        ///< J/kg: mean over people of the mean |Δ(v²/2)| per frame, JAKLIN §9.4
  std::uint64_t stuck = 0;                  ///< people who are stuck at the end
  bool deadlock = false;                    ///< somebody is stuck at the end
  std::vector<LineReport> lines;
  std::vector<AreaReport> areas;
};

/// Feed it every frame in order, and every arrival before the first frame after it.
class Metrics {
 public:
  explicit Metrics(MetricsSettings settings = {});
  ~Metrics();
  Metrics(Metrics&&) noexcept;
  Metrics& operator=(Metrics&&) noexcept;

  void observe(const Frame& frame, std::span<const Arrival> arrivals = {});
  MetricsReport report() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
