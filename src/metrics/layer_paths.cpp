#include "metrics/layer_paths.h"

#include <algorithm>
#include <limits>

namespace throng::metrics {
namespace {

constexpr std::size_t kMostConnections = 4;

/// Where a straight way from a place to another, seen from the first one's layer, meets a line, or comes nearest to it.
Point nearestCrossing(const Segment& line, Point from, Point to) {
  const Point along = line.b - line.a;
  const double before = det(along, from - line.a), after = det(along, to - line.a), squared = lengthSquared(along);
  if (!(squared > 0)) return line.a;
  const Point meeting = before != after ? from + (to - from) * (before / (before - after)) : (from + to) * 0.5;
  return line.a + along * std::clamp(dot(meeting - line.a, along) / squared, 0.0, 1.0);
}

}  // namespace

Point LayerPaths::Passage::across(Point p) const {
  if (from.a == to.a && from.b == to.b) return p;
  const Point u = normalized(from.b - from.a), v = normalized(to.b - to.a), d = p - from.a;
  return to.a + v * dot(u, d) + perpendicular(v) * det(u, d);
}

LayerPaths::LayerPaths(const MetricsSettings& settings) {
  const auto index = [&](const std::string& name) {
    const auto at = std::find(settings.layers.begin(), settings.layers.end(), name);
    return name.empty() || at == settings.layers.end() ? std::uint16_t{0}
                                                       : static_cast<std::uint16_t>(at - settings.layers.begin());
  };
  constexpr double kSamePlace = 2e-3;  // m
  const auto near = [](Point p, Point q) { return length(p - q) < kSamePlace; };
  for (const Connection& c : settings.connections) {
    Segment to = c.to;
    if (near(c.from.a, to.b) && near(c.from.b, to.a)) std::swap(to.a, to.b);  // drawn the other way round
    passages_.push_back({index(c.from_layer), index(c.to_layer), c.from, to});
    passages_.push_back({index(c.to_layer), index(c.from_layer), to, c.from});
  }
}

const std::vector<LayerPiece>& LayerPaths::find(std::uint16_t from_layer, Point from, std::uint16_t to_layer,
                                                Point to) {
  way_.clear(), best_.clear();
  best_length_ = std::numeric_limits<double>::infinity();
  search(from_layer, from, to_layer, to, 0);
  double walked = 0;
  for (LayerPiece& piece : best_) {
    const auto share = [&] { return best_length_ > 0 ? std::min(1.0, walked / best_length_) : 1.0; };
    piece.start = share();
    walked += length(piece.to - piece.from);
    piece.end = share();
  }
  return best_;
}

void LayerPaths::search(std::uint16_t layer, Point at, std::uint16_t to_layer, Point to, double walked) {
  if (layer == to_layer && !way_.empty()) {
    const double whole = walked + length(to - at);
    if (whole >= best_length_) return;
    best_length_ = whole;
    best_ = way_;
    best_.push_back({layer, at, to, 0, 0});
    return;
  }
  if (way_.size() >= kMostConnections) return;
  for (const Passage& passage : passages_) {
    if (passage.from_layer != layer) continue;
    const bool one_place = passage.across(passage.from.a) == passage.from.a;
    Point x = nearestCrossing(passage.from, at, one_place ? to : at);
    const double part = length(x - at);
    if (walked + part >= best_length_) continue;
    constexpr double kBefore = 1e-3;  // m
    x = part > kBefore ? x + (at - x) * (kBefore / part) : at;
    way_.push_back({layer, at, x, 0, 0});
    search(passage.to_layer, passage.across(x), to_layer, to, walked + part);
    way_.pop_back();
  }
}

}  // namespace throng::metrics
