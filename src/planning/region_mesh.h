// Free space for somebody of a given size, cut into triangles of one type of ground each: a constrained Delaunay
// triangulation of the borders of regions, of the lines at that distance from walls (shrunk_border.h), and of the
// connections between layers, over which the triangles of one layer are neighbours of another's. What planners in
// weighted regions search (JAKLIN 2016, chapter 4).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "throng/shapes.h"

#include "base/narrowing.h"
#include "corridors/corridor_map.h"
#include "geometry/uniform_grid.h"
#include "ground/regions.h"
#include "ground/walkable_space.h"

namespace throng::planning {

class RegionMesh {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct Triangle {
    std::array<std::uint32_t, 3> corner;  ///< counter-clockwise
    std::array<std::uint32_t, 3> edge;    ///< from corner[i] to corner[i + 1]
    std::array<std::uint32_t, 3> beyond;  ///< the triangle across that edge, or kNone
    ground::RegionType type = 0;
    std::uint16_t floor = 0;
  };
  struct Edge {
    std::uint32_t a = 0, b = 0;                 ///< corners
    std::uint32_t left = kNone, right = kNone;  ///< triangles of a→b; kNone: a wall

    bool crossable() const { return left != kNone && right != kNone; }
  };

  RegionMesh() = default;
  /// `regions`: null for one type everywhere. `radius`: m. `hills`: floors, where slopes matter; triangles then end
  /// where the ground bends. `never`: types of ground that the whole body keeps off, as off walls; what is nearer to
  /// them than the radius is of the type closed().
  RegionMesh(const corridors::CorridorMap& map, const ground::Regions* regions, double radius,
             std::span<const ground::Floor> hills = {}, std::span<const ground::RegionType> never = {});

  const std::vector<Point>& corners() const { return corners_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }
  const std::vector<Edge>& edges() const { return edges_; }
  double radius() const { return radius_; }
  /// One more than all types of the scene; 0: nothing is closed.
  ground::RegionType closed() const { return closed_; }
  /// Do slopes matter?
  bool isHilly() const { return !slopes_.empty(); }
  /// m up or down on a straight way within a triangle.
  double climb(std::uint32_t t, Point way) const { return std::fabs(dot(slopes_[t], way)); }
  Point slope(std::uint32_t t) const { return slopes_.empty() ? Point{} : slopes_[t]; }
  /// Do two triangles rise the same way?
  bool slopesAlike(std::uint32_t t, std::uint32_t n) const {
    constexpr double kAlike = 1e-4;
    return slopes_.empty() ||
           (std::fabs(slopes_[t].x - slopes_[n].x) < kAlike && std::fabs(slopes_[t].y - slopes_[n].y) < kAlike);
  }
  /// m; 0 where slopes do not matter.
  double heightAt(Point place, std::uint16_t floor) const {
    return floor < hills_.size() ? static_cast<double>(hills_[floor].height(narrow(place))) : 0;
  }
  /// Of all that can be walked on.
  const Rectangle& extent() const { return extent_; }

  /// The triangle that contains a place; on borders one of those that do. kNone: no centre can be there.
  std::uint32_t locate(Point place, std::uint16_t floor) const;
  /// visit(triangle) for those of a floor whose boxes meet another; some more than once.
  template <class Visit>
  void near(Point low, Point high, std::uint16_t floor, const Visit& visit) const {
    if (floor < grids_.size()) grids_[floor].visit(low, high, [&](std::uint32_t item) { visit(first_[floor] + item); });
  }
  bool contains(const Triangle& t, Point place) const;
  /// Which side of a triangle an edge is.
  static std::size_t sideOf(const Triangle& t, std::uint32_t edge) {
    return t.edge[0] == edge ? 0 : t.edge[1] == edge ? 1 : 2;
  }
  /// Triangles around a corner, in no order.
  std::span<const std::uint32_t> around(std::uint32_t corner) const {
    return std::span(around_).subspan(around_start_[corner], around_start_[corner + 1] - around_start_[corner]);
  }
  Segment segment(std::uint32_t edge) const { return {corners_[edges_[edge].a], corners_[edges_[edge].b]}; }
  std::size_t memory() const;

 private:
  friend class MeshBuilder;

  double radius_ = 0;
  ground::RegionType closed_ = 0;
  Rectangle extent_{};
  std::vector<Point> corners_;
  std::vector<Triangle> triangles_;
  std::vector<Edge> edges_;
  std::span<const ground::Floor> hills_;
  std::vector<Point> slopes_;  ///< by triangle: m of height per m along x and y; empty: they do not matter
  std::vector<std::uint32_t> around_start_, around_;
  std::vector<std::uint32_t> first_;                  ///< by floor: its first triangle
  std::vector<geometry::UniformGrid<double>> grids_;  ///< by floor, of its triangles
};

}  // namespace throng::planning
