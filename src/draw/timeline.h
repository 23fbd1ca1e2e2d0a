// Doors and obstacles as they change: what stands where at which time.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "throng/frame.h"
#include "throng/scene.h"

namespace throng::draw {

/// From when until when, s; the end does not belong to it.
struct Span {
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
};

/// "from 50 s", "until 20 s", "15–45 s"; empty for what lasts through all of `shown`.
std::string spanText(const Span& span, const Span& shown);

struct TimedDoor {
  std::string name;
  std::size_t layer = 0;
  Segment line;
  bool open_at_first = true;
  std::vector<double> turns;  ///< s, ascending: when it opens or closes, in turn

  bool openAt(double time) const;
  /// Nothing when it turns in between.
  std::optional<bool> openDuring(const Span& shown) const;
  /// When it is closed.
  std::vector<Span> closed() const;
};

struct TimedObstacle {
  std::string name;
  std::size_t layer = 0;
  std::vector<Point> shape;  ///< two points: a wall
  Span there;

  bool thereAt(double time) const { return there.from <= time + 1e-9 && time + 1e-9 < there.to; }
  bool thereDuring(const Span& shown) const { return there.from <= shown.to + 1e-9 && shown.from + 1e-9 < there.to; }
};

/// The scene's doors and what changed.
struct Timeline {
  Timeline() = default;
  Timeline(const Scene& scene, const std::vector<Change>& changes);

  std::vector<TimedDoor> doors;
  std::vector<TimedObstacle> obstacles;  ///< those that come or go
};

}  // namespace throng::draw
