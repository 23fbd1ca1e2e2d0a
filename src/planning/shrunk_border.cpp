#include "planning/shrunk_border.h"

#include "corridors/layer_cuts.h"
#include "planning/arc.h"

namespace throng::planning {
namespace {

using corridors::CorridorMap;

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
    if (site.isCorner() && det(u, v) > 0) {
      constexpr double kCoarse = 0.9, kFine = 0.9982;  // cosines of 26° and 3.4°
      const bool narrow = static_cast<double>(map_.edge(h).least_clearance) < 1.15 * radius_;
      addArc(foot, u, v, narrow ? kFine : kCoarse);
    }
    points_.push_back(foot_end + v * radius_);
    if (map_.edge(h).crossing == corridors::kNone) {
      addLines(points_, map_.edge(h).floor);
    } else {
      pieces_.clear();
      cuts_.addPieces(points_, map_.floorAt(h, points_.front()), pieces_);
      for (const LayerPolyline& piece : pieces_) addLines(piece.line.points, piece.layer);
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

  void addLines(std::span<const Point> points, std::uint16_t floor) {
    for (std::size_t i = 1; i < points.size(); ++i) lines.push_back({points[i - 1], points[i], floor});
  }

  const CorridorMap& map_;
  const corridors::LayerCuts cuts_;
  const double radius_;
  std::vector<Point> points_;
  std::vector<LayerPolyline> pieces_;
};

}  // namespace

std::vector<BorderLine> shrunkBorder(const CorridorMap& map, double radius) {
  Border border(map, radius);
  for (std::uint32_t h = 0; h < map.halfEdges().size(); ++h)
    if (map.edge(h).origin != corridors::kNone) border.addCell(h);
  return std::move(border.lines);
}

}  // namespace throng::planning
