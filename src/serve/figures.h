// Figures of a run from moment to moment, for curves: how many people, how fast, how close together, and how many cross
// the scene's measurement lines.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "throng/frame.h"
#include "throng/scene.h"

#include "metrics/crossings.h"
#include "metrics/layer_paths.h"

namespace throng::serve {

/// At one moment.
struct Figures {
  double time = 0;  ///< s
  std::uint64_t people = 0;
  std::uint64_t arrived = 0;           ///< since the beginning
  double speed = 0;                    ///< m/s, mean
  double density = 0;                  ///< people per m² around people, mean over them
  std::vector<double> flow;            ///< people per s over each line since the sample before, both ways
  std::vector<std::uint64_t> crossed;  ///< over each line since the beginning, both ways
};

/// People per m² that people have around them: each square of 2 m counts as often as there are people in it. Nobody: 0.
double crowding(const Frame& frame);
/// m/s, mean over people, from where they were in the frame before; both in the order of people.
double meanSpeed(const FrameCopy& before, const FrameCopy& now);

/// Feed it every frame, and ask now and then.
class Gauge {
 public:
  explicit Gauge(const Scene& scene);

  /// Who crosses a line between this frame and the one before; a frame that is not later begins anew.
  void observe(const Frame& frame, std::uint64_t arrivals = 0);
  Figures sample(const Frame& frame);
  const std::vector<std::string>& lines() const { return names_; }

 private:
  void observeRow(const Frame& frame, std::size_t row, std::size_t before, double duration);
  void remember(const Frame& frame);
  void begin();

  std::vector<MeasurementLine> given_;
  std::vector<std::uint16_t> layers_;  ///< of the lines
  std::vector<std::string> names_;
  std::vector<std::optional<Rectangle>> wrap_;
  metrics::LayerPaths paths_;
  std::vector<metrics::CrossingCounter> counters_;
  std::vector<std::uint64_t> sampled_;  ///< crossings at the sample before
  double sampled_time_ = 0, time_ = 0;
  std::uint64_t arrived_ = 0;
  bool any_ = false;  ///< there is a frame before
  // Of that frame, row by row.
  std::vector<std::uint32_t> person_;
  std::vector<float> x_, y_;
  std::vector<std::uint16_t> layer_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows_;  ///< by person, when rows have changed their order
};

/// Curves over a whole run in a bounded number of samples: when there are too many, every other one goes, and the
/// interval doubles.
class Curves {
 public:
  static constexpr std::size_t kMost = 600;

  explicit Curves(double interval) : first_interval_(interval), interval_(interval) {}
  /// Is one due at this time (s)? Going back begins anew.
  bool due(double time);
  void add(Figures figures);
  const std::vector<Figures>& all() const { return samples_; }

 private:
  double first_interval_, interval_;
  std::vector<Figures> samples_;
};

}  // namespace throng::serve
