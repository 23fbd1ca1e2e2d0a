// Points of the corridor map's medial axis, near enough to one another that somebody who can stand on two that follow
// one another can go from one to the other: where the cylinders of the navigation graph are put.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "corridors/corridor_map.h"

namespace throng::graph {

/// The first points are the map's vertices (with its numbers); after those come the arcs' inner points.
class NavigationAxis {
 public:
  /// `spacing`: m, at most, between points that follow one another.
  NavigationAxis(const corridors::CorridorMap& map, double spacing, const base::Threads& threads);

  std::size_t size() const { return points_.size(); }
  Point at(std::uint32_t point) const { return points_[point].at; }
  /// m to the nearest obstacle, never more than that; 0 for a vertex that is not in use.
  double radius(std::uint32_t point) const { return points_[point].radius; }
  /// A cell of the map that the point is in, or on the border of.
  corridors::Located cell(std::uint32_t point) const { return {points_[point].edge}; }
  /// Is the point on a way from somewhere to somewhere, and not in an arm that ends in a corner?
  bool onWay(std::uint32_t point) const { return points_[point].on_way; }

  /// visit(point) for all points that follow this one on an arc.
  template <class Visit>
  void around(std::uint32_t point, const Visit& visit) const;
  /// The point that follows in the direction of a half-edge whose arc this point is on.
  std::uint32_t ahead(std::uint32_t point, std::uint32_t half_edge) const;
  /// Arcs: the points between the ends of a half-edge's arc are `first` … `end` - 1, in the order of the even one of
  /// its two half-edges.
  struct Inner {
    std::uint32_t first, end;
    bool straight;
  };
  Inner inner(std::uint32_t half_edge) const {
    return {first_[half_edge / 2], first_[half_edge / 2 + 1],
            map_->onWall(half_edge) == map_->onWall(corridors::CorridorMap::twin(half_edge))};
  }
  /// The first points are vertices of the map, at which arcs end.
  bool isVertex(std::uint32_t point) const { return point < first_[0]; }
  /// visit(half-edge) for all that begin in a vertex.
  template <class Visit>
  void leaving(std::uint32_t vertex, const Visit& visit) const;
  /// Of the points of a half-edge's arc (its ends included) with at least some radius, the one nearest to a place;
  /// kNone when there is none.
  std::uint32_t nearest(std::uint32_t half_edge, Point place, double least_radius) const;
  /// The points from one in an arm of the medial axis to where the arm begins, without the first.
  template <class Visit>
  void towardsWay(std::uint32_t point, const Visit& visit) const;
  std::size_t bytes() const { return points_.capacity() * sizeof(AxisPoint) + first_.capacity() * sizeof(first_[0]); }

 private:
  struct AxisPoint {
    Point at;
    double radius = 0;
    std::uint32_t edge = corridors::kNone;
    bool on_way = false;
  };
  void addArc(std::uint32_t half_edge, double spacing);
  bool arm(std::uint32_t half_edge) const { return map_->chains()[map_->edge(half_edge).chain].arm; }
  void measureVertex(std::uint32_t vertex);

  const corridors::CorridorMap* map_;
  std::vector<AxisPoint> points_;
  std::vector<std::uint32_t>
      first_;  ///< inner points of arc k, from 2k's origin to its target: first_[k] … first_[k+1]
};

template <class Visit>
void NavigationAxis::around(std::uint32_t point, const Visit& visit) const {
  const std::uint32_t edge = points_[point].edge;
  if (!isVertex(point)) {
    visit(ahead(point, edge));
    visit(ahead(point, corridors::CorridorMap::twin(edge)));
    return;
  }
  leaving(point, [&](std::uint32_t h) { visit(ahead(point, h)); });
}

template <class Visit>
void NavigationAxis::leaving(std::uint32_t vertex, const Visit& visit) const {
  const std::uint32_t edge = points_[vertex].edge;
  if (edge == corridors::kNone) return;
  std::uint32_t h = edge;
  do {
    visit(h);
    h = map_->edge(corridors::CorridorMap::twin(h)).next;
  } while (h != edge);
}

template <class Visit>
void NavigationAxis::towardsWay(std::uint32_t point, const Visit& visit) const {
  std::uint32_t h = points_[point].edge;
  if (isVertex(point)) {
    // In the middle of an arm there are two ways, one of them forward.
    const std::uint32_t other = map_->edge(corridors::CorridorMap::twin(h)).next;
    if (!map_->edge(h).forward) h = other;
  } else if (!map_->edge(h).forward) {
    h = corridors::CorridorMap::twin(h);
  }
  while (!onWay(point) && map_->edge(h).forward) {
    point = ahead(point, h);
    visit(point);
    if (isVertex(point)) h = map_->edge(h).next;
  }
}

}  // namespace throng::graph
