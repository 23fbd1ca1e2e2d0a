#include "metrics/crossings.h"

#include <algorithm>
#include <utility>

#include "geometry/predicates.h"

namespace throng::metrics {

int crossing(Segment line, Point from, Point to) {
  const bool from_left = geometry::orientation(line.a, line.b, from) > 0;
  const bool to_left = geometry::orientation(line.a, line.b, to) > 0;
  if (from_left == to_left) return 0;
  // Always looking from left to right, so that both directions agree about the line's ends.
  const Point left = from_left ? from : to, right = from_left ? to : from;
  const bool past_a = geometry::orientation(left, right, line.a) > 0;
  const bool past_b = geometry::orientation(left, right, line.b) > 0;
  if (past_a == past_b) return 0;
  return from_left ? 1 : -1;
}

CrossingCounter::CrossingCounter(MeasurementLine line, std::uint16_t layer) : line_(std::move(line)), layer_(layer) {
  const auto [a, b] = line_.line;
  bounds_ = {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

void CrossingCounter::observe(const Move& move) {
  observePath(move, move.from, move.to + move.shift);
  // Somebody who left by one border walked the rest of the way inside the opposite one.
  const bool x = move.shift.x != 0, y = move.shift.y != 0;
  if (x || y) observePath(move, move.from - move.shift, move.to);
  if (x && y) {
    observePath(move, {move.from.x - move.shift.x, move.from.y}, {move.to.x, move.to.y + move.shift.y});
    observePath(move, {move.from.x, move.from.y - move.shift.y}, {move.to.x + move.shift.x, move.to.y});
  }
}

void CrossingCounter::observePath(const Move& move, Point from, Point to) {
  if (std::max(from.x, to.x) < bounds_.min.x || std::min(from.x, to.x) > bounds_.max.x ||
      std::max(from.y, to.y) < bounds_.min.y || std::min(from.y, to.y) > bounds_.max.y) {
    return;
  }
  const int direction = crossing(line_.line, from, to);
  if (direction == 0) return;
  const auto [a, b] = line_.line;
  const double before = det(b - a, from - a), after = det(b - a, to - a);
  const double part = before != after ? std::clamp(before / (before - after), 0.0, 1.0) : 1.0;
  const double time = move.start + part * move.duration;
  const bool none = forward_ + backward_ == 0;
  first_ = none ? time : std::min(first_, time);
  last_ = none ? time : std::max(last_, time);
  ++(direction > 0 ? forward_ : backward_);
}

LineReport CrossingCounter::report() const {
  LineReport report;
  report.name = line_.name;
  report.forward = forward_;
  report.backward = backward_;
  // The first crossing opens the interval: n crossings enclose n - 1 gaps.
  const std::uint64_t crossings = forward_ + backward_;
  if (crossings > 1 && last_ > first_) report.flow = static_cast<double>(crossings - 1) / (last_ - first_);
  report.specific_flow = report.flow / length(line_.line.b - line_.line.a);
  return report;
}

}  // namespace throng::metrics
