// Making a navigation graph.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/navigation_axis.h"
#include "graph/navigation_graph.h"
#include "graph/navigation_grid.h"

namespace throng::graph {

/// Fills an empty graph.
class GraphBuilder {
 public:
  GraphBuilder(NavigationGraph& graph, const ground::WalkableSpace& space, const corridors::CorridorMap& map,
               const Walkability& walkability, const base::Threads& threads, NavigationGraph::Making making);
  void build(double precision);

 private:
  // navigation_cylinders.cpp
  void placeCylinders();
  void coverAxis();
  void coverSamples();
  void ownAxis();
  std::uint32_t bestAround(std::uint32_t sample, std::uint32_t point);
  std::uint32_t take(std::uint32_t point);
  void ownAround(std::uint32_t point, double reach, std::uint32_t vertex);
  std::uint32_t unowned(std::uint32_t point);
  void findRuns();
  void fillCylinder(std::uint32_t vertex);
  bool fillRows(std::uint32_t vertex, std::uint32_t first);
  void fillFrom(std::uint32_t vertex, std::uint32_t first);
  std::uint32_t uncovered(std::uint32_t sample);
  std::uint32_t firstSample(std::uint32_t vertex) const;
  /// visit(point) for the axis points that are connected with one within a distance; visit says whether to go on.
  template <class Visit>
  void spread(std::uint32_t point, double reach, const Visit& visit);
  bool fits(std::uint32_t point) const { return axis_->radius(point) >= radius_; }
  bool reaches(std::uint32_t vertex, std::uint32_t point) const;

  // navigation_gates.cpp
  void groupFloors();
  /// Nobody gets, or sees, from one of these floors to the other, whatever lies above what in plan.
  bool apart(std::uint16_t a, std::uint16_t b) const { return group_[a] != group_[b]; }
  /// No connection leads from or to this floor: whatever is in a free disc is on it.
  bool single(std::uint16_t floor) const { return quick_ && !connected_[floor]; }
  void joinCylinders();
  std::optional<GraphEdge> gate(std::uint32_t low, std::uint32_t high) const;
  void stitch();
  void stitch(std::uint32_t x, std::uint32_t y);
  void force(std::uint32_t a, std::uint32_t b, Point at);
  void dropNeedlessGates();
  void findComponents();
  std::uint32_t root(std::uint32_t vertex);
  void unite(std::uint32_t a, std::uint32_t b);

  // navigation_graph_sight.cpp
  void findVisible();
  void findHosts();
  bool inFreeDiscs(std::uint32_t a, std::uint32_t b) const;

  NavigationGraph& graph_;
  const ground::WalkableSpace& space_;
  const corridors::CorridorMap& map_;
  const Walkability& walkability_;
  const base::Threads& threads_;
  bool quick_;
  double radius_;  ///< m, of a body

  std::optional<NavigationGrid> grid_;
  std::optional<NavigationAxis> axis_;
  std::vector<std::uint32_t> centre_;  ///< axis point of each vertex
  std::vector<std::uint32_t> inside_;  ///< per sample: the first cylinder it is in
  std::vector<std::uint32_t> next_;    ///< per sample: itself, or a later one before which all are in cylinders
  std::vector<std::uint32_t> runs_;    ///< the first sample of each run in a row; after the last, the number of samples
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows_;  ///< the first and last sample in each row of a cylinder
  std::vector<std::uint32_t> owner_;  ///< per axis point: a cylinder whose centre a body reaches straight from there
  std::vector<std::uint32_t> next_unowned_;  ///< per axis point: itself, or a later one before which all have owners
  std::vector<std::uint32_t> seen_, queue_, axis_mark_;
  std::vector<std::uint32_t> reached_;  ///< axis points with an owner, in the order in which they got it
  std::vector<Point> gap_;              ///< samples around one that is in no cylinder yet, which are in none either
  std::vector<std::uint32_t> gap_seen_, gap_mark_;
  std::uint32_t gap_round_ = 0;
  std::vector<std::uint8_t> needed_;  ///< axis points that connect cylinders with one another
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> host_;
  std::vector<bool> connected_;       ///< per floor: has it an open connection?
  std::vector<std::uint16_t> group_;  ///< per floor: the first one that it is connected with over open connections
};

}  // namespace throng::graph
