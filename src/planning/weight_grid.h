// A* on a grid of square cells in weighted regions (JAKLIN 2016, sections 3.2 and 4.2): steps to eight neighbours, a
// cell weighs as much as the most expensive region that it has a part of, and half of a step is in either cell.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "corridors/corridor_map.h"
#include "planning/open_heap.h"
#include "planning/region_mesh.h"
#include "planning/steiner.h"

namespace throng::planning {

/// Cells of all floors. Their borders lie at whole multiples of the cell size.
class WeightGrid {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// `cell`: m. Throws InputError when there would be too many.
  WeightGrid(const corridors::CorridorMap& map, const RegionMesh& mesh, double cell);

  double cell() const { return cell_; }
  std::size_t cells() const { return sets_.size(); }
  Point centre(std::uint32_t cell) const;
  std::uint16_t floorOf(std::uint32_t cell) const { return static_cast<std::uint16_t>(cell / per_floor_); }
  /// kNone: outside.
  std::uint32_t cellAt(Point place, std::uint16_t floor) const;
  /// The neighbour in one of eight directions, counter-clockwise from +x, where somebody gets there straight; it may be
  /// on another floor.
  std::uint32_t step(std::uint32_t cell, unsigned direction) const;
  static bool isDiagonal(unsigned direction) { return (direction & 1u) != 0; }
  /// By set of types: the highest of their weights; infinity for no types at all.
  void weigh(std::span<const float> weights, std::vector<float>& by_set) const;
  std::uint16_t setOf(std::uint32_t cell) const { return sets_[cell]; }
  /// m, of the ground at its centre; 0 where slopes do not matter.
  float height(std::uint32_t cell) const { return heights_.empty() ? 0 : heights_[cell]; }
  std::size_t memory() const;

 private:
  void markTypes(const RegionMesh& mesh);
  void markWalls(const RegionMesh& mesh, std::vector<std::uint8_t>& unclear) const;
  void findSteps(const corridors::CorridorMap& map, const RegionMesh& mesh, const std::vector<std::uint8_t>& unclear);
  std::uint16_t with(std::uint16_t set, ground::RegionType type);
  std::uint32_t beside(std::uint32_t cell, unsigned direction) const;
  template <class Visit>
  void forCells(const Rectangle& box, std::uint16_t floor, const Visit& visit) const;

  double cell_ = 1;
  std::int64_t left_ = 0, low_ = 0;  ///< of the first cell, in cells
  std::uint32_t columns_ = 0, rows_ = 0, per_floor_ = 0;
  std::vector<std::uint16_t> sets_;                     ///< by cell: which types it has parts of; 0: none
  std::vector<std::vector<ground::RegionType>> types_;  ///< by set
  std::vector<float> heights_;                          ///< by cell; empty: slopes do not matter
  std::vector<std::uint32_t> steps_of_;  ///< by cell: into steps_, for cells near walls and connections, or kNone
  std::vector<std::array<std::uint32_t, 8>> steps_;
};

struct GridScratch {
  struct Node {
    float cost = 0;
    std::uint32_t before = 0, search = 0, slot = 0;
  };
  std::vector<Node> nodes;
  std::uint32_t search = 0;
  std::vector<OpenEntry<float>> heap;
  std::vector<float> weights;        ///< by set
  std::vector<std::uint32_t> cells;  ///< the way found
  std::vector<std::uint32_t> first, last;
};

/// The cheapest way from cell to cell. Its points are the start, the centres of all cells on the way (`bends_only`: of
/// those where it changes direction), and the goal; its cost is that of the steps.
void searchGrid(const corridors::CorridorMap& map, const RegionMesh& mesh, const WeightGrid& grid,
                const RegionQuery& query, GridScratch& scratch, RegionWay& way, bool bends_only = true);

}  // namespace throng::planning
