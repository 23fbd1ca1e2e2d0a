// A disc that slides along a straight way touches each border between two interval points (JAKLIN 2016, section 7.2.2),
// and pays for the dearest ground it touches. While it touches no border it lies in one region as a whole, which is on
// one side of the border that it touched last or touches next. So borders alone tell the whole cost.
#include "following/region_fan.h"

#include <algorithm>
#include <cmath>

#include "geometry/boxes.h"
#include "geometry/predicates.h"

namespace throng::following {

void RegionFan::spread(const ground::Regions& regions, const ground::RegionBorders& borders, std::uint16_t layer,
                       std::span<const float> weights, Point from, double radius, Touching touching,
                       const Rectangle& box) {
  regions_ = &regions, weights_ = weights, layer_ = layer, from_ = from, touching_ = touching, begin_ = -1;
  radius_ = touching == Touching::kCheapest ? ground::kOnBorder : std::max(radius, ground::kOnBorder);
  lines_.clear();
  const auto all = borders.lines(layer);
  met_.clear(all.size());
  const Rectangle around = geometry::grown(box, radius_);
  const auto weight = [&](ground::RegionType type) { return std::min<double>(weights[type], kNever); };
  least_ = HUGE_VAL;
  borders.visit(layer, around, [&](std::uint32_t i) {
    if (!met_.add(i)) return;
    const ground::RegionBorders::Line& line = all[i];
    if (!geometry::overlap(geometry::boxOf(Segment{line.a, line.b}), around)) return;
    const double left = weight(line.left), right = weight(line.right);
    if (left == right) return;
    const Point way = line.b - line.a;
    const Point out = Point{-way.y, way.x} * (radius_ / length(way));
    lines_.push_back({line.a - from, line.b - from, out,
                      touching == Touching::kDearest ? std::max(left, right) : std::min(left, right), left, right});
    least_ = std::min({least_, left, right});
  });
}

double RegionFan::least() { return std::min(least_, weightAtBegin()); }

double RegionFan::costAtBegin() {
  double cost = weightAtBegin();
  if (touching_ == Touching::kCheapest) return cost;
  for (const Line& line : lines_)
    if (geometry::distanceToSegment({0, 0}, line.a, line.b) < radius_) cost = std::max(cost, line.counts);
  return cost;
}

double RegionFan::weightAtBegin() {
  if (begin_ < 0) begin_ = std::min<double>(weights_[regions_->typeAt(from_, layer_, weights_)], kNever);
  return begin_;
}

/// The way is `length` m in the direction `along`. A line with a disc around each of its points is convex, and is met
/// from one place on until another: at its ends or at its sides.
bool RegionFan::touches(const Line& line, Point along, double length, Touch& touch) const {
  const double beside_a = det(along, line.a), beside_b = det(along, line.b);
  if ((beside_a >= radius_ && beside_b >= radius_) || (beside_a <= -radius_ && beside_b <= -radius_)) return false;
  const double at_a = dot(along, line.a), at_b = dot(along, line.b);
  if (std::max(at_a, at_b) <= -radius_ || std::min(at_a, at_b) >= length + radius_) return false;
  double from = HUGE_VAL, to = -HUGE_VAL;
  const auto end = [&](double at, double beside) {
    const double squared = radius_ * radius_ - beside * beside;
    if (squared <= 0) return;
    const double half = std::sqrt(squared);
    from = std::min(from, at - half), to = std::max(to, at + half);
  };
  end(at_a, beside_a), end(at_b, beside_b);
  const double shift_beside = det(along, line.out), shift_at = dot(along, line.out);
  const auto side = [&](double a, double b, double at) {
    if ((a < 0) == (b < 0)) return;
    const double cross = at + (at_b - at_a) * (a / (a - b));
    from = std::min(from, cross), to = std::max(to, cross);
  };
  side(beside_a + shift_beside, beside_b + shift_beside, at_a + shift_at);
  side(beside_a - shift_beside, beside_b - shift_beside, at_a - shift_at);
  touch.from = std::max(from, 0.0), touch.to = std::min(to, length);
  return touch.from < touch.to;
}

double RegionFan::beside(std::span<const Touch> touches, double at, bool before, Point along) const {
  constexpr double kTogether = 1e-9;  // m
  const Point centre = along * at;
  double best = -HUGE_VAL, weight = 1;
  for (const Touch& touch : touches) {
    if (std::abs((before ? touch.from : touch.to) - at) > kTogether) continue;
    // Where several lines meet at the end that is touched, the one that leads least away from the centre tells.
    const Line& line = lines_[touch.line];
    const Point way = line.b - line.a, to_centre = centre - line.a;
    const double whole = lengthSquared(way), share = dot(to_centre, way) / whole, size = std::sqrt(whole);
    const double nearness = share <= 0 ? share * size : share >= 1 ? (1 - share) * size : 0;
    if (nearness <= best) continue;
    best = nearness;
    weight = det(way, to_centre) > 0 ? line.left : line.right;
  }
  return weight;
}

double RegionFan::sweep(double length, Point along) {
  std::sort(touches_.begin(), touches_.end(),
            [](const Touch& s, const Touch& t) { return s.from != t.from ? s.from < t.from : s.line < t.line; });
  const bool dearest = touching_ == Touching::kDearest;
  double cost = 0, at = 0;
  std::size_t next = 0;
  active_.clear();
  while (at < length) {
    for (; next < touches_.size() && touches_[next].from <= at; ++next)
      active_.push_back(static_cast<std::uint32_t>(next));
    std::erase_if(active_, [&](std::uint32_t i) { return touches_[i].to <= at; });
    double until = next < touches_.size() ? touches_[next].from : length;
    double weight = 0;
    if (active_.empty()) {
      const std::span<const Touch> all(touches_);
      weight = next < touches_.size() ? beside(all.subspan(next), until, true, along) : beside(all, at, false, along);
    } else {
      weight = lines_[touches_[active_[0]].line].counts;
      for (const std::uint32_t i : active_) {
        const double counts = lines_[touches_[i].line].counts;
        weight = dearest ? std::max(weight, counts) : std::min(weight, counts);
        until = std::min(until, touches_[i].to);
      }
    }
    cost += weight * (until - at);
    at = until;
  }
  return cost;
}

double RegionFan::costTo(Point place) {
  const Point way = place - from_;
  const double whole = length(way);
  if (!(whole > 0)) return 0;
  const Point along = way / whole;
  touches_.clear();
  Touch touch{};
  for (std::uint32_t i = 0; i < lines_.size(); ++i) {
    touch.line = i;
    if (touches(lines_[i], along, whole, touch)) touches_.push_back(touch);
  }
  return touches_.empty() ? weightAtBegin() * whole : sweep(whole, along);
}

}  // namespace throng::following
