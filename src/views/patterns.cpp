// What emerges in a run, drawn: lanes, stripes and circulation as the metrics find them.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>

#include "throng/metrics.h"
#include "throng/views.h"

#include "agents/reread.h"
#include "geometry/predicates.h"
#include "views/overlay_parts.h"

namespace throng {
namespace views {
namespace {

constexpr Paint kInk{0x222222, 1};
constexpr std::uint32_t kFirst = 0x0072b2, kSecond = 0xd55e00;  // the colours of the first two populations

struct MeasuredRun {
  MetricsSettings settings;
  MetricsReport report;
  FrameCopy frame;  // at the time to be shown
  Patterns patterns;
};

bool isOneOf(const std::vector<std::uint16_t>& populations, std::uint16_t population) {
  return std::find(populations.begin(), populations.end(), population) != populations.end();
}

/// How much of a meeting a frame shows: people in lanes, people of the smaller stream where both meet, and how near the
/// centres of circles people are.
double meeting(const MetricsSettings& settings, const Metrics& metrics, const Frame& frame) {
  double sum = 0;
  for (const LaneShape& lane : metrics.patterns(frame).lanes) sum += lane.people;
  for (const Streams& streams : settings.streams) {
    double first = 0, second = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      if (!geometry::contains(streams.area[0].outer, Point{frame.x[i], frame.y[i]})) continue;
      first += isOneOf(streams.first, frame.population[i]);
      second += isOneOf(streams.second, frame.population[i]);
    }
    sum += std::min(first, second);
  }
  for (const Circle& circle : settings.circles)
    for (std::size_t i = 0; i < frame.size(); ++i)
      if (isOneOf(circle.populations, frame.population[i]))
        sum += 1 / (1 + length(Point{frame.x[i], frame.y[i]} - circle.centre));
  return sum;
}

/// Two passes: what there is in the whole run, then the frame to be shown.
MeasuredRun measure(FrameSource& frames, const Scene& scene, std::optional<double> wanted) {
  MeasuredRun run;
  run.settings = metricsSettings(scene);
  Metrics metrics(run.settings);
  frames.rewind();
  metrics.observe(frames);
  run.report = metrics.report();
  if (run.report.frames == 0) throw InputError("the run has no frames");
  if (wanted && !(*wanted >= 0 && *wanted <= run.report.time + 1))
    throw InputError(fmt::format("there is no moment at {:g} s; the run goes to {:g} s", *wanted, run.report.time));
  frames.rewind();
  double most = -1;
  FrameCopy frame;
  for (bool any = false; frames.next(frame); any = true) {
    // At a time asked for, the last frame at or before it; the picture says when that is.
    if (wanted && any && frame.time > *wanted + 1e-6) break;
    const double here = wanted ? most + 1 : meeting(run.settings, metrics, frame.view());
    if (here <= most) continue;
    most = here;
    std::swap(run.frame, frame);
  }
  frames.rewind();
  run.patterns = metrics.patterns(run.frame.view());
  return run;
}

/// A line that ends where it begins.
std::vector<Point> closed(const Ring& ring) {
  std::vector<Point> points(ring.begin(), ring.end());
  points.push_back(ring.front());
  return points;
}

std::uint16_t layerOf(const MetricsSettings& settings, const std::string& layer) {
  const auto found = std::find(settings.layers.begin(), settings.layers.end(), layer);
  return static_cast<std::uint16_t>(found == settings.layers.end() ? 0 : found - settings.layers.begin());
}

void addLanes(Overlay& overlay, const MeasuredRun& run) {
  if (run.report.lanes.empty())
    throw InputError("lanes: the scene has no two streams of people who walk against one another");
  std::map<std::pair<std::size_t, std::size_t>, int> sections;
  double people = 0, against = 0;
  for (const LaneShape& lane : run.patterns.lanes) {
    const std::uint32_t rgb = lane.first ? kFirst : kSecond;
    overlay.areas.push_back({{Polygon{lane.corners, {}}}, {rgb, 0.16}, lane.layer});
    overlay.lines.push_back({closed(lane.corners), {rgb, 0.9}, 1.6, lane.layer});
    ++sections[{lane.streams, lane.section}];
    people += lane.people;
    against += lane.against;
  }
  std::vector<int> counts;
  for (const auto& [section, lanes] : sections) counts.push_back(lanes);
  addCaption(overlay, counts.empty() ? "no lanes now"
                                     : fmt::format("{} lanes, {:.0f} % walk along them", fmt::join(counts, "+"),
                                                   100 - 100 * against / people));
  const LaneReport& report = run.report.lanes[0];
  addCaption(overlay, fmt::format("over the run: {:.1f} lanes, purity {:.0f} %, order {:.2f}", report.lanes.mean,
                                  100 * report.purity.mean, report.order));
  overlay.keys.push_back({Mark::kArea, {kFirst, 0.35}, "lane of the first stream"});
  overlay.keys.push_back({Mark::kArea, {kSecond, 0.35}, "lane of the second stream"});
}

void addStripes(Overlay& overlay, const MeasuredRun& run) {
  if (run.report.stripes.empty()) throw InputError("stripes: the scene has no two streams of people who cross");
  for (const StripeShape& stripe : run.patterns.stripes)
    overlay.lines.push_back(
        {{stripe.line.a, stripe.line.b}, {stripe.first ? kFirst : kSecond, 0.85}, 3, stripe.layer, 8});
  for (const Streams& streams : run.settings.streams)
    for (const Polygon& polygon : streams.area)
      overlay.lines.push_back({closed(polygon.outer), {0x5f5f5f, 0.7}, 1, layerOf(run.settings, streams.layer), 4});
  const StripeReport& report = run.report.stripes[0];
  addCaption(overlay,
             fmt::format("over the run: stripes at {:.0f}° (expected {:.0f}°), {:.1f} m apart, strength {:.2f}",
                         report.angle_degrees, report.expected_degrees, report.wavelength, report.strength));
  overlay.keys.push_back({Mark::kLine, {kFirst, 1}, "stripe of the first stream"});
  overlay.keys.push_back({Mark::kLine, {kSecond, 1}, "stripe of the second stream"});
}

/// A circle around nine of ten people, m.
double reachOf(const Frame& frame, Point centre) {
  std::vector<double> distances{1};
  for (std::size_t i = 0; i < frame.size(); ++i) distances.push_back(length(Point{frame.x[i], frame.y[i]} - centre));
  std::sort(distances.begin(), distances.end());
  return 0.5 + distances[distances.size() * 9 / 10];
}

Point direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// An arc that ends in an arrow: as large a part of the circle as people agree on which side to pass.
void addArrow(Overlay& overlay, Point centre, double radius, double circulation, std::uint16_t layer) {
  constexpr int kPieces = 72;
  const double sense = circulation < 0 ? -1 : 1, begin = -std::numbers::pi / 2;
  const double span = 1.9 * std::numbers::pi * std::min(std::abs(circulation), 1.0);
  std::vector<Point> arc;
  for (int i = 0; i <= kPieces; ++i) arc.push_back(centre + radius * direction(begin + sense * span * i / kPieces));
  const double end = begin + sense * span;
  const Point tip = arc.back(), forward = sense * direction(end + std::numbers::pi / 2), out = direction(end);
  const double size = 0.08 * radius;
  overlay.lines.push_back({arc, kInk, 3, layer});
  overlay.lines.push_back(
      {{tip + size * (out - 1.5 * forward), tip, tip - size * (out + 1.5 * forward)}, kInk, 3, layer});
}

void addCirculation(Overlay& overlay, const MeasuredRun& run) {
  if (run.report.circulations.empty())
    throw InputError("circulation: nobody in the scene walks to the opposite side of a circle");
  for (std::size_t i = 0; i < run.report.circulations.size(); ++i) {
    const Circle& circle = run.settings.circles[i];
    const CirculationReport& report = run.report.circulations[i];
    addArrow(overlay, circle.centre, reachOf(run.frame.view(), circle.centre), report.circulation,
             layerOf(run.settings, circle.layer));
    addCaption(overlay,
               fmt::format("over the run: circulation {:.2f} {}, rotation {:.2f}", std::abs(report.circulation),
                           report.circulation < 0 ? "clockwise" : "anticlockwise", std::abs(report.rotation)));
  }
}

void add(Overlay& overlay, Pattern pattern, const MeasuredRun& run) {
  switch (pattern) {
    case Pattern::kLanes:
      return addLanes(overlay, run);
    case Pattern::kStripes:
      return addStripes(overlay, run);
    case Pattern::kCirculation:
      return addCirculation(overlay, run);
  }
}

}  // namespace
}  // namespace views

PatternView viewPatterns(FrameSource& frames, const Scene& scene, std::span<const Pattern> patterns,
                         std::optional<double> time) {
  agents::Reread run(frames);
  const views::MeasuredRun measured = views::measure(run.frames(), scene, time);
  PatternView view;
  view.time = measured.frame.time;
  for (const Pattern pattern : patterns) views::add(view.overlay, pattern, measured);
  return view;
}

}  // namespace throng
