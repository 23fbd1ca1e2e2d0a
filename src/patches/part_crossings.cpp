#include "patches/part_crossings.h"

#include <algorithm>
#include <cmath>

#include "patches/definition_check.h"

namespace throng::patches {
namespace {

constexpr double kTooNear = 2 * kPatchRadius + 1e-6;  ///< m
constexpr double kRoom = 2 * kPatchRadius + 0.01;     ///< m
constexpr int kPlaceRounds = 200;
constexpr double kPlaceStep = 0.05, kFarthest = 1;  ///< m along a side that places are looked for in

class Parting {
 public:
  Parting(const PatchDefinition& patch, std::vector<SideCrossing>& crossings, double straight_on)
      : patch_(patch), crossings_(crossings), straight_on_(straight_on) {}

  std::optional<std::size_t> run() {
    for (std::size_t i = 0; i < crossings_.size(); ++i)
      if (!settle(crossings_[i])) return i;
    if (!apart()) return mostCrowded();
    return {};
  }

 private:
  /// Times that repeat, as check() looks at them.
  double wrapped(double time) const { return time - patch_.period * std::floor(time / patch_.period); }

  bool fitsAt(const SideCrossing& c, PatchPoint point) const {
    point.time = wrapped(point.time);
    return fits(patch_, c.side, c.out, point);
  }

  /// To the nearest place on the side where it fits, also more straight across.
  bool settle(SideCrossing& c) const {
    for (double by = 0; by <= kFarthest; by += kPlaceStep)
      for (const double direction : {1.0, -1.0})
        for (const double straight : {1.0, 0.5, 0.0}) {
          PatchPoint point = c.point;
          point.position += direction * by, point.along *= straight;
          if (!fitsAt(c, point)) continue;
          c.point = point;
          return true;
        }
    return false;
  }

  Crossing crossing(const SideCrossing& c) const {
    Crossing made = crossingOf(sideOf(patch_, c.side), c.point, c.out);
    made.time = wrapped(made.time);
    return made;
  }
  Around around(const SideCrossing& c, const Crossing& crossing) const {
    const double inside = std::max(crossing.gate, straight_on_);
    return c.out ? Around{inside, crossing.gate} : Around{crossing.gate, inside};
  }
  std::optional<Point> nearest(std::size_t i, std::size_t j) const {
    const Crossing a = crossing(crossings_[i]), b = crossing(crossings_[j]);
    return nearestApart(a, around(crossings_[i], a), b, around(crossings_[j], b), patch_.period);
  }

  /// Shifts a straight way by a vector: along the side, and in time.
  void shift(SideCrossing& c, Point by) const {
    const Side side = sideOf(patch_, c.side);
    const double across = c.out ? -c.point.speed : c.point.speed;
    const double later = -dot(by, side.inward) / across;
    const SideCrossing before = c;
    c.point.time += later;
    c.point.position += dot(by, side.tangent) + c.point.along * later;
    if (!settle(c)) c = before;
  }

  /// Pushes pairs apart, each by half of what is lacking, until all have room. False when that has no end.
  bool apart() {
    for (int round = 0; round < kPlaceRounds; ++round) {
      bool moved = false;
      for (std::size_t i = 0; i < crossings_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const auto vector = nearest(i, j);
          if (!vector || length(*vector) >= kTooNear) continue;
          moved = true;
          const double d = length(*vector);
          const Point way = d > 1e-6 ? *vector / d : sideOf(patch_, crossings_[i].side).tangent;
          shift(crossings_[i], way * (0.5 * (kRoom - d)));
          shift(crossings_[j], way * (-0.5 * (kRoom - d)));
        }
      if (!moved) return true;
    }
    return false;
  }

  std::size_t mostCrowded() const {
    std::vector<std::size_t> count(crossings_.size());
    for (std::size_t i = 0; i < crossings_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto vector = nearest(i, j);
        if (vector && length(*vector) < kTooNear) ++count[i], ++count[j];
      }
    return static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
  }

  const PatchDefinition& patch_;
  std::vector<SideCrossing>& crossings_;
  double straight_on_;
};

}  // namespace

std::optional<std::size_t> partCrossings(const PatchDefinition& patch, std::vector<SideCrossing>& crossings,
                                         double straight_on) {
  return Parting(patch, crossings, straight_on).run();
}

}  // namespace throng::patches
