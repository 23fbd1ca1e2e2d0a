// The way of somebody who is on one layer in one frame and on another in the next: over which connections, and where.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/metrics.h"

namespace throng::metrics {

/// A straight part of somebody's way, all on one layer.
struct LayerPiece {
  std::uint16_t layer = 0;
  Point from, to;
  double start = 0, end = 0;  ///< shares of the time between the frames
};

class LayerPaths {
 public:
  /// One direction of a connection; first point comes to lie on first point.
  struct Passage {
    std::uint16_t from_layer = 0, to_layer = 0;
    Segment from, to;

    /// A place of the first layer as the second one has it.
    Point across(Point p) const;
  };

  LayerPaths() = default;
  explicit LayerPaths(const MetricsSettings& settings);

  std::span<const Passage> passages() const { return passages_; }
  /// The shortest way over at most four connections; empty when there is none. The last place before a connection is a
  /// millimetre before its line, so that who crosses a measurement line on the connection itself does so after it.
  const std::vector<LayerPiece>& find(std::uint16_t from_layer, Point from, std::uint16_t to_layer, Point to);

 private:
  void search(std::uint16_t layer, Point at, std::uint16_t to_layer, Point to, double walked);

  std::vector<Passage> passages_;
  std::vector<LayerPiece> way_, best_;
  double best_length_ = 0;  ///< m
};

}  // namespace throng::metrics
