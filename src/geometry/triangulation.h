// A constrained Delaunay triangulation of places on the grid, with exact decisions.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "geometry/integer_plane.h"

namespace throng::geometry {

/// Between two places of a list, by their numbers.
struct PlaceEdge {
  std::uint32_t a = 0, b = 0;
  bool operator==(const PlaceEdge&) const = default;
  auto operator<=>(const PlaceEdge&) const = default;
};

/// Is p inside the circle through a, b and c, which go around it counter-clockwise?
bool inCircle(GridPlace<std::int32_t> a, GridPlace<std::int32_t> b, GridPlace<std::int32_t> c,
              GridPlace<std::int32_t> p);

class Triangulation {
 public:
  using Spot = GridPlace<std::int32_t>;
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// No coordinate is farther from zero: products of two differences then fit 64 bits, and those of four 128.
  static constexpr std::int32_t kReach = 1 << 27;

  struct Triangle {
    std::array<std::uint32_t, 3> v;  ///< counter-clockwise
    std::array<std::uint32_t, 3> n;  ///< n[i] lies across the side from v[i] to v[i + 1]
    std::uint8_t fixed = 0;          ///< bit i: that side is an edge
  };

  /// All nodes, each once, and all edges, which meet at nodes only, as sides of triangles; what is beyond the nodes is
  /// filled up to a far square.
  Triangulation(std::vector<Spot> nodes, std::span<const PlaceEdge> edges);

  const std::vector<Triangle>& triangles() const { return triangles_; }
  std::size_t vertices() const { return points_.size(); }
  Spot spot(std::uint32_t vertex) const { return points_[vertex]; }
  /// True for triangles that reach to the far square.
  bool outside(const Triangle& t) const { return std::max({t.v[0], t.v[1], t.v[2]}) >= first_far_; }
  /// visit(triangle) for all around a node.
  template <class Visit>
  void around(std::uint32_t vertex, const Visit& visit) const {
    std::uint32_t t = at_[vertex];
    do {
      visit(t);
      const auto& v = triangles_[t].v;
      t = triangles_[t].n[previous(v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2)];
    } while (t != at_[vertex] && t != kNone);
  }
  /// Which side of n the side i of t is.
  std::size_t sideAcross(std::uint32_t t, std::size_t i) const { return sideOf(triangles_[t].n[i], t); }

 private:
  static std::size_t next(std::size_t i) { return i == 2 ? 0 : i + 1; }
  static std::size_t previous(std::size_t i) { return i == 0 ? 2 : i - 1; }
  std::size_t sideOf(std::uint32_t t, std::uint32_t neighbour) const;
  std::int64_t side(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return cross(points_[a], points_[b], points_[c]);
  }

  std::uint32_t locate(std::uint32_t p) const;
  void insert(std::uint32_t p);
  void splitFace(std::uint32_t t, std::uint32_t p);
  void splitSide(std::uint32_t t, std::size_t i, std::uint32_t p);
  void legalise();
  void set(std::uint32_t t, std::array<std::uint32_t, 3> v, std::array<std::uint32_t, 3> n);
  void relink(std::uint32_t t, std::uint32_t from, std::uint32_t to);
  void flip(std::uint32_t t, std::size_t i);

  /// The triangle that has a→b as its side `i`, or kNone.
  std::uint32_t find(std::uint32_t a, std::uint32_t b, std::size_t& i) const;
  void fix(std::uint32_t a, std::uint32_t b);
  std::uint32_t cutToward(std::uint32_t a, std::uint32_t b, std::deque<PlaceEdge>& crossed) const;

  std::vector<Spot> points_;
  std::uint32_t first_far_ = 0;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> at_;  ///< per vertex: one of its triangles
  std::uint32_t last_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> doubtful_;  ///< sides, as triangle and its neighbour
};

}  // namespace throng::geometry
