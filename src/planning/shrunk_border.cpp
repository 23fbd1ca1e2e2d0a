#include "planning/shrunk_border.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "corridors/layer_cuts.h"
#include "geometry/predicates.h"
#include "planning/arc.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;

/// Where the axis is farther from walls than this times the radius, corners of both sides may be cut.
constexpr double kWide = 1.15;
constexpr double kMost = 0.08;  // of the radius: how far beyond the circle

class Border {
 public:
  Border(const CorridorMap& map, double radius) : map_(map), cuts_(map), radius_(radius) {}

  /// What the cell of h has of it.
  void addCell(std::uint32_t h) {
    constexpr double kRounded = 1e-6;  // m; the map keeps the least clearance in 32 bits
    const corridors::MapVertex &from = map_.origin(h), &to = map_.target(h);
    if (static_cast<double>(map_.edge(h).least_clearance) >= radius_ - kRounded * (1 + radius_)) {
      addStretch(h, from.at, to.at);
      return;
    }
    if (from.clearance > radius_) addStretch(h, from.at, whereClearanceIs(map_, h, from.at, radius_));
    if (to.clearance > radius_) addStretch(h, whereClearanceIs(map_, h, to.at, radius_), to.at);
  }

  std::vector<BorderLine> lines;

 private:
  /// Between two places of the arc, in the direction of h.
  void addStretch(std::uint32_t h, Point from, Point to) {
    const corridors::Site site = map_.edge(h).site;
    const Point foot = map_.nearestOn(site, from), foot_end = map_.nearestOn(site, to);
    const Point u = normalized(from - foot), v = normalized(to - foot_end);
    points_.assign(1, foot + u * radius_);
    // Around the end of a wall it may be half a turn, of which rounding does not know the sign.
    if (site.isCorner() && (det(u, v) > 0 || dot(u, v) < -0.5)) {
      constexpr double kCoarse = 0.9, kFine = 0.9982;  // cosines of 26° and 3.4°
      const bool narrow = static_cast<double>(map_.edge(h).least_clearance) < kWide * radius_;
      addArc(foot, u, v, narrow ? kFine : kCoarse);
    }
    points_.push_back(foot_end + v * radius_);
    if (map_.edge(h).crossing == corridors::kNone) {
      const bool wide = static_cast<double>(map_.edge(h).least_clearance) >= kWide * radius_;
      addLines(points_, map_.edge(h).floor, wide);
    } else {
      pieces_.clear();
      cuts_.addPieces(points_, map_.floorAt(h, points_.front()), pieces_);
      for (const LayerPolyline& piece : pieces_) addLines(piece.line.points, piece.layer, false);
    }
  }

  /// Corners of the tangents' polygon around a circle, between two directions that are less than half a turn apart.
  void addArc(Point centre, Point u, Point v, double widest) {
    const double cosine = dot(u, v);
    if (cosine >= widest) {
      points_.push_back(centre + (u + v) * (radius_ / (1 + cosine)));
      return;
    }
    const Point half = cosine > -0.99 ? normalized(u + v) : normalized(perpendicular(u) - perpendicular(v));
    addArc(centre, u, half, widest);
    addArc(centre, half, v, widest);
  }

  void addLines(std::span<const Point> points, std::uint16_t floor, bool wide) {
    for (std::size_t i = 1; i < points.size(); ++i) lines.push_back({points[i - 1], points[i], floor, wide});
  }

  const CorridorMap& map_;
  const corridors::LayerCuts cuts_;
  const double radius_;
  std::vector<Point> points_;
  std::vector<LayerPolyline> pieces_;
};

/// Lines one after the other, and which of them to keep.
class Thinning {
 public:
  Thinning(const std::vector<BorderLine>& lines, double most) : lines_(lines), most_(most) {}

