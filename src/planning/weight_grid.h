// A* on a grid of square cells in weighted regions (JAKLIN 2016, sections 3.2 and 4.2): steps to eight neighbours, a
// cell weighs as much as the most expensive region that it has a part of, and half of a step is in either cell.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "corridors/corridor_map.h"
#include "planning/bucket_queue.h"
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
  std::size_t cells() const { return cells_.size(); }
  Point centre(std::uint32_t cell) const;
  std::uint16_t floorOf(std::uint32_t cell) const { return static_cast<std::uint16_t>(cell / per_floor_); }
  /// Column and row.
  std::array<std::int32_t, 2> place(std::uint32_t cell) const {
    const std::uint32_t here = floors_ > 1 ? cell % per_floor_ : cell;
    const auto row = static_cast<std::uint32_t>((here + 0.5) * per_column_);
    return {static_cast<std::int32_t>(here - row * columns_), static_cast<std::int32_t>(row)};
  }
  /// kNone: outside.
  std::uint32_t cellAt(Point place, std::uint16_t floor) const;
  /// Into which of eight directions, counter-clockwise from +x, somebody gets from a cell straight: a bit for each.
  std::uint8_t steps(std::uint32_t cell) const { return cells_[cell].steps; }
  /// The cell that such a step leads to; it may be on another floor.
  std::uint32_t step(std::uint32_t cell, unsigned direction) const {
    const std::uint32_t next = cell + static_cast<std::uint32_t>(offsets_[direction]);
    return lifts_.empty() || !(lifts_[cell] >> direction & 1u) ? next : elsewhere(cell, direction);
  }
  /// What is around a cell, the eight neighbours of it.
  enum class Around : std::uint8_t {
    kWalls,  ///< walls or connections, somewhere
    kFree,   ///< one gets from each of the nine to those beside it
    kAlike,  ///< and all are of the same ground
  };
  struct Cell {
    std::uint16_t set = 0;   ///< which types it has parts of; 0: none
    std::uint8_t steps = 0;  ///< a bit for each direction
    Around around = Around::kWalls;
  };
  std::span<const Cell> all() const { return cells_; }
  static bool isDiagonal(unsigned direction) { return (direction & 1u) != 0; }
  /// By set of types: the highest of their weights; infinity for no types at all.
  void weigh(std::span<const float> weights, std::vector<float>& by_set) const;
  std::uint16_t setOf(std::uint32_t cell) const { return cells_[cell].set; }
  /// m, of the ground at its centre; 0 where slopes do not matter.
  float height(std::uint32_t cell) const { return heights_.empty() ? 0 : heights_[cell]; }
  std::size_t memory() const;

 private:
  void markTypes(const RegionMesh& mesh);
  void markWalls(const RegionMesh& mesh, std::vector<std::uint8_t>& unclear) const;
  void findSteps(const corridors::CorridorMap& map, const RegionMesh& mesh, const std::vector<std::uint8_t>& unclear);
  void lookAround(const corridors::CorridorMap& map, const RegionMesh& mesh, std::uint32_t cell);
  std::uint32_t elsewhere(std::uint32_t cell, unsigned direction) const;
  std::uint16_t with(std::uint16_t set, ground::RegionType type);
  std::uint32_t beside(std::uint32_t cell, unsigned direction) const;
  template <class Visit>
  void forCells(const Rectangle& box, std::uint16_t floor, const Visit& visit) const;

  double cell_ = 1;
  std::int64_t left_ = 0, low_ = 0;  ///< of the first cell, in cells
  std::uint32_t columns_ = 0, rows_ = 0, per_floor_ = 0, floors_ = 1;
  double per_column_ = 1;  ///< instead of dividing by their number, which takes long
  std::vector<Cell> cells_;
  std::vector<std::vector<ground::RegionType>> types_;  ///< by set
  std::vector<float> heights_;                          ///< by cell; empty: slopes do not matter
  std::array<std::int32_t, 8> offsets_{};               ///< by direction: from cell to cell
  /// Steps to other floors: by cell a bit for each direction, empty where there are none, and where they lead.
  struct Lift {
    std::uint32_t cell, direction, next;
    bool operator<(const Lift& other) const {
      return cell != other.cell ? cell < other.cell : direction < other.direction;
    }
  };
  std::vector<std::uint8_t> lifts_;
  std::vector<Lift> lifts_to_;
};

struct GridScratch {
  struct Node {
    float cost = std::numeric_limits<float>::infinity();
    std::uint32_t before = 0;  ///< the cell, and the direction from there in the upper 8 bits
  };
  struct Open {
    float cost;
    std::uint32_t cell;
  };
  std::vector<Node> nodes;                            ///< between searches all are as new
  std::uint32_t first_touched = 0, last_touched = 0;  ///< those that are not lie between
  BucketQueue<Open> open;
  std::vector<float> weights;        ///< by set
  std::vector<std::uint32_t> cells;  ///< the way found
  std::vector<std::uint32_t> first, last;
};

/// The cheapest way from cell to cell. Its points are the start, the centres of all cells on the way (`bends_only`: of
/// those where it changes direction), and the goal; its cost is that of the steps.
void searchGrid(const corridors::CorridorMap& map, const RegionMesh& mesh, const WeightGrid& grid,
                const RegionQuery& query, GridScratch& scratch, RegionWay& way, bool bends_only = true);

}  // namespace throng::planning
