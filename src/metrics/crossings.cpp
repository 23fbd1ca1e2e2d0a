#include "metrics/crossings.h"

#include <algorithm>
#include <utility>

#include "geometry/predicates.h"

namespace throng::metrics {
namespace {

constexpr double kOnConnection = 0.01;  // m; nearer than this a line lies on a connection

/// Do two segments touch, or nearly?
bool onSegment(const Segment& s, const Segment& t) {
  return geometry::segmentsIntersect(s.a, s.b, t.a, t.b) ||
         std::min({geometry::distanceToSegment(s.a, t.a, t.b), geometry::distanceToSegment(s.b, t.a, t.b),
                   geometry::distanceToSegment(t.a, s.a, s.b), geometry::distanceToSegment(t.b, s.a, s.b)}) <
             kOnConnection;
}

}  // namespace

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

CrossingCounter::CrossingCounter(MeasurementLine line, std::uint16_t layer, const LayerPaths& paths)
    : line_(std::move(line)) {
  watch(layer, line_.line, std::nullopt);
  for (const LayerPaths::Passage& passage : paths.passages()) {
    if (passage.from_layer != layer || !onSegment(line_.line, passage.from)) continue;
    watch(passage.to_layer, {passage.across(line_.line.a), passage.across(line_.line.b)}, passage.to);
  }
}

void CrossingCounter::watch(std::uint16_t layer, Segment line, std::optional<Segment> connection) {
  const auto [a, b] = line;
  const Rectangle bounds{{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
  watches_.push_back({layer, line, bounds, connection});
}

void CrossingCounter::observe(const Move& move, std::uint16_t layer) {
  for (const Watch& watch : watches_) {
    if (watch.layer != layer) continue;
    const auto look = [&](Point from, Point to) { observePath(watch, from, to, move.start, move.duration); };
    look(move.from, move.to + move.shift);
    // Somebody who left by one border walked the rest of the way inside the opposite one.
    const bool x = move.shift.x != 0, y = move.shift.y != 0;
    if (x || y) look(move.from - move.shift, move.to);
    if (x && y) {
      look({move.from.x - move.shift.x, move.from.y}, {move.to.x, move.to.y + move.shift.y});
      look({move.from.x, move.from.y - move.shift.y}, {move.to.x + move.shift.x, move.to.y});
    }
  }
}

void CrossingCounter::observe(const Move& move, const std::vector<LayerPiece>& pieces) {
  for (const LayerPiece& piece : pieces)
    for (const Watch& watch : watches_)
      if (watch.layer == piece.layer)
        observePath(watch, piece.from, piece.to, move.start + piece.start * move.duration,
                    (piece.end - piece.start) * move.duration);
}

void CrossingCounter::observePath(const Watch& watch, Point from, Point to, double start, double duration) {
  if (std::max(from.x, to.x) < watch.bounds.min.x || std::min(from.x, to.x) > watch.bounds.max.x ||
      std::max(from.y, to.y) < watch.bounds.min.y || std::min(from.y, to.y) > watch.bounds.max.y) {
    return;
  }
  const int direction = crossing(watch.line, from, to);
  if (direction == 0) return;
  const auto [a, b] = watch.line;
  const double before = det(b - a, from - a), after = det(b - a, to - a);
  const double part = before != after ? std::clamp(before / (before - after), 0.0, 1.0) : 1.0;
  if (watch.connection) {
    const Point at = from + (to - from) * part;
    if (geometry::distanceToSegment(at, watch.connection->a, watch.connection->b) > kOnConnection) return;
  }
  const double time = start + part * duration;
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
