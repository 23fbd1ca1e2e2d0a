// The stretch of somebody's route that may attract them: from the reference point on, as far as the shortcut parameter
// allows (JAKLIN 2016, section 6.3.2).
#pragma once

#include <cstdint>
#include <vector>

#include "throng/base.h"

#include "corridors/route.h"
#include "geometry/boxes.h"

namespace throng::following {

/// A part of the stretch, m along it.
struct Interval {
  double from = 0, to = 0;
};

class RouteAhead {
 public:
  /// The straight way to `end`, from the leg before or from the beginning of the stretch.
  struct Leg {
    Point end;
    double to;            ///< m along the stretch
    std::uint16_t layer;  ///< corridors::kAnyLayer: not known
    bool is_way_point;    ///< ends at one; otherwise the stretch ends there
  };

  void begin(Point at) { begin_ = at, legs_.clear(); }
  /// Goes on straight to a way-point, but no farther than `most` m in all. False when that is the end.
  bool add(Point way_point, std::uint16_t layer, double most) {
    const Point from = end();
    const double before = length(), leg = throng::length(way_point - from);
    if (before + leg <= most) {
      legs_.push_back({way_point, before + leg, layer, true});
      return before + leg < most;
    }
    legs_.push_back({from + (way_point - from) * ((most - before) / leg), most, layer, false});
    return false;
  }

  const std::vector<Leg>& legs() const { return legs_; }
  Point start(std::size_t leg) const { return leg == 0 ? begin_ : legs_[leg - 1].end; }
  double startsAt(std::size_t leg) const { return leg == 0 ? 0 : legs_[leg - 1].to; }
  Point end() const { return legs_.empty() ? begin_ : legs_.back().end; }
  double length() const { return legs_.empty() ? 0 : legs_.back().to; }

  /// Around the stretch and another place.
  Rectangle boxWith(Point place) const {
    Rectangle box{place, place};
    geometry::include(box, begin_);
    for (const Leg& leg : legs_) geometry::include(box, leg.end);
    return box;
  }

  /// The place so far along; `leg` is where to look for it first, and becomes the leg it is on. The end of a leg is on
  /// that one, not on the next.
  Point at(double along, std::size_t& leg) const {
    while (leg > 0 && along <= startsAt(leg)) --leg;
    while (leg + 1 < legs_.size() && along > legs_[leg].to) ++leg;
    const Point a = start(leg), b = legs_[leg].end;
    const double from = startsAt(leg), whole = legs_[leg].to - from;
    if (!(whole > 0) || along >= legs_[leg].to) return b;
    return a + (b - a) * ((along - from) / whole);
  }

 private:
  Point begin_;
  std::vector<Leg> legs_;
};

}  // namespace throng::following
