// Who is near: one index per step for everybody. A uniform grid per layer, filled by counting sort; people in cell
// order with the columns that kernels read of their neighbours copied into that order, so that a row of cells is one
// stretch of memory. In a wrapped layer, people near the border stand a second time beyond the opposite border, as
// ghosts.
//
// A "slot" is a place in cell order. Slots hold real people and ghosts; row(slot) is the person's row in either case.
// Cells of the first layer come first, then those of the second, and so on; within a cell people stand by row, ghosts
// after them, so the order is a function of the crowd alone and not of the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "throng/shapes.h"

#include "agents/crowd.h"
#include "base/column.h"
#include "base/parallel.h"

namespace throng::agents {

class NeighbourIndex {
 public:
  /// `range`: the largest distance that will be asked for; it decides how far beyond a wrapped border ghosts stand. Any
  /// range may be asked for, but ghosts are seen only this far. `wrap` per layer. A range beyond the width of a wrapped
  /// layer meets every person at most once on each of the eight sides.
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
    bool own_ghosts = false;       ///< the layer is wrapped so tightly that somebody may meet their own ghost
  };
  const Grid& grid(std::uint16_t layer) const { return grids_[layer]; }
  /// Slots of cell c are [cellStart()[c], cellStart()[c + 1]); cells of one grid row follow one another.
  std::span<const std::uint32_t> cellStart() const { return cell_start_; }
  /// Column (row) of the grid that holds x (y), clamped into the grid. Never decreases as x (y) grows.
  static int column(const Grid& grid, float x) {
    return cellAlong((x - grid.origin_x) * grid.inverse_cell, grid.columns);
  }
  static int gridRow(const Grid& grid, float y) {
    return cellAlong((y - grid.origin_y) * grid.inverse_cell, grid.rows);
  }
  /// One past the last slot of a layer.
  std::uint32_t layerEnd(std::uint16_t layer) const {
    const Grid& grid = grids_[layer];
    return cell_start_[grid.first_cell +
                       static_cast<std::uint32_t>(grid.columns) * static_cast<std::uint32_t>(grid.rows)];
  }

  /// The up to `count` nearest slots nearer than `range` to a place, nearest first, ties by slot; not slot `except`,
  /// and not the same person's ghosts. Appends to nothing: `found` is cleared first and keeps its capacity.
  struct Found {
    float distance_squared;
    std::uint32_t slot;
  };
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  void nearest(Vec2 place, std::uint16_t layer, std::size_t count, float range, std::uint32_t except,
               std::vector<Found>& found) const;

  /// How many of the first of `slots` (ascending, at most `lanes`, at least one) stand close enough together that one
  /// walk over the grid for all of them pays. All of them are on `layer`.
  std::size_t batch(std::span<const std::uint32_t> slots, std::uint16_t layer, std::size_t lanes) const;

  std::size_t memory() const;

 private:
  static int cellAlong(float cells, int count) {
    // Compared as floats: what is far outside the grid would not fit an int.
    if (!(cells > 0)) return 0;
    return cells >= static_cast<float>(count) ? count - 1 : std::min(static_cast<int>(cells), count - 1);
  }

  struct Box {
    float min_x, min_y, max_x, max_y;
    std::size_t people;
  };
  /// Of a wrapped layer; infinitely far away in others.
  struct Border {
    float min_x = -std::numeric_limits<float>::infinity(), min_y = min_x;
    float max_x = std::numeric_limits<float>::infinity(), max_y = max_x;
  };
  struct Ghosts {
    std::vector<float> x, y;
    std::vector<std::uint32_t> row;
  };

  void measure(const Crowd& crowd, const base::Threads& threads, std::size_t pieces, std::size_t layers);
  void addGhosts(const Crowd& crowd, float range, std::span<const std::optional<Rectangle>> wrap);
  void addGhostsOf(std::uint32_t row, Vec2 place, const Border& border, float range, Box& box);
  void layOut(float range, std::span<const std::optional<Rectangle>> wrap);
  void sortIntoCells(const Crowd& crowd, const base::Threads& threads, std::size_t pieces);
  void copyColumns(const Crowd& crowd, const base::Threads& threads);
  std::uint32_t cellAt(float x, float y, std::uint16_t layer) const {
    const Grid& g = grids_[layer];
    return g.first_cell + static_cast<std::uint32_t>(gridRow(g, y)) * static_cast<std::uint32_t>(g.columns) +
           static_cast<std::uint32_t>(column(g, x));
  }

  std::vector<Grid> grids_;
  base::Column<float> x_, y_, vx_, vy_, radius_;
  base::Column<std::uint32_t> row_, people_;
  std::vector<std::uint32_t> cell_start_;
  // Scratch of build, kept for its capacity.
  std::vector<Box> boxes_;       ///< per layer; while measuring, per piece and layer
  std::vector<Border> borders_;  ///< per layer
  Ghosts ghosts_;
  base::Column<std::uint32_t> cell_of_;   ///< per person by row, then per ghost
  base::Column<std::uint32_t> order_;     ///< per slot: row, or number of people + ghost
  std::vector<std::uint32_t> next_slot_;  ///< per piece and cell
};

}  // namespace throng::agents
