#include "throng/metrics.h"

#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "metrics/areas.h"
#include "metrics/circulation.h"
#include "metrics/crossings.h"
#include "metrics/journeys.h"
#include "metrics/lanes.h"
#include "metrics/layer_paths.h"
#include "metrics/overlaps.h"
#include "metrics/smoothness.h"
#include "metrics/streams.h"
#include "metrics/stripes.h"

namespace throng {
namespace {

void require(bool holds, const char* setting, double found, const char* allowed) {
  if (!holds) throw InputError(fmt::format("metrics: {} is {}; it must be {}", setting, found, allowed));
}

void check(const MetricsSettings& settings) {
  const auto within = [](double value, double low) { return std::isfinite(value) && value >= low; };
  require(within(settings.slow_speed, 0), "slow_speed", settings.slow_speed, "0 m/s or more");
  require(within(settings.overlap_tolerance, 0) && settings.overlap_tolerance < 1, "overlap_tolerance",
          settings.overlap_tolerance, "a share from 0 to less than 1");
  require(within(settings.stuck_time, 0) && settings.stuck_time > 0, "stuck_time", settings.stuck_time,
          "more than 0 s");
  require(within(settings.stuck_distance, 0), "stuck_distance", settings.stuck_distance, "0 m or more");
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  require(within(settings.walking_speed, 0), "walking_speed", settings.walking_speed, "0 m/s or more");
  require(within(settings.smooth_interval, 0), "smooth_interval", settings.smooth_interval, "0 s or more");
  require(positive(settings.reversal_degrees) && settings.reversal_degrees < 180, "reversal_degrees",
          settings.reversal_degrees, "more than 0 and less than 180");
  require(within(settings.pattern_interval, 0), "pattern_interval", settings.pattern_interval, "0 s or more");
  require(positive(settings.lane_width), "lane_width", settings.lane_width, "more than 0 m");
  require(positive(settings.lane_length), "lane_length", settings.lane_length, "more than 0 m");
  for (const Circle& circle : settings.circles) {
    require(std::isfinite(circle.centre.x), "x of a circle's centre", circle.centre.x, "a number");
    require(std::isfinite(circle.centre.y), "y of a circle's centre", circle.centre.y, "a number");
  }
  for (const auto& wrap : settings.wrap) {
    if (!wrap) continue;
    const double width = wrap->max.x - wrap->min.x, height = wrap->max.y - wrap->min.y;
    require(std::isfinite(width) && width > 0, "width of a wrapped layer", width, "more than 0 m");
    require(std::isfinite(height) && height > 0, "height of a wrapped layer", height, "more than 0 m");
  }
}

/// Index of the layer that a line or area names; the first when it names none.
std::uint16_t layerIndex(const MetricsSettings& settings, const std::string& layer, const std::string& what) {
  if (layer.empty()) return 0;
  for (std::size_t i = 0; i < settings.layers.size(); ++i)
    if (settings.layers[i] == layer) return static_cast<std::uint16_t>(i);
  std::string known;
  for (const std::string& name : settings.layers) known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", name);
  throw InputError(fmt::format("measurement \"{}\" is on layer \"{}\"; the layers are: {}", what, layer,
                               known.empty() ? "none, by name" : known));
}

}  // namespace

MetricsSettings metricsSettings(const Scene& scene) {
  MetricsSettings settings;
  settings.lines = scene.lines;
  settings.areas = scene.areas;
  settings.connections = scene.connections;
  for (const Layer& layer : scene.layers) {
    settings.wrap.push_back(layer.wrap);
    settings.layers.push_back(layer.name);
  }
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    const auto number = static_cast<std::uint16_t>(i);
    if (population.goals.empty() && !population.flow) settings.standing.push_back(number);
    if (population.flow || population.on_arrival == OnArrival::kGoBack) settings.endless.push_back(number);
  }
  if (auto streams = metrics::streamsOf(scene)) settings.streams.push_back(std::move(*streams));
  settings.circles = metrics::circlesOf(scene);
  return settings;
}

