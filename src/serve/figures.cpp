#include "serve/figures.h"

#include <algorithm>
#include <cmath>

#include "metrics/wrapping.h"

namespace throng::serve {
namespace {

constexpr double kCell = 2;                   // m
constexpr double kJump = 5;                   // m/s; faster is somebody who was put there
constexpr std::size_t kMostCells = 1u << 21;  // larger places get larger squares

}  // namespace

double crowding(const Frame& frame) {
  if (frame.size() == 0) return 0;
  float min_x = frame.x[0], max_x = min_x, min_y = frame.y[0], max_y = min_y;
  for (std::size_t i = 1; i < frame.size(); ++i) {
    min_x = std::min(min_x, frame.x[i]), max_x = std::max(max_x, frame.x[i]);
    min_y = std::min(min_y, frame.y[i]), max_y = std::max(max_y, frame.y[i]);
  }
  double cell = kCell;
  const double width = double(max_x) - min_x, height = double(max_y) - min_y;
  while ((width / cell + 1) * (height / cell + 1) > double(kMostCells)) cell *= 2;
  const auto columns = static_cast<std::size_t>(width / cell) + 1, rows = static_cast<std::size_t>(height / cell) + 1;
  // People of different layers do not stand close together, however they lie over one another.
  const std::size_t layers = 1 + *std::max_element(frame.layer.begin(), frame.layer.end());
  std::vector<std::uint32_t> counts(columns * rows);
  double sum = 0;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    if (layer > 0) std::fill(counts.begin(), counts.end(), 0);
    bool any = false;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      if (frame.layer[i] != layer) continue;
      const auto column = static_cast<std::size_t>((double(frame.x[i]) - min_x) / cell);
      const auto row = static_cast<std::size_t>((double(frame.y[i]) - min_y) / cell);
      ++counts[std::min(row, rows - 1) * columns + std::min(column, columns - 1)];
      any = true;
    }
    if (!any) continue;
    for (const std::uint32_t n : counts) sum += double(n) * n;
  }
  return sum / (double(frame.size()) * cell * cell);
}

double meanSpeed(const FrameCopy& before, const FrameCopy& now) {
  const double passed = now.time - before.time;
  if (!(passed > 0)) return 0;
  double sum = 0;
  std::size_t n = 0, b = 0;
  for (std::size_t i = 0; i < now.person.size(); ++i) {
    while (b < before.person.size() && before.person[b] < now.person[i]) ++b;
    if (b == before.person.size()) break;
    if (before.person[b] != now.person[i] || before.layer[b] != now.layer[i]) continue;
    const double speed = std::hypot(now.x[i] - before.x[b], now.y[i] - before.y[b]) / passed;
    if (speed > kJump) continue;
    sum += speed;
    ++n;
  }
  return n > 0 ? sum / static_cast<double>(n) : 0;
}

Gauge::Gauge(const Scene& scene) : given_(scene.lines), paths_(metricsSettings(scene)) {
  for (const Layer& layer : scene.layers) wrap_.push_back(layer.wrap);
  for (const MeasurementLine& line : given_) {
    names_.push_back(line.name);
    std::uint16_t layer = 0;
    for (std::size_t i = 0; i < scene.layers.size(); ++i)
      if (scene.layers[i].name == line.layer) layer = static_cast<std::uint16_t>(i);
    layers_.push_back(layer);
  }
  begin();
}

void Gauge::begin() {
  counters_.clear();
  for (std::size_t i = 0; i < given_.size(); ++i) counters_.emplace_back(given_[i], layers_[i], paths_);
  sampled_.assign(given_.size(), 0);
  arrived_ = 0;
  any_ = false;
}

void Gauge::remember(const Frame& frame) {
  person_.assign(frame.person.begin(), frame.person.end());
  x_.assign(frame.x.begin(), frame.x.end());
  y_.assign(frame.y.begin(), frame.y.end());
  layer_.assign(frame.layer.begin(), frame.layer.end());
}

void Gauge::observeRow(const Frame& frame, std::size_t row, std::size_t before, double duration) {
  metrics::Move move;
  move.from = {x_[before], y_[before]};
  move.to = {frame.x[row], frame.y[row]};
  move.start = time_;
  move.duration = duration;
  const std::uint16_t layer = frame.layer[row];
  if (layer_[before] == layer) {
    move.known = true;
    move.shift = metrics::imageShift(move.from, move.to, metrics::wrapOf(wrap_, layer));
    for (metrics::CrossingCounter& counter : counters_) counter.observe(move, layer);
    return;
  }
  const auto& way = paths_.find(layer_[before], move.from, layer, move.to);
  for (metrics::CrossingCounter& counter : counters_) counter.observe(move, way);
}

void Gauge::observe(const Frame& frame, std::uint64_t arrivals) {
  if (any_ && frame.time <= time_) begin();
  arrived_ += arrivals;
  if (!counters_.empty()) {
    rows_.clear();
    for (std::size_t row = 0; any_ && row < frame.size(); ++row) {
      std::size_t before = row;
      if (row >= person_.size() || person_[row] != frame.person[row]) {
        if (rows_.empty()) {
          for (std::size_t i = 0; i < person_.size(); ++i)
            rows_.emplace_back(person_[i], static_cast<std::uint32_t>(i));
          std::sort(rows_.begin(), rows_.end());
        }
        const auto found = std::lower_bound(rows_.begin(), rows_.end(), std::pair{frame.person[row], 0u});
        if (found == rows_.end() || found->first != frame.person[row]) continue;
        before = found->second;
      }
      observeRow(frame, row, before, frame.time - time_);
    }
    remember(frame);
  }
  if (!any_) sampled_time_ = frame.time;
  any_ = true;
  time_ = frame.time;
}

Figures Gauge::sample(const Frame& frame) {
  Figures figures{.time = frame.time, .people = frame.size(), .arrived = arrived_};
  const double passed = frame.time - sampled_time_;
  if (!frame.velocity_x.empty() && frame.size() > 0) {
    double sum = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) sum += std::hypot(frame.velocity_x[i], frame.velocity_y[i]);
    figures.speed = sum / static_cast<double>(frame.size());
  }
  figures.density = crowding(frame);
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    const LineReport report = counters_[i].report();
    const std::uint64_t crossed = report.forward + report.backward;
    figures.crossed.push_back(crossed);
    figures.flow.push_back(passed > 1e-9 ? static_cast<double>(crossed - sampled_[i]) / passed : 0);
    sampled_[i] = crossed;
  }
  sampled_time_ = frame.time;
  return figures;
}

bool Curves::due(double time) {
  if (!samples_.empty() && time < samples_.back().time - 1e-9) {
    samples_.clear();
    interval_ = first_interval_;
  }
  return samples_.empty() || time >= samples_.back().time + interval_ - 1e-9;
}

void Curves::add(Figures figures) {
  samples_.push_back(std::move(figures));
  if (samples_.size() <= kMost) return;
  // What was counted between two samples belongs to both.
  std::vector<Figures> half;
  for (std::size_t i = 0; i < samples_.size(); i += 2) {
    if (i > 0)
      for (std::size_t k = 0; k < samples_[i].flow.size(); ++k)
        samples_[i].flow[k] = (samples_[i].flow[k] + samples_[i - 1].flow[k]) / 2;
    half.push_back(std::move(samples_[i]));
  }
  samples_ = std::move(half);
  interval_ *= 2;
}

}  // namespace throng::serve
