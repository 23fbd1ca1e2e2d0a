#include "graph/navigation_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::graph {

NavigationAxis::NavigationAxis(const corridors::CorridorMap& map, double spacing, const base::Threads& threads)
    : map_(&map) {
  points_.resize(map.vertices().size());
  const auto arcs = static_cast<std::uint32_t>(map.halfEdges().size() / 2);
  first_.reserve(arcs + 1);
  for (std::uint32_t k = 0; k < arcs; ++k) {
    first_.push_back(static_cast<std::uint32_t>(points_.size()));
    if (map.edge(2 * k).origin != corridors::kNone) addArc(2 * k, spacing);
  }
  first_.push_back(static_cast<std::uint32_t>(points_.size()));
  constexpr std::size_t kGrain = 2048;
  threads.forEach(points_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      AxisPoint& point = points_[i];
      if (isVertex(static_cast<std::uint32_t>(i))) {
        measureVertex(static_cast<std::uint32_t>(i));
      } else {
        point.radius = std::min(map.distanceTo(map.edge(point.edge).site, point.at),
                                map.distanceTo(map.edge(corridors::CorridorMap::twin(point.edge)).site, point.at));
        point.on_way = !arm(point.edge);
      }
      // What corners were moved by when the map was made, and what rounding moves feet and vertices by.
      point.radius = std::max(0.0, point.radius - corridors::CorridorMap::kTolerance);
    }
  });
}

void NavigationAxis::measureVertex(std::uint32_t vertex) {
  AxisPoint& point = points_[vertex];
  point.at = map_->vertex(vertex).at;
  point.edge = map_->vertex(vertex).edge;
  if (point.edge == corridors::kNone) return;
  point.radius = map_->vertex(vertex).clearance;
  int ways = 0;
  std::uint32_t h = point.edge;
  do {
    ++ways;
    point.on_way = point.on_way || !arm(h);
    point.radius = std::min(point.radius, map_->distanceTo(map_->edge(h).site, point.at));
    h = map_->edge(corridors::CorridorMap::twin(h)).next;
  } while (h != point.edge);
  point.on_way = point.on_way || ways > 2;  // a room whose axis is nothing but arms
}

void NavigationAxis::addArc(std::uint32_t h, double spacing) {
  const corridors::CorridorMap& map = *map_;
  const double steps = std::ceil(map.arcLength(h) / spacing);
  if (!(steps > 1)) return;
  const Point from = map.origin(h).at, to = map.target(h).at, narrowest = map.narrowest(h);
  // Parabolas go by the feet on their walls, which makes points less far apart where the arc is flat.
  const bool curved = map.onWall(h) != map.onWall(corridors::CorridorMap::twin(h));
  const std::uint32_t at_wall = map.onWall(h) ? h : corridors::CorridorMap::twin(h);
  const Point foot_a = h == at_wall ? map.foot(h) : map.footEnd(at_wall),
              foot_b = h == at_wall ? map.footEnd(h) : map.foot(at_wall);
  const auto place = [&](double t) {
    return curved ? map.onArc(at_wall, foot_a + (foot_b - foot_a) * t) : from + (to - from) * t;
  };
  const auto add = [&](Point at) { points_.push_back({at, 0, h, false}); };
  // The narrowest point is one of them: between points on which somebody can stand, nothing is narrower.
  const Point way = curved ? foot_b - foot_a : to - from;
  const double whole = lengthSquared(way);
  const double least = whole > 0 ? dot(narrowest - (curved ? foot_a : from), way) / whole : -1;
  std::vector<double> shares;
  const double end = curved ? 2 * steps : steps;
  for (double i = 1; i < end; ++i) shares.push_back(i / end);
  if (least > 0 && least < 1) shares.push_back(least);
  std::sort(shares.begin(), shares.end());
  Point before = from;
  double last = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const Point at = place(shares[i]);
    // A parabola's steep ends.
    for (double gap = length(at - before), k = 1; curved && k * spacing < gap; ++k) {
      const double more = std::ceil(gap / spacing);
      add(place(last + (shares[i] - last) * k / more));
      if (k + 1 >= more) break;
    }
    add(at);
    before = at, last = shares[i];
  }
}

std::uint32_t NavigationAxis::ahead(std::uint32_t point, std::uint32_t h) const {
  const std::uint32_t first = first_[h / 2], end = first_[h / 2 + 1];
  const bool along = (h & 1u) == 0;  // points are listed in the even half-edge's direction
  const std::uint32_t target = map_->edge(corridors::CorridorMap::twin(h)).origin;
  if (first == end) return target;
  if (isVertex(point)) return along ? first : end - 1;
  if (along) return point + 1 < end ? point + 1 : target;
  return point > first ? point - 1 : target;
}

std::uint32_t NavigationAxis::nearest(std::uint32_t h, Point place, double least_radius) const {
  std::uint32_t found = corridors::kNone;
  double best = std::numeric_limits<double>::infinity();
  const auto look = [&](std::uint32_t point) {
    const double squared = lengthSquared(at(point) - place);
    if (radius(point) >= least_radius && squared < best) best = squared, found = point;
  };
  look(map_->edge(h).origin);
  look(map_->edge(corridors::CorridorMap::twin(h)).origin);
  for (std::uint32_t i = first_[h / 2]; i < first_[h / 2 + 1]; ++i) look(i);
  return found;
}

}  // namespace throng::graph