struct Metrics::State {
  explicit State(MetricsSettings given)
      : settings(std::move(given)),
        journeys(settings),
        smoothness(settings),
        overlaps(settings.overlap_tolerance),
        layer_paths(settings) {
    check(settings);
    for (const MeasurementLine& line : settings.lines) {
      if (!(length(line.line.b - line.line.a) > 0))
        throw InputError(fmt::format("measurement line \"{}\" must be longer than 0 m", line.name));
      lines.emplace_back(line, layerIndex(settings, line.layer, line.name), layer_paths);
    }
    for (const MeasurementArea& area : settings.areas)
      areas.emplace_back(area, layerIndex(settings, area.layer, area.name));
    for (const Streams& meeting : settings.streams) {
      metrics::MeetingPlace place(meeting, layerIndex(settings, meeting.layer, meeting.name));
      opposed.push_back(place.opposed());
      if (place.opposed()) {
        lanes.emplace_back(std::move(place), settings.lane_width, settings.lane_length);
      } else {
        stripes.emplace_back(std::move(place));
      }
    }
    for (const Circle& circle : settings.circles)
      circulations.emplace_back(circle, layerIndex(settings, circle.layer, circle.name));
  }

  /// Lanes and stripes last: looking now and then is enough.
  bool patternsDue() const { return looks == 0 || time >= last_look + settings.pattern_interval - 1e-6; }

  void observePatterns(const Frame& frame, std::size_t row, const metrics::Move& move) {
    if (!move.on_way) return;
    const Point place{frame.x[row], frame.y[row]};
    for (metrics::LaneWatch& watch : lanes)
      if (watch.layer() == frame.layer[row]) watch.observe(frame.population[row], place);
    for (metrics::StripeWatch& watch : stripes)
      if (watch.layer() == frame.layer[row]) watch.observe(frame.person[row], frame.population[row], place);
  }

  void endLook() {
    for (metrics::LaneWatch& watch : lanes) watch.endLook();
    for (metrics::StripeWatch& watch : stripes) watch.endLook();
    last_look = time;
    ++looks;
  }

  MetricsSettings settings;
  metrics::Journeys journeys;
  metrics::Smoothness smoothness;
  metrics::Overlaps overlaps;
  metrics::LayerPaths layer_paths;
  std::vector<metrics::CrossingCounter> lines;
  std::vector<metrics::AreaWatch> areas;
  std::vector<bool> opposed;  ///< by streams: whether lanes are looked for, or stripes
  std::vector<metrics::LaneWatch> lanes;
  std::vector<metrics::StripeWatch> stripes;
  std::vector<metrics::CirculationWatch> circulations;
  std::uint64_t looks = 0;  ///< for lanes and stripes
  double last_look = 0;     ///< s
  std::uint64_t frames = 0;
  std::uint64_t agent_steps = 0;
  double time = 0;
};

Metrics::Metrics(MetricsSettings settings) : state_(std::make_unique<State>(std::move(settings))) {}
Metrics::~Metrics() = default;
Metrics::Metrics(Metrics&&) noexcept = default;
Metrics& Metrics::operator=(Metrics&&) noexcept = default;

