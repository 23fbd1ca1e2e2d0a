// Who is near: one index per step for everybody. A uniform grid per layer, filled by counting sort; people in cell order
// with the columns that kernels read of their neighbours copied into that order, so that a row of cells is one stretch
// of memory. In a wrapped layer, people near the border stand a second time beyond the opposite border, as ghosts.
//
// A "slot" is a place in cell order. Slots hold real people and ghosts; row(slot) is the person's row in either case.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agents/crowd.h"
#include "base/column.h"
#include "base/parallel.h"
#include "throng/scene.h"

namespace throng::agents {

class NeighbourIndex {
 public:
  /// `range`: the largest distance that will be asked for without visiting more than the 3x3 (or 5x5) cells around.
  /// Any range may be asked for. `wrap` per layer.
  void build(const Crowd& crowd, float range, std::span<const std::optional<Rectangle>> wrap,
             const base::Threads& threads);

  /// Slots in cell order, ghosts included.
  std::size_t slots() const { return row_.size(); }
  std::span<const float> x() const { return x_; }
  std::span<const float> y() const { return y_; }
  std::span<const float> vx() const { return vx_; }
  std::span<const float> vy() const { return vy_; }
  std::span<const float> radius() const { return radius_; }
  std::span<const std::uint32_t> row() const { return row_; }
  /// The slots of real people, in cell order.
  std::span<const std::uint32_t> people() const { return people_; }

  // The grid, for kernels that walk it themselves.
  struct Grid {
    float origin_x = 0, origin_y = 0, cell = 1, inverse_cell = 1;
    int columns = 0, rows = 0;
    std::uint32_t first_cell = 0;  ///< of this layer, in cellStart()
  };
  const Grid& grid(std::uint16_t layer) const { return grids_[layer]; }
  /// Slots of cell c are [cellStart()[c], cellStart()[c + 1]); cells of one grid row follow one another.
  std::span<const std::uint32_t> cellStart() const { return cell_start_; }
  /// Column (row) of the grid that holds x (y), clamped into the grid.
  static int column(const Grid& grid, float x);
  static int gridRow(const Grid& grid, float y);

  /// The up to `count` nearest slots within `range` of a place, nearest first, ties by slot; not slot `except`.
  /// Appends to nothing: `found` is cleared first and keeps its capacity.
  struct Found {
    float distance_squared;
    std::uint32_t slot;
  };
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  void nearest(Vec2 place, std::uint16_t layer, std::size_t count, float range, std::uint32_t except,
               std::vector<Found>& found) const;

  std::size_t memory() const;

 private:
  std::vector<Grid> grids_;
  base::Column<float> x_, y_, vx_, vy_, radius_;
  base::Column<std::uint32_t> row_, people_;
  std::vector<std::uint32_t> cell_start_;
  std::vector<std::uint32_t> cell_of_;  ///< scratch
};

}  // namespace throng::agents
