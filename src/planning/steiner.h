// The Steiner-point method in weighted regions (Aleksandrov et al. 1998, as JAKLIN 2016 section 4.1 gives it): points
// on the edges of a triangulation, the nearer to one another the nearer they are to a corner, and a search over
// straight lines between points on the sides of one triangle. What it finds costs at most 1 + ε times the least.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "planning/open_heap.h"
#include "planning/region_mesh.h"

namespace throng::planning {

/// Points on the edges that can be crossed.
class SteinerPoints {
 public:
  SteinerPoints() = default;
  /// On all edges, or on those that `chosen` has a 1 for.
  SteinerPoints(const RegionMesh& mesh, double epsilon, std::span<const std::uint8_t> chosen = {});
  /// Few: the first at a share of the way to what is opposite a corner, but no nearer than `finest` m (`coarse` m at
  /// corners with one type of ground around them), each next one `factor` times as far, but by no more than one of so
  /// many pieces of the edge.
  static SteinerPoints few(const RegionMesh& mesh, double share, double factor, double finest, double coarse,
                           double pieces);

  double epsilon() const { return epsilon_; }
  std::size_t size() const { return places_.size(); }
  /// Of an edge, from its a to its b: first, and one after the last.
  std::uint32_t begin(std::uint32_t edge) const { return start_[edge]; }
  std::uint32_t end(std::uint32_t edge) const { return start_[edge + 1]; }
  Point place(std::uint32_t point) const { return places_[point]; }
  std::uint32_t edgeOf(std::uint32_t point) const { return edge_[point]; }

  /// Of few points: do three kinds of ground or more meet at a corner, walls among them? Ways lead through such corners
  /// where the ground between is dear.
  bool isJoint(std::uint32_t corner) const { return joint_[corner] != 0; }

  /// m, of few points: no two on an edge, or one and the end, are farther apart.
  double widestGap() const { return widest_gap_; }

  /// Points of an edge that lie next to one another, so many of them and the rest in the last one.
  struct Group {
    Point middle;
    double half = 0;  ///< m: no point is farther from the middle
  };
  static constexpr std::uint32_t kGroup = 8;
  std::uint32_t firstGroup(std::uint32_t edge) const { return first_group_[edge]; }
  const std::vector<Group>& groups() const { return groups_; }

 private:
  void addEdge(const RegionMesh& mesh, std::uint32_t edge, double from_a, double from_b, double grows_a, double grows_b,
               double finest, double most);
  void endEdges();

  double epsilon_ = 0, widest_gap_ = 0;
  std::vector<std::uint32_t> start_, edge_;
  std::vector<Point> places_;
  std::vector<std::uint8_t> joint_;         ///< by corner
  std::vector<std::uint32_t> first_group_;  ///< by edge
  std::vector<Group> groups_;
};

/// What is asked of searches in weighted regions.
struct RegionQuery {
  Point from, to;
  std::uint16_t layer = 0, goal_layer = 0;
  std::span<const float> weights;  ///< by type of ground; infinity: never
  double climb = 0;                ///< m of level ground that a metre of height is worth, up or down; in hills only
};

/// What they answer.
struct RegionWay {
  std::vector<Point> points;                              ///< with both ends
  double cost = std::numeric_limits<double>::infinity();  ///< infinity: there is none
  std::size_t explored = 0;                               ///< nodes that the search has looked beyond
};

/// Room for searching; one per thread, for any mesh.
struct SteinerScratch {
  struct Node {
    std::uint32_t before;
    std::uint32_t through;  ///< the triangle it was reached through; kNone: along an edge, or a corner
    std::uint32_t slot;     ///< in the heap
  };
  std::vector<Node> nodes;                        ///< corners, then points
  std::vector<double> costs;                      ///< of those
  std::vector<double> group_most;                 ///< by group of points: none of them costs more
  std::vector<std::uint32_t> corner_of, edge_of;  ///< the search that set them
  std::uint32_t search = 0;
  std::vector<OpenEntry<double>> heap;
  std::vector<std::uint32_t> from, to;  ///< triangles that have the ends
  std::vector<std::uint8_t> kept;       ///< by corner: is it an end of a chosen edge? Empty: all are
};

/// The cheapest way over the points and corners. `chosen`: edges that may be used, all where it is empty; the points
/// must be on them.
void searchSteiner(const RegionMesh& mesh, const SteinerPoints& points, const RegionQuery& query,
                   SteinerScratch& scratch, RegionWay& way, std::span<const std::uint8_t> chosen = {});

/// The triangles that a place lies in or on the border of, those that cost infinity left out.
void trianglesAt(const RegionMesh& mesh, Point place, std::uint16_t floor, std::span<const float> weights,
                 std::vector<std::uint32_t>& found);

/// What it costs to walk straight within a triangle whose ground weighs w.
inline double costWithin(const RegionMesh& mesh, std::uint32_t t, double w, double climb, Point way) {
  return climb > 0 ? w * length(way) + climb * mesh.climb(t, way) : w * length(way);
}

/// Of all finite weights.
double leastWeight(std::span<const float> weights);

}  // namespace throng::planning