void Metrics::observe(const Frame& frame, std::span<const Arrival> arrivals) {
  State& state = *state_;
  assert(frame.x.size() == frame.size() && frame.y.size() == frame.size() && frame.radius.size() == frame.size());
  assert(frame.layer.size() == frame.size() && frame.population.size() == frame.size());
  if (!std::isfinite(frame.time) || (state.frames > 0 && !(frame.time > state.time))) {
    throw InputError(fmt::format("metrics: a frame of time {} s follows one of {} s; frames must come in order of time",
                                 frame.time, state.time));
  }
  state.time = frame.time;
  ++state.frames;
  state.agent_steps += frame.size();
  for (const Arrival& arrival : arrivals) state.journeys.arrive(arrival);
  state.journeys.beginFrame(frame);
  state.smoothness.beginFrame(frame.time);
  const bool look = state.patternsDue();
  for (std::size_t row = 0; row < frame.size(); ++row) {
    const metrics::Move move = state.journeys.advance(frame, row);
    state.smoothness.observe(move);
    if (look) state.observePatterns(frame, row, move);
    for (metrics::CirculationWatch& circle : state.circulations)
      if (circle.layer() == frame.layer[row]) circle.observe(frame.population[row], move);
    if (move.known)
      for (metrics::CrossingCounter& line : state.lines) line.observe(move, frame.layer[row]);
    if (move.changed_layer && !state.lines.empty()) {
      const auto& way = state.layer_paths.find(move.from_layer, move.from, frame.layer[row], move.to);
      for (metrics::CrossingCounter& line : state.lines) line.observe(move, way);
    }
    for (metrics::AreaWatch& area : state.areas)
      if (area.layer() == frame.layer[row]) area.observe({frame.x[row], frame.y[row]}, move);
  }
  for (metrics::AreaWatch& area : state.areas) area.endFrame();
  if (look) state.endLook();
  state.overlaps.observe(frame, state.settings.wrap);
}

void Metrics::observe(FrameSource& frames) {
  FrameCopy frame, following;
  std::vector<Arrival> arrivals, later;
  bool any = frames.next(frame, &arrivals);
  while (any) {
    // Who arrived after the last frame may be told only when there is no further one, and belongs to the last.
    any = frames.next(following, &later);
    if (!any) arrivals.insert(arrivals.end(), later.begin(), later.end());
    observe(frame.view(), arrivals);
    std::swap(frame, following);
    std::swap(arrivals, later);
  }
}

Patterns Metrics::patterns(const Frame& frame) const {
  const State& state = *state_;
  Patterns patterns;
  std::vector<std::pair<std::uint16_t, Point>> walkers;
  std::size_t lanes = 0, stripes = 0;
  for (std::size_t i = 0; i < state.settings.streams.size(); ++i) {
    const bool opposed = state.opposed[i];
    const std::uint16_t layer = opposed ? state.lanes[lanes].layer() : state.stripes[stripes].layer();
    walkers.clear();
    for (std::size_t row = 0; row < frame.size(); ++row)
      if (frame.layer[row] == layer && state.journeys.onWayAt(frame.person[row], frame.population[row], frame.time))
        walkers.push_back({frame.population[row], {frame.x[row], frame.y[row]}});
    if (opposed) {
      state.lanes[lanes++].addShapes(walkers, i, patterns.lanes);
    } else {
      state.stripes[stripes++].addShapes(walkers, i, patterns.stripes);
    }
  }
  return patterns;
}

MetricsReport Metrics::report() const {
  const State& state = *state_;
  MetricsReport report;
  state.journeys.report(report);
  state.smoothness.report(report);
  report.collision_pairs = state.overlaps.pairs();
  report.collision_agent_steps = state.overlaps.agentSteps();
  if (state.agent_steps > 0) {
    report.collision_share = static_cast<double>(report.collision_agent_steps) / static_cast<double>(state.agent_steps);
  }
  report.deepest_overlap = state.overlaps.deepest();
  for (const metrics::CrossingCounter& line : state.lines) report.lines.push_back(line.report());
  for (const metrics::AreaWatch& area : state.areas) report.areas.push_back(area.report());
  for (const metrics::LaneWatch& watch : state.lanes) report.lanes.push_back(watch.report());
  for (const metrics::StripeWatch& watch : state.stripes) report.stripes.push_back(watch.report());
  for (const metrics::CirculationWatch& watch : state.circulations) report.circulations.push_back(watch.report());
  return report;
}

}  // namespace throng