  std::vector<BorderLine> run() {
    link();
    std::vector<std::uint8_t> done(lines_.size());
    for (std::uint32_t i = 0; i < lines_.size(); ++i) {
      if (done[i]) continue;
      std::uint32_t first = i;
      while (before_[first] != kNobody && before_[first] != i) first = before_[first];
      const bool closed = before_[first] != kNobody;
      row_.clear();
      for (std::uint32_t k = closed ? i : first; k != kNobody && !done[k]; k = after_[k]) {
        done[k] = 1;
        add(lines_[k]);
      }
      thin(closed);
    }
    return std::move(thinned_);
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  static constexpr double kSame = 4e-6;  // m

  /// Each line's next one, where there is one and one only.
  void link() {
    const auto count = static_cast<std::uint32_t>(lines_.size());
    std::vector<std::uint32_t> order(count);
    for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) {
      return lines_[i].a.x != lines_[k].a.x ? lines_[i].a.x < lines_[k].a.x : i < k;
    });
    after_.assign(count, kNobody), before_.assign(count, kNobody);
    std::vector<std::uint8_t> taken(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Point end = lines_[i].b;
      auto there = std::lower_bound(order.begin(), order.end(), end.x - kSame,
                                    [&](std::uint32_t k, double x) { return lines_[k].a.x < x; });
      std::uint32_t found = kNobody;
      int all = 0;
      for (; there != order.end() && lines_[*there].a.x <= end.x + kSame; ++there)
        if (lines_[*there].floor == lines_[i].floor && std::fabs(lines_[*there].a.y - end.y) <= kSame)
          found = *there, ++all;
      if (all != 1 || found == i) continue;
      if (before_[found] != kNobody) {  // two end where one begins
        taken[found] = 1;
        continue;
      }
      after_[i] = found, before_[found] = i;
    }
    for (std::uint32_t i = 0; i < count; ++i)
      if (taken[i] && before_[i] != kNobody) after_[before_[i]] = kNobody, before_[i] = kNobody;
  }

  /// Lines too short to have a direction become a part of their neighbour.
  void add(const BorderLine& line) {
    constexpr double kShort = 2e-5;  // m
    if (line.a == line.b) return;
    if (!row_.empty() && std::min(length(line.b - line.a), length(row_.back().b - row_.back().a)) < kShort) {
      row_.back().b = line.b;
      row_.back().wide = row_.back().wide && line.wide;
      return;
    }
    row_.push_back(line);
  }

  /// Where lines i and k meet when those between them are left out; nothing where they must not be.
  std::optional<Point> meeting(std::size_t i, std::size_t k) const {
    constexpr double kTurn = 0.62;  // cosine of 52°
    const BorderLine &first = at(i), &last = at(k);
    const Point u = normalized(first.b - first.a), v = normalized(last.b - last.a);
    const double sine = det(u, v);
    if (!(sine > 1e-3) || dot(u, v) < kTurn) return {};
    const Point meet = last.a + v * (det(first.b - last.a, u) / det(v, u));
    double off = length(meet - first.b);
    for (std::size_t m = i + 1; m < k; ++m) {
      const Point way = at(m).b - at(m).a;
      if (!at(m).wide || det(at(m - 1).b - at(m - 1).a, way) < 0 || det(way, at(m + 1).b - at(m + 1).a) < 0) return {};
      off = std::min(off, geometry::distanceToSegment(meet, at(m).a, at(m).b));
    }
    return off <= most_ ? std::optional(meet) : std::nullopt;
  }
  const BorderLine& at(std::size_t i) const { return row_[i % row_.size()]; }

  void thin(bool closed) {
    constexpr std::size_t kFarthest = 24;  // lines
    const std::size_t count = row_.size(), end = closed ? count : count - 1;
    if (count == 0) return;
    std::vector<BorderLine> kept{row_.front()};
    for (std::size_t i = 0; i < end;) {
      std::size_t next = i + 1;
      Point meet = at(i).b;
      bool changed = false;
      for (std::size_t k = i + 2; k <= std::min(end, i + kFarthest); ++k) {
        if (!at(k - 1).wide) break;
        if (const auto there = meeting(i, k)) next = k, meet = *there, changed = true;
      }
      if (changed) kept.back().b = meet;
      i = next;
      if (i == count && closed) {
        if (changed) kept.front().a = meet;
        break;
      }
      kept.push_back(at(i));
      if (changed) kept.back().a = meet;
    }
    thinned_.insert(thinned_.end(), kept.begin(), kept.end());
  }

  const std::vector<BorderLine>& lines_;
  const double most_;
  std::vector<std::uint32_t> after_, before_;
  std::vector<BorderLine> row_, thinned_;
};

}  // namespace

std::vector<BorderLine> withFewerCorners(const std::vector<BorderLine>& lines, double most) {
  return Thinning(lines, most).run();
}

std::vector<BorderLine> shrunkBorder(const CorridorMap& map, double radius) {
  Border border(map, radius);
  for (std::uint32_t h = 0; h < map.halfEdges().size(); ++h)
    if (map.edge(h).origin != corridors::kNone) border.addCell(h);
  return withFewerCorners(border.lines, kMost * radius);
}

}  // namespace throng::planning
